/// Gate files: what they mean, and what is said of every mistake.
#include <gmock/gmock.h>

#include <filesystem>

#include "arith/support/error.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/gates/gate_table.hpp"
#include "experiments/support/files.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::gates {
namespace {

using ::testing::AllOf;
using testing::holds;
using ::testing::StartsWith;

/// What is said of a file.
std::string mistake_in(const std::string& text) {
  return testing::error_text([&] { parse_gates(text, "gates.toml"); });
}

TEST(GateFile, ReadsEveryKeyOfAGate) {
  const std::vector<Gate> gates = parse_gates(R"(
[[gate]]
name = "a"
kind = "baseline"
reason = "kept"
metric = "err_linf_rel"
baseline = "kept.csv"
worse = 1.5
better = 2
complete = true
where = ["mode=fp32", "n>=64"]
[gate.expect_fail]
reason = "r"
expires = 2026-12-31

# rules
[[gate]]
kind = "order"
name = "b"
source = "theory"
left = "mode=ozaki"
right = "mode=bf16"
factor = 0.5
over = ["seed", "input"]
)",
                                              "a/gates.toml");

  ASSERT_EQ(gates.size(), 2u);
  EXPECT_EQ(gates[0].source, "kept");
  EXPECT_EQ(gates[0].metric, "err_linf_rel");
  EXPECT_EQ(gates[0].worse, 1.5);
  EXPECT_EQ(gates[0].better, 2);
  EXPECT_TRUE(gates[0].complete);
  EXPECT_FALSE(selects(gates[0].where, made_up({.n = 32})));
  EXPECT_TRUE(selects(gates[0].where, made_up({.n = 64})));
  EXPECT_FALSE(selects(gates[0].where, made_up({.mode = "bf16", .n = 64})));
  ASSERT_TRUE(gates[0].expect_fail);
  EXPECT_EQ(gates[0].expect_fail->reason, "r");
  EXPECT_EQ(gates[0].expect_fail->expires, std::chrono::year(2026) / 12 / 31);
  EXPECT_EQ(gates[0].line, 2u);
  EXPECT_EQ(gates[1].metric, "err_l2_rel");
  EXPECT_EQ(gates[1].factor, 0.5);
  EXPECT_EQ(gates[1].over, (std::vector<std::string>{"seed", "input"}));
  EXPECT_EQ(gates[1].line, 17u);
  EXPECT_EQ(gates[1].file, "a/gates.toml");
}

TEST(GateFile, SaysWhereAndWhatAMistakeIs) {
  const std::string named = "[[gate]]\nname = 'g'\n";
  const std::string max = named + "kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 1\n";
  const std::string good = max + "source = 's'\n";
  const std::string order =
      named + "kind = 'order'\nsource = 's'\nleft = 'mode=bf16'\nright = 'mode=fp32'\n";
  const std::string slope = named + "kind = 'slope'\nsource = 's'\nmetric = 'err_l2_rel'\n";
  const auto expect_fail = [&](const std::string& value) {
    return good + "expect_fail = " + value;
  };
  struct Mistake {
    std::string text;
    std::string begins;  ///< "": anything
    std::string says;
  };
  const std::vector<Mistake> mistakes = {
      {"[[gate]]\nname = \n", "gates.toml:2:8: ", ""},
      // Unknown names, with the nearest known one.
      {good + "wher = 'n=64'\n", "gates.toml:7:1: ", "did you mean 'where'?"},
      {good + "worse = 2\n", "", "unknown key of a max gate 'worse'"},
      {named + "kind = 'bounds'\n", "gates.toml:3:8: ", "did you mean 'bound'?"},
      {named + "kind = 'bounds'\n", "", "baseline"},
      {named + "kind = 'max'\nmetric = 'err_l2'\nlimit = 1\n",
       "gates.toml:4:10: ", "did you mean 'err_l2_rel'?"},
      {good + "where = 'mod=fp32'\n", "gates.toml:7:9: ", "did you mean 'mode'?"},
      {order + "over = 'sed'\n", "", "did you mean 'seed'?"},
      {"[[gates]]\nname = 'g'\n", "", "did you mean 'gate'?"},
      // Values.
      {max + "source = 3\n", "", "gates.toml:6:10: source: "},
      {named + "kind = 'max'\nsource = 's'\nmetric = 'err_l2_rel'\nlimit = 'large'\n", "",
       "gates.toml:6:9: limit: expected a number, not the text 'large'"},
      {named + "kind = 'max'\nsource = 's'\nmetric = 'err_l2_rel'\nlimit = nan\n", "",
       "expected a finite number"},
      {good + "where = ['n=64', 3]\n", "",
       "gates.toml:7:18: where: expected a text that is not empty, not 3"},
      {named + "kind = 'baseline'\nsource = 's'\nmetric = 'err_l2_rel'\nbaseline = 'a'\n"
               "worse = 0.5\n",
       "", "gates.toml:7:9: worse: expected a factor of at least 1"},
      {order + "factor = 0\n", "", "factor: expected a factor above 0"},
      {slope + "min = 1\nmax = 0.5\n", "", "min is above max"},
      {"gate = [1]\n", "", "gate: expected tables, [[gate]], not an array"},
      // Keys that are missing or too many.
      {named + "kind = 'max'\nsource = 's'\nmetric = 'bits_l2'\n", "", "needs the key 'limit'"},
      {named, "", "needs the key 'kind'"},
      {"[[gate]]\nkind = 'bound'\nsource = 's'\n", "", "needs the key 'name'"},
      {max, "", "'source' and 'reason'"},
      {max + "reason = 'r'\nsource = 's'\n", "", "one of the keys"},
      {slope, "", "needs one of the keys 'min' and 'max'"},
      {good + good, "", "two gates have the name 'g'"},
      {"", "", "no [[gate]]"},
      // expect_fail.
      {expect_fail("{ reason = 'r' }"), "gates.toml:7:15: expect_fail: ", "'expires' is missing"},
      {expect_fail("{ expires = 2026-12-31 }"), "", "'reason' is missing"},
      {expect_fail("{ reason = '', expires = 2026-12-31 }"), "", "not empty"},
      {expect_fail("{ reason = 'r', expires = '2026-12-31' }"), "", "a date without quotes"},
      {expect_fail("{ reason = 'r', expires = 2026-12-31T00:00:00 }"), "", "a date without quotes"},
      {expect_fail("{ reason = 'r', expires = 2026-02-30 }"), "gates.toml:7:", ""},
      {expect_fail("true"), "", "{ reason = \"...\", expires = 2026-12-31 }"},
      {expect_fail("{ reason = 'r', expire = 2026-12-31 }"), "", "did you mean 'expires'?"}};

  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(mistake_in(mistake.text),
                AllOf(StartsWith(mistake.begins.empty() ? "gates.toml:" : mistake.begins),
                      holds(mistake.says)))
        << mistake.text;
  EXPECT_EQ(mistake_in(good), "no error");
  EXPECT_EQ(mistake_in(max + "reason = 'r'\n"), "no error");
  EXPECT_EQ(mistake_in(slope + "min = 1\n"), "no error");
}

TEST(GateKinds, EveryKeyOfEveryKindIsKnownToTheReader) {
  for (const GateKind& kind : gate_kinds()) {
    std::vector<std::string_view> keys = kind.required;
    keys.insert(keys.end(), kind.optional.begin(), kind.optional.end());
    for (const std::string_view key : keys) {
      const std::string text = "[[gate]]\nkind = '" + std::string(kind.name) + "'\n" +
                               std::string(key) + " = 1979-05-27\n";
      EXPECT_THAT(mistake_in(text), holds(std::string(key) + ": expected")) << kind.name;
    }
  }
}

TEST(PublishedFigure, IsTheIntervalThatRoundsToItsDigits) {
  struct Example {
    const char* text;
    double low;
    double high;
    int digits;
  };
  for (const Example& example : {Example{"1.5e-3", 1.45e-3, 1.55e-3, 2},
                                 {"0.150", 0.1495, 0.1505, 3},
                                 {"5E+1", 45, 55, 1}}) {
    const PublishedValue value = figure_from(example.text).value;
    EXPECT_DOUBLE_EQ(value.low, example.low) << example.text;
    EXPECT_DOUBLE_EQ(value.high, example.high) << example.text;
    EXPECT_EQ(value.digits, example.digits) << example.text;
  }
}

TEST(PublishedFigure, RefusesWhatIsNoFigure) {
  for (const char* text :
       {"", "about 2", "0", "-1e-3", "1e-3 ", "nan", "inf", "1.000000000000000001"})
    EXPECT_THROW(figure_from(text), InputError) << text;
}

TEST(ProjectGates, InTheDocumentationAreReadWithoutMistake) {
  const std::string page =
      read_file(std::filesystem::path(FFTPREC_SOURCE_DIR) / "docs" / "gates.md");
  const std::string fence = "```toml\n";
  std::size_t examples = 0;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    EXPECT_EQ(mistake_in(page.substr(at, page.find("```", at) - at)), "no error");
    ++examples;
  }
  EXPECT_EQ(examples, 4u);
}

TEST(ProjectGates, AreReadWithoutMistake) {
  for (const char* name : {"full.toml", "paper.toml", "schemes.toml", "smoke.toml",
                           "kept/paper.toml", "kept/published.toml", "kept/smoke.toml"}) {
    const std::filesystem::path path = std::filesystem::path(FFTPREC_SOURCE_DIR) / "gates" / name;

    EXPECT_FALSE(read_gates(path).empty()) << path;
  }
}

}  // namespace
}  // namespace fftprec::gates
