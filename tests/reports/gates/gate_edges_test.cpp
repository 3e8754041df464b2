/// What every kind of gate makes of NaN, infinities, 0, what was not measured, skipped and failed
/// rows, and of no row at all: nothing passes that was not shown to hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "arith/support/error.hpp"
#include "reports/gates/gate_file.hpp"
#include "reports/gates/gate_kinds.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Healthy rows on which a gate of any kind passes: two modes at three lengths, error ~ n^1/2.
std::vector<Row> healthy() {
  std::vector<Row> rows;
  for (const char* mode : {"bf16", "fast"})
    for (const std::uint64_t n : {64u, 128u, 256u})
      rows.push_back(made_up({.mode = mode,
                              .n = n,
                              .error = std::sqrt(static_cast<double>(n)) *
                                       (mode == std::string("fast") ? 1e-8 : 2e-8)}));
  return rows;
}

struct Kind {
  std::string name;
  std::string keys;
};

const std::vector<Kind> kinds = {
    {"bound", "kind = 'bound'\n"},
    {"max", "kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 1e-6\n"},
    {"baseline", "kind = 'baseline'\nmetric = 'err_l2_rel'\nbaseline = 'kept.csv'\n"},
    {"hash", "kind = 'hash'\nbaseline = 'kept.csv'\n"},
    {"order", "kind = 'order'\nleft = 'mode=fast'\nright = 'mode=bf16'\n"},
    {"slope", "kind = 'slope'\nmetric = 'err_l2_rel'\nmin = 0.4\nmax = 0.6\n"},
    {"near",
     "kind = 'near'\nmetric = 'err_l2_rel'\nfigures = { 'n=64..256' = '1e-7' }\nwithin = 10\n"},
    {"ratio",
     "kind = 'ratio'\nleft = 'mode=fast'\nright = 'mode=bf16'\nmin_ratio = 0.4\nmax_ratio = 0.6\n"},
    {"equal", "kind = 'equal'\nleft = 'mode=fast'\nright = 'mode=bf16'\n"},
};

/// Kinds that look at rows in pairs alone.
const std::vector<std::string> paired = {"order", "ratio", "equal"};

Gate gate_of(const Kind& kind, const std::string& more = "") {
  return parse_gates("[[gate]]\nname = 'g'\nsource = 's'\n" + kind.keys + more, "g.toml").at(0);
}

Verdict verdict_of(const Kind& kind, const std::vector<Row>& rows, const std::string& more = "") {
  return check_gate(gate_of(kind, more), rows, {{"kept.csv", healthy()}});
}

/// Healthy but for the row of `fast` at n = 128.
template <class Change>
std::vector<Row> with_one(Change change) {
  std::vector<Row> rows = healthy();
  change(rows.at(4));
  return rows;
}

TEST(EveryKind, IsTriedHere) {
  ASSERT_EQ(kinds.size(), gate_kinds().size());
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(kinds[i].name, gate_kinds()[i].name);
}

TEST(EveryKind, PassesOnHealthyRows) {
  for (const Kind& kind : kinds) EXPECT_TRUE(verdict_of(kind, healthy()).passed()) << kind.name;
}

TEST(EveryKind, FailsOnARowThatFailed) {
  const std::vector<Row> rows = with_one([](Row& row) {
    row.status = Status::failed;
    row.message = "out of memory";
    row.err_l2_rel.reset();
  });
  for (const Kind& kind : kinds) {
    const Verdict verdict = verdict_of(kind, rows);
    EXPECT_FALSE(verdict.passed()) << kind.name;
    ASSERT_FALSE(verdict.failures.empty()) << kind.name;
    EXPECT_EQ(verdict.failures[0].text, "status = failed: out of memory") << kind.name;
  }
}

TEST(EveryKind, FailsOnNanAndInfinityAndAnEmptyCellOfItsMetric) {
  for (const Kind& kind : kinds) {
    if (kind.name == "hash" || kind.name == "equal") continue;
    for (const std::optional<double> value : {std::optional(nan), std::optional(infinity), {}}) {
      const Verdict verdict = verdict_of(kind, with_one([&](Row& row) { row.err_l2_rel = value; }));
      EXPECT_FALSE(verdict.passed()) << kind.name << " " << value.value_or(-1);
    }
  }
}

TEST(EveryKind, FailsWhereNoRowIsSelectedOrAllAreSkipped) {
  for (const Kind& kind : kinds) {
    EXPECT_FALSE(verdict_of(kind, {}).passed()) << kind.name;
    EXPECT_FALSE(verdict_of(kind, healthy(), "where = 'mode=double'\n").passed()) << kind.name;
    std::vector<Row> skipped = healthy();
    for (Row& row : skipped) row.status = Status::skipped;
    EXPECT_FALSE(verdict_of(kind, skipped).passed()) << kind.name;
  }
}

TEST(EveryKind, PassesOverSkippedRowsThatNothingIsPairedWith) {
  std::vector<Row> rows = healthy();
  rows.push_back(skipped_row({.mode = "kahan", .n = 96}, "n is no power of two"));
  for (const Kind& kind : kinds) {
    const Verdict verdict = verdict_of(kind, rows);
    EXPECT_TRUE(verdict.passed()) << kind.name << "\n" << verdict;
    const bool pairs = std::find(paired.begin(), paired.end(), kind.name) != paired.end();
    EXPECT_EQ(verdict.skipped, pairs ? 0u : 1u) << kind.name;
  }
}

TEST(EveryKind, SaysOnceWhyItComparedNothing) {
  for (const Kind& kind : kinds)
    EXPECT_THAT(verdict_of(kind, {}).errors, ElementsAre(HasSubstr("no row matches all rows")))
        << kind.name;
}

TEST(BoundGate, TakesAnErrorOfZeroUnderABoundOfZero) {
  const auto verdict = [](double error, double bound) {
    return check_gate(gate_of(kinds[0]),
                      std::vector<Row>{made_up({.error = error, .bound = bound})});
  };

  EXPECT_TRUE(verdict(0, 0).passed());
  EXPECT_FALSE(verdict(1e-300, 0).passed());
  EXPECT_FALSE(verdict(0, -1).passed());
  EXPECT_TRUE(verdict(1, infinity).passed());
}

TEST(MaxGate, TakesZeroAsALimit) {
  const Gate gate = gate_of({"max", "kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 0\n"});

  EXPECT_TRUE(check_gate(gate, std::vector<Row>{made_up({.error = 0})}).passed());
  EXPECT_FALSE(check_gate(gate, std::vector<Row>{made_up({.error = 5e-324})}).passed());
}

Verdict ordered(double left, double right) {
  return check_gate(gate_of(kinds[4]), std::vector<Row>{made_up({.mode = "fast", .error = left}),
                                                        made_up({.mode = "bf16", .error = right})});
}

TEST(OrderGate, ComparesZeroAndInfinityAsNumbers) {
  EXPECT_TRUE(ordered(0, 0).passed());
  EXPECT_FALSE(ordered(1e-300, 0).passed());
  EXPECT_TRUE(ordered(1, infinity).passed());
  EXPECT_FALSE(ordered(infinity, infinity).passed());
}

TEST(BaselineGate, TakesInfinityForInfinityOnly) {
  const auto verdict = [](double now, double old) {
    return check_gate(gate_of(kinds[2], "worse = 2\nbetter = 2\n"),
                      std::vector<Row>{made_up({.error = now})},
                      {{"kept.csv", {made_up({.error = old})}}});
  };

  EXPECT_TRUE(verdict(infinity, infinity).passed());
  EXPECT_FALSE(verdict(infinity, 1).passed());
  EXPECT_FALSE(verdict(1, infinity).passed());
}

TEST(BaselineGate, GivesNoPercentageOfZero) {
  const Verdict verdict = check_gate(gate_of(kinds[2]), std::vector<Row>{made_up({.error = 0.5})},
                                     {{"kept.csv", {made_up({.error = 0})}}});

  EXPECT_EQ(verdict.failures.at(0).text, "err_l2_rel 0 -> 0.5");
}

TEST(HashGate, FailsOnAKeptRowWithoutHash) {
  Row kept = made_up({});
  kept.output_hash.clear();

  EXPECT_FALSE(check_gate(gate_of(kinds[3]), std::vector<Row>{made_up({})}, {{"kept.csv", {kept}}})
                   .passed());
}

TEST(SlopeGate, NeedsALimitThatCanFail) {
  const auto mistake = [](const std::string& keys) {
    return testing::error_text([&] {
      gate_of({"slope", "kind = 'slope'\nmetric = 'err_l2_rel'\n" + keys});
    });
  };

  EXPECT_THAT(mistake(""), HasSubstr("needs one of the keys 'min' and 'max'"));
  EXPECT_THAT(mistake("min = 1\nmax = 0.5\n"), HasSubstr("min is above max"));
  EXPECT_EQ(mistake("min = 1\n"), "no error");
}

/// A baseline is found by case whatever the order of the rows on either side.
TEST(BaselineGate, DoesNotDependOnTheOrderOfRows) {
  std::vector<Row> now;
  std::vector<Row> kept;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    now.push_back(made_up({.seed = seed * 7 % 51, .error = static_cast<double>(seed * 7 % 51)}));
    kept.push_back(made_up({.seed = seed * 11 % 51, .error = static_cast<double>(seed * 11 % 51)}));
  }

  const Verdict verdict = check_gate(gate_of(kinds[2], "complete = true\n"), now,
                                     {{"kept.csv", kept}}, {.require_baseline = true});

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.checked, 50u);
}

}  // namespace
}  // namespace fftprec
