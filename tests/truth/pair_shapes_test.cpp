/// One-sided spectra, overlapping frames and tables of factors in chains of pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "arith/truth/chain.hpp"
#include "arith/truth/stft.hpp"
#include "tests/truth/pair_chain_checks.hpp"
#include "tests/truth/transform_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Bound;
using truth::PairChain;
using truth::Real;

TEST(PairHermitian, LinesAreCutAndExtendedAsInMpfr) {
  const auto half = stress_input(Stress::gaussian, 2 * 6, 4);  // items of two lines of 3
  for (const std::size_t n : {4u, 5u}) {
    PairChain pairs = off_by(half, {1, 2});
    for (double& low : pairs.values.lo.im) low = 0x1p-70;
    const PairChain y = two_sided(pairs, n);
    expect_just_above(error_of(y, 1), 2 * std::sqrt(2.0));
    for (std::size_t item = 0; item < 2; ++item) {
      const truth::Chain expected = two_sided(truth::exact_values(half, item * 6, 6, 60), n);
      for (std::size_t i = 0; i < 2 * n; ++i) {
        const std::complex<double> found = value(y, item, i);
        EXPECT_EQ(found.real(), mpfr_get_d(expected.values.re[i], MPFR_RNDN));
        EXPECT_EQ(found.imag(), mpfr_get_d(expected.values.im[i], MPFR_RNDN));
        const double low = y.values.lo.im[item * 2 * n + i];
        EXPECT_EQ(low, found.imag() == 0 ? 0 : i % n < 3 ? 0x1p-70 : -0x1p-70);
      }
    }
    EXPECT_EQ(one_sided(y, n).values.hi.re, pairs.values.hi.re);
  }
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
