/// Double-double operations against the same in MPFR, carried out exactly: nothing that is claimed
/// of them is ever beaten, also where a search looks for the worst operands; what is exact is
/// exact, and lanes have the bits of doubles.
#include "arith/truth/loops/double_double.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "arith/truth/real.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::ComplexDoubleDouble;
using truth::DoubleDouble;
using truth::Lanes;
using truth::Real;

inline constexpr double lost_below = 0x1p-1013;  ///< by a product below 2^-960
inline constexpr mpfr_prec_t exact_bits =
    3200;  ///< sums and products of pairs, whatever their sizes

inline Real exact(double a) { return Real(a, exact_bits); }

inline Real exact(const DoubleDouble& a) {
  Real value(a.hi, exact_bits);
  mpfr_add_d(value, value, a.lo, MPFR_RNDN);
  return value;
}

inline Real operator+(Real a, const Real& b) {
  mpfr_add(a, a, b, MPFR_RNDN);
  return a;
}

inline Real operator*(Real a, const Real& b) {
  mpfr_mul(a, a, b, MPFR_RNDN);
  return a;
}

inline Real magnitude(Real a) {
  mpfr_abs(a, a, MPFR_RNDN);
  return a;
}

/// |found - value| / size, 0 if both are zero, infinite if found is not normalised.
inline double relative_to(const DoubleDouble& found, const Real& value, const Real& size) {
  if (!(std::fabs(found.lo) <= u * std::fabs(found.hi) && found.hi == found.hi + found.lo))
    return std::numeric_limits<double>::infinity();
  Real error = exact(found);
  mpfr_sub(error, error, value, MPFR_RNDN);
  if (mpfr_zero_p(error)) return 0;
  mpfr_div(error, error, size, MPFR_RNDU);
  return std::fabs(mpfr_get_d(error, MPFR_RNDA));
}

inline std::string text(const std::vector<double>& operands) {
  char buffer[40];
  std::string all;
  for (const double x : operands) {
    std::snprintf(buffer, sizeof buffer, " %a", x);
    all += buffer;
  }
  return all;
}

/// The i-th pair of doubles in a row.
inline DoubleDouble pair_at(const std::vector<double>& operands, std::size_t i) {
  return {operands[2 * i], operands[2 * i + 1]};
}

/// An operation on pairs, each two doubles in a row, with what is claimed of it.
struct PairOperation {
  const char* name;
  std::size_t pairs;  ///< that it takes
  double claimed;     ///< error in units of u^2 times the sum of magnitudes
  double (*factor)(const std::vector<double>& operands);  ///< found, in those units
};

double sum_factor(const std::vector<double>& operands) {
  const DoubleDouble a = pair_at(operands, 0);
  const DoubleDouble b = pair_at(operands, 1);
  const Real size = magnitude(exact(a)) + magnitude(exact(b));
  return relative_to(a + b, exact(a) + exact(b), size) / (u * u);
}

double difference_factor(const std::vector<double>& operands) {
  const DoubleDouble a = pair_at(operands, 0);
  const DoubleDouble b = pair_at(operands, 1);
  const Real size = magnitude(exact(a)) + magnitude(exact(b));
  return relative_to(a - b, exact(a) + exact(-b), size) / (u * u);
}

double product_factor(const std::vector<double>& operands) {
  const DoubleDouble a = pair_at(operands, 0);
  const DoubleDouble b = pair_at(operands, 1);
  const Real value = exact(a) * exact(b);
  return relative_to(a * b, value, magnitude(value)) / (u * u);
}

double sum_of_products_factor(const std::vector<double>& operands) {
  const DoubleDouble a = pair_at(operands, 0);
  const DoubleDouble b = pair_at(operands, 1);
  const DoubleDouble c = pair_at(operands, 2);
  const DoubleDouble d = pair_at(operands, 3);
  const Real first = exact(a) * exact(b);
  const Real second = exact(c) * exact(d);
  const Real size = magnitude(first) + magnitude(second);
  return relative_to(sum_of_products(a, b, c, d), first + second, size) / (u * u);
}

double complex_product_factor(const std::vector<double>& operands) {
  const ComplexDoubleDouble a{pair_at(operands, 0), pair_at(operands, 1)};
  const ComplexDoubleDouble b{pair_at(operands, 2), pair_at(operands, 3)};
  const ComplexDoubleDouble found = a * b;
  const Real re = exact(a.re) * exact(b.re) + exact(-a.im) * exact(b.im);
  const Real im = exact(a.re) * exact(b.im) + exact(a.im) * exact(b.re);
  Real size(exact_bits);
  Real other(exact_bits);
  mpfr_hypot(size, exact(a.re), exact(a.im), MPFR_RNDD);
  mpfr_hypot(other, exact(b.re), exact(b.im), MPFR_RNDD);
  mpfr_mul(size, size, other, MPFR_RNDD);
  return std::hypot(relative_to(found.re, re, size), relative_to(found.im, im, size)) / (u * u);
}

const PairOperation operations[] = {
    {"sum", 2, 3, sum_factor},
    {"difference", 2, 3, difference_factor},
    {"product", 2, 8, product_factor},
    {"sum of products", 4, 14, sum_of_products_factor},
    {"complex product", 4, 14 * std::sqrt(2.0), complex_product_factor},
};

class DoubleDoubleOperation : public ::testing::TestWithParam<PairOperation> {};
INSTANTIATE_TEST_SUITE_P(Every, DoubleDoubleOperation, ::testing::ValuesIn(operations),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::erase(name, ' ');
                           return name;
                         });

void expect_claimed(const PairOperation& operation, const std::vector<double>& operands) {
  const double factor = operation.factor(operands);
  ASSERT_LE(factor, operation.claimed) << operation.name << " of" << text(operands) << ": error "
                                       << factor << " u^2, claimed " << operation.claimed << " u^2";
}

TEST_P(DoubleDoubleOperation, ErrsByNoMoreThanClaimedOnAnyOperands) {
  std::mt19937_64 generator(1);
  for (int i = 0; i < 3000; ++i) {
    std::vector<double> operands;
    const int spread = i % 3 == 0 ? 0 : i % 3 == 1 ? 60 : 200;
    for (std::size_t p = 0; p < GetParam().pairs; ++p) append_pair(operands, generator, spread);
    if (i % 2 == 0) {  // the last operand nearly cancels the first
      operands[operands.size() - 2] = -operands[0];
      if (i % 4 == 0) operands[operands.size() - 2] *= 1 + 0x1p-52 * static_cast<double>(i % 7);
      operands.back() = std::copysign(
          std::min(std::fabs(operands.back()), std::fabs(operands[0]) * u), operands.back());
    }
    expect_claimed(GetParam(), operands);
  }
}

TEST_P(DoubleDoubleOperation, ErrsByNoMoreThanClaimedWhereASearchFindsTheWorst) {
  std::mt19937_64 generator(2);
  double worst = 0;
  for (int start = 0; start < 12; ++start) {
    std::vector<double> operands;
    for (std::size_t p = 0; p < GetParam().pairs; ++p) append_pair(operands, generator, 0);
    double factor = GetParam().factor(operands);
    for (int step = 0; step < 400; ++step) {
      std::vector<double> changed = operands;
      change_pair(changed, generator);
      const double found = GetParam().factor(changed);
      if (found < factor) continue;
      operands = changed;
      factor = found;
    }
    expect_claimed(GetParam(), operands);
    worst = std::max(worst, factor);
  }

  RecordProperty("largest_factor", std::to_string(worst));
  EXPECT_GE(worst, GetParam().claimed / 5) << "the search found no hard operands";
}

TEST_P(DoubleDoubleOperation, IsExactWhereTheResultHasFewBits) {
  std::mt19937_64 generator(3);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> operands;
    for (std::size_t p = 0; p < GetParam().pairs; ++p) {
      operands.push_back(std::ldexp(static_cast<double>(generator() % 1024), i % 40));
      operands.push_back(0);
    }
    EXPECT_EQ(GetParam().factor(operands), 0) << GetParam().name << " of" << text(operands);
  }
}

TEST(DoubleDouble, ProductsOfTinyOperandsLoseNoMoreThanTheirThreshold) {
  std::mt19937_64 generator(6);
  for (int i = 0; i < 10000; ++i) {
    std::vector<double> operands;
    for (int p = 0; p < 4; ++p) append_pair(operands, generator, 5);
    const int scale = -470 - i % 40;
    for (double& x : operands) x = std::ldexp(x, scale);
    const DoubleDouble a = pair_at(operands, 0);
    const DoubleDouble b = pair_at(operands, 1);
    const DoubleDouble c = pair_at(operands, 2);
    const DoubleDouble d = pair_at(operands, 3);
    const Real first = exact(a) * exact(b);
    const Real second = exact(c) * exact(d);
    const double size =
        std::fabs(mpfr_get_d(first, MPFR_RNDA)) + std::fabs(mpfr_get_d(second, MPFR_RNDA));
    ASSERT_LE(relative_to(a * b, first, exact(1)), 8 * u * u * size + 2 * lost_below)
        << text(operands);
    ASSERT_LE(relative_to(sum_of_products(a, b, c, d), first + second, exact(1)),
              14 * u * u * size + 4 * lost_below)
        << text(operands);
  }
}

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
