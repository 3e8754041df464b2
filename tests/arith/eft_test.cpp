/// Error-free transforms: exact where their conditions hold, and not where they fail.
#include "arith/formats/eft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "arith/formats/emulated.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {
namespace {

/// Whether high + low is the exact result of the operation on a and b.
template <class T>
bool is_exact(Pair<T> pair, Operation operation, T a, T b) {
  constexpr mpfr_prec_t bits = 4400;
  Wide exact(bits);
  Evaluator evaluate;
  evaluate(exact.get(), operation, static_cast<double>(a), static_cast<double>(b), 0, MPFR_RNDN);
  Wide sum(bits, static_cast<double>(pair.high));
  mpfr_add_d(sum.get(), sum.get(), static_cast<double>(pair.low), MPFR_RNDN);
  return mpfr_equal_p(sum.get(), exact.get()) != 0;
}

template <class T>
std::string show_pair(T a, T b) {
  return show(static_cast<double>(a)) + ", " + show(static_cast<double>(b)) + ", seed 1";
}

template <class T>
class Eft : public ::testing::Test {
 protected:
  /// A value of T with an exponent in [lowest, highest].
  T value(int lowest, int highest) {
    const int exponent =
        lowest + static_cast<int>(random_() % static_cast<unsigned>(highest - lowest + 1));
    const double significand = 1 + std::ldexp(static_cast<double>(random_() >> 11), -53);
    return T(std::ldexp(random_() % 2 == 0 ? significand : -significand, exponent));
  }
  static constexpr Format format = format_of<T>;

 private:
  std::mt19937_64 random_{1};
};

using Types = ::testing::Types<float, double, Bf16, Fp16, Fp32>;
class TypeName {
 public:
  template <class T>
  static std::string GetName(int) {
    const std::string kind = std::is_class_v<T> ? "Emulated_" : "Native_";
    return kind + to_string(format_of<T>);
  }
};
TYPED_TEST_SUITE(Eft, Types, TypeName);

TYPED_TEST(Eft, TwoSumIsExactForAnyExponents) {
  const int lowest = quantum_exponent(this->format);
  const int highest = this->format.emax - 2;
  for (int i = 0; i < 2000; ++i) {
    const TypeParam a = this->value(lowest, highest);
    const TypeParam b =
        i % 2 == 0
            ? this->value(lowest, highest)
            : TypeParam(static_cast<double>(this->value(-3, 3)) * static_cast<double>(a) * 0.125);
    const Pair<TypeParam> sum = two_sum(a, b);
    ASSERT_TRUE(is_exact(sum, Operation::add, a, b)) << show_pair(a, b);
    ASSERT_EQ(sum.high, a + b) << show_pair(a, b);
  }
}

TYPED_TEST(Eft, FastTwoSumIsExactWhenTheFirstExponentIsNotSmaller) {
  for (int i = 0; i < 2000; ++i) {
    const int exponent = i % 10;
    const TypeParam a = this->value(exponent, exponent);
    const TypeParam b = this->value(-10, exponent);
    ASSERT_TRUE(is_exact(fast_two_sum(a, b), Operation::add, a, b)) << show_pair(a, b);
  }
  const TypeParam zero(0.0);
  const TypeParam three(3.0);
  EXPECT_TRUE(is_exact(fast_two_sum(zero, three), Operation::add, zero, three));
}

TYPED_TEST(Eft, SplitGivesTwoHalvesWhoseSumIsTheValue) {
  const int p = this->format.precision;
  const int halves = (p + 1) / 2;
  for (int i = 0; i < 2000; ++i) {
    const TypeParam x = this->value(this->format.emin, this->format.emax - halves - 1);
    const Pair<TypeParam> parts = split(x);
    const auto high = static_cast<double>(parts.high);
    const auto low = static_cast<double>(parts.low);
    ASSERT_TRUE(is_exact(parts, Operation::add, x, TypeParam(0.0))) << show(static_cast<double>(x));
    // high is x to p - s bits, low at most half a unit of its last place: so it has s - 1 bits.
    const int place = std::ilogb(static_cast<double>(x)) - p + 1;
    ASSERT_EQ(std::remainder(high, std::ldexp(1.0, place + halves)), 0) << show(high);
    ASSERT_LE(std::fabs(low), std::ldexp(1.0, place + halves - 1)) << show(low);
  }
}

TYPED_TEST(Eft, TwoProdIsExactAboveItsUnderflowLimit) {
  const Format f = this->format;
  const int top = f.emax - (f.precision + 1) / 2 - 1;
  for (int i = 0; i < 4000; ++i) {
    const int exponent = std::max(f.emin, -top / 2) + i % (top - std::max(f.emin, -top / 2));
    const TypeParam a = this->value(exponent, exponent);
    // Exponents add up to at least emin + p - 1, and the product stays below the top.
    const int least = std::max(f.emin, f.emin + f.precision - 1 - exponent);
    const int most = std::min(top, f.emax - 1 - exponent);
    if (least > most) continue;
    const TypeParam b = this->value(least, i % 2 == 0 ? most : least);
    const Pair<TypeParam> product = two_prod(a, b);
    ASSERT_TRUE(is_exact(product, Operation::multiply, a, b)) << show_pair(a, b);
    ASSERT_EQ(product.high, a * b) << show_pair(a, b);
  }
}

}  // namespace
}  // namespace fftprec::testing
