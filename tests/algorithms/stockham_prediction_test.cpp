/// Predictions of Stockham stages at values worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/stockham.hpp"
#include "algorithms/theory/engines.hpp"
#include "algorithms/theory/schemes.hpp"

namespace fftprec::testing {

namespace {

constexpr double roundoff = 0x1p-24;

/// Equality to the digits that the values by hand are given with.
void expect_nine_digits(double actual, double by_hand) {
  EXPECT_NEAR(actual, by_hand, 1e-9 * by_hand);
}

template <PlanRadices plan>
ErrorModel predicted(const char* mode, std::size_t n, std::size_t batch, Direction direction) {
  const Predictor predictor(resolve(mode_named(mode), machine_named("trn")), direction, {});
  return With<Stockham, MachineArithmetic<float>, plan>::predict(predictor, n, batch);
}

}  // namespace

TEST(StockhamPrediction, ChargesTheFirstStageNoProduct) {
  EXPECT_EQ(predicted<stockham_r4_plan>("fp32", 4, 1, Direction::forward).tables_met, 0u);
  EXPECT_EQ(predicted<stockham_r4_plan>("fp32", 64, 1, Direction::forward).tables_met, 2u);
  expect_nine_digits(predicted<stockham_r4_plan>("fp32", 4, 1, Direction::forward).bound.worst,
                     2 * roundoff + roundoff * roundoff);  // (1 + roundoff)^2 - 1
  // (1 + roundoff)^4 (1 + sqrt(5) roundoff) - 1, tables without error.
  expect_nine_digits(predicted<stockham_r4_plan>("fp32", 16, 1, Direction::forward).bound.worst,
                     std::expm1(4 * std::log1p(roundoff) + std::log1p(std::sqrt(5.0) * roundoff)));
}

TEST(StockhamPrediction, RoundsWhatAMatrixProductDeliversBeforeTheNextStage) {
  using enum ErrorModel::Output;
  EXPECT_EQ(predicted<four_step_plan>("bf16", 16, 1, Direction::forward).output, engine);
  EXPECT_EQ(predicted<stockham_mixed_plan>("bf16", 32, 1, Direction::forward).output, storage);
  const double one_stage =
      predicted<stockham_r8_plan>("bf16", 8, 1, Direction::forward).bound.worst;
  const double two_stages =
      predicted<stockham_r8_plan>("bf16", 64, 1, Direction::forward).bound.worst;
  const double between = (1 + 0x1p-8) * (1 + std::sqrt(5.0) * 0x1p-8);  // the store, the product
  expect_nine_digits(two_stages, (1 + one_stage) * (1 + one_stage) * between - 1);
}

double gemm_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                     std::size_t r) {
  return engine_theory(arithmetic)->variance(table, r);
}

double gemm_bias(const ArithmeticSpec& arithmetic, std::size_t r) {
  return engine_theory(arithmetic)->bias({}, r);
}

TEST(SmallDftVariances, AddUpAsTheModelSays) {
  const Mode& fast = mode_named("fp32");
  const Machine& trn = machine_named("trn");
  // r = 3: 4 of 9 terms are products; 2 sums, to 2/3 and to all of the result.
  const ArithmeticSpec fp32_data = resolve(fast, trn);
  expect_nine_digits(scheme_theory(fp32_data)->dft_core_variance({}, 3),
                     (0.38 * 4 / 9 + 0.181 * 5 / 3) * roundoff * roundoff);
  // r = 4 on the host: one part of each product is zero, so 4 sums, the first exact.
  expect_nine_digits(gemm_variance(resolve(mode_named("fp64"), trn), {.nontrivial = 0}, 4),
                     0.181 * 2.25 * 0x1p-106);
  // r = 8 in slices: 2 real columns take 2 passes of one half; 2 columns of quarter turns take 2 of
  // each half; of the others 6 parts are not zero, 4 of them long enough to round, in 4 passes of
  // each half. Sums of those 6 are of 4 in the mean, k = 4; their products have 23.5 digits, so
  // t = sqrt(k) 2^(23.5 - 24) = sqrt 2, over sqrt 2 cos of the product's phase (cut_shares,
  // cut_products in accumulators.cpp). The first pass into PSUM, of sums of 12 digits and more,
  // where it adds two halves loses no digit where all entries are 1, -1, i, -i.
  using std::numbers::pi;
  double lost = 0, often = 0;
  for (int phase = 0; phase < 16; ++phase) {
    const double t = 1 / std::cos((phase + 0.5) * pi / 32);
    lost += (std::atan(t) * (1 - 1 / (t * t)) + 1 / t) * 2 / pi / 16;
    often += (std::atan(t) + t / (1 + t * t)) * 2 / pi / 16;
  }
  const double grows = (1 - std::pow(1 - often, 4)) / (2 * pi);  // and drops its last bit, if any
  const double share = lost + (1 - lost) * grows;
  const double real = 1 * 1.0;
  const double quarters = 1 * 1.5;
  const double others = share * (3.5 - 1.0 / 6) * 2 / 3 + 1 + 3 * 1.5;
  EXPECT_NEAR(gemm_variance(fp32_data, {.nontrivial = 0}, 8) / roundoff / roundoff,
              0.181 * (2 * real + 2 * quarters + 4 * others) / 8, 1e-3);
}

TEST(GemmBias, IsWhatTruncationTakesFromEverySum) {
  const Mode& low = mode_named("bf16");
  EXPECT_EQ(gemm_bias(resolve(low, machine_named("trn")), 64), 0);
  EXPECT_EQ(gemm_bias(resolve(mode_named("kahan"), machine_named("trn-rz")), 64), 0);
  // r = 4: sums of four bf16 values, in one tile or in two, have hardly a digit to lose.
  const ArithmeticSpec short_words = resolve(low, machine_named("trn-rz"));
  EXPECT_LT(gemm_bias(short_words, 4), 2e-3 * roundoff);
  EXPECT_LT(gemm_variance(short_words, {.nontrivial = 0}, 4), 2e-3 * roundoff * roundoff);
  // In two slices the second pass truncates what the first has left: half the columns are real and
  // put one tile into PSUM, the others two, of which the first is half of the sum.
  const ArithmeticSpec slices = resolve(mode_named("fp32"), machine_named("trn-rz"));
  EXPECT_NEAR(gemm_bias(slices, 4) / roundoff, 0.72 * (1 + 1.5) / 2, 2e-3);
  // To either side: as many roundings, where there are two tiles a quarter of the square of a loss,
  // and the spread of the columns' biases, 0.18 from their mean.
  EXPECT_NEAR(gemm_variance(slices, {.nontrivial = 0}, 4) / roundoff / roundoff,
              0.181 * 1.25 + 0.72 * 0.72 / 4 / 2 + 0.18 * 0.18, 2e-3);
}

TEST(GemmBias, AddsUpOverStagesAsItIs) {
  const ErrorModel stage{.variance = 9, .bias = 2};
  EXPECT_EQ(stage.compose(stage).bias, 4);
  EXPECT_EQ(stage.compose(stage).expected(), std::sqrt(18.0 + 16));
  EXPECT_EQ(stage.mix({}, 0.25).bias, 1.5);
}

}  // namespace fftprec::testing
