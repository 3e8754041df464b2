/// Rounding to a table's format, of numbers and of numbers known up to an error, against MPFR.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "arith/truth/roots.hpp"
#include "tests/support/same_value.hpp"
#include "tests/truth/table_formats.hpp"

namespace fftprec::testing {
namespace {

TEST(RoundUnit, TiesGoToTheEvenNeighbourAlsoAmongSubnormals) {
  const double ulp = 0x1p-8;  // of bf16 in [1/2, 1)
  EXPECT_EQ(truth::round_unit(0.5 + ulp / 2, bf16), 0.5);
  EXPECT_EQ(truth::round_unit(0.5 + 3 * ulp / 2, bf16), 0.5 + 2 * ulp);
  EXPECT_EQ(truth::round_unit(-0.5 - 3 * ulp / 2, bf16), -0.5 - 2 * ulp);
  EXPECT_EQ(truth::round_unit(0x1p-25, fp16), 0);
  EXPECT_EQ(truth::round_unit(0x3p-25, fp16), 0x2p-24);
  EXPECT_EQ(truth::round_unit(1 - 0x1p-9, bf16), 1);
}

TEST(RoundUnit, WithoutSubnormalsOnlyZeroAndTheSmallestNormalRemain) {
  Format format = fp16;
  format.subnormals = false;
  EXPECT_EQ(truth::round_unit(0x1p-15, format), 0);
  EXPECT_EQ(truth::round_unit(0x1.001p-15, format), 0x1p-14);
  EXPECT_EQ(truth::round_unit(0x1.7p-15, format), 0x1p-14);
  EXPECT_EQ(truth::round_unit(0x1.001p-14, format), 0x1p-14);
}

TEST(RoundUnit, AgreesWithMpfrInBothForms) {
  std::mt19937_64 generator(2);
  for (const Format& format : table_formats)
    for (int i = 0; i < 20000; ++i) {
      // A quarter of them are midpoints or grid points.
      const auto bits = generator() >> (i % 2 == 0 ? 11 : 62 - std::min(format.precision, 52));
      const double significand = std::ldexp(static_cast<double>(bits), -64);
      const double x =
          std::ldexp(significand, -static_cast<int>(generator() % 40)) * (i % 3 == 0 ? -1 : 1);
      const Wide wide(60, x);
      const double expected = round_by_mpfr(wide.get(), format);
      ASSERT_TRUE(same_value(truth::round_unit(x, format), expected)) << show(x);
      ASSERT_TRUE(same_value(truth::round_unit(wide.get(), format), expected)) << show(x);
    }
}

/// A double-double number between 2^-25 and 1 and an error.
struct Uncertain {
  double hi;
  double lo;
  double error;

  /// hi + lo + offset, rounded once.
  double rounded(double offset, const Format& format) const {
    Wide sum(2000, hi);
    mpfr_add_d(sum.get(), sum.get(), lo, MPFR_RNDN);
    mpfr_add_d(sum.get(), sum.get(), offset, MPFR_RNDN);
    return round_by_mpfr(sum.get(), format);
  }
  bool same_within(double distance, const Format& format) const {
    return rounded(-distance, format) == rounded(distance, format);
  }
  std::string text() const { return show(hi) + " + " + show(lo) + " +- " + show(error); }
};

/// Leading parts are arbitrary, grid points of the format, ties, neighbours of both or powers of
/// two; rests are anything from half an ulp down to nothing.
Uncertain draw_uncertain(std::mt19937_64& generator, const Format& format, int i) {
  constexpr std::uint64_t leading_bit = std::uint64_t{1} << 52;
  const std::uint64_t zeros = 52 - static_cast<std::uint64_t>(format.precision) + generator() % 3;
  std::uint64_t significand = generator() >> 11 | leading_bit;
  if (i % 2 == 0 && zeros <= 52) significand = significand >> zeros << zeros;
  if (i % 8 == 0) significand |= 1;
  if (i % 16 == 2) significand = leading_bit;
  const int exponent = -53 - static_cast<int>(generator() % 24);
  const double half = std::ldexp(static_cast<double>(generator() >> 11), -54);
  const int smaller = static_cast<int>(generator() % 60);
  return {std::ldexp(static_cast<double>(significand), exponent),
          std::ldexp(generator() % 2 == 0 ? half : -half, exponent - smaller),
          std::ldexp(1.0, exponent - 30 - static_cast<int>(generator() % 30))};
}

TEST(RoundUnitIfSure, IsRightWheneverSureAndSureUnlessATieOrAPowerOfTwoIsNear) {
  std::mt19937_64 generator(6);
  int sure_count = 0;
  int unsure_count = 0;
  for (const Format& format : all_kinds_of_formats) {
    if (!format.subnormals) continue;  // MPFR rounds to subnormals
    for (int i = 0; i < 6000; ++i) {
      const Uncertain x = draw_uncertain(generator, format, i);
      double rounded = -1;
      if (truth::round_unit_if_sure(x.hi, x.lo, x.error, format, rounded)) {
        ++sure_count;
        ASSERT_TRUE(same_value(rounded, x.rounded(0, format)))
            << x.text() << " precision " << format.precision << ", seed 6";
        ASSERT_TRUE(x.same_within(x.error, format))
            << x.text() << " precision " << format.precision << ", seed 6";
      } else {
        ++unsure_count;
        int exponent;
        const bool power_of_two = std::frexp(x.hi, &exponent) == 0.5;
        const int step_exponent = std::max(exponent - 1, format.emin) + 1 - format.precision;
        const double slack = 2 * x.error + std::ldexp(1.0, step_exponent - 50);
        ASSERT_TRUE(power_of_two || !x.same_within(slack, format))
            << x.text() << " precision " << format.precision << ", seed 6";
      }
    }
  }
  EXPECT_GT(sure_count, 1000);
  EXPECT_GT(unsure_count, 1000);
}

/// The rest behind a tie is 0.6 units of the last place in which a half step and more is held, so
/// it is seen as 1: an error of 0.65 reaches the tie, but seemingly does not.
TEST(RoundUnitIfSure, CountsItsOwnRoundings) {
  const Format format{50, -1022, 1023};
  const double tie = 0.5 + 0x1p-51;
  double rounded = 0;
  EXPECT_FALSE(truth::round_unit_if_sure(tie, 0.6 * 0x1p-103, 0.65 * 0x1p-103, format, rounded));
  EXPECT_TRUE(truth::round_unit_if_sure(tie, 0x1p-96, 0.65 * 0x1p-103, format, rounded));
  EXPECT_EQ(rounded, 0.5 + 0x1p-50);
}

}  // namespace
}  // namespace fftprec::testing
