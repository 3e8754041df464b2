/// Every step of a chain alone: its bound holds where it is tight, and says what the step does.
#include "arith/truth/chain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "arith/truth/chain.hpp"
#include "arith/truth/stft.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Bound;
using truth::Chain;

constexpr mpfr_prec_t few_bits = 60;
constexpr double few_bits_u = 0x1p-60;

/// Values with an error that the caller states, as an earlier step would have left them.
Chain off_by(const ComplexArray<double>& x, double error) {
  Chain chain = truth::exact_values(x, 0, x.size(), few_bits);
  chain.error = Bound(error);
  return chain;
}

ComplexArray<double> constant(std::size_t size, double value) {
  ComplexArray<double> x(size);
  for (double& part : x.re) part = value;
  return x;
}

double l2(const Chain& x) { return truth::norm(x.values).to_double(); }

/// A little above `value`, as roundings upward leave it.
void expect_just_above(const Bound& bound, double value) {
  EXPECT_GE(bound.to_double(), value);
  EXPECT_LE(bound.to_double(), value * (1 + 0x1p-40));
}

TEST(Bound, RoundsUpward) {
  const Bound third = Bound(1) / Bound(3);
  EXPECT_GT(third.to_double(), 1.0 / 3);  // 1/3 is rounded downward to nearest
  EXPECT_GT((Bound(1) + Bound(0x1p-80)).to_double(), 1);
  EXPECT_GT((Bound(1 + 0x1p-52) * Bound(1 + 0x1p-52)).to_double(), 1 + 0x1p-51);
  EXPECT_GT(sqrt(Bound(3)).to_double() * sqrt(Bound(3)).to_double(), 3);
  EXPECT_EQ(truth::unit_roundoff(60).to_double(), few_bits_u);
  // (1 + 1/count)^count is almost e: the linear term alone would not do
  EXPECT_GE(truth::repeated_rounding(1 << 20, 20).to_double(), std::exp(1.0) - 1);
  expect_just_above(truth::product_rounding(60), std::sqrt(5.0) * few_bits_u);
}

TEST(Chain, NormIsThatOfBothParts) {
  ComplexArray<double> x(2);
  x.re = {3, 0};
  x.im = {0, -4};
  expect_just_above(truth::norm(truth::exact_values(x, 0, 2, few_bits).values), 5);
}

/// All errors on one constant direction: the transform takes them to one output, sqrt(n) as large.
TEST(Chain, TransformCarriesTheErrorAndAddsItsRadius) {
  for (const std::size_t n : {1u, 4u, 16u, 20u, 40u}) {
    const double delta = 0x1p-20;
    Chain x = off_by(constant(n, 1 + delta), std::sqrt(static_cast<double>(n)) * delta);
    const double before = l2(x);

    transform(x, n, 1, Direction::forward);

    const auto size = static_cast<double>(n);
    EXPECT_GE(x.error.to_double(), size * delta);
    expect_just_above(
        x.error, size * delta + std::sqrt(size) * before * truth::Fourier::radius(n, few_bits));
  }
}

TEST(Chain, GatheringCountsTheSourceUsedMost) {
  const Chain x = off_by(constant(4, 1), 0.5);
  const std::vector<std::size_t> sources{0, 2, 2, truth::npos, 2, 3, 0};

  const Chain y = gathered(x, sources);

  expect_just_above(y.error, 0.5 * std::sqrt(3.0));
  EXPECT_EQ(mpfr_get_d(y.values.re[3], MPFR_RNDN), 0);
  EXPECT_EQ(mpfr_get_d(y.values.re[5], MPFR_RNDN), 1);
}

TEST(Chain, MultiplyChargesCarriedErrorTableAndRounding) {
  const auto x = constant(4, 3 + 0x1p-50);  // products of more than 60 bits
  const truth::ComplexReals t =
      truth::exact_values(constant(2, 2 + 0x1p-50), 0, 2, few_bits).values;
  const double rounding = std::sqrt(5.0) * few_bits_u * 12;  // ||y|| = 4 * 9 -> 12
  Chain carried = off_by(x, 0.25);
  Chain with_table = off_by(x, 0);
  Chain both = off_by(x, 0.25);

  multiply(carried, t, Bound());
  multiply(with_table, t, Bound(0.125));
  multiply(both, t, Bound(0.125));

  Chain neither = off_by(x, 0);
  multiply(neither, t, Bound());
  expect_just_above(carried.error, 0.5 + rounding);
  expect_just_above(with_table.error, 0.125 * 6 + rounding);
  expect_just_above(both.error, 2.125 * 0.25 + 0.125 * 6 + rounding);
  expect_just_above(neither.error, rounding);
  EXPECT_NEAR(mpfr_get_d(both.values.re[3], MPFR_RNDN), 6, 0x1p-47);
}

TEST(Chain, ExactProductsAreNotCharged) {
  Chain x = off_by(constant(4, 3), 0);

  multiply(x, truth::exact_values(constant(2, 2), 0, 2, few_bits).values, Bound());

  EXPECT_TRUE(x.error.is_zero());
}

TEST(Chain, DivisionRoundsOnceUnlessItIsByAPowerOfTwo) {
  Chain x = off_by(constant(3, 1), 0.5);
  divide(x, 8);
  expect_just_above(x.error, 0.0625);
  EXPECT_EQ(mpfr_get_d(x.values.re[2], MPFR_RNDN), 0.125);
  Chain third = off_by(constant(30, 1), 0);
  divide(third, 3);
  expect_just_above(third.error, few_bits_u * std::sqrt(30.0) / 3);
}

/// Every element of a half line stands for two.
TEST(Hermitian, ExtendedLinesCountErrorsTwice) {
  for (const std::size_t n : {4u, 5u})
    expect_just_above(two_sided(off_by(constant(6, 1), 1), n).error, std::sqrt(2.0));
}

/// Half a last place of what is at most 1; Hann with 32 bits less would cancel to noise near zero.
TEST(Window, ValuesHaveOneRounding) {
  for (const Window window :
       {Window::hann, Window::hamming, Window::blackman, Window::bartlett, Window::rectangular}) {
    const Framing f{.n = 1000, .hop = 1, .length = 1000, .window = window, .window_length = 999};
    const truth::ComplexReals rounded = truth::frame_window(f, few_bits);
    const truth::ComplexReals precise = truth::frame_window(f, 400);
    truth::Real difference(400);
    for (std::size_t j = 0; j < f.n; ++j) {
      mpfr_sub(difference, rounded.re[j], precise.re[j], MPFR_RNDN);
      EXPECT_LE(std::fabs(mpfr_get_d(difference, MPFR_RNDN)), few_bits_u / 2 * (1 + 0x1p-20)) << j;
    }
  }
}

constexpr Framing three_overlaps{
    .n = 6, .hop = 2, .length = 12, .window = Window::hamming, .window_length = 6};

TEST(Overlap, AddingCarriesTheErrorAndChargesTheSums) {
  const std::size_t size = three_overlaps.frames() * 6;
  Chain carried = off_by(ComplexArray<double>(size), 0.25);
  Chain rounded = off_by(constant(size, 1), 0);

  expect_just_above(overlap_added(carried, three_overlaps).error, std::sqrt(3.0) * 0.25);
  expect_just_above(overlap_added(rounded, three_overlaps).error,
                    std::sqrt(3.0 * static_cast<double>(size)) * 6 * few_bits_u);
}

TEST(Overlap, DivisionChargesCarriedErrorSumsAndRounding) {
  const auto divided = [](double error, double sum_error) {
    truth::WindowSums sums{truth::RealArray(4, few_bits), Bound(sum_error),
                           truth::Real(0.5, few_bits)};
    for (std::size_t i = 0; i < 3; ++i) mpfr_set_ui(sums.values[i], i + 1, MPFR_RNDN);
    ComplexArray<double> y(4);
    y.re = {1, 4, 6, 0};
    Chain chain = off_by(y, error);
    divide_by(chain, sums);
    return chain;
  };
  // quotients 1, 2, 2 have norm 3
  expect_just_above(divided(0, 0).error, 3 * few_bits_u);
  expect_just_above(divided(0.25, 0).error, 0.5 + 3 * few_bits_u);
  expect_just_above(divided(0, 0.125).error, 0.125 * 3 / 0.5 + 3 * few_bits_u);
  EXPECT_EQ(mpfr_get_d(divided(0, 0).values.re[2], MPFR_RNDN), 2);
  EXPECT_EQ(mpfr_get_d(divided(0, 0).values.re[3], MPFR_RNDN), 0);
}

TEST(Overlap, WindowSumsAreMorePreciseThanWhatTheyDivide) {
  const truth::WindowSums sums = truth::window_sums(three_overlaps, few_bits);
  const truth::WindowSums precise = truth::window_sums(three_overlaps, 400);
  truth::Real difference(400);
  for (std::size_t i = 0; i < 12; ++i) {
    mpfr_sub(difference, sums.values[i], precise.values[i], MPFR_RNDN);
    EXPECT_LE(std::fabs(mpfr_get_d(difference, MPFR_RNDN)), sums.error.to_double());
    mpfr_sub(difference, sums.values[i], sums.least, MPFR_RNDN);
    EXPECT_GE(mpfr_get_d(difference, MPFR_RNDN), sums.error.to_double() * (1 - 0x1p-40));
  }
  // of three squares, twice the error of a window value each, and 2 (3 + 1) few_bits_u for their
  // sum
  expect_just_above(sums.error, 3 * (2 * (1 + 0x1p-20) + 8) * 0x1p-124);
}

}  // namespace
}  // namespace fftprec::testing
