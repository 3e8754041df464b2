/// Gate files: what they mean, and what is said of every mistake.
#include "reports/gates/gate_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "reports/gates/gate_kinds.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The message of parsing `text`; empty if it parses.
std::string mistake_in(const std::string& text) {
  try {
    parse_gates(text, "gates.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

const std::string good = "[[gate]]\nname = 'g'\nkind = 'max'\nmetric = 'err_l2_rel'\nlimit = 1\n";

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
where = ["mode=fast", "n>=64"]
[[gate]]
name = "b"
kind = "order"
source = "theory"
left = "mode=ozaki"
right = "mode=bf16"
factor = 0.5
over = ["seed", "input"]
)",
                                              "gates.toml");

  ASSERT_EQ(gates.size(), 2u);
  EXPECT_EQ(gates[0].source, "kept");
  EXPECT_EQ(gates[0].metric, "err_linf_rel");
  EXPECT_EQ(gates[0].worse, 1.5);
  EXPECT_EQ(gates[0].better, 2);
  EXPECT_TRUE(gates[0].complete);
  EXPECT_FALSE(selects(gates[0].where, made_up({.n = 32})));
  EXPECT_TRUE(selects(gates[0].where, made_up({.n = 64})));
  EXPECT_FALSE(selects(gates[0].where, made_up({.mode = "bf16", .n = 64})));
  EXPECT_EQ(gates[1].metric, "err_l2_rel");
  EXPECT_EQ(gates[1].factor, 0.5);
  EXPECT_EQ(gates[1].over, (std::vector<std::string>{"seed", "input"}));
}

TEST(GateFile, NamesLineAndColumnOfMalformedToml) {
  EXPECT_THAT(mistake_in("[[gate]]\nname = \n"), StartsWith("gates.toml:2:8: "));
}

TEST(GateFile, SuggestsTheNearestKey) {
  EXPECT_THAT(mistake_in(good + "source = 's'\nwher = 'n=64'\n"),
              AllOf(StartsWith("gates.toml:7:1: "), HasSubstr("did you mean 'where'?")));
}

TEST(GateFile, RefusesAKeyOfAnotherKind) {
  EXPECT_THAT(mistake_in(good + "source = 's'\nworse = 2\n"),
              HasSubstr("unknown key of a max gate 'worse'"));
}

TEST(GateFile, SuggestsTheNearestKind) {
  EXPECT_THAT(mistake_in("[[gate]]\nname = 'g'\nkind = 'bounds'\n"),
              AllOf(StartsWith("gates.toml:3:8: "), HasSubstr("did you mean 'bound'?"),
                    HasSubstr("baseline")));
}

TEST(GateFile, SuggestsTheNearestMetric) {
  EXPECT_THAT(mistake_in("[[gate]]\nname = 'g'\nkind = 'max'\nmetric = 'err_l2'\nlimit = 1\n"),
              AllOf(StartsWith("gates.toml:4:10: "), HasSubstr("did you mean 'err_l2_rel'?")));
}

TEST(GateFile, RefusesAFilterOnAnUnknownColumn) {
  EXPECT_THAT(mistake_in(good + "source = 's'\nwhere = 'mod=fast'\n"),
              AllOf(StartsWith("gates.toml:7:9: "), HasSubstr("did you mean 'mode'?")));
}

TEST(GateFile, RefusesAnUnknownAxis) {
  EXPECT_THAT(mistake_in("[[gate]]\nname = 'g'\nkind = 'order'\nsource = 's'\nleft = 'mode=a'\n"
                         "right = 'mode=b'\nover = 'sed'\n"),
              HasSubstr("did you mean 'seed'?"));
}

TEST(GateFile, RefusesAValueOfTheWrongType) {
  EXPECT_THAT(mistake_in(good + "source = 3\n"), HasSubstr("gates.toml:6:10: source: "));
  EXPECT_THAT(mistake_in("[[gate]]\nname = 'g'\nkind = 'max'\nsource = 's'\n"
                         "metric = 'err_l2_rel'\nlimit = 'large'\n"),
              HasSubstr("gates.toml:6:9: limit: expected a number, not the text 'large'"));
  EXPECT_THAT(mistake_in(good + "source = 's'\nwhere = ['n=64', 3]\n"),
              HasSubstr("gates.toml:7:18: where: expected a text that is not empty, not 3"));
}

TEST(GateFile, RefusesALimitThatIsNotFinite) {
  EXPECT_THAT(mistake_in("[[gate]]\nname = 'g'\nkind = 'max'\nsource = 's'\n"
                         "metric = 'err_l2_rel'\nlimit = nan\n"),
              HasSubstr("expected a finite number"));
}

TEST(GateFile, RefusesAFactorThatTightensBelowEquality) {
  EXPECT_THAT(mistake_in("[[gate]]\nname = 'g'\nkind = 'baseline'\nsource = 's'\n"
                         "metric = 'err_l2_rel'\nbaseline = 'a'\nworse = 0.5\n"),
              HasSubstr("gates.toml:7:9: worse: expected a factor of at least 1"));
}

TEST(GateFile, RefusesAnOrderWithoutAFactorAboveZero) {
  EXPECT_THAT(mistake_in("[[gate]]\nname = 'g'\nkind = 'order'\nsource = 's'\nleft = 'mode=a'\n"
                         "right = 'mode=b'\nfactor = 0\n"),
              HasSubstr("factor: expected a factor above 0"));
}

TEST(GateFile, AsksForTheKeysOfAKind) {
  EXPECT_THAT(mistake_in("[[gate]]\nname = 'g'\nkind = 'max'\nsource = 's'\nmetric = 'bits_l2'\n"),
              HasSubstr("needs the key 'limit'"));
  EXPECT_THAT(mistake_in("[[gate]]\nname = 'g'\n"), HasSubstr("needs the key 'kind'"));
  EXPECT_THAT(mistake_in("[[gate]]\nkind = 'bound'\nsource = 's'\n"),
              HasSubstr("needs the key 'name'"));
}

TEST(GateFile, AsksForASourceOrAReason) {
  EXPECT_THAT(mistake_in(good), HasSubstr("'source' and 'reason'"));
  EXPECT_EQ(mistake_in(good + "reason = 'r'\n"), "");
  EXPECT_THAT(mistake_in(good + "reason = 'r'\nsource = 's'\n"), HasSubstr("one of the keys"));
}

TEST(GateFile, RefusesTwoGatesOfOneName) {
  const std::string gate = good + "source = 's'\n";

  EXPECT_THAT(mistake_in(gate + gate), HasSubstr("two gates have the name 'g'"));
}

TEST(GateFile, RefusesAFileWithoutGates) {
  EXPECT_THAT(mistake_in(""), HasSubstr("no [[gate]]"));
  EXPECT_THAT(mistake_in("[[gates]]\nname = 'g'\n"), HasSubstr("did you mean 'gate'?"));
  EXPECT_THAT(mistake_in("gate = [1]\n"),
              HasSubstr("gate: expected tables, [[gate]], not an array"));
}

TEST(GateFile, NamesAFileThatCannotBeRead) {
  EXPECT_THROW(read_gates("/no/such/gates.toml"), InputError);
}

TEST(GateKinds, EveryKeyOfEveryKindIsKnownToTheReader) {
  for (const GateKind& kind : gate_kinds()) {
    std::vector<std::string_view> keys = kind.required;
    keys.insert(keys.end(), kind.optional.begin(), kind.optional.end());
    for (const std::string_view key : keys) {
      const std::string text = "[[gate]]\nkind = '" + std::string(kind.name) + "'\n" +
                               std::string(key) + " = 1979-05-27\n";
      EXPECT_THAT(mistake_in(text), HasSubstr(std::string(key) + ": expected")) << kind.name;
    }
  }
}

TEST(ProjectGates, InTheDocumentationAreReadWithoutMistake) {
  const std::string page =
      read_file(std::filesystem::path(FFTPREC_SOURCE_DIR) / "docs" / "gates.md");
  const std::string fence = "```toml\n";
  std::size_t examples = 0;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    EXPECT_EQ(mistake_in(page.substr(at, page.find("```", at) - at)), "");
    ++examples;
  }
  EXPECT_EQ(examples, 2u);
}

TEST(ProjectGates, AreReadWithoutMistake) {
  for (const char* name : {"full.toml", "paper.toml", "schemes.toml", "smoke.toml",
                           "kept/paper.toml", "kept/published.toml", "kept/smoke.toml"}) {
    const std::filesystem::path path = std::filesystem::path(FFTPREC_SOURCE_DIR) / "gates" / name;

    EXPECT_FALSE(read_gates(path).empty()) << path;
  }
}

}  // namespace
}  // namespace fftprec
