/// Roots of unity against cosines of 500 bits, rounded by MPFR's own rules.
#include "arith/truth/roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "arith/support/error.hpp"
#include "tests/support/same_value.hpp"
#include "tests/truth/table_formats.hpp"

namespace fftprec::testing {
namespace {

/// exp(-2 pi i k/n) by cos and sin of 500 bits; the zeros and halves of the axes and of multiples
/// of 30 degrees, where pi's rounding would show, by hand.
std::complex<double> judge_root(std::uint64_t k, std::uint64_t n, const Format& format) {
  k %= n;
  Wide angle(500);
  Wide cos(500);
  Wide sin(500);
  mpfr_const_pi(angle.get(), MPFR_RNDN);
  mpfr_mul_ui(angle.get(), angle.get(), k, MPFR_RNDN);
  mpfr_mul_2ui(angle.get(), angle.get(), 1, MPFR_RNDN);
  mpfr_div_ui(angle.get(), angle.get(), n, MPFR_RNDN);
  mpfr_sin_cos(sin.get(), cos.get(), angle.get(), MPFR_RNDN);
  mpfr_neg(sin.get(), sin.get(), MPFR_RNDN);
  for (mpfr_ptr part : {cos.get(), sin.get()})
    for (const double rational : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
      Wide distance(500);
      mpfr_sub_d(distance.get(), part, rational, MPFR_RNDN);
      if (std::fabs(mpfr_get_d(distance.get(), MPFR_RNDN)) < 0x1p-450)
        mpfr_set_d(part, rational, MPFR_RNDN);
    }
  return {round_by_mpfr(cos.get(), format), round_by_mpfr(sin.get(), format)};
}

::testing::AssertionResult same_root(std::complex<double> actual, std::complex<double> expected) {
  const auto re = same_value(actual.real(), expected.real());
  return re ? same_value(actual.imag(), expected.imag()) : re;
}

TEST(RootOfUnity, IsCorrectlyRoundedForEveryShortOrder) {
  for (const Format& format : table_formats)
    for (std::uint64_t n = 1; n <= 66; ++n)
      for (std::uint64_t k = 0; k < n; ++k)
        ASSERT_TRUE(same_root(truth::root_of_unity(k, n, format), judge_root(k, n, format)))
            << k << "/" << n << " precision " << format.precision;
}

TEST(RootOfUnity, IsCorrectlyRoundedForLongOrdersWherePartsAreSubnormal) {
  std::mt19937_64 generator(1);
  for (const Format& format : table_formats)
    for (int i = 0; i < 60; ++i) {
      const std::uint64_t n = generator() >> (i % 50);
      const std::uint64_t near_axis = n / 4 * (generator() % 5) + (generator() % 3);
      for (const std::uint64_t k : {generator(), near_axis})
        ASSERT_TRUE(same_root(truth::root_of_unity(k, n, format), judge_root(k, n, format)))
            << k << "/" << n << " precision " << format.precision;
    }
}

/// With n = 2^62 an angle comes within 2^-61 of the one whose sine is a tie: first evaluations of
/// up to 60 bits cannot tell on which side it lies.
TEST(RootOfUnity, IsCorrectlyRoundedNextToTies) {
  const std::uint64_t n = std::uint64_t{1} << 62;
  for (const Format& format : {fp8_e5m2, fp8_e4m3, bf16})
    for (int i = 1 << (format.precision - 1); i < 1 << format.precision; ++i) {
      const double tie = std::ldexp(2 * i + 1, -format.precision - 2);  // between 1/4 and 1/2
      Wide turns(200, tie);
      Wide two_pi(200);
      mpfr_const_pi(two_pi.get(), MPFR_RNDN);
      mpfr_mul_2ui(two_pi.get(), two_pi.get(), 1, MPFR_RNDN);
      mpfr_asin(turns.get(), turns.get(), MPFR_RNDN);
      mpfr_div(turns.get(), turns.get(), two_pi.get(), MPFR_RNDN);
      mpfr_mul_2ui(turns.get(), turns.get(), 62, MPFR_RNDN);
      const std::uint64_t nearest = mpfr_get_ui(turns.get(), MPFR_RNDN);
      for (const std::uint64_t k : {nearest - 1, nearest, nearest + 1})
        ASSERT_TRUE(same_root(truth::root_of_unity(k, n, format), judge_root(k, n, format)))
            << k << "/2^62 precision " << format.precision;
    }
}

TEST(RootOfUnity, ExactValuesAreExactAndZerosArePositive) {
  const auto is = [](std::uint64_t k, double re, double im) {
    return same_root(truth::root_of_unity(k, 12, fp64), {re, im});
  };
  const double half_root_of_3 = std::sqrt(3.0) / 2;
  EXPECT_TRUE(is(0, 1, 0));
  EXPECT_TRUE(is(1, half_root_of_3, -0.5));
  EXPECT_TRUE(is(2, 0.5, -half_root_of_3));
  EXPECT_TRUE(is(3, 0, -1));
  EXPECT_TRUE(is(6, -1, 0));
  EXPECT_TRUE(is(9, 0, 1));
  EXPECT_TRUE(is(11, half_root_of_3, 0.5));
  EXPECT_TRUE(is(12 * 1000 + 11, half_root_of_3, 0.5));
}

TEST(RootOfUnity, BadOrderOrFormatIsAnInputError) {
  EXPECT_THROW(truth::root_of_unity(1, 0, fp32), InputError);
  EXPECT_THROW(truth::root_of_unity(1, 4, Format{60, -1022, 1023}), InputError);
  EXPECT_THROW(truth::roots_of_unity(0, fp32), InputError);
}

TEST(RootsOfUnity, EqualTheSingleRoots) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 15u, 50u, 64u, 100u, 128u, 1000u}) {
    const ComplexArray<double> roots = truth::roots_of_unity(n, bf16);
    ASSERT_EQ(roots.size(), n);
    for (std::size_t k = 0; k < n; ++k)
      ASSERT_TRUE(same_root({roots.re[k], roots.im[k]}, truth::root_of_unity(k, n, bf16)))
          << k << "/" << n;
  }
}

/// Orders of every remainder modulo 4, multiples of 12 among them, above those for which all
/// angles come from MPFR.
TEST(RootsOfUnity, OfLongOrdersEqualTheSingleRoots) {
  for (const std::size_t n : {8191u, 8196u, 8206u, 8193u, 8192u})
    for (const Format& format : all_kinds_of_formats) {
      const ComplexArray<double> roots = truth::roots_of_unity(n, format);
      const auto check = [&](std::size_t k) {
        return same_root({roots.re[k], roots.im[k]}, truth::root_of_unity(k, n, format));
      };
      const std::size_t first_octant = n / 8 + 1;
      for (std::size_t k = 0; k < n; k += k < first_octant ? 5 : 97)
        ASSERT_TRUE(check(k)) << k << "/" << n << " precision " << format.precision;
      for (std::size_t i = 0; i < 24; ++i)  // the axes, diagonals and exact halves
        for (const std::size_t k : {i * n / 24, std::min(i * n / 24 + 1, n - 1)})
          ASSERT_TRUE(check(k)) << k << "/" << n << " precision " << format.precision;
    }
}

TEST(RootsOfUnity, OfAMillionEqualTheSingleRoots) {
  const std::size_t n = std::size_t{1} << 20;
  std::mt19937_64 generator(5);
  for (const Format& format : {fp32, bf16, fp16, fp64, Format{51, -1022, 1023}}) {
    const ComplexArray<double> roots = truth::roots_of_unity(n, format);
    for (std::size_t i = 0; i < 1500; ++i) {
      const std::size_t k = i < 500 ? i % 250 + n / 2 * (i / 250) : generator() % n;
      ASSERT_TRUE(same_root({roots.re[k], roots.im[k]}, truth::root_of_unity(k, n, format)))
          << k << " precision " << format.precision << ", seed 5";
    }
  }
}

TEST(OctantWalk, VisitsTheAnglesInOrder) {
  for (std::uint64_t n = 1; n < 80; ++n) {
    truth::OctantWalk walk(n);
    for (std::uint64_t k = 0; k < 3 * n; ++k, walk.step()) {
      const truth::OctantAngle expected = truth::octant_angle(k, n);
      const truth::OctantAngle actual = walk.here();
      ASSERT_EQ(actual.numerator, expected.numerator) << k << "/" << n;
      ASSERT_EQ(actual.mirrored, expected.mirrored) << k << "/" << n;
      ASSERT_EQ(actual.quadrant, expected.quadrant) << k << "/" << n;
    }
  }
}

}  // namespace
}  // namespace fftprec::testing
