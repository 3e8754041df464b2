/// How far the error measures say that they may be off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "arith/truth/metrics.hpp"
#include "tests/support/same_value.hpp"
#include "tests/truth/metrics_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Errors;
using truth::measure;
using truth::Truth;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// x exact, t at distances of up to `distance` relative to its elements, y at 2^-6.
struct Near {
  ComplexArray<double> x;
  ComplexArray<double> y;
  Truth t;
};
Near near(std::size_t size, double distance, double scale, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> significand(1.1, 1.9);  // no power of two lies between
  std::uniform_real_distribution<double> signs(-1, 1);
  Near found{ComplexArray<double>(size), ComplexArray<double>(size), {}};
  found.t = exactly(ComplexArray<double>(size));
  double worst = 0;
  for (std::size_t j = 0; j < size; ++j) {
    for (auto part : {&ComplexArray<double>::re, &ComplexArray<double>::im}) {
      const double x = scale * std::ldexp(significand(generator), static_cast<int>(j % 5));
      (found.x.*part)[j] = x;
      (found.y.*part)[j] = x * (1 + 0x1p-6 * signs(generator));
      (found.t.hi.*part)[j] = x * (1 + distance * signs(generator));
    }
    worst = std::max({worst, std::fabs(found.t.hi.re[j] - found.x.re[j]),
                      std::fabs(found.t.hi.im[j] - found.x.im[j])});
  }
  constexpr double up = 1 + 0x1p-40;
  found.t.radius_rel = up * judge(found.x, found.t, fp32).l2_rel;
  found.t.element_radius = {up * std::sqrt(2.0) * worst};
  return found;
}

TEST(MeasureRadius, HoldsTheMeasureAgainstTheExactTransform) {
  for (const double scale : {1.0, 0x1p-900, 0x1p1010, 0x1p-1000})
    for (const double distance : {0.0, 0x1p-50, 0x1p-30, 0x1p-9, 0x1p-4})
      for (const bool elements : {true, false})
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
          Near data = near(37, distance, scale, seed);
          if (!elements) data.t.element_radius.clear();

          const auto found = values_of(measure(data.y, data.t, fp32));

          const auto exact = values_of(judge(data.y, exactly(data.x), fp32));
          for (std::size_t i = 0; i < 7; ++i) {
            EXPECT_LE(std::fabs(found[i] - exact[i]), found[8 + i])
                << "measure " << i << ", " << show(found[i]) << ", exact " << show(exact[i])
                << ", distance " << distance << ", scale " << scale << ", seed " << seed;
            EXPECT_TRUE(distance >= 0x1p-9 || found[8 + i] < 0x1p-3 * found[i] + 0x1p-1000)
                << "measure " << i << " is known to " << found[8 + i] << " only";
          }
        }
}

TEST(MeasureRadius, IsReached) {
  // t is off towards y: the norms by all that their radius allows, the parts by 1/sqrt(2) of it.
  for (const double distance : {0x1p-20, 0.25}) {
    const double whole = 1.5 * (1 - distance);
    const ComplexArray<double> x = array({whole, whole}, {whole, whole});
    const ComplexArray<double> y = array({1.75, 1.75}, {1.75, 1.75});
    Truth t = exactly(array({1.5, 1.5}, {1.5, 1.5}));
    t.radius_rel = distance * (1 + 0x1p-30);
    t.element_radius = {std::sqrt(2.0) * 1.5 * distance * (1 + 0x1p-30)};

    const auto found = values_of(measure(y, t, bf16));

    const auto exact = values_of(judge(y, exactly(x), bf16));
    for (std::size_t i = 0; i < 7; ++i) {
      const double off = std::fabs(found[i] - exact[i]);
      EXPECT_LE(off, found[8 + i]) << "measure " << i << ", distance " << distance;
      EXPECT_GE(off, found[8 + i] * (i < 3 ? 0.999 : 0.6)) << "measure " << i;
    }
  }
}

TEST(MeasureRadius, IsInTheSmallestSteps) {
  Truth t = exactly(array({1}, {1}));
  t.radius_rel = 1;
  t.element_radius = {0x1p-10};
  const auto max_ulp = [&] { return measure(t.hi, t, bf16).radius.max_ulp; };
  t.lo.re[0] = -0x1p-60;  // just below 1, where the step is 2^-8
  EXPECT_GE(max_ulp(), 0x1p-2);
  t.hi.re[0] = 0x1.8p-9;
  EXPECT_GE(max_ulp(), 0x1p6);
  std::swap(t.hi.re, t.hi.im);
  std::swap(t.lo.re, t.lo.im);
  EXPECT_GE(max_ulp(), 0x1p6);
}

TEST(MeasureRadius, KnowsNothingWhereATruthMayBeZero) {
  Truth t = exactly(array({1, 0}, {1, 1}));
  t.radius_rel = 0x1p-80;
  t.element_radius = {0x1p-80};

  const Errors found = measure(array({1, 0}, {1, 1.5}), t, fp32);

  EXPECT_EQ(found.radius.re_max_rel, infinity);
  EXPECT_LT(found.radius.im_max_rel, 0x1p-49);
  t.element_radius.clear();
  t.radius_rel = 1;
  const Errors vague = measure(array({1, 0}, {1, 1.5}), t, fp32);
  EXPECT_EQ(vague.radius.l2_rel, infinity);
  EXPECT_EQ(vague.radius.linf_rel, infinity);
  EXPECT_EQ(vague.radius.l1_rel, infinity);
}

TEST(MeasureRadius, TakesTheSmallerOfBothCertificates) {
  Truth t = exactly(array({3, 1}, {4, 1}));
  t.radius_rel = 0x1p-60;
  const auto radius = [&] { return measure(array({3, 1}, {4, 1}), t, fp32).radius; };
  const double of_norm = radius().linf_rel;
  t.element_radius = {0x1p-62};
  EXPECT_LT(radius().linf_rel, of_norm / 2);
  t.element_radius = {1};
  EXPECT_EQ(radius().linf_rel, of_norm);
}

TEST(MeasureRadius, IsThatOfTheWorstItem) {
  Truth t = exactly(array({1, 1, 1, 1}, {1, 1, 1, 1}));
  t.n = 2;
  t.radius_rel = 0.5;
  t.element_radius = {0, 0x1p-30};

  const auto radius = measure(t.hi, t, fp32).radius;

  EXPECT_GE(radius.im_max_rel, 0x1p-30);
  EXPECT_GE(radius.l1_rel, 2 * 0x1p-30 / (4 * std::sqrt(2.0)));
  EXPECT_LE(radius.l1_rel, 3 * 0x1p-30 / (4 * std::sqrt(2.0)));
}

TEST(MeasureRadius, IsNanOrInfiniteWithItsMeasure) {
  const Truth t = exactly(array({1}, {1}));
  for (const double bad : {nan, infinity}) {
    const auto found = values_of(measure(array({bad}, {bad}), t, fp32));
    for (std::size_t i = 0; i < 7; ++i) EXPECT_TRUE(same_value(found[8 + i], bad)) << i;
  }
}

}  // namespace
}  // namespace fftprec::testing
