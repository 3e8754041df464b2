/// What can be wrong with the files that commands read: a way to make a good one so, and what a
/// message about it must say.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace fftprec::testing {

inline constexpr const char* good_sweep = R"(name = "small"
[axes]
mode = ["fp32", "bf16"]
n = { pow2 = [3, 5] }
)";

inline constexpr const char* good_gates = R"([[gate]]
name = "budget"
kind = "max"
source = "a budget"
metric = "err_l2_rel"
limit = 1
)";

/// A file as it was made wrong, and what a message about it must hold. Exit code 0: it is no
/// mistake.
struct Malformation {
  std::string name;
  std::function<std::string(std::string)> of;
  std::string message;
  int code = 2;
};

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + from + "' in " + text);
  return text.replace(at, from.size(), to);
}

inline Malformation replacing(const std::string& name, const std::string& from,
                              const std::string& to, const std::string& message, int code = 2) {
  return {name, [=](const std::string& text) { return replaced(text, from, to); }, message, code};
}

inline Malformation appending(const std::string& name, const std::string& more,
                              const std::string& message, int code = 2) {
  return {name, [=](const std::string& text) { return text + more; }, message, code};
}

inline std::string with_crlf(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return result;
}

/// The first row's line once more.
inline std::string first_row_of(const std::string& csv) {
  const std::size_t begin = csv.find('\n') + 1;
  return csv.substr(begin, csv.find('\n', begin) + 1 - begin);
}

/// Of any text file, that it is no mistake, or is one everywhere.
inline std::vector<Malformation> of_any_text(const std::string& nul_message) {
  return {
      {"BOM", [](const std::string& text) { return "\xEF\xBB\xBF" + text; }, "", 0},
      {"CRLF", with_crlf, "", 0},
      appending("NUL", std::string("\0\n", 2), nul_message),
  };
}

inline std::vector<Malformation> joined(std::vector<Malformation> a,
                                        const std::vector<Malformation>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline std::vector<Malformation> of_sweeps() {
  return joined(
      of_any_text("sweep.toml:5:1: "),
      {
          {"empty", [](const std::string&) { return std::string(); }, "sweep.toml:1:1: nothing to"},
          appending("syntax", "[axes\n", "sweep.toml:5:6: "),
          appending("invalid UTF-8", "# \xff\n", "sweep.toml:5:2: Encountered invalid utf-8"),
          appending("unknown key", "seeds = 3\n", "sweep.toml:5:1: unknown key 'seeds'"),
          replacing("unknown name", "\"bf16\"", "\"bf61\"", "sweep.toml:3:17: unknown mode 'bf61'"),
          replacing("unpaired bracket", "[3, 5] }", "[3, 5] }\ninput = \"wide(\"",
                    "sweep.toml:5:9: brackets do not pair in 'wide('"),
          replacing("beyond 2^63", "pow2 = [3, 5]", "range = [1, 99999999999999999999]",
                    "sweep.toml:4:"),
          replacing("beyond 2^64", "{ pow2 = [3, 5] }", "\"1..99999999999999999999\"",
                    "sweep.toml:4:5: axis 'n': '1..99999999999999999999' is not an integer"),
          replacing("wide range", "pow2 = [3, 5]", "range = [1, 9223372036854775807]",
                    "sweep.toml:4:15: axis 'n': '[1:9223372036854775807]' has more than 1000000"),
          replacing("too many cases", "{ pow2 = [3, 5] }",
                    "{ range = [1, 1000000] }\nseed = \"1..1000000\"",
                    "the axes make more than 1073741824 cases"),
          replacing("two values of one key", "name = ", "name = \"a\"\nname = ", "sweep.toml:2:"),
      });
}

inline std::vector<Malformation> of_gates() {
  return joined(
      of_any_text("gates.toml:7:1: "),
      {
          {"empty", [](const std::string&) { return std::string(); },
           "gates.toml:1:1: no [[gate]]"},
          appending("syntax", "= 3\n", "gates.toml:7:1: "),
          appending("unknown key", "limits = 3\n",
                    "gates.toml:7:1: unknown key of a max gate 'lim"),
          replacing("unknown kind", "\"max\"", "\"mx\"", "gates.toml:3:8: kind: unknown"),
          replacing("NaN", "limit = 1", "limit = nan", "gates.toml:6:9: limit: expected a finite"),
          replacing("beyond double", "limit = 1", "limit = 1e999", "gates.toml:6:"),
          replacing("unpaired bracket", "limit = 1", "limit = 1\nwhere = \"input=wide(\"",
                    "gates.toml:7:9: where: brackets do not pair"),
      });
}

inline std::vector<Malformation> of_rows() {
  return joined(
      of_any_text("results.csv:8: 1 cells; expected"),
      {
          {"empty", [](const std::string&) { return std::string(); },
           "results.csv:1: the file is empty"},
          replacing("missing column", "seed,", "", "results.csv:1: column 'seed' is missing"),
          replacing("other case", ",exact,16,", ",exact,17,", "results.csv:3: column 'case_id': '"),
          replacing("control in a name", ",exact,16,", ",\"ex\x1b\n::error::x\",16,",
                    "results.csv:3: column 'tables': 'ex\\x1b\\n::error::x' is not a name"),
          replacing("text in a metric", ",0.0035707190510256156,", ",0.0x,",
                    "results.csv:2: column 'err_l2_rel': '0.0x' is not a number"),
          replacing("beyond double", ",0.0035707190510256156,", ",1e999,",
                    "results.csv:2: column 'err_l2_rel': '1e999' is not a number"),
          {"cut off", [](const std::string& text) { return text.substr(0, text.size() - 5); },
           "results.csv:7: the last line has no end"},
          {"duplicate row", [](const std::string& text) { return text + first_row_of(text); },
           "results.csv:8: repeats the case of line 2: -a transform=fft"},
          replacing("embedded newline", ",ok,\n", ",ok,\"two\nlines\"\n", "", 0),
      });
}

inline std::vector<Malformation> of_manifests() {
  return {
      {"BOM", [](const std::string& text) { return "\xEF\xBB\xBF" + text; }, "", 0},
      {"CRLF", with_crlf, "", 0},
      {"empty", [](const std::string&) { return std::string(); },
       "manifest.json: is no manifest: "},
      {"cut off", [](const std::string& text) { return text.substr(0, text.size() / 2); },
       "manifest.json: is no manifest: "},
      {"array", [](const std::string& text) { return "[" + text + "]"; },
       "manifest.json: is no manifest: no JSON object"},
      {"deep",
       [](const std::string& text) {
         return "{\"a\": " + std::string(100000, '[') + std::string(100000, ']') + "," +
                text.substr(1);
       },
       "manifest.json: is no manifest: nested deeper than"},
      appending("NUL", std::string("\0{}", 3), "manifest.json: is no manifest: byte "),
  };
}

/// The manifest as another program would have written it: sealed by nobody.
inline Malformation unsealed(const std::string& name, const std::string& from,
                             const std::string& to, const std::string& message) {
  return {name,
          [=](const std::string& text) {
            const std::size_t seal = text.find(",\n  \"manifest_hash\"");
            return replaced(text.substr(0, seal) + "\n}\n", from, to);
          },
          message};
}

/// What only some readers look at.
inline std::vector<Malformation> of_versions() {
  return {
      {"somebody else's", [](const std::string&) { return std::string("{\"name\": \"app\"}"); },
       "manifest.json: is no manifest: it needs a text 'version'"},
      replacing("sealed", "\"shard\": \"\"", "\"shard\": \"1/2\"",
                "manifest.json: was changed after it was written"),
      unsealed("other numerics", "\"numerics_version\": ", "\"numerics_version\": 9",
               "manifest.json"),
      unsealed("wrapped numerics", "\"numerics_version\": ", "\"numerics_version\": 429496729600",
               "manifest.json: is no manifest: "),
      unsealed("numerics as text", "\"numerics_version\": ", "\"numerics_version\": \"\", \"b\": ",
               "manifest.json: is no manifest: "),
      unsealed("no version", "\"version\"", "\"versions\"", "manifest.json: is no manifest: "),
      unsealed("shard as number", "\"shard\": \"\"", "\"shard\": 3",
               "manifest.json: is no manifest: "),
  };
}

}  // namespace fftprec::testing
