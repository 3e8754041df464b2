/// Medians, lines and ratios, at their edges too.
#include "experiments/support/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fftprec {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a few roundings of a fit make of a value near 1.
constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();

TEST(Median, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({1.7e308, 1.7e308}), 1.7e308);
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(median({1, 2, nan})));
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

TEST(FittedSlope, IsThatOfPointsOnALine) {
  EXPECT_NEAR(fitted_slope(std::vector{1.0, 2.0, 4.0}, std::vector{5.0, 7.0, 11.0}), 2, roundings);
}

TEST(FittedSlope, MinimisesTheSquares) {
  // Normal equations by hand: sum xy - 3 mean = (0 + 0 + 2*3) - 3*1*1 = 3, sum x^2 - 3 = 2.
  EXPECT_NEAR(fitted_slope(std::vector{0.0, 1.0, 2.0}, std::vector{0.0, 0.0, 3.0}), 1.5, roundings);
}

TEST(FittedSlope, IsNanWithoutTwoDifferentX) {
  EXPECT_TRUE(std::isnan(fitted_slope(std::vector{1.0, 1.0}, std::vector{0.0, 3.0})));
}

}  // namespace
}  // namespace fftprec
