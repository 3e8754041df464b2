#include "experiments/files/format_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "arith/formats/format.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

namespace {

constexpr std::size_t most_values = std::size_t{1} << 16;

/// Reads one file, line by line.
struct ListParser {
  const std::string& path;
  std::size_t line = 0;
  std::vector<ListedValue> values{};

  void expect(bool holds, const std::string& what) const {
    if (!holds) throw InputError(path + ":" + std::to_string(line) + ": " + what);
  }

  double number(std::string_view text, int bits) const {
    const std::optional<double> value = parse_double(text);
    const std::string what = "'" + std::string(text) + "'";
    expect(value.has_value(), what + " is no number");
    const double size = std::fabs(*value);
    const bool fits = size == 0 || !std::isfinite(size) || (size >= 0x1p-450 && size <= 0x1p450);
    expect(fits, what + " is not within 2^-450 and 2^450, as sums and products need");
    return std::isfinite(size) ? with_bits(*value, bits) : *value;
  }

  void take(std::string_view text) {
    ++line;
    text = trimmed(text.substr(0, text.find_first_of("#\r")));
    if (text.empty()) return;
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view first = trimmed(text.substr(0, comma));
    if (values.empty() && (first == "value" || first == "\"value\"")) return;
    const double value = number(first, 50) + 0.0;
    double border = std::numeric_limits<double>::quiet_NaN();
    const std::string shown = "'" + std::string(first) + "'";
    expect(values.size() < most_values, shown + " is one too many: a list has up to 2^16 values");
    if (!values.empty()) {
      const double before = values.back().value;
      expect(!std::isnan(before), shown + " comes after nan, which must be the last");
      expect(std::isnan(value) || value > before, shown + " is not above the value before it, " +
                                                      exact_number(before) + ": values ascend");
    }
    if (comma < text.size()) {
      const std::string_view second = trimmed(text.substr(comma + 1));
      if (!second.empty()) border = number(second, 52);
      const bool between =
          second.empty() || (!values.empty() && border >= values.back().value && border <= value);
      expect(between, "the border '" + std::string(second) + "' is not between " + shown +
                          " and the value before it");
    }
    values.push_back({value, border});
  }
};

}  // namespace

std::unique_ptr<NumberSystem> read_list(const std::string& name) {
  const std::size_t question = std::min(name.find('?'), name.size());
  const std::string base = name.substr(0, question);
  std::string rule, wanted;
  std::istringstream keys(name.substr(std::min(question + 1, name.size())));
  for (std::string key; std::getline(keys, key, '=');) {
    if (key != "overflow" && key != "hash")
      throw unknown_name("key of '" + name + "'", key, {"overflow", "hash"});
    std::getline(keys, key == "hash" ? wanted : rule, '&');
  }
  const std::string path = path_of_file(base);
  const std::string text = read_file(path);
  const std::string hash = text_hash(text);
  require(wanted.empty() || wanted == hash, path, ": has changed: its content has the hash ", hash,
          ", the case needs ", wanted);
  ListParser parser{path};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) parser.take(line);
  bool has_zero = false, has_positive = false, has_infinity = false;
  for (const auto& [value, border] : parser.values) {
    has_zero |= value == 0;
    has_positive |= value > 0 && std::isfinite(value);
    has_infinity |= std::isinf(value);
  }
  require(has_zero, path, ": has no 0, which a sum may give");
  require(has_positive, path, ": has no positive value");
  constexpr std::string_view rules[] = {"infinity", "saturate", "nan"};
  const std::string given = rule.empty() ? "" : "overflow=" + rule + "&";
  if (rule.empty()) rule = has_infinity ? "infinity" : "saturate";
  const std::size_t overflow = index_named(rules, "overflow of '" + name + "'", rule);
  require(rule != "infinity" || has_infinity, path, ": overflow=infinity needs inf in the list");
  return system_of_values(base + "?" + given + "hash=" + hash, parser.values,
                          static_cast<ListOverflow>(overflow));
}

std::string with_format_hashes(const std::string& name) {
  constexpr std::string_view of_file = "=file:";
  std::string result = name;
  for (std::size_t at = 0; (at = result.find(of_file, at)) != std::string::npos; ++at) {
    const std::size_t begin = at + 1;
    const std::string_view key = std::string_view(result).substr(0, at);
    if (!key.ends_with("to") && !key.ends_with("in")) continue;  // inner=file:...
    const std::size_t end = std::min(result.find(':', at + of_file.size()), result.size());
    const std::string format =
        to_string(format_named(result.substr(begin, end - begin), read_list));
    result.replace(begin, end - begin, format);
  }
  return result;
}

}  // namespace fftprec
