/// Double-double operations against the same in MPFR, carried out exactly: nothing that is claimed
/// of them is ever beaten, also where a search looks for the worst operands.
#include "arith/truth/loops/double_double.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "arith/truth/real.hpp"
#include "tests/truth/exact_pairs.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using namespace exact_pairs;
using truth::ComplexDoubleDouble;

/// An operation on pairs, each two doubles in a row, with what is claimed of it.
struct Operation {
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

const Operation operations[] = {
    {"sum", 2, 3, sum_factor},
    {"difference", 2, 3, difference_factor},
    {"product", 2, 8, product_factor},
    {"sum of products", 4, 14, sum_of_products_factor},
    {"complex product", 4, 14 * std::sqrt(2.0), complex_product_factor},
};

class DoubleDoubleOperation : public ::testing::TestWithParam<Operation> {};
INSTANTIATE_TEST_SUITE_P(Every, DoubleDoubleOperation, ::testing::ValuesIn(operations),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::erase(name, ' ');
                           return name;
                         });

void expect_claimed(const Operation& operation, const std::vector<double>& operands) {
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

}  // namespace
}  // namespace fftprec::testing
