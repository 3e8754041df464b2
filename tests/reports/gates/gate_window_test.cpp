/// The kinds of gates with two sides: near a printed figure, a ratio between limits, equality.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "arith/support/error.hpp"
#include "reports/gates/gate_file.hpp"
#include "reports/gates/gate_table.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// The verdict of one gate, given as the keys of its [[gate]].
Verdict verdict_of(const std::string& keys, const std::vector<Row>& rows) {
  return check_gate(parse_gates("[[gate]]\nname = 'g'\nsource = 's'\n" + keys, "test.toml").at(0),
                    rows);
}

TEST(PublishedFigure, IsTheIntervalThatRoundsToItsDigits) {
  const PublishedFigure two = figure_from("1.5e-3");
  const PublishedFigure three = figure_from("0.150");
  const PublishedFigure one = figure_from("5E+1");

  EXPECT_DOUBLE_EQ(two.value.low, 1.45e-3);
  EXPECT_DOUBLE_EQ(two.value.high, 1.55e-3);
  EXPECT_EQ(two.value.digits, 2);
  EXPECT_DOUBLE_EQ(three.value.low, 0.1495);
  EXPECT_EQ(three.value.digits, 3);
  EXPECT_DOUBLE_EQ(one.value.low, 45);
  EXPECT_EQ(one.value.digits, 1);
}

TEST(PublishedFigure, RefusesWhatIsNoFigure) {
  for (const char* text :
       {"", "about 2", "0", "-1e-3", "1e-3 ", "nan", "inf", "1.000000000000000001"})
    EXPECT_THROW(figure_from(text), InputError) << text;
}

const std::string near_gate = "kind = 'near'\nmetric = 'err_l2_rel'\n";

TEST(NearGate, PassesWithinTheDigitsPrintedAndFailsBeyond) {
  const std::string gate = near_gate + "figures = { 'n=64' = '1.5e-3' }\n";

  EXPECT_TRUE(verdict_of(gate, {made_up({.error = 1.46e-3})}).passed());
  EXPECT_TRUE(verdict_of(gate, {made_up({.error = 1.54e-3})}).passed());
  EXPECT_FALSE(verdict_of(gate, {made_up({.error = 1.56e-3})}).passed());
  EXPECT_FALSE(verdict_of(gate, {made_up({.error = 1.44e-3})}).passed());
  EXPECT_FALSE(verdict_of(gate, {made_up({.error = 0})}).passed());
}

TEST(NearGate, AllowsAFactorBeyondTheDigits) {
  const std::string gate = near_gate + "figures = { 'n=64' = '1.5e-3' }\nwithin = 2\n";

  EXPECT_TRUE(verdict_of(gate, {made_up({.error = 0.73e-3})}).passed());
  EXPECT_FALSE(verdict_of(gate, {made_up({.error = 0.72e-3})}).passed());
  EXPECT_TRUE(verdict_of(gate, {made_up({.error = 3.09e-3})}).passed());
  EXPECT_FALSE(verdict_of(gate, {made_up({.error = 3.11e-3})}).passed());
}

TEST(NearGate, ComparesEveryFigureAndTakesTheMedianOverAnAxis) {
  const std::string gate =
      near_gate + "figures = { 'n=64' = '1e-3', 'n=128' = '2e-3' }\nover = 'seed'\n";
  const std::vector<Row> rows = {
      made_up({.n = 64, .seed = 1, .error = 1e-9}), made_up({.n = 64, .seed = 2, .error = 1e-3}),
      made_up({.n = 64, .seed = 3, .error = 1}), made_up({.n = 128, .seed = 1, .error = 2e-3})};

  EXPECT_TRUE(verdict_of(gate, rows).passed());
  EXPECT_EQ(verdict_of(gate, rows).checked, 2u);
}

TEST(NearGate, FailsWhereAFigureHasNoRow) {
  const Verdict verdict =
      verdict_of(near_gate + "figures = { 'n=64' = '1e-7', 'n=128' = '2e-3' }\n", {made_up({})});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.errors, Contains(HasSubstr("no row for the figure 2e-3")));
}

const std::string ratio_gate =
    "kind = 'ratio'\nmetric = 'err_l2_rel'\nleft = 'mode=bf16'\nright = 'mode=fast'\n";

std::vector<Row> quotient(double left) {
  return {made_up({.mode = "bf16", .error = left}), made_up({.mode = "fast", .error = 1})};
}

TEST(RatioGate, HasTwoSides) {
  const std::string gate = ratio_gate + "min_ratio = 6\nmax_ratio = 9\n";

  EXPECT_TRUE(verdict_of(gate, quotient(6)).passed());
  EXPECT_TRUE(verdict_of(gate, quotient(9)).passed());
  EXPECT_FALSE(verdict_of(gate, quotient(5.99)).passed());
  EXPECT_FALSE(verdict_of(gate, quotient(9.01)).passed());
  EXPECT_FALSE(verdict_of(gate, quotient(std::nan(""))).passed());
}

TEST(RatioGate, SaysHowFarTheQuotientIsFromTheNearerLimit) {
  const std::string gate = ratio_gate + "min_ratio = 6\nmax_ratio = 9\n";

  EXPECT_DOUBLE_EQ(verdict_of(gate, quotient(18)).worst->ratio, 2);
  EXPECT_DOUBLE_EQ(verdict_of(gate, quotient(3)).worst->ratio, 2);
}

TEST(RatioGate, ReportsARowWithoutPartner) {
  const Verdict verdict =
      verdict_of(ratio_gate + "max_ratio = 9\n",
                 {made_up({.mode = "bf16"}), made_up({.mode = "fast", .n = 8})});

  EXPECT_FALSE(verdict.passed());
  EXPECT_THAT(verdict.errors, Contains(HasSubstr("have no partner")));
}

const std::string equal_gate =
    "kind = 'equal'\nleft = 'algorithm=recursive'\nright = 'algorithm=radix2-dit'\n";

TEST(EqualGate, PassesOnTheSameHashAndFailsOnAnother) {
  const std::vector<Row> same = {made_up({.algorithm = "recursive"}), made_up({})};
  std::vector<Row> other = same;
  other[0].output_hash = "00000000000000ab";
  std::vector<Row> none = same;
  none[1].output_hash.clear();

  EXPECT_TRUE(verdict_of(equal_gate, same).passed());
  EXPECT_FALSE(verdict_of(equal_gate, other).passed());
  EXPECT_FALSE(verdict_of(equal_gate, none).passed());
  EXPECT_FALSE(verdict_of(equal_gate, {made_up({})}).passed()) << "no partner";
}

TEST(SlopeGate, SaysByHowMuchMoreThanAllowedTheErrorGrowsPerDoubling) {
  std::vector<Row> rows;
  for (const std::uint64_t n : {64u, 128u, 256u, 512u})
    rows.push_back(made_up({.n = n, .error = std::pow(static_cast<double>(n), 1.5)}));
  const std::string gate = "kind = 'slope'\nmetric = 'err_l2_rel'\n";

  EXPECT_NEAR(verdict_of(gate + "max = 0.5\n", rows).worst->ratio, 2, 1e-9);
  EXPECT_NEAR(verdict_of(gate + "min = 2.5\n", rows).worst->ratio, 2, 1e-9);
  EXPECT_NEAR(verdict_of(gate + "min = 0.5\nmax = 2.5\n", rows).worst->ratio, 0.5, 1e-9);
}

}  // namespace
}  // namespace fftprec
