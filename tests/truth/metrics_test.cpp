/// The error measures against their definitions in MPFR, and their meaning at the edges.
#include "arith/truth/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

#include "arith/support/error.hpp"
#include "tests/support/same_value.hpp"
#include "tests/truth/metrics_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Errors;
using truth::measure;
using truth::Truth;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// hi random, lo below half an ulp of it, y at relative distance `error` from them.
struct Sample {
  ComplexArray<double> y;
  Truth t;
};
Sample sample(std::size_t size, double error, double scale, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Sample s{ComplexArray<double>(size), exactly(ComplexArray<double>(size))};
  for (std::size_t i = 0; i < size; ++i)
    for (auto [y, hi, lo] : {std::tie(s.y.re[i], s.t.hi.re[i], s.t.lo.re[i]),
                             std::tie(s.y.im[i], s.t.hi.im[i], s.t.lo.im[i])}) {
      hi = scale * normal(generator);
      lo = hi * 0x1p-54 * (normal(generator) > 0 ? 0.9 : -0.7);
      y = hi * (1 + error * normal(generator));
    }
  return s;
}

TEST(Measure, EqualsTheDefinitionForErrorsOfEverySize) {
  for (const double error : {0.0, 0x1p-53, 0x1p-40, 0x1p-24, 0x1p-8, 1.0, 0x1p40})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      SCOPED_TRACE("error " + show(error) + ", seed " + std::to_string(seed));
      const Sample s = sample(50, error, 1, seed);
      for (const Format& output : {bf16, fp32, fp64})
        EXPECT_TRUE(same_measures(measure(s.y, s.t, output), judge(s.y, s.t, output)));
    }
}

TEST(Measure, EqualsTheDefinitionAtTheEndsOfTheRangeOfDouble) {
  for (const double scale : {0x1p1020, 0x1p900, 0x1p-300, 0x1p-700, 0x1p-900}) {
    SCOPED_TRACE("scale " + show(scale));
    const Sample s = sample(20, 0x1p-20, scale, 4);
    EXPECT_TRUE(same_measures(measure(s.y, s.t, fp64), judge(s.y, s.t, fp64)));
  }
  constexpr double max = std::numeric_limits<double>::max();
  const auto y = array({max, 1, 0x1p-1074}, {-max, 0x1p-1060, 3});
  const auto t = exactly(array({-max, 2, 0x1p-1073}, {max, 0x1p-1061, 0x1p1000}));
  const Errors found = measure(y, t, fp64);
  EXPECT_TRUE(same_measures(found, judge(y, t, fp64)));
}

TEST(Measure, SeesTheLowPartOfTheTruth) {
  auto t = exactly(array({1}, {0}));
  t.lo.re[0] = 0x1p-60;

  const Errors errors = measure(array({1}, {0}), t, fp64);

  EXPECT_EQ(errors.l2_rel, 0x1p-60);
  EXPECT_EQ(errors.bits_l2, 60);
}

TEST(Measure, ExactIsZeroWithInfinitelyManyBits) {
  const auto y = array({1, 0, -3}, {0, 0, 2});
  const Errors errors = measure(y, exactly(y), fp32);
  EXPECT_EQ(errors.l2_rel, 0);
  EXPECT_EQ(errors.re_max_rel, 0);
  EXPECT_EQ(errors.rms_ulp, 0);
  EXPECT_EQ(errors.bits_l2, infinity);
}

TEST(Measure, ZeroOverZeroIsZero) {
  const ComplexArray<double> zero(3);
  const Errors errors = measure(zero, exactly(zero), fp32);
  for (const double value : {errors.l2_rel, errors.linf_rel, errors.l1_rel, errors.re_max_rel,
                             errors.im_max_rel, errors.max_ulp, errors.rms_ulp})
    EXPECT_EQ(value, 0);
  EXPECT_EQ(errors.bits_l2, infinity);
}

TEST(Measure, NonzeroOverZeroIsInfinite) {
  const Errors errors = measure(array({0x1p-30}, {0}), exactly(array({0}, {0})), fp32);
  EXPECT_EQ(errors.l2_rel, infinity);
  EXPECT_EQ(errors.linf_rel, infinity);
  EXPECT_EQ(errors.l1_rel, infinity);
  EXPECT_EQ(errors.re_max_rel, infinity);
  EXPECT_EQ(errors.im_max_rel, 0);
  EXPECT_EQ(errors.bits_l2, -infinity);
  EXPECT_EQ(errors.max_ulp, 0x1p119);  // the smallest step of fp32 is 2^-149
}

TEST(Measure, NanMakesEveryMeasureNan) {
  const Errors errors =
      measure(array({1, infinity}, {nan, 0}), exactly(array({1, 1}, {1, 1})), fp32);
  for (const double value : {errors.l2_rel, errors.linf_rel, errors.l1_rel, errors.re_max_rel,
                             errors.im_max_rel, errors.max_ulp, errors.rms_ulp, errors.bits_l2})
    EXPECT_TRUE(std::isnan(value));
}

TEST(Measure, InfinityMakesTheMeasuresOfItsPartInfinite) {
  const Errors errors =
      measure(array({1, -infinity}, {1, 1}), exactly(array({1, 1}, {1, 1})), fp32);
  for (const double value : {errors.l2_rel, errors.linf_rel, errors.l1_rel, errors.re_max_rel,
                             errors.max_ulp, errors.rms_ulp})
    EXPECT_EQ(value, infinity);
  EXPECT_EQ(errors.im_max_rel, 0);
  EXPECT_EQ(errors.bits_l2, -infinity);
}

TEST(Measure, UlpIsThatOfTheTruthAcrossABinade) {
  auto t = exactly(array({1}, {0}));
  EXPECT_EQ(measure(array({1 + 0x1p-7}, {0}), t, bf16).max_ulp, 1);
  EXPECT_EQ(measure(array({1 - 0x1p-8}, {0}), t, bf16).max_ulp, 0.5);
  t.lo.re[0] = -0x1p-60;  // the truth lies just below 1, where the step is half
  EXPECT_NEAR(measure(array({1 - 0x1p-8}, {0}), t, bf16).max_ulp, 1, 0x1p-50);
  EXPECT_NEAR(measure(array({1 + 0x1p-7}, {0}), t, bf16).max_ulp, 2, 0x1p-50);
  t.hi.re[0] = -1;
  t.lo.re[0] = 0x1p-60;
  EXPECT_NEAR(measure(array({-1 + 0x1p-8}, {0}), t, bf16).max_ulp, 1, 0x1p-50);
  t.lo.re[0] = -0x1p-60;
  EXPECT_NEAR(measure(array({-1 + 0x1p-8}, {0}), t, bf16).max_ulp, 0.5, 0x1p-50);
}

TEST(Measure, UlpBelowTheNormalRangeIsTheSmallestStep) {
  const auto t = exactly(array({0x1p-20}, {0}));
  EXPECT_EQ(measure(array({0x1p-20 + 0x1p-24}, {0}), t, fp16).max_ulp, 1);
}

TEST(Measure, RmsCountsBothPartsOfTheWholeBatch) {
  Truth t = exactly(array({1, 1, 1, 1}, {1, 1, 1, 1}));
  t.n = 2;
  EXPECT_EQ(measure(array({1 + 0x4p-7, 1, 1, 1}, {1, 1, 1, 1 + 0x4p-7}), t, bf16).rms_ulp, 2);
}

TEST(Measure, NormsOfABatchAreOverAllItsElements) {
  Truth t = exactly(array({3, 0, 0, 0}, {0, 0, 0, 4}));
  t.n = 2;
  const Errors errors = measure(array({3, 0, 0, 0}, {0, 0, 0, 3}), t, fp32);
  EXPECT_EQ(errors.l2_rel, 0.2);
  EXPECT_EQ(errors.linf_rel, 0.25);
  EXPECT_EQ(errors.l1_rel, 1.0 / 7);
}

TEST(Measure, SizesThatDisagreeAreAnInputError) {
  EXPECT_THROW(measure(ComplexArray<double>(2), exactly(ComplexArray<double>(3)), fp32),
               InputError);
}

}  // namespace
}  // namespace fftprec::testing
