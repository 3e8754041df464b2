/// Roots of unity in double-double against MPFR's cosine and sine at 256 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "arith/support/isa.hpp"
#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/real.hpp"
#include "arith/truth/roots.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::ComplexDoubleDouble;
using truth::ComplexPairs;
using truth::PairRoots;
using truth::Real;

constexpr mpfr_prec_t judge_precision = 256;
constexpr double u = 0x1p-53;
constexpr double claimed = 5 * u * u;

/// |value - exp(-2 pi i exponent/order)|, rounded upward; the angle by MPFR's own reduction.
double error_of(const ComplexDoubleDouble& value, std::uint64_t exponent, std::uint64_t order) {
  Real angle(judge_precision);
  Real cos(judge_precision);
  Real sin(judge_precision);
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul_ui(angle, angle, 2 * exponent, MPFR_RNDN);
  mpfr_div_ui(angle, angle, order, MPFR_RNDN);
  mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
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
