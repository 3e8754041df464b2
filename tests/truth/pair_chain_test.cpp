/// Every step of a chain of pairs alone: its bound holds, and is the formula that it states.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "arith/truth/chain.hpp"
#include "arith/truth/stft.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Bound;
using truth::PairChain;
using truth::Real;

inline constexpr double u2 = 0x1p-106;

/// Items of x with errors that the caller states, as earlier steps would have left them.
inline truth::PairChain off_by(const ComplexArray<double>& x, const std::vector<double>& errors) {
  const std::size_t count = x.size() / errors.size();
  truth::PairChain chain = truth::exact_values(x, 0, count, errors.size(), {});
  for (std::size_t item = 0; item < errors.size(); ++item)
    chain.error[item] = truth::Bound(std::ldexp(errors[item], -chain.scale[item]));
  return chain;
}

inline ComplexArray<double> constant(std::size_t size, double value) {
  ComplexArray<double> x(size);
  for (double& part : x.re) part = value;
  return x;
}

/// The bound in units of the values that the item stands for.
inline double error_of(const truth::PairChain& x, std::size_t item) {
  return std::ldexp(x.error[item].to_double(), x.scale[item]);
}

inline std::complex<double> value(const truth::PairChain& x, std::size_t item, std::size_t j) {
  const std::size_t i = item * x.item_size() + j;
  return {std::ldexp(x.values.hi.re[i], x.scale[item]),
          std::ldexp(x.values.hi.im[i], x.scale[item])};
}

/// A little above `value`, as roundings upward and norms in double leave it.
inline void expect_just_above(double bound, double value) {
  EXPECT_GE(bound, value * (1 - 0x1p-50));
  EXPECT_LE(bound, value * (1 + 0x1p-18));
}

TEST(PairChain, ExactValuesAreScaledByPowersOfTwo) {
  constexpr double tiniest = std::numeric_limits<double>::denorm_min();
  constexpr double largest = std::numeric_limits<double>::max();
  ComplexArray<double> x(10);
  x.re = {0, tiniest, largest, -1e300, 0, 0, 0.5, -0.25, 3 * tiniest, 0};
  x.im = {-tiniest, 5 * tiniest, 0, 1e200, 0, 0, 0, 0.125, 0, -0x1p-1000};

  const PairChain chain = truth::exact_values(x, 0, 2, 5, {});

  const std::vector<int> scales{-1071, 1024, 0, 0, -999};
  EXPECT_EQ(chain.scale, scales);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_EQ(value(chain, i / 2, i % 2), std::complex<double>(x.re[i], x.im[i])) << i;
  for (std::size_t item = 0; item < 5; ++item) {
    EXPECT_TRUE(chain.error[item].is_zero()) << item;
  }
  EXPECT_EQ(chain.values.lo, ComplexArray<double>(10));
}

TEST(PairChain, PartsFarBelowTheLargestAreZeroAndCharged) {
  ComplexArray<double> x(24);
  x.re[3] = 1e300;
  x.im[5] = 1e-300;
  x.re[12] = 0.5;
  x.re[13] = 0x1p-400;
  x.re[20] = -0x1.fp-401;

  const PairChain chain = truth::exact_values(x, 0, 12, 2, {});

  EXPECT_EQ(chain.values.hi.im[5], 0);
  EXPECT_EQ(chain.values.hi.re[13], 0x1p-400);
  EXPECT_EQ(chain.values.hi.re[20], 0);
  const double charged = std::sqrt(24.0) * 0x1p-400;
  expect_just_above(chain.error[0].to_double(), charged);
  expect_just_above(chain.error[1].to_double(), charged);
  x.re[20] = 0;
  EXPECT_TRUE(truth::exact_values(x, 12, 12, 1, {}).error[0].is_zero());
}

TEST(PairChain, NormsAreThoseOfBothPartsForEveryLength) {
  for (std::size_t count = 1; count <= 33; ++count) {
    ComplexArray<double> x = constant(3 * count, 3);
    for (std::size_t j = 0; j < count; ++j) {
      x.re[count + j] = 0;
      x.im[2 * count + j] = -4;
    }
    for (const Isa isa : available_isas()) {
      const std::vector<Bound> norms =
          truth::norms(truth::exact_values(x, 0, count, 3, {.isa = isa}));
      const double root = std::sqrt(static_cast<double>(count));
      expect_just_above(norms[0].to_double() * 4, 3 * root);
      EXPECT_TRUE(norms[1].is_zero());
      expect_just_above(norms[2].to_double() * 8, 5 * root);
    }
  }
  PairChain tiny{truth::ComplexPairs(1), {Bound()}, {0}};
  tiny.values.hi.im[0] = 0x1p-700;
  EXPECT_GE(truth::norms(tiny)[0].to_double(), 0x1p-700);
}

TEST(PairChain, GatheringCountsTheSourceUsedMost) {
  ComplexArray<double> x(8);
  for (std::size_t i = 0; i < 8; ++i) x.re[i] = x.im[i] = static_cast<double>(i + 1);
  const PairChain chain = off_by(x, {0.5, 0.25});
  const std::vector<std::size_t> sources{0, 2, 2, truth::npos, 2, 3, 0};

  const PairChain y = gathered(chain, sources);

  EXPECT_EQ(y.item_size(), 7u);
  expect_just_above(error_of(y, 0), 0.5 * std::sqrt(3.0));
  expect_just_above(error_of(y, 1), 0.25 * std::sqrt(3.0));
  for (std::size_t item = 0; item < 2; ++item)
    for (std::size_t i = 0; i < 7; ++i) {
      const double part = i == 3 ? 0 : static_cast<double>(4 * item + sources[i] + 1);
      EXPECT_EQ(value(y, item, i), std::complex<double>(part, part));
    }
}

TEST(PairChain, TransformCarriesTheErrorAndAddsItsRadius) {
  for (const std::size_t n : {4u, 16u, 20u, 40u}) {
    ComplexArray<double> x(3 * n);
    for (std::size_t j = 0; j < n; ++j) x.re[j] = 1, x.im[2 * n + j] = 0x1p-200;
    PairChain chain = off_by(x, {0x1p-90, 0x1p-90, 0});

    transform(chain, n, 1, Direction::forward);

    const auto size = static_cast<double>(n);
    const double rounding = size * truth::PairFourier(n).radius();
    expect_just_above(error_of(chain, 0), std::sqrt(size) * 0x1p-90 + rounding);
    expect_just_above(error_of(chain, 1), std::sqrt(size) * 0x1p-90);
    expect_just_above(error_of(chain, 2), 0x1p-200 * rounding);
    EXPECT_TRUE(chain.probed);
  }
}

TEST(PairChain, TransformSetsWhatIsTooSmallToZeroAndChargesIt) {
  PairChain chain = off_by(constant(4, 0.5), {0});
  chain.values.hi.im[2] = 0x1p-401;
  chain.values.lo.im[2] = 0x1p-460;

  transform(chain, 4, 1, Direction::forward);

  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(chain.values.hi.im[j], 0) << j;
  PairChain flat = off_by(ComplexArray<double>(4), {0});
  flat.values.hi.re[1] = -0x1p-450;
  transform(flat, 4, 1, Direction::forward);
  expect_just_above(flat.error[0].to_double(), 2 * std::sqrt(8.0) * 0x1p-400);
}

TEST(PairChain, LengthOneIsLeftAlone) {
  PairChain chain = off_by(constant(3, 1.0 / 3), {0.125});
  transform(chain, 1, 3, Direction::inverse);
  EXPECT_EQ(error_of(chain, 0), 0.125);
  EXPECT_EQ(chain.values.hi.re[2], 1.0 / 3 * 2);  // scaled into [1/2, 1)
  EXPECT_FALSE(chain.probed);
}

TEST(PairChain, MultiplyChargesCarriedErrorTableAndRounding) {
  const auto x = constant(8, 3);
  PairChain t = off_by(constant(2, 2), {0});
  const auto products = [&](double error, double table_error) {
    PairChain y = off_by(x, {error, 2 * error});
    t.error[0] = Bound(std::ldexp(table_error, -t.scale[0]));
    multiply(y, t);
    return y;
  };
  const double rounding = 20 * u2 * 12;  // ||y|| = 2 * 6

  expect_just_above(error_of(products(0, 0), 1), rounding);
  expect_just_above(error_of(products(0x1p-90, 0), 0), 2 * 0x1p-90 + rounding);
  expect_just_above(error_of(products(0x1p-90, 0), 1), 4 * 0x1p-90 + rounding);
  expect_just_above(error_of(products(0, 0x1p-90), 0), 6 * 0x1p-90 + rounding);
  expect_just_above(error_of(products(0.25, 0.125), 0), 2.125 * 0.25 + 0.125 * 6);
  EXPECT_EQ(value(products(0, 0), 1, 3), std::complex<double>(6, 0));
}

/// 2^-300 times 2^-900 is lost, and only the absolute term says so.
TEST(PairChain, ProductsThatUnderflowAreCharged) {
  PairChain x{truth::ComplexPairs(2), {Bound()}, {0}};
  x.values.hi.re = {0x1p-300, 0};
  PairChain t{truth::ComplexPairs(2), {Bound()}, {0}};
  t.values.hi.re = {0x1p-900, 1};

  multiply(x, t);

  EXPECT_EQ(x.values.hi.re[0], 0);
  expect_just_above(x.error[0].to_double(), 2 * 0x1p-1000);
}

TEST(PairChain, DivisionByAPowerOfTwoMovesTheScale) {
  PairChain x = off_by(constant(3, 1), {0.5});
  const truth::ComplexPairs before = x.values;
  divide(x, 8);
  EXPECT_EQ(error_of(x, 0), 0.0625);
  EXPECT_EQ(value(x, 0, 2), std::complex<double>(0.125, 0));
  EXPECT_EQ(x.values.hi, before.hi);
}

TEST(PairChain, DivisionErrsByTheReciprocalAndTheProduct) {
  PairChain carried = off_by(constant(30, 1), {0x1p-90});
  divide(carried, 3);
  expect_just_above(error_of(carried, 0), 0x1p-90 / 3 + 10 * u2 * std::sqrt(30.0) / 3);
}

TEST(PairChain, PartsAreDroppedConjugatedAndDoubledInEveryItem) {
  ComplexArray<double> x(6);
  x.re = {1, 2, 3, 4, 5, 6};
  x.im = {1, 2, 3, 4, 5, 6};
  PairChain chain = off_by(x, {0.5, 0.25});
  for (double& low : chain.values.lo.im) low = 0x1p-70;

  conjugate(chain, 1, 2);
  times_two(chain, 2);
  drop_imaginary(chain, 0);

  const double re[] = {1, 2, 6, 4, 5, 12};
  const double im[] = {0, -2, -6, 0, -5, -12};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(value(chain, i / 3, i % 3), std::complex<double>(re[i], im[i])) << i;
  EXPECT_EQ(chain.values.lo.im,
            (AlignedVector<double>{0, -0x1p-70, -0x1p-69, 0, -0x1p-70, -0x1p-69}));
  EXPECT_EQ(error_of(chain, 0), 1);
  EXPECT_EQ(error_of(chain, 1), 0.5);
  drop_imaginary(chain);
  EXPECT_EQ(chain.values.hi.im, AlignedVector<double>(6));
  EXPECT_EQ(chain.values.lo.im, AlignedVector<double>(6));
}

TEST(PairHermitian, ExtendedLinesCountErrorsTwice) {
  const auto half = stress_input(Stress::gaussian, 2 * 6, 4);  // items of two lines of 3
  for (const std::size_t n : {4u, 5u})
    expect_just_above(error_of(two_sided(off_by(half, {1, 2}), n), 1), 2 * std::sqrt(2.0));
}

constexpr Framing three_overlaps{
    .n = 6, .hop = 2, .length = 12, .window = Window::hamming, .window_length = 6};

TEST(PairOverlap, AddingCarriesTheErrorAndChargesTheSums) {
  const std::size_t size = three_overlaps.frames() * 6;
  PairChain frames = off_by(constant(2 * size, 1), {0.25, 0});

  const PairChain y = overlap_added(frames, three_overlaps);

  const double rounding = std::sqrt(3.0 * static_cast<double>(size)) * 9 * u2;
  expect_just_above(error_of(y, 0), std::sqrt(3.0) * 0.25 + rounding);
  expect_just_above(error_of(y, 1), rounding);
  const truth::Chain expected =
      overlap_added(truth::exact_values(constant(size, 1), 0, size, 60), three_overlaps);
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_EQ(value(y, 1, i).real(), mpfr_get_d(expected.values.re[i], MPFR_RNDN)) << i;
}

TEST(PairOverlap, ReciprocalsAreWithinTheirError) {
  Framing gaps = three_overlaps;
  gaps.hop = 7;
  gaps.center = false;
  gaps.length = 14;
  for (const Framing& framing : {three_overlaps, gaps}) {
    const PairChain found = truth::reciprocals(truth::window_sums(framing, 128), {});
    const truth::WindowSums sums = truth::window_sums(framing, 400);
    Real difference(400);
    for (std::size_t i = 0; i < framing.length; ++i) {
      const truth::DoubleDouble pair = found.values.at(i).re;
      if (mpfr_zero_p(sums.values[i])) {
        EXPECT_EQ(pair.hi, 0);
        continue;
      }
      mpfr_ui_div(difference, 1, sums.values[i], MPFR_RNDN);
      mpfr_sub_d(difference, difference, pair.hi, MPFR_RNDN);
      mpfr_sub_d(difference, difference, pair.lo, MPFR_RNDN);
      EXPECT_LE(std::fabs(mpfr_get_d(difference, MPFR_RNDN)), found.error[0].to_double()) << i;
      EXPECT_LE(found.error[0].to_double(), 1000 * u2);
    }
  }
}

TEST(PairOverlap, ReciprocalsCarryTheErrorOfTheSums) {
  truth::WindowSums sums{truth::RealArray(3, 190), Bound(0x1p-60), Real(0.25, 190)};
  mpfr_set_d(sums.values[1], 0.5, MPFR_RNDN);

  const PairChain found = truth::reciprocals(sums, {});

  EXPECT_EQ(found.values.hi.re, (AlignedVector<double>{0, 2, 0}));
  expect_just_above(found.error[0].to_double(), 0x1p-56);  // by what the least of the sums may be
}

TEST(PairTable, RoundingErrsByTheLargestModulus) {
  truth::Chain third = truth::exact_values(constant(5, 0), 0, 5, 200);
  mpfr_set_ui(third.values.im[3], 4, MPFR_RNDN);
  mpfr_div_ui(third.values.im[3], third.values.im[3], 3, MPFR_RNDN);

  const double alone = truth::rounded_to_pairs(third, {}).error[0].to_double();
  third.error = Bound(0x1p-100);
  const PairChain pairs = truth::rounded_to_pairs(third, {});

  expect_just_above(alone, u2 * 4 / 3);
  expect_just_above(pairs.error[0].to_double(), 0x1p-100 + u2 * 4 / 3);
  EXPECT_EQ(pairs.values.hi.im[3], 4.0 / 3);
  EXPECT_EQ(pairs.values.lo.im[3], std::fma(-3, 4.0 / 3, 4) / 3);
}

}  // namespace
}  // namespace fftprec::testing
