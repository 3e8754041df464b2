/// Roots of unity against MPFR's cosine and sine: rounded to formats, in double-double, and the
/// rounding itself.
#include "arith/truth/roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/support/error.hpp"
#include "arith/support/isa_tables.hpp"
#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/real.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::ComplexDoubleDouble;
using truth::ComplexPairs;
using truth::PairRoots;
using truth::Real;

/// In the last all values below 1 are subnormal.
inline constexpr std::array table_formats{bf16, fp16,     tf32,     fp32,
                                          fp64, fp8_e4m3, fp8_e5m2, Format{4, 0, 1}};

/// Also widths at which a double-double's leading part is often a tie, or the answer itself, and
/// where parts are subnormal or flushed.
inline constexpr std::array all_kinds_of_formats{bf16,
                                                 fp16,
                                                 tf32,
                                                 fp32,
                                                 fp64,
                                                 fp8_e4m3,
                                                 Format{1, -14, 15},
                                                 Format{50, -1022, 1023},
                                                 Format{51, -1022, 1023},
                                                 Format{52, -1022, 1023},
                                                 Format{53, -9, 15},
                                                 Format{52, -3, 15},
                                                 Format{11, -9, 15, false}};

/// x rounded to the format by mpfr_set and mpfr_subnormalize; a zero is +0.
inline double round_by_mpfr(mpfr_srcptr x, const Format& format) {
  Wide rounded(format.precision);
  const int ternary = mpfr_set(rounded.get(), x, MPFR_RNDN);
  const MpfrRange range(format.emin - format.precision + 2, format.emax + 1);
  mpfr_subnormalize(rounded.get(), mpfr_check_range(rounded.get(), ternary, MPFR_RNDN), MPFR_RNDN);
  return mpfr_get_d(rounded.get(), MPFR_RNDN) + 0.0;
}

/// exp(-2 pi i k/n) by cos and sin of 500 bits; the zeros and halves of the axes and of multiples
/// of 30 degrees, where pi's rounding would show, by hand.
std::complex<double> judge_root(std::uint64_t k, std::uint64_t n, const Format& format) {
  auto [cos, sin] = turn(k % n, n, 500);
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

TEST(RootOfUnity, BadOrderOrFormatIsAnInputError) {
  EXPECT_THROW(truth::root_of_unity(1, 0, fp32), InputError);
  EXPECT_THROW(truth::root_of_unity(1, 4, Format{60, -1022, 1023}), InputError);
  EXPECT_THROW(truth::roots_of_unity(0, fp32), InputError);
  EXPECT_THROW(truth::octant_roots(4, Format{60, -1022, 1023}), InputError);
}

/// Every k that `places` gives of a table is the single root.
void expect_single_roots(std::size_t n, const Format& format,
                         const std::vector<std::size_t>& places) {
  const ComplexArray<double> roots = truth::roots_of_unity(n, format);
  ASSERT_EQ(roots.size(), n);
  for (const std::size_t k : places)
    ASSERT_TRUE(same_root({roots.re[k], roots.im[k]}, truth::root_of_unity(k, n, format)))
        << k << "/" << n << " precision " << format.precision;
}

/// Orders of every remainder modulo 4, multiples of 12 among them, below and above those for which
/// all angles come from MPFR.
TEST(RootsOfUnity, EqualTheSingleRoots) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 15u, 50u, 64u, 100u, 128u, 1000u}) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    expect_single_roots(n, bf16, all);
  }
  for (const std::size_t n : {8191u, 8196u, 8206u, 8193u, 8192u}) {
    std::vector<std::size_t> some;
    for (std::size_t k = 0; k < n; k += k < n / 8 + 1 ? 5 : 97) some.push_back(k);
    for (std::size_t i = 0; i < 24; ++i)  // the axes, diagonals and exact halves
      for (const std::size_t k : {i * n / 24, std::min(i * n / 24 + 1, n - 1)}) some.push_back(k);
    for (const Format& format : all_kinds_of_formats) expect_single_roots(n, format, some);
  }
  const std::size_t n = std::size_t{1} << 20;
  std::mt19937_64 generator(5);
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < 1500; ++i)
    some.push_back(i < 500 ? i % 250 + n / 2 * (i / 250) : generator() % n);
  for (const Format& format : {fp32, bf16, fp16, fp64, Format{51, -1022, 1023}})
    expect_single_roots(n, format, some);
}

/// Orders of every remainder modulo 4, below and above those for which all angles come from MPFR.
TEST(OctantRoots, GiveTheSingleRootsOfTheWholeCircle) {
  std::mt19937_64 generator(7);
  for (const std::uint64_t n : {1ull, 3ull, 6ull, 100ull, 8193ull, 8194ull, 3ull << 14, 99991ull})
    for (const Format& format : all_kinds_of_formats) {
      const ComplexArray<double> octant = truth::octant_roots(n, format);
      ASSERT_EQ(octant.size(), n / 2 / std::gcd(n, std::uint64_t{4}) + 1);
      std::vector<std::uint64_t> some{0, n - 1};
      for (std::uint64_t i = 0; i < 24; ++i)  // the axes, diagonals and exact halves
        for (const std::uint64_t more : {0u, 1u}) some.push_back(i * n / 24 + more);
      for (int i = 0; i < 20; ++i) some.push_back(generator());
      for (const std::uint64_t k : some)
        ASSERT_TRUE(same_root(truth::root_of_octant(octant, k % n, n),
                              truth::root_of_unity(k % n, n, format)))
            << k % n << "/" << n << " precision " << format.precision << ", seed 7";
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

constexpr double claimed = 5 * u * u;

/// |value - exp(-2 pi i exponent/order)|, rounded upward; the angle by MPFR's own reduction.
double error_of(const ComplexDoubleDouble& value, std::uint64_t exponent, std::uint64_t order) {
  Turn wide = turn(exponent, order, judge_precision);
  mpfr_ptr cos = wide.cos.get(), sin = wide.sin.get();
  mpfr_sub_d(cos, cos, value.re.hi, MPFR_RNDN);
  mpfr_sub_d(cos, cos, value.re.lo, MPFR_RNDN);
  mpfr_add_d(sin, sin, value.im.hi, MPFR_RNDN);
  mpfr_add_d(sin, sin, value.im.lo, MPFR_RNDN);
  mpfr_hypot(cos, cos, sin, MPFR_RNDU);
  return mpfr_get_d(cos, MPFR_RNDU);
}

void expect_claimed(const PairRoots& roots, std::uint64_t exponent) {
  const ComplexDoubleDouble value = roots(exponent);
  const double error = error_of(value, exponent, roots.order());
  ASSERT_LE(error, claimed) << "exponent " << exponent << " of order " << roots.order() << ": "
                            << error / (u * u) << " u^2";
  ASSERT_LE(std::fabs(value.re.lo), u * std::fabs(value.re.hi)) << exponent;
  ASSERT_LE(std::fabs(value.im.lo), u * std::fabs(value.im.hi)) << exponent;
}

TEST(PairRoots, StayWithinTheirBoundForEveryExponentOfSmallOrders) {
  std::vector<std::uint64_t> orders(200);
  for (std::size_t i = 0; i < orders.size(); ++i) orders[i] = i + 1;
  orders.insert(orders.end(), {511, 512, 513, 997, 1000, 1024, 1536, 2048, 4093, 8192});
  for (const std::uint64_t order : orders) {
    const PairRoots roots(order);
    for (std::uint64_t e = 0; e < order; ++e) expect_claimed(roots, e);
  }
}

TEST(PairRoots, StayWithinTheirBoundAtSamplesOfLargeOrders) {
  std::mt19937_64 generator(1);
  for (const std::uint64_t order :
       {8192ull, 10007ull, 16384ull, 65536ull, 65537ull, 3ull << 18, 1ull << 20, 1000003ull,
        2000006ull, 523265ull, 1ull << 24, 1ull << 26, 33554393ull, (1ull << 31) - 1, 1ull << 32}) {
    const PairRoots roots(order);
    for (int i = 0; i < 300; ++i) expect_claimed(roots, generator() % order);
    const std::uint64_t fine = std::uint64_t{1} << roots.fine_bits();
    for (std::uint64_t eighth = 0; eighth < 8; ++eighth)
      for (const std::uint64_t e : {eighth * order / 8, eighth * order / 8 + 1,
                                    (eighth + 1) * order / 8 - 1, eighth * order / 8 | (fine - 1)})
        expect_claimed(roots, std::min(e, order - 1));
  }
}

TEST(PairRoots, QuarterTurnsAreExactWhereTheFineAngleIsZero) {
  for (const std::uint64_t order : {4ull, 8ull, 12ull, 100ull, 4096ull, 1ull << 20, 1ull << 30}) {
    const PairRoots roots(order);
    const double re[] = {1, 0, -1, 0};
    const double im[] = {0, -1, 0, 1};
    for (std::uint64_t quarter = 0; quarter < 4; ++quarter) {
      const std::uint64_t e = quarter * order / 4;
      if (e % (std::uint64_t{1} << roots.fine_bits()) != 0) continue;
      const ComplexDoubleDouble value = roots(e);
      EXPECT_EQ(value.re.hi, re[quarter]) << order;
      EXPECT_EQ(value.im.hi, im[quarter]) << order;
      EXPECT_EQ(value.re.lo, 0) << order;
      EXPECT_EQ(value.im.lo, 0) << order;
    }
  }
  EXPECT_EQ(PairRoots(6)(3).re.hi, -1);
  EXPECT_EQ(PairRoots(2)(1).re.hi, -1);
}

TEST(PairRoots, PowersOfTwoAskForExactQuarterTurns) {
  for (int bits = 2; bits <= 30; ++bits)
    EXPECT_LE(PairRoots(std::uint64_t{1} << bits).fine_bits(), bits - 2) << bits;
}

TEST(PairRoots, TablesAreShort) {
  for (const std::uint64_t order : {1ull << 10, 10007ull, 1000003ull, 1ull << 20, 1ull << 26}) {
    const PairRoots roots(order);
    const double all = static_cast<double>(roots.coarse().size() + roots.fine().size());
    EXPECT_LE(all, 8 * std::sqrt(static_cast<double>(order)) + 1024) << order;
  }
}

TEST(PairRoots, AllRootsAreThoseOfEveryExponent) {
  for (const std::uint64_t order : {1ull, 5ull, 64ull, 1000ull, 4096ull}) {
    const PairRoots roots(order);
    const ComplexPairs all = all_roots(roots);
    ASSERT_EQ(all.size(), order);
    ComplexPairs expected(order);
    for (std::uint64_t e = 0; e < order; ++e) expected.set(e, roots(e));
    EXPECT_TRUE(same_bits(all, expected)) << order;
  }
}

/// The products between the two steps of a long transform make these roots in vectors.
TEST(PairRoots, LoopsOfEveryInstructionSetMakeTheSameRoots) {
  constexpr std::size_t rows = 64;
  constexpr std::size_t width = 16;
  const PairRoots roots(std::uint64_t{1} << 17);
  for (const Isa isa : available_isas())
    for (const std::size_t first : {std::size_t{0}, std::size_t{48}, std::size_t{1984}}) {
      ComplexPairs x(rows * width);
      ComplexPairs expected(rows * width);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < width; ++column) {
          const ComplexDoubleDouble value{{1.0 + static_cast<double>(row), 0x1p-54},
                                          {0.1 * static_cast<double>(column), -0x1p-70}};
          x.set(row * width + column, value);
          expected.set(row * width + column,
                       row == 0 ? value : value * roots(row * (first + column)));
        }
      with_tables<truth::PairTables>(isa, [&](auto tables) {
        tables.twiddle(truth::view(x), rows, width, first, view(roots));
      });
      EXPECT_TRUE(same_bits(x, expected)) << name_of(isa) << " from column " << first;
    }
}

}  // namespace
}  // namespace fftprec::testing
