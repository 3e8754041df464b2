/// Bounds and expected errors at values worked out by hand: measured rows cannot show a bound that
/// is a few times too large.
#include "algorithms/theory/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/theory/expectation.hpp"
#include "arith/support/error.hpp"
#include "tests/algorithms/test_roots.hpp"

namespace fftprec::testing {

namespace {

constexpr double u = 0x1p-24;

/// Equality to the six digits that the values by hand are given with.
void expect_value(double actual, double by_hand) { EXPECT_NEAR(actual, by_hand, 1e-6 * by_hand); }

/// A prediction to be made: what a bound depends on.
struct At {
  std::size_t n;
  const char* mode;
  NamedMachine machine = machine_named("trn");
  double table_error = 0;
  bool exact_tables = true;
  bool input_rounded = false;
  Direction direction = Direction::forward;
};

Predictor predictor(const At& at) {
  TableSource tables{exact_roots(), exact_roots(), at.exact_tables,
                     [mu = at.table_error](const TableExtent&, const Format&) { return mu; }};
  return {resolve(mode_named(at.mode), at.machine), at.direction, std::move(tables)};
}

template <template <class> class Algorithm>
double bound(const At& at) {
  const Predictor stages = predictor(at);
  const Prediction whole = Algorithm<MachineArithmetic<float>>::predict(stages, at.n, 1);
  return (at.input_rounded ? whole.then(stages.input()) : whole).bound;
}

At where(std::size_t n, const char* mode, const char* machine = "trn") {
  return {.n = n, .mode = mode, .machine = machine_named(machine)};
}

double radix2(const At& at) { return bound<Radix2Dit>(at); }
double gemm(const At& at) { return bound<DftGemm>(at); }

bool multiplies_matrices(const Mode& mode, const NamedMachine& machine) {
  try {
    resolve(mode, machine).matrices();
    return true;
  } catch (const NotApplicable&) {
    return false;
  }
}

/// d, if the bound is sqrt(2n) ((1 + roundoff)^d - 1).
double roundings_of(const At& at, double roundoff) {
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
    return product_error(resolve(mode_named(mode), machine_named(machine)));
  };
  expect_value(error("fast", "trn"), 1.332800375e-7);     // sqrt(5) 2^-24
  expect_value(error("double", "trn"), 2.482534153e-16);  // sqrt(5) 2^-53
  expect_value(error("bf16", "trn"), 8.734640537e-3);     // sqrt(5) 2^-8
  expect_value(error("kahan", "trn-rz"), 2 * u + 4 * u * u);
  // Dropped Wl xl, the rests of both, and three terms of one sum each in fp32 sums.
  expect_value(error("ozaki", "trn"), 3.075891802e-5);
  // Nothing dropped but the rest of W, and six terms.
  expect_value(error("ozaki_hq", "trn"), 7.992640472e-6);
  // What accumulators do is nothing to the vector engine.
  EXPECT_EQ(error("ozaki", "trn-claim"), error("ozaki", "trn"));
  expect_value(error("rounded_once", "trn"), u);
  expect_value(error("dot2", "trn"), u * (1 + 4 * std::sqrt(2.0) * u));
  expect_value(error("doubleword", "trn"), (5 * std::sqrt(2.0) + 3) * u * u);
  // Two tf32 words settle 23 bits: 2^-23 of each side, and the product of the second words, each
  // 2^-11 + 2^-23; three terms of (1 + 2^-11)^2 + 2 (1 + 2^-11)(2^-11 + 2^-23) in three sums.
  expect_value(error("tf32x2:3", "trn"), 6.561169635e-07);
}

TEST(ProductError, FollowsTheVectorEngine) {
  const auto error = [](const char* mode, const char* machine) {
    return product_error(resolve(mode_named(mode), machine_named(machine)));
  };
  const double root2 = std::sqrt(2.0);
  expect_value(error("fast", "trn{vector.fused=on}"), 2 * u);
  expect_value(error("fast", "trn{vector.product_bits=20}"), 16 * root2 * u + u);
  expect_value(error("fast", "trn{vector.product_bits=20,vector.product_rounding=rz}"),
               32 * root2 * u + u);
  expect_value(error("fast", "trn{vector.sum_rounding=rz}"), root2 * u + 2 * u);
  expect_value(error("kahan", "trn{vector.product_bits=21}"),
               root2 * (1.003 * 8 + 3.0 / 256) * u + 2 * u);
  // Not that of the host, nor of pairs.
  EXPECT_EQ(error("double", "trn{vector.sum_rounding=rz}"), error("double", "trn"));
}

TEST(Radix2DitBound, HasTheValuesOfItsFirstStages) {
  EXPECT_EQ(radix2(where(1, "fast")), 0);
  expect_value(radix2(where(2, "fast")), u);
  expect_value(radix2(where(4, "fast")), 1.192092931e-7);  // (1 + u)^2 - 1
  At third = where(8, "fast");                             // (1 + u)^3 (1 + g) - 1
  third.table_error = rounded_table_error(fp32);
  expect_value(radix2(third), 3.542408680e-7);
  third.input_rounded = true;
  expect_value(radix2(third), 4.138455336e-7);
  // Inexact tables, and words of any tables, make the first stages err too.
  At first = where(2, "fast");
  first.table_error = rounded_table_error(fp32);
  first.exact_tables = false;
  expect_value(radix2(first), 2.350315469e-7);  // (1 + u)(1 + g) - 1
  expect_value(radix2(where(2, "ozaki")), 3.075891802e-5 + u);
}

TEST(Radix2DitBound, ComposesStageByStage) {
  At at = where(8, "fast");
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
  At at = where(64, "bf16");
  at.table_error = rounded_table_error(bf16);
  at.input_rounded = true;
  expect_value(gemm(at), 2.613310037e-2);
  expect_value(gemm(where(64, "bf16", "trn-claim")), 4.423750087e-2);
  expect_value(gemm(where(64, "ozaki")), 2.898236952e-4);
  // kahan: ten complex products of error 2u, nine sums.
  expect_value(gemm(where(10, "kahan")), std::sqrt(10.0) * 11 * u);
  // An eviction to bf16 is one more rounding.
  NamedMachine narrow = machine_named("trn");
  narrow.eviction = bf16;
  const At evicted{.n = 2, .mode = "bf16", .machine = narrow};
  expect_value(gemm(evicted), 2 * ((1 + 0x1p-8) * (1 + 2 * u) - 1));
  // Truncated products may lose a whole unit.
  NamedMachine truncating = machine_named("trn");
  for (AccumulatorModel& unit : truncating.units)
    unit.product = {.exact = false, .format = bf16, .rounding = Rounding::rz};
  const At truncated{.n = 2, .mode = "bf16", .machine = truncating};
  expect_value(gemm(truncated), 2 * ((1 + 0x1p-7) * (1 + 2 * u) - 1));
}

TEST(DftGemmBound, ChargesTheInverseTwoRoundingsUnlessTheyAreExact) {
  for (const std::size_t n : {64u, 100u}) {
    At at = where(n, "fast");
    const double forward = gemm(at);
    at.direction = Direction::inverse;
    expect_value(gemm(at), forward + (n == 64 ? 0 : 2 * u * (1 + forward)));
  }
}

TEST(Refinement, LeavesTheErrorOfTheWayBack) {
  expect_value(refined_error(radix2(where(4, "bf16_refined"))), 8.012180957e-3);
}

TEST(Bounds, NeverFallAsLengthsGrow) {
  for (const Mode& mode : trnfft_modes())
    for (const NamedMachine& machine : machines()) {
      // Without roots no factor counts as trivial.
      TableSource tables;
      tables.error_bound = [](const TableExtent&, const Format& format) {
        return rounded_table_error(format);
      };
      const Predictor stages(resolve(mode, machine), Direction::forward, tables);
      const auto never_falls = [&](auto predict, std::size_t n, double last) {
        const double here = predict(stages, n, 1).bound;
        EXPECT_GE(here, last) << mode.name << " on " << machine.name << ", n = " << n;
        return here;
      };
      double last = 0;
      for (std::size_t n = 1; n <= std::size_t{1} << 20; n *= 2)
        last = never_falls(Radix2Dit<MachineArithmetic<float>>::predict, n, last);
      last = 0;
      if (!multiplies_matrices(mode, machine)) continue;
      for (std::size_t n = 1; n <= 600; n += n < 100 ? 1 : 7)
        last = never_falls(DftGemm<MachineArithmetic<float>>::predict, n, last);
    }
}

TEST(Variances, AddUpAsTheModelSays) {
  const TableStatistics half{.nontrivial = 0.5};
  const NamedMachine& trn = machine_named("trn");
  const Mode& fast = mode_named("fast");
  // 0.213 u^2 per sum; half of the products are no trivial ones: 0.181 + 0.199.
  expect_value(sum_variance(resolve(fast, trn)), 0.213 * u * u);
  expect_value(product_variance(resolve(fast, trn), half), 0.19 * u * u);
  // Of the 4 x 4 matrix every entry is 1, -1, i or -i: half of a part's 8 products are zeros. A
  // chain of 4 additions with the mean partial sum 2.5/4, the first exact; products round.
  expect_value(gemm_variance(resolve(fast, machine_named("ieee")), half, 4),
               (0.181 * (2.5 - 0.25) + 0.181 * 0.5) * u * u);
  // A tile, then the other half of the part into a PSUM that holds as much. The 64 columns have the
  // roots of order 1, 2, 4, 8, ..., 64 as entries, 1, 1, 2, 4, ..., 32 columns each; bf16 words
  // times those of the first three are added exactly, and of order m 4 products in 2m are zeros. Of
  // sums of bf16 products in a tile 1 in 12 rounds.
  const double tile = 0.06 / 0.72;
  expect_value(
      gemm_variance(resolve(mode_named("bf16"), trn), half, 64),
      0.181 *
          (2 * 1 + 4 * (tile * (24.5 - 1.0 / 48) + 1) + 8 * (tile * (28.5 - 1.0 / 56) + 1) +
           16 * (tile * (30.5 - 1.0 / 60) + 1) + 32 * (tile * (31.5 - 1.0 / 62) + 1)) /
          64 * u * u);
  // ozaki: what two words leave of the data.
  expect_value(product_variance(resolve(mode_named("ozaki"), trn), {.nontrivial = 0}),
               0.181 * 0x1p-32 / 7);
}

TEST(Prediction, OfStagesInSeriesAddsAndOfPartsSideBySideWeighs) {
  const Prediction a{.bound = 0.5, .variance = 4, .cost = {{1, 2, 3}, 4, 5}};
  const Prediction b{.bound = 0.25, .variance = 2, .cost = {{10, 20, 30}, 40, 50}};
  const Prediction series = a.then(b);
  EXPECT_EQ(series.bound, 0.875);
  EXPECT_EQ(series.variance, 6);
  EXPECT_EQ(series.cost.operations, (OperationCounts{11, 22, 33}));
  EXPECT_EQ(series.cost.mac_count, 44u);
  EXPECT_EQ(series.cost.matmul_passes, 55u);
  const Prediction parts = a.beside(b, 0.25);
  EXPECT_EQ(parts.bound, 0.5);
  EXPECT_EQ(parts.variance, 3.5);
  EXPECT_EQ(parts.cost.operations, (OperationCounts{11, 22, 33}));
}

}  // namespace fftprec::testing
