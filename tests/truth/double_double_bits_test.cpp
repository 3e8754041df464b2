/// Double-double operations bit by bit: what is exact, what is normalised, and lanes as doubles.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "arith/truth/loops/double_double.hpp"
#include "tests/truth/exact_pairs.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using namespace exact_pairs;
using truth::Lanes;

constexpr double smallest_exact_product = 0x1p-960;

TEST(DoubleDouble, TwoSumIsExactAtAnySizes) {
  std::mt19937_64 generator(4);
  for (int i = 0; i < 20000; ++i) {
    double a = any_double(generator, -1074, 899);
    double b = any_double(generator, -1074, 899);
    if (i % 3 == 0) b = -std::nextafter(a, 1) * (i % 2 == 0 ? 1 : 0.5);
    const DoubleDouble sum = truth::two_sum(a, b);
    ASSERT_TRUE(mpfr_equal_p(exact(sum), exact(a) + exact(b))) << text({a, b});
    ASSERT_EQ(sum.hi, a + b) << text({a, b});
    ASSERT_LE(std::fabs(sum.lo), u * std::fabs(sum.hi)) << text({a, b});
  }
}

TEST(DoubleDouble, TwoProductIsExactUnlessItIsTiny) {
  std::mt19937_64 generator(5);
  int tiny = 0;
  for (int i = 0; i < 20000; ++i) {
    const double a = any_double(generator, i % 2 == 0 ? -500 : -485, i % 2 == 0 ? 449 : -475);
    const double b = any_double(generator, i % 2 == 0 ? -500 : -485, i % 2 == 0 ? 449 : -475);
    const DoubleDouble product = truth::two_product(a, b);
    ASSERT_EQ(product.hi, a * b) << text({a, b});
    ASSERT_LE(std::fabs(product.lo), u * std::fabs(product.hi)) << text({a, b});
    const Real value = exact(a) * exact(b);
    if (std::fabs(product.hi) >= smallest_exact_product) {
      ASSERT_TRUE(mpfr_equal_p(exact(product), value)) << text({a, b});
    } else {
      ++tiny;
      ASSERT_EQ(product.lo, 0) << text({a, b});
      ASSERT_LE(relative_to(product, value, exact(1)), lost_below) << text({a, b});
    }
  }
  EXPECT_GT(tiny, 2000);
}

TEST(DoubleDouble, TwoProductIsExactFromItsThresholdOn) {
  const double least = smallest_exact_product;
  for (const double a : {0x1.0000000000001p-480, -0x1.fffffffffffffp-481, 0x1.5555555555555p-300})
    for (double b : {least / a, std::nextafter(least / a, 1.0), std::nextafter(least / a, -1.0)}) {
      const DoubleDouble product = truth::two_product(a, b);
      if (std::fabs(a * b) >= least) {
        EXPECT_TRUE(mpfr_equal_p(exact(product), exact(a) * exact(b))) << text({a, b});
      } else {
        EXPECT_EQ(product.lo, 0) << text({a, b});
      }
    }
}

TEST(DoubleDouble, ResultsAreNormalised) {
  std::mt19937_64 generator(7);
  const auto expect_normalised = [](const DoubleDouble& x, const std::vector<double>& operands) {
    ASSERT_LE(std::fabs(x.lo), u * std::fabs(x.hi)) << text(operands);
    ASSERT_EQ(x.hi, x.hi + x.lo) << text(operands);
  };
  for (int i = 0; i < 20000; ++i) {
    std::vector<double> operands;
    for (int p = 0; p < 4; ++p) append_pair(operands, generator, i % 120);
    const DoubleDouble a = pair_at(operands, 0);
    const DoubleDouble b = pair_at(operands, 1);
    const DoubleDouble c = pair_at(operands, 2);
    const DoubleDouble d = pair_at(operands, 3);
    for (const DoubleDouble& x : {a + b, a - b, a * b, sum_of_products(a, b, c, d)})
      expect_normalised(x, operands);
  }
}

TEST(DoubleDouble, LanesHaveTheBitsOfDoubles) {
  std::mt19937_64 generator(8);
  for (int i = 0; i < 5000; ++i) {
    std::vector<double> operands;
    for (std::size_t p = 0; p < 4 * truth::lane_count; ++p)
      append_pair(operands, generator, i % 2 == 0 ? 10 : 40);
    if (i % 5 == 0)
      for (double& x : operands) x = std::ldexp(x, -480);
    const auto lanes = [&](std::size_t which) {
      truth::DoubleDoubleOf<Lanes> x;
      for (std::size_t lane = 0; lane < truth::lane_count; ++lane) {
        x.hi[lane] = pair_at(operands, 4 * lane + which).hi;
        x.lo[lane] = pair_at(operands, 4 * lane + which).lo;
      }
      return x;
    };
    const auto sum = lanes(0) + lanes(1);
    const auto product = lanes(0) * lanes(1);
    const auto both = sum_of_products(lanes(0), lanes(1), lanes(2), lanes(3));
    for (std::size_t lane = 0; lane < truth::lane_count; ++lane) {
      const auto one = [&](std::size_t which) { return pair_at(operands, 4 * lane + which); };
      const DoubleDouble expected[] = {one(0) + one(1), one(0) * one(1),
                                       sum_of_products(one(0), one(1), one(2), one(3))};
      const DoubleDouble found[] = {{sum.hi[lane], sum.lo[lane]},
                                    {product.hi[lane], product.lo[lane]},
                                    {both.hi[lane], both.lo[lane]}};
      ASSERT_EQ(std::memcmp(found, expected, sizeof found), 0) << text(operands);
    }
  }
}

}  // namespace
}  // namespace fftprec::testing
