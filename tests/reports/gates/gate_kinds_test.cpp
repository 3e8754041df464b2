/// Each kind of gate on rows made up for each outcome.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/gates/gate.hpp"
#include "reports/gates/gate_file.hpp"
#include "reports/gates/gate_judge.hpp"
#include "reports/results/quantity.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The verdict of one gate, given as the keys of its [[gate]].
Verdict verdict_of(const std::string& keys, const std::vector<Row>& rows,
                   const std::vector<Row>& kept = {}, const GateOptions& options = {}) {
  const std::vector<Gate> gates =
      parse_gates("[[gate]]\nname = 'g'\nsource = 's'\n" + keys, "test.toml");
  return check_gate(gates.at(0), rows, {{"kept.csv", kept}}, options);
}

TEST(BoundGate, PassesUpToTheBoundAndFailsAboveIt) {
  const double above = std::nextafter(1e-6, 1.0);

  EXPECT_TRUE(verdict_of("kind = 'bound'", {made_up({.error = 1e-6})}).passed());
  EXPECT_FALSE(verdict_of("kind = 'bound'", {made_up({.error = above})}).passed());
}

TEST(BoundGate, CountsRowsWithoutBoundInANote) {
  const Verdict verdict =
      verdict_of("kind = 'bound'", {made_up({}), made_up({.seed = 2, .bound = std::nullopt})});

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.checked, 1u);
  EXPECT_THAT(verdict.notes, ElementsAre(HasSubstr("1 measured rows have no bound")));
}

TEST(BoundGate, FailsIfNoRowHasABound) {
  const Verdict verdict = verdict_of("kind = 'bound'", {made_up({.bound = std::nullopt})});

  EXPECT_FALSE(verdict.passed()) << verdict;
}

TEST(BoundGate, FailsOnABoundThatIsNan) {
  EXPECT_FALSE(verdict_of("kind = 'bound'", {made_up({.bound = nan})}).passed());
}

TEST(BoundGate, FailsOnAnInfiniteErrorBelowAnInfiniteBound) {
  EXPECT_FALSE(
      verdict_of("kind = 'bound'", {made_up({.error = infinity, .bound = infinity})}).passed());
}

const std::string max_gate = "kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 1e-6\n";

TEST(MaxGate, PassesAtTheLimitAndFailsAboveIt) {
  EXPECT_TRUE(verdict_of(max_gate, {made_up({.error = 1e-6})}).passed());
  EXPECT_FALSE(verdict_of(max_gate, {made_up({.error = std::nextafter(1e-6, 1.0)})}).passed());
}

TEST(MaxGate, FailsOnNan) {
  const Verdict verdict = verdict_of(max_gate, {made_up({.error = nan})});

  EXPECT_FALSE(verdict.passed()) << verdict;
  ASSERT_EQ(verdict.failures.size(), 1u);
  EXPECT_EQ(verdict.failures[0].text, "err_l2_rel = nan");
}

TEST(MaxGate, FailsOnInfinity) {
  EXPECT_FALSE(verdict_of(max_gate, {made_up({.error = infinity})}).passed());
}

TEST(MaxGate, FailsOnAnEmptyMetric) {
  Row row = made_up({});
  row.err_l2_rel.reset();

  const Verdict verdict = verdict_of(max_gate, {made_up({.seed = 2}), row});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.failures.at(0).text, HasSubstr("not measured"));
}

TEST(MaxGate, FailsOnARowThatFailed) {
  const Verdict verdict =
      verdict_of(max_gate, {made_up({}), failed_row({.seed = 2}, "out of memory")});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.failures.at(0).text, HasSubstr("out of memory"));
}

TEST(MaxGate, CountsSkippedRowsWithoutFailing) {
  const Verdict verdict = verdict_of(max_gate, {made_up({}), skipped_row({.n = 3}, "n is odd")});

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.skipped, 1u);
  EXPECT_EQ(verdict.checked, 1u);
}

TEST(MaxGate, FailsIfNoRowMatches) {
  const Verdict verdict = verdict_of(max_gate + "where = 'mode=ozaki'", {made_up({})});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.errors, ElementsAre("no row matches mode=ozaki"));
}

TEST(MaxGate, FailsIfOnlySkippedRowsMatch) {
  const Verdict verdict = verdict_of(max_gate, {skipped_row({}, "n is odd")});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.errors, ElementsAre(HasSubstr("(1 skipped)")));
}

TEST(MaxGate, LooksOnlyAtRowsThatMatchEveryFilter) {
  const std::vector<Row> rows = {made_up({.n = 64, .error = 1}),
                                 made_up({.mode = "bf16", .n = 128, .error = 1}),
                                 made_up({.n = 128})};

  EXPECT_TRUE(verdict_of(max_gate + "where = ['mode=fast', 'n>64']", rows).passed());
}

TEST(MaxGate, NamesTheRowFarthestAboveTheLimitAsWorst) {
  const Verdict verdict = verdict_of(
      max_gate, {made_up({.seed = 1, .error = 2e-6}), made_up({.seed = 2, .error = 8e-6}),
                 made_up({.seed = 3, .error = 4e-6})});

  ASSERT_TRUE(verdict.worst);
  EXPECT_EQ(verdict.worst->where.seed, 2u);
  EXPECT_DOUBLE_EQ(verdict.worst->ratio, 8e-6 / 1e-6);
  EXPECT_EQ(verdict.failures.size(), 3u);
}

TEST(MaxGate, NamesNanAsWorseThanAnyNumber) {
  const Verdict verdict = verdict_of(
      max_gate, {made_up({.seed = 1, .error = 1e300}), made_up({.seed = 2, .error = nan})});

  EXPECT_EQ(verdict.worst->where.seed, 2u) << verdict;
}

TEST(MaxGate, GivesTheMarginOfAGateThatPasses) {
  const Verdict verdict = verdict_of(max_gate, {made_up({.error = 2.5e-7})});

  EXPECT_TRUE(verdict.passed());
  EXPECT_DOUBLE_EQ(verdict.worst->ratio, 2.5e-7 / 1e-6);
}

TEST(RatioOf, IsDefinedAtZeroNanAndInfinity) {
  EXPECT_EQ(ratio_of(0, 0), 0);
  EXPECT_EQ(ratio_of(1, 0), infinity);
  EXPECT_EQ(ratio_of(nan, 1), infinity);
  EXPECT_EQ(ratio_of(1, nan), infinity);
  EXPECT_EQ(ratio_of(infinity, infinity), infinity);
  EXPECT_EQ(ratio_of(1, infinity), 0);
  EXPECT_EQ(ratio_of(-2, -1), 0);
  EXPECT_EQ(ratio_of(-1, -2), infinity);
}

TEST(ReproduceCommand, RunsTheCaseAndPrintsItsRow) {
  EXPECT_EQ(reproduce_command({}),
            "fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=fast -a machine=trn -a "
            "tables=exact -a n=1024 -a batch=1 -a input=gaussian -a seed=1 --csv -");
}

const std::string order_gate = "kind = 'order'\nleft = 'mode=ozaki'\nright = 'mode=bf16'\n";

TEST(OrderGate, ComparesRowsThatDifferOnlyInTheNamedAxis) {
  const std::vector<Row> rows = {made_up({.mode = "bf16", .n = 64, .error = 1e-2}),
                                 made_up({.mode = "bf16", .n = 128, .error = 1e-3}),
                                 made_up({.mode = "ozaki", .n = 64, .error = 5e-3}),
                                 made_up({.mode = "ozaki", .n = 128, .error = 5e-4})};

  const Verdict verdict = verdict_of(order_gate, rows);

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.checked, 2u);
}

TEST(OrderGate, FailsWhereLeftIsAboveRight) {
  const std::vector<Row> rows = {made_up({.mode = "bf16", .error = 1e-3}),
                                 made_up({.mode = "ozaki", .error = std::nextafter(1e-3, 1.0)})};

  const Verdict verdict = verdict_of(order_gate, rows);

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.worst->where.mode, "ozaki");
}

TEST(OrderGate, AppliesItsFactorToRight) {
  const std::vector<Row> rows = {made_up({.mode = "bf16", .error = 1e-3}),
                                 made_up({.mode = "ozaki", .error = 2e-4})};

  EXPECT_TRUE(verdict_of(order_gate + "factor = 0.25", rows).passed());
  EXPECT_FALSE(verdict_of(order_gate + "factor = 0.125", rows).passed());
}

TEST(OrderGate, FailsOnRowsWithoutPartnerOnEitherSide) {
  const std::vector<Row> rows = {
      made_up({.mode = "bf16", .n = 64, .error = 1e-2}), made_up({.mode = "ozaki", .n = 64}),
      made_up({.mode = "bf16", .n = 128, .error = 1e-2}), made_up({.mode = "ozaki", .n = 256})};

  const Verdict verdict = verdict_of(order_gate, rows);

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.checked, 1u);
  EXPECT_THAT(verdict.errors, ElementsAre(HasSubstr("1 of 2 left rows have no partner"),
                                          HasSubstr("1 of 2 right rows have no partner")));
}

TEST(OrderGate, FailsOnASelectionThatLeavesAnAxisOpen) {
  const std::vector<Row> rows = {made_up({.mode = "bf16", .error = 1e-2}),
                                 made_up({.mode = "double", .error = 1e-2}),
                                 made_up({.mode = "ozaki"})};

  const Verdict verdict =
      verdict_of("kind = 'order'\nleft = 'mode=ozaki'\nright = 'mode=bf16,double'\n", rows);

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.errors.at(0), HasSubstr("right selects 2 rows for one comparison"));
}

TEST(OrderGate, ComparesMediansOverTheAxesThatItNames) {
  std::vector<Row> rows;
  const double low[] = {9e-1, 1e-4, 2e-4};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    rows.push_back(made_up({.mode = "ozaki", .seed = seed, .error = low[seed - 1]}));
    rows.push_back(made_up({.mode = "bf16", .seed = seed, .error = 1e-3}));
  }

  EXPECT_FALSE(verdict_of(order_gate, rows).passed());
  EXPECT_TRUE(verdict_of(order_gate + "over = 'seed'", rows).passed());
}

TEST(OrderGate, FailsOnNanOnEitherSide) {
  const std::vector<Row> left = {made_up({.mode = "ozaki", .error = nan}),
                                 made_up({.mode = "bf16", .error = 1})};
  const std::vector<Row> right = {made_up({.mode = "ozaki"}),
                                  made_up({.mode = "bf16", .error = nan})};

  EXPECT_FALSE(verdict_of(order_gate, left).passed());
  EXPECT_FALSE(verdict_of(order_gate, right).passed());
}

/// An error of n^slope, at n = 8 .. 512.
std::vector<Row> growing(double slope) {
  std::vector<Row> rows;
  for (std::uint64_t n = 8; n <= 512; n *= 2)
    rows.push_back(made_up({.n = n, .error = 1e-8 * std::pow(static_cast<double>(n), slope)}));
  return rows;
}

TEST(SlopeGate, FitsTheExponentOfN) {
  const std::string gate = "kind = 'slope'\nmetric = 'err_l2_rel'\nmin = 0.4\nmax = 0.6\n";

  EXPECT_TRUE(verdict_of(gate, growing(0.5)).passed());
  EXPECT_FALSE(verdict_of(gate, growing(0.7)).passed());
  EXPECT_FALSE(verdict_of(gate, growing(0.3)).passed());
}

TEST(SlopeGate, FailsWhereAnErrorOfZeroHasNoLogarithm) {
  std::vector<Row> rows = growing(0.5);
  rows[0].err_l2_rel = 0;

  EXPECT_FALSE(verdict_of("kind = 'slope'\nmetric = 'err_l2_rel'\nmax = 9\n", rows).passed());
}

TEST(SlopeGate, FailsOnFewerThanThreeSizes) {
  const Verdict verdict = verdict_of("kind = 'slope'\nmetric = 'err_l2_rel'\nmax = 9\n",
                                     {made_up({.n = 64}), made_up({.n = 128})});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.errors.at(0), HasSubstr("2 sizes are too few"));
}

TEST(Verdict, DoesNotPassUntilSomethingWasCompared) { EXPECT_FALSE(Verdict{}.passed()); }

TEST(CheckGates, KeepsTheOrderOfTheGates) {
  const std::vector<Gate> gates = parse_gates(
      "[[gate]]\nname = 'b'\nkind = 'bound'\nsource = 's'\n"
      "[[gate]]\nname = 'a'\nkind = 'bound'\nsource = 's'\nwhere = 'mode=none'\n",
      "test.toml");

  const std::vector<Verdict> verdicts = check_gates(gates, std::vector<Row>{made_up({})});

  EXPECT_EQ(verdicts.at(0).gate.name, "b");
  EXPECT_TRUE(verdicts.at(0).passed());
  EXPECT_FALSE(verdicts.at(1).passed());
  EXPECT_FALSE(all_passed(verdicts));
}

}  // namespace
}  // namespace fftprec
