/// Fits of errors against n: exact on made-up data whose exponents are known.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "reports/text/summary.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::text {
namespace {

using testing::holds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Lengths whose logarithms are integers, so that fits of powers of 2 are exact.
const std::vector<std::uint64_t> lengths = {8, 16, 64, 256};

/// What a few roundings of a fit make of a value near 1.
double roundings() { return 64 * std::numeric_limits<double>::epsilon(); }

/// error = 2^-20 n^0.5, expected = 2^-22 n^0.25, bound = 2^-10 n.
std::vector<Row> power_laws(const MadeUp& what = {}) {
  std::vector<Row> rows;
  for (const std::uint64_t n : lengths) {
    MadeUp here = what;
    here.n = n;
    const double log_n = std::log2(static_cast<double>(n));
    here.error = std::exp2(-20 + log_n / 2);
    here.bound = std::exp2(-10 + log_n);
    rows.push_back(made_up(here));
    rows.back().expected_l2_rel = std::exp2(-22 + log_n / 4);
  }
  return rows;
}

/// (error / u)^2 = 1 + 0.25 log2 n, (expected / u)^2 = 0.5 log2 n.
std::vector<Row> random_walks(const std::string& mode, double u) {
  std::vector<Row> rows;
  for (const std::uint64_t n : lengths) {
    const double log_n = std::log2(static_cast<double>(n));
    rows.push_back(made_up({.mode = mode, .n = n, .error = u * std::sqrt(1 + 0.25 * log_n)}));
    rows.back().expected_l2_rel = u * std::sqrt(0.5 * log_n);
  }
  return rows;
}

TEST(Scalings, RecoverTheExponentsOfPowerLaws) {
  const std::vector<Scaling> all = scalings(power_laws());

  ASSERT_THAT(all, SizeIs(1));
  EXPECT_NEAR(all[0].exponent, 0.5, roundings());
  EXPECT_NEAR(all[0].expected_exponent.value(), 0.25, roundings());
  EXPECT_NEAR(all[0].bound_exponent.value(), 1, roundings());
  EXPECT_EQ(all[0].lengths, 4u);
  EXPECT_EQ(all[0].first_n, 8u);
  EXPECT_EQ(all[0].last_n, 256u);
  EXPECT_NEAR(all[0].first_ratio.value(), std::exp2(2 + 0.75), 4 * roundings());
  EXPECT_NEAR(all[0].last_ratio.value(), 16, 16 * roundings());
}

TEST(Scalings, RecoverTheGrowthPerDoublingInUnitsOfTheModesRoundoff) {
  const auto check = [](const std::string& mode, double u) {
    const std::vector<Scaling> all = scalings(random_walks(mode, u));
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_NEAR(all[0].growth.value(), 0.25, roundings()) << mode;
    EXPECT_NEAR(all[0].expected_growth.value(), 0.5, roundings()) << mode;
  };
  check("fp32", std::exp2(-24));
  check("bf16", std::exp2(-8));
  check("fp64", std::exp2(-53));
}

TEST(Scalings, HaveNoGrowthInAnUnknownMode) {
  const std::vector<Scaling> all = scalings(random_walks("int8", 1));

  ASSERT_THAT(all, SizeIs(1));
  EXPECT_FALSE(all[0].growth);
  EXPECT_FALSE(all[0].expected_growth);
  EXPECT_TRUE(all[0].expected_exponent);
}

TEST(Scalings, TakeTheGeometricMeanOverSeeds) {
  std::vector<Row> rows = power_laws();
  for (Row& row : rows) *row.err_l2_rel *= 8;
  for (Row row : power_laws({.seed = 2})) {
    *row.err_l2_rel *= 0.5;
    rows.push_back(row);
  }

  const std::vector<Scaling> all = scalings(rows);

  ASSERT_THAT(all, SizeIs(1));
  EXPECT_NEAR(all[0].last_ratio.value(), 2 * 16, 32 * roundings()) << "sqrt(8 * 0.5) = 2";
  EXPECT_NEAR(all[0].exponent, 0.5, roundings());
}

TEST(Scalings, KeepApartWhatDiffersInMoreThanNAndSeed) {
  std::vector<Row> rows = power_laws();
  for (const Row& row : power_laws({.input = "tone"})) rows.push_back(row);
  for (const Row& row : power_laws({.mode = "bf16"})) rows.push_back(row);
  for (Row row : power_laws()) {
    row.where.set(&Case::tables, "recurrence");
    rows.push_back(row);
  }

  EXPECT_THAT(scalings(rows), SizeIs(4));
}

TEST(Scalings, CountLengthsThatANanOrAnInfinityLeavesOut) {
  std::vector<Row> rows = power_laws();
  EXPECT_EQ(scalings(rows).at(0).not_finite, 0u);
  rows.push_back(made_up({.n = 512, .error = std::numeric_limits<double>::quiet_NaN()}));
  rows.push_back(made_up({.n = 1024, .error = std::numeric_limits<double>::infinity()}));
  rows.push_back(made_up({.n = 1024, .seed = 2, .error = 1e-3}));

  EXPECT_EQ(scalings(rows).at(0).lengths, 4u);
  EXPECT_EQ(scalings(rows).at(0).not_finite, 2u);
  EXPECT_THAT(scaling_section(rows, {}), holds("| 4, 2 not finite |"));
}

TEST(Scalings, NeedFourMeasuredLengths) {
  std::vector<Row> rows = power_laws();
  rows.pop_back();
  EXPECT_THAT(scalings(rows), IsEmpty());
  rows.push_back(skipped_row({.n = 256}, "n"));
  EXPECT_THAT(scalings(rows), IsEmpty());
  rows.push_back(made_up({.n = 8, .seed = 2}));
  EXPECT_THAT(scalings(rows), IsEmpty()) << "a seed is no length";
}

TEST(Scalings, KeepALengthAtWhichAnotherSeedFailed) {
  std::vector<Row> rows = power_laws();
  rows.push_back(failed_row({.n = 8, .seed = 2}, "memory"));

  EXPECT_THAT(scalings(rows), SizeIs(1));
}

TEST(Scalings, LeaveOutLengthsWithoutALogarithm) {
  for (const double error : {0.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    std::vector<Row> rows = power_laws();
    rows.push_back(made_up({.n = 512, .error = error}));

    const std::vector<Scaling> all = scalings(rows);

    ASSERT_THAT(all, SizeIs(1)) << error;
    EXPECT_EQ(all[0].last_n, 256u) << error;
    EXPECT_NEAR(all[0].exponent, 0.5, roundings()) << error;
  }
}

TEST(Scalings, HaveNoExponentOfAModelThatLacksALength) {
  std::vector<Row> rows = power_laws();
  rows[1].expected_l2_rel.reset();
  rows[2].bound_l2_rel.reset();

  const std::vector<Scaling> all = scalings(rows);

  ASSERT_THAT(all, SizeIs(1));
  EXPECT_FALSE(all[0].expected_exponent);
  EXPECT_FALSE(all[0].expected_growth);
  EXPECT_FALSE(all[0].first_ratio);
  EXPECT_FALSE(all[0].last_ratio);
  EXPECT_FALSE(all[0].bound_exponent);
  EXPECT_TRUE(all[0].growth);
}

TEST(ScalingSection, IsTheGoldenTable) {
  std::vector<Row> rows = power_laws({.mode = "int8"});
  for (const Row& row : random_walks("fp32", std::exp2(-24))) rows.push_back(row);
  for (Row& row : rows)
    if (row.where.mode() == "fp32") row.bound_l2_rel.reset();

  EXPECT_THAT(
      scaling_section(rows, {{"mode", {"fp32", "int8"}}}),
      holds("| algorithm | mode | n | lengths | s of err | of expected | of bound | "
            "err^2/u^2 per doubling | expected | err/expected first | last |\n"
            "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
            "| radix2-dit | fp32 | 8..256 | 4 | 0.077 | 0.140 | | 0.25 | 0.5 | 1.08 | 0.866 |\n"
            "| radix2-dit | int8 | 8..256 | 4 | 0.500 | 0.250 | 1.000 | | | 6.73 | 16 |\n"));
}

TEST(ScalingSection, IsEmptyWithoutAScaling) {
  EXPECT_EQ(scaling_section(std::vector{made_up({})}, {}), "");
}

TEST(ScalingSection, HoldsTheOtherAxesIfThereAreTooManyLines) {
  std::vector<Row> rows = power_laws();
  for (const Row& row : power_laws({.input = "tone"})) rows.push_back(row);

  const std::string all = scaling_section(rows, {}, 2);
  const std::string some = scaling_section(rows, {}, 1);

  EXPECT_THAT(all, holds("| radix2-dit | fp32 | tone | 8..256 |").but_not("Left out"));
  EXPECT_THAT(some, holds("| radix2-dit | fp32 | 8..256 |",
                          "Shown: transform fft, machine trn, tables exact, batch 1, input "
                          "gaussian. Left out: 1 other.\n")
                        .but_not("tone"));
}

}  // namespace
}  // namespace fftprec::text
