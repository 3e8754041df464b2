/// The transforms beside fft against their definitions at 512 bits.
#include "arith/truth/transforms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/transforms.hpp"
#include "tests/support/error_text.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

namespace evaluation = truth::evaluation;

constexpr std::size_t short_lengths[] = {1, 2, 3, 4, 5, 7, 8, 12, 31, 32, 33, 37, 48};

const Sizes shapes[] = {{1},     {7},       {2, 3},    {4, 8},       {5, 6},         {1, 5},
                        {5, 1},  {1, 1, 1}, {2, 3, 4}, {3, 4, 5},    {2, 1, 7},      {34, 3},
                        {3, 35}, {2, 2},    {4, 1, 2}, {2, 3, 2, 3}, {2, 2, 2, 2, 2}};

/// Bluestein's bound grows with n; everything here has at most a few hundred elements.
constexpr double transform_roundings = 0x1p14;

std::size_t half_product(const Sizes& sizes) {
  return product(sizes) / sizes.back() * (sizes.back() / 2 + 1);
}

std::string describe(const Sizes& sizes) {
  std::string text = "shape";
  for (const std::size_t size : sizes) text += " " + std::to_string(size);
  return text + ", gaussian input, seed 5";
}

TEST(DftNd, KeepsItsRadiusAgainstTheDefinitionAndSoDoThoseOfRealData) {
  for (const Sizes& sizes : shapes) {
    SCOPED_TRACE(describe(sizes));
    const auto x = stress_input(Stress::gaussian, 2 * product(sizes), 5);
    const auto real = real_input(Stress::gaussian, 2 * product(sizes), 5);
    const auto half = stress_input(Stress::gaussian, 2 * half_product(sizes), 5);

    for (const Direction direction : both_directions)
      expect_certified(evaluation::dft_nd(x, sizes, direction),
                       dft_nd_by_definition(x, sizes, direction), transform_roundings);
    expect_certified(evaluation::rfft_nd(real, sizes), rfft_nd_by_definition(real, sizes),
                     transform_roundings);
    expect_certified(evaluation::irfft_nd(half, sizes), irfft_nd_by_definition(half, sizes),
                     transform_roundings);
  }
}

TEST(RfftNd, BinsThatAreTheirOwnMirrorImageAreReal) {
  const std::size_t sizes[] = {34, 36};  // both through Bluestein, which leaves noise
  const auto x = real_input(Stress::gaussian, 34 * 36, 8);

  const std::vector<bool> real = real_elements(evaluation::rfft_nd(x, sizes));

  for (std::size_t i = 0; i < real.size(); ++i) {
    const std::size_t row = i / 19;
    const std::size_t column = i % 19;
    const bool own_mirror = row % 17 == 0 && column % 18 == 0;
    EXPECT_EQ(real[i], own_mirror) << row << ", " << column;
  }
}

TEST(RealTransforms, KeepTheirRadiusAgainstTheDefinition) {
  for (const std::size_t n : short_lengths) {
    SCOPED_TRACE(describe(Sizes{n}));
    const auto real = real_input(Stress::gaussian, 2 * n, 5);
    const auto half = stress_input(Stress::gaussian, 2 * (n / 2 + 1), 5);

    expect_certified(evaluation::hfft(half, n), hfft_by_definition(half, n), transform_roundings);
    expect_certified(evaluation::ihfft(real, n), ihfft_by_definition(real, n), transform_roundings);
    expect_certified(evaluation::dct2(real, n), dct2_by_definition(real, n), transform_roundings);
    expect_certified(evaluation::dct3(real, n), dct3_by_definition(real, n), transform_roundings);
  }
}

TEST(RealTransforms, KeepTheirRadiusOnEveryStressfulInput) {
  const std::size_t n = 12;
  const Sizes sizes{3, 4};
  for (const Stress stress : all_stresses) {
    SCOPED_TRACE(name_of(stress));
    const auto x = stress_input(stress, n, 7);
    const auto real = real_input(stress, n, 7);
    const auto half = stress_input(stress, 9, 7);
    expect_tiers_honest(evaluation::dft_nd(x, sizes, Direction::forward),
                        dft_nd_by_definition(x, sizes, Direction::forward));
    expect_tiers_honest(evaluation::rfft_nd(real, sizes), rfft_nd_by_definition(real, sizes));
    expect_tiers_honest(evaluation::irfft_nd(half, sizes), irfft_nd_by_definition(half, sizes));
    expect_tiers_honest(evaluation::hfft(half, 16), hfft_by_definition(half, 16));
    expect_tiers_honest(evaluation::ihfft(real, n), ihfft_by_definition(real, n));
    expect_tiers_honest(evaluation::dct2(real, n), dct2_by_definition(real, n));
    expect_tiers_honest(evaluation::dct3(real, n), dct3_by_definition(real, n));
  }
}

/// numpy.fft.rfft([1, 2, 3, 4]) = [10, -2+2j, -2]; its halves and images by hand.
TEST(KnownValues, OfOneTwoThreeFour) {
  ComplexArray<double> x(4);
  x.re = {1, 2, 3, 4};
  const std::size_t shape[] = {4};
  const std::size_t square[] = {2, 2};

  EXPECT_EQ(truth::rfft_nd(x, shape).hi.re, (AlignedVector<double>{10, -2, -2}));
  EXPECT_EQ(truth::rfft_nd(x, shape).hi.im, (AlignedVector<double>{0, 2, 0}));
  EXPECT_EQ(truth::ihfft(x, 4).hi.re, (AlignedVector<double>{2.5, -0.5, -0.5}));
  EXPECT_EQ(truth::ihfft(x, 4).hi.im, (AlignedVector<double>{0, -0.5, 0}));
  EXPECT_EQ(truth::dft_nd(x, square, Direction::forward).hi.re,
            (AlignedVector<double>{10, -2, -4, 0}));
  EXPECT_EQ(truth::dct2(x, 4).hi.re[0], 20);
  EXPECT_NEAR(truth::dct2(x, 4).hi.re[2], 0, 0x1p-100);  // 2 cos(pi/4) (1 - 2 - 3 + 4)
  EXPECT_NEAR(truth::dct2(x, 4).hi.re[1], -6.30864406, 1e-8);
  EXPECT_NEAR(truth::dct3(x, 4).hi.re[0], 11.99962628, 1e-8);
}

/// The examples of numpy.fft.hfft, ihfft and irfft.
TEST(KnownValues, OfDocumentedExamples) {
  ComplexArray<double> signal(4);
  signal.re = {1, 2, 3, 4};
  signal.im = {7, 0, 0, 9};  // these two do not count
  ComplexArray<double> spectrum(6);
  spectrum.re = {15, -4, 0, -1, 0, -4};
  const truth::Truth there = truth::hfft(signal, 6);
  const truth::Truth back = truth::ihfft(spectrum, 6);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(there.hi.re[k], spectrum.re[k], 0x1p-100) << k;
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(back.hi.re[j], signal.re[j], 0x1p-100) << j;

  ComplexArray<double> half(3);
  half.im[1] = -1;  // numpy.fft.irfft([1, -1j, -1]) = [0, 1, 0, 0]
  half.re = {1, 0, -1};
  const std::size_t shape[] = {4};
  EXPECT_EQ(truth::irfft_nd(half, shape).hi.re, (AlignedVector<double>{0, 1, 0, 0}));
  EXPECT_EQ(truth::irfft_nd(half, shape).hi.im, (AlignedVector<double>{0, 0, 0, 0}));
}

TEST(RealTransforms, WhatIsRealHasNoImaginaryPart) {
  const std::size_t n = 36;  // through Bluestein, which leaves noise
  const auto real = real_input(Stress::gaussian, n, 9);
  const auto half = stress_input(Stress::gaussian, 4 * (n / 2 + 1), 9);
  const std::size_t shape[] = {4, n};
  for (const truth::Evaluation& all : {evaluation::irfft_nd(half, shape), evaluation::hfft(half, n),
                                       evaluation::dct2(real, n), evaluation::dct3(real, n)})
    EXPECT_EQ(real_elements(all), std::vector<bool>(all.item_size, true)) << all.method;
}

/// An impulse has a flat spectrum, exact in every bit, so the bound is a formula: with r of
/// Fourier, the transform leaves sqrt(8) r ||x||, the product adds u of the table and sqrt(5) u of
/// its own.
TEST(RealTransforms, TheBoundOfADctIsTheSumOfItsSteps) {
  constexpr mpfr_prec_t coarse = 60;
  const double u = 0x1p-60;
  const double r = truth::Fourier::radius(8, coarse);
  ComplexArray<double> x(4);
  x.re[0] = 1;
  const double two = evaluation::dct2(x, 4).evaluate({coarse}, 0).error.to_double();
  x.re = {0, 1, 0, 0};
  const double three = evaluation::dct3(x, 4).evaluate({coarse}, 0).error.to_double();

  const double pairs_three = evaluation::dct3(x, 4).evaluate_pairs({}, 0, 1).error[0].to_double();
  x.re = {1, 0, 0, 0};
  const double pairs_two = evaluation::dct2(x, 4).evaluate_pairs({}, 0, 1).error[0].to_double();

  const double product = 2 * u;
  const double expected_two = 2 * (std::sqrt(8.0) * r + product);
  const double expected_three = std::sqrt(8.0) * (product + 2 * r);
  EXPECT_NEAR(two / expected_two, 1, 0x1p-40);
  EXPECT_NEAR(three / expected_three, 1, 0x1p-40);
  const double pair_r = truth::PairFourier(8).radius();
  const double pair_product = 2 * (5 + 20) * 0x1p-106;
  EXPECT_NEAR(2 * pairs_two / (2 * (std::sqrt(8.0) * pair_r + pair_product)), 1, 0x1p-18);
  EXPECT_NEAR(2 * pairs_three / (std::sqrt(8.0) * (pair_product + 2 * pair_r)), 1, 0x1p-18);
}

TEST(Transforms, LongOnesAgreeWithArb) {
  const std::size_t n = 1000;
  const auto x = real_input(Stress::gaussian, n, 11);
  const Exact whole = by_arb(x, n, Direction::forward);
  Exact half(n / 2 + 1);
  for (std::size_t k = 0; k <= n / 2; ++k) {
    mpfr_set(half.re[k], whole.re[k], MPFR_RNDN);
    mpfr_set(half.im[k], whole.im[k], MPFR_RNDN);
  }
  const std::size_t shape[] = {n};

  const truth::Truth truth = truth::rfft_nd(x, shape, {.tier = truth::Tier::mpfr});

  expect_honest(truth, half);
  EXPECT_LE(truth.radius_rel, 0x1.1p-106);
  expect_honest(truth::rfft_nd(x, shape, {.tier = truth::Tier::double_double}), half);
}

namespace {

/// y_k <- (y_k + add) / sqrt(divisor), both in 512 bits, for each element of `of`.
template <class Add>
void weigh(Exact& y, std::size_t i, double divisor, Add add) {
  truth::RealArray root(1, judge_bits);
  mpfr_set_d(root[0], divisor, MPFR_RNDN);
  mpfr_sqrt(root[0], root[0], MPFR_RNDN);
  add(y.re[i]);
  mpfr_div(y.re[i], y.re[i], root[0], MPFR_RNDN);
  mpfr_div(y.im[i], y.im[i], root[0], MPFR_RNDN);
}

/// y / sqrt(divisor).
Exact over_root(Exact y, double divisor) {
  for (std::size_t i = 0; i < y.re.size(); ++i) weigh(y, i, divisor, [](mpfr_ptr) {});
  return y;
}

}  // namespace

/// scipy.fft.dct under norm="ortho": y_0 of type II divided by sqrt(4n), all other y_k by sqrt(2n);
/// x_0 of type III times sqrt(2), all divided by sqrt(2n). Under "forward" all divided by 2n.
TEST(Norms, OfCosinesAreTheDefinitionOverItsDivisors) {
  for (const std::size_t n : {1u, 2u, 5u, 12u, 16u, 37u})
    for (const Stress stress : all_stresses) {
      if (stress == Stress::subnormal || stress == Stress::tiny) continue;  // below 2^-1022 in `lo`
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", " << name_of(stress) << ", seed 4");
      const auto x = real_input(stress, 2 * n, 4);
      const double points = 2 * static_cast<double>(n);
      Exact two = dct2_by_definition(x, n);
      Exact three = dct3_by_definition(x, n);
      for (std::size_t i = 0; i < x.size(); ++i) {
        weigh(two, i, i % n == 0 ? 2 * points : points, [](mpfr_ptr) {});
        weigh(three, i, points, [&](mpfr_ptr y) {
          truth::RealArray more(1, judge_bits);  // (sqrt(2) - 1) x_0
          mpfr_sqrt_ui(more[0], 2, MPFR_RNDN);
          mpfr_sub_ui(more[0], more[0], 1, MPFR_RNDN);
          mpfr_mul_d(more[0], more[0], x.re[i - i % n], MPFR_RNDN);
          mpfr_add(y, y, more[0], MPFR_RNDN);
        });
      }
      for (const truth::TruthOptions& options : {in_mpfr, in_pairs}) {
        expect_honest(truth::dct2(x, n, options, Norm::ortho), two);
        expect_honest(truth::dct3(x, n, options, Norm::ortho), three);
        expect_honest(truth::dct2(x, n, options, Norm::forward),
                      over_root(dct2_by_definition(x, n), points * points));
        expect_honest(truth::dct3(x, n, options, Norm::forward),
                      over_root(dct3_by_definition(x, n), points * points));
      }
      EXPECT_GE(truth::dct2(x, n, {}, Norm::ortho).bits, 84);
      EXPECT_GE(truth::dct3(x, n, {}, Norm::ortho).bits, 84);
    }
}

TEST(Transforms, BadInputIsAnInputError) {
  const std::size_t two[] = {3, 4};
  const std::size_t empty_axis[] = {3, 0};
  ComplexArray<double> x(12);
  EXPECT_THROW(truth::dft_nd(x, {}, Direction::forward), InputError);
  EXPECT_THROW(truth::dft_nd(x, empty_axis, Direction::forward), InputError);
  EXPECT_THROW(truth::dft_nd(ComplexArray<double>(13), two, Direction::forward), InputError);
  EXPECT_THROW(truth::dft_nd(x, two, Direction::forward, {.precision_bits = 20}), InputError);
  EXPECT_THROW(truth::irfft_nd(ComplexArray<double>(10), two), InputError);
  EXPECT_THROW(truth::hfft(x, 0), InputError);
  EXPECT_THROW(truth::hfft(x, 8), InputError);
  EXPECT_THROW(truth::dct2(x, 5), InputError);
  x.im[7] = 1;
  EXPECT_NE(error_text([&] {
              truth::rfft_nd(x, two);
            }).find("rfft_nd: the imaginary part of element 7 is not zero"),
            std::string::npos);
  EXPECT_THROW(truth::ihfft(x, 12), InputError);
  EXPECT_THROW(truth::dct2(x, 12), InputError);
  EXPECT_THROW(truth::dct3(x, 12), InputError);
  EXPECT_THROW(truth::dct3(x, 0, {}, Norm::ortho), InputError);
  x.im[7] = std::numeric_limits<double>::infinity();
  EXPECT_NE(error_text([&] {
              truth::dft_nd(x, two, Direction::forward);
            }).find("dft_nd: input element 7 is not finite"),
            std::string::npos);
  x.im.assign(13, 0);
  EXPECT_THROW(truth::dft_nd(x, two, Direction::forward), InputError);
  x.im.assign(12, 0);
  x.re[0] = x.re[1] = std::numeric_limits<double>::max();
  EXPECT_THROW(truth::dft_nd(x, two, Direction::forward), InputError);
}

}  // namespace
}  // namespace fftprec::testing
