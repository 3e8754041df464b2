/// Bounds and expected errors at values worked out by hand: measured rows cannot show a bound that
/// is a few times too large.
#include "algorithms/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fftprec::testing {

namespace {

constexpr double u = 0x1p-24;

/// Equality to the six digits that the values by hand are given with.
void expect_value(double actual, double by_hand) { EXPECT_NEAR(actual, by_hand, 1e-6 * by_hand); }

BoundCase where(std::size_t n, const char* mode, const char* machine = "trn") {
  return {
      .n = n, .mode = mode_named(mode), .machine = machine_named(machine), .input_rounded = false};
}

double radix2(const BoundCase& at) { return radix2_dit_bound(at).l2_rel; }
double gemm(const BoundCase& at) { return dft_gemm_bound(at).l2_rel; }

/// d, if the bound is sqrt(2n) ((1 + roundoff)^d - 1).
double roundings_of(const BoundCase& at, double roundoff) {
  return std::log1p(gemm(at) / std::sqrt(2.0 * static_cast<double>(at.n))) / std::log1p(roundoff);
}

}  // namespace

TEST(RepeatedError, ComposesWithoutCancellation) {
  EXPECT_EQ(repeated_error(0.5, 0), 0);
  EXPECT_EQ(repeated_error(0.5, 3), 2.375);
  expect_value(repeated_error(u, std::size_t{1} << 20), 6.449445694e-2);
  EXPECT_EQ(repeated_error(0x1p-80, 4), 0x1p-78);
}

TEST(ProductError, HasTheValueOfEachScheme) {
  const auto error = [](const char* mode, const char* machine) {
    return product_error(mode_named(mode), machine_named(machine));
  };
  expect_value(error("fast", "trn"), 1.332800375e-7);     // sqrt(5) 2^-24
  expect_value(error("double", "trn"), 2.482534153e-16);  // sqrt(5) 2^-53
  expect_value(error("bf16", "trn"), 8.734640537e-3);     // sqrt(5) 2^-8
  expect_value(error("kahan", "trn-rz"), 2 * u + 4 * u * u);
  // Dropped Wl xl, the rests of both, and three terms of one sum each in fp32 sums.
  expect_value(error("ozaki", "trn"), 3.075891802e-5);
  expect_value(error("ozaki", "trn-rz"), 3.081945764e-5);
  expect_value(error("ozaki", "trn-claim"), 5.641685899e-3);
  // Nothing dropped but the rest of W, and six terms.
  expect_value(error("ozaki_hq", "trn"), 7.992640472e-6);
  expect_value(error("ozaki_hq", "trn-rz"), 8.053181471e-6);
  expect_value(error("ozaki_hq", "trn-claim"), 5.619047808e-3);
}

TEST(Radix2DitBound, HasTheValuesOfItsFirstStages) {
  EXPECT_EQ(radix2(where(1, "fast")), 0);
  expect_value(radix2(where(2, "fast")), u);
  expect_value(radix2(where(4, "fast")), 1.192092931e-7);  // (1 + u)^2 - 1
  BoundCase third = where(8, "fast");                      // (1 + u)^3 (1 + g) - 1
  third.table_error = rounded_table_error(fp32);
  expect_value(radix2(third), 3.542408680e-7);
  third.input_rounded = true;
  expect_value(radix2(third), 4.138455336e-7);
  // Inexact tables, and words of any tables, make the first stages err too.
  BoundCase first = where(2, "fast");
  first.table_error = rounded_table_error(fp32);
  first.exact_tables = false;
  expect_value(radix2(first), 2.350315469e-7);  // (1 + u)(1 + g) - 1
  expect_value(radix2(where(2, "ozaki")), 3.075891802e-5 + u);
}

TEST(Radix2DitBound, ComposesStageByStage) {
  BoundCase at = where(8, "fast");
  at.table_error = rounded_table_error(fp32);
  const double stage = (1 + radix2(at)) / (1 + radix2(where(4, "fast")));
  for (const std::size_t n : {8u, 64u, 4096u}) {
    at.n = n;
    const double here = radix2(at);
    at.n = 2 * n;
    expect_value((1 + radix2(at)) / (1 + here), stage);
  }
}

TEST(DftGemmBound, CountsTheRoundingsOfOneProductsWay) {
  struct {
    const char* mode;
    const char* machine;
    std::size_t n;
    double roundoff;
    double roundings;
  } const ways[] = {
      {"bf16", "trn", 64, u, 63 + 1},            // in its tile, then the other half of the part
      {"bf16", "trn", 256, u, 127 + 3},          // 2 tiles of each half
      {"bf16", "trn", 257, u, 127 + 5},          //
      {"bf16", "trn-rz", 64, 2 * u, 63 + 1},     // truncation: twice the roundoff
      {"bf16", "ieee", 64, u, 127},              // one chain
      {"fast", "trn", 256, u, 127 + 15},         // 4 passes of each
      {"fast", "ieee", 256, u, 511 + 1},         // the product rounds as well
      {"double", "trn", 256, 0x1p-53, 511 + 1},  // likewise
      {"bf16", "trn", 1, u, 1},                  // one product of each half
  };
  for (const auto& way : ways)
    EXPECT_NEAR(roundings_of(where(way.n, way.mode, way.machine), way.roundoff), way.roundings,
                1e-3)
        << way.mode << " on " << way.machine << ", n = " << way.n;
}

TEST(DftGemmBound, HasTheValuesOfItsParts) {
  BoundCase at = where(64, "bf16");
  at.table_error = rounded_table_error(bf16);
  at.input_rounded = true;
  expect_value(gemm(at), 2.613310037e-2);
  expect_value(gemm(where(64, "bf16", "trn-claim")), 4.423750087e-2);
  expect_value(gemm(where(64, "ozaki")), 2.898236952e-4);
  // kahan: ten complex products of error 2u, nine sums.
  expect_value(gemm(where(10, "kahan")), std::sqrt(10.0) * 11 * u);
  // An eviction to bf16 is one more rounding.
  Machine narrow = machine_named("trn");
  narrow.eviction = bf16;
  const BoundCase evicted{
      .n = 2, .mode = mode_named("bf16"), .machine = narrow, .input_rounded = false};
  expect_value(gemm(evicted), 2 * ((1 + 0x1p-8) * (1 + 2 * u) - 1));
  // Truncated products may lose a whole unit.
  Machine truncating = machine_named("trn");
  truncating.product = ProductRounding::bf16_rz;
  const BoundCase truncated{
      .n = 2, .mode = mode_named("bf16"), .machine = truncating, .input_rounded = false};
  expect_value(gemm(truncated), 2 * ((1 + 0x1p-7) * (1 + 2 * u) - 1));
}

TEST(DftGemmBound, ChargesTheInverseTwoRoundingsUnlessTheyAreExact) {
  for (const std::size_t n : {64u, 100u}) {
    BoundCase at = where(n, "fast");
    const double forward = gemm(at);
    at.direction = Direction::inverse;
    expect_value(gemm(at), forward + (n == 64 ? 0 : 2 * u * (1 + forward)));
  }
}

TEST(Refinement, LeavesTheErrorOfTheWayBack) {
  const Bound bound = radix2_dit_bound(where(4, "bf16_refined"));
  EXPECT_EQ(bound.name, "refinement");
  expect_value(bound.l2_rel, 8.012180957e-3);
}

TEST(Bounds, NeverFallAsLengthsGrow) {
  for (const Mode& mode : modes())
    for (const Machine& machine : machines()) {
      BoundCase at{.n = 1, .mode = mode, .machine = machine};
      at.table_error = rounded_table_error(mode.table);
      double last = 0;
      for (at.n = 1; at.n <= 1u << 20; at.n *= 2) {
        EXPECT_GE(radix2(at), last) << mode.name << " on " << machine.name << ", n = " << at.n;
        last = radix2(at);
      }
      last = 0;
      for (at.n = 1; at.n <= 600; ++at.n) {
        EXPECT_GT(gemm(at), last) << mode.name << " on " << machine.name << ", n = " << at.n;
        last = gemm(at);
      }
    }
}

TEST(ExpectedError, AddsTheVariancesOfTheModel) {
  const std::vector<TableStatistics> stages = {{.nontrivial = 0}, {.nontrivial = 0.5}};
  // 0.213 u^2 per sum; half of half the outputs met a product: 0.181 + 0.199.
  expect_value(radix2_dit_expected(where(4, "fast"), stages), std::sqrt(2 * 0.213 + 0.095) * u);
  // A chain of 8 additions with the mean partial sum 4.5/8, the first exact; products round.
  expect_value(dft_gemm_expected(where(4, "fast", "ieee"), stages),
               std::sqrt(0.181 * (4.5 - 0.125) + 0.181) * u);
  // A tile of 64, then the other half of the part into a PSUM that holds as much.
  expect_value(dft_gemm_expected(where(64, "bf16"), stages),
               std::sqrt(0.181 * (32.5 - 1.0 / 64 + 1)) * u);
  // ozaki: what two words leave of the data, and sums.
  const std::vector<TableStatistics> exact = {{.nontrivial = 0}};
  expect_value(radix2_dit_expected(where(2, "ozaki"), exact),
               std::sqrt(0.213 * u * u + 0.181 * 0x1p-32 / 14));
}

}  // namespace fftprec::testing
