/// The complex kernels against their definitions at 512 bits.
#include "arith/truth/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

namespace evaluation = truth::evaluation;

constexpr double kernel_roundings = 0x1p12;

ComplexArray<double> gaussian(std::size_t size, std::uint64_t seed) {
  return stress_input(Stress::gaussian, size, seed);
}

ComplexArray<double> real_gaussian(std::size_t size, std::uint64_t seed) {
  return real_input(Stress::gaussian, size, seed);
}

TEST(Cgemm, KeepsItsRadiusAgainstTheDefinition) {
  for (const std::size_t k : {1u, 2u, 5u, 40u})
    for (const std::size_t n : {1u, 3u, 8u}) {
      SCOPED_TRACE("k = " + std::to_string(k) + ", n = " + std::to_string(n) + ", seeds 1, 2");
      const auto x = gaussian(4 * k, 1);
      const auto w = gaussian(n * k, 2);

      expect_certified(evaluation::cgemm(x, w, 4, k, n), cgemm_by_definition(x, w, 4, k, n),
                       kernel_roundings);
    }
}

/// [1+i, 2] times the rows [1, i] and [0, 3]: y = [1+3i, 6].
TEST(Cgemm, KnownValues) {
  ComplexArray<double> x(2);
  x.re = {1, 2};
  x.im = {1, 0};
  ComplexArray<double> w(4);
  w.re = {1, 0, 0, 3};
  w.im = {0, 1, 0, 0};

  const truth::Truth truth = truth::cgemm(x, w, 1, 2, 2);

  EXPECT_EQ(truth.hi.re, (AlignedVector<double>{1, 6}));
  EXPECT_EQ(truth.hi.im, (AlignedVector<double>{3, 0}));
}

/// sqrt(2) 2 (k+1) u ||x|| ||w||_F
TEST(Cgemm, TheBoundIsThatOfSumsOfProducts) {
  ComplexArray<double> x(1);
  ComplexArray<double> w(2);
  w.re = {3 + 0x1p-50, 0};
  w.im = {0, 4};
  x.re = {2 + 0x1p-50};  // a product of 104 bits

  const truth::Chain chain = evaluation::cgemm(x, w, 1, 1, 2).evaluate({60}, 0);

  EXPECT_NEAR(chain.error.to_double() / 0x1p-60, std::sqrt(2.0) * 4 * 2 * 5, 0x1p-40);
}

TEST(Cgemm, CancellationRaisesThePrecision) {
  ComplexArray<double> x(3);
  x.re = {0x1p+200, 1, -0x1p+200};
  ComplexArray<double> w(3);
  w.re = {3, 0x1p-60, 3};

  const truth::Truth truth = truth::cgemm(x, w, 1, 3, 1);

  EXPECT_EQ(truth.hi.re[0], 0x1p-60);
  EXPECT_LE(truth.radius_rel, 0x1p-106);
  EXPECT_LE(error_of(truth, cgemm_by_definition(x, w, 1, 3, 1)), truth.radius_rel);
  EXPECT_NE(truth.method, "mpfr sums of products, 128 bits");
}

/// Products of doubles have 106 bits, so enough of them show that nothing was rounded.
TEST(Cgemm, WhatCancelsWhollyIsKnownToBeZero) {
  ComplexArray<double> x(2);
  x.re = {0x1p+100, -0x1p+100};
  ComplexArray<double> w(2);
  w.re = {1.0 / 3, 1.0 / 3};

  EXPECT_EQ(truth::cgemm(x, w, 1, 2, 1).radius_rel, 0);

  x = stress_input(Stress::wide, 40, 3);
  for (std::size_t l = 0; l < 20; ++l) {
    x.re[20 + l] = -x.re[l];
    x.im[20 + l] = -x.im[l];
  }
  w = gaussian(40, 4);
  for (std::size_t l = 0; l < 20; ++l) {
    w.re[20 + l] = w.re[l];
    w.im[20 + l] = w.im[l];
  }
  const truth::Truth truth = truth::cgemm(x, w, 1, 40, 1);
  EXPECT_EQ(truth.radius_rel, 0) << truth.method;
  EXPECT_NE(truth.method, "mpfr sums of products, 128 bits");
}

TEST(Cmul, KeepsItsRadiusAgainstTheDefinition) {
  for (const std::size_t n : {1u, 2u, 17u}) {
    const auto x = gaussian(3 * n, 1);
    for (const std::size_t size : {n, 3 * n}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", mask of " + std::to_string(size) + ", seed 2");
      const auto m = gaussian(size, 2);

      expect_certified(evaluation::cmul(x, m, n), cmul_by_definition(x, m), kernel_roundings);
    }
  }
}

TEST(Cconv1d, KeepsItsRadiusAgainstTheDefinition) {
  for (const std::size_t n : {1u, 2u, 7u, 32u})
    for (const std::size_t taps : {1u, 2u, 5u, 33u}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", taps = " + std::to_string(taps));
      const auto x = gaussian(2 * n, 1);
      const auto h = gaussian(taps, 2);

      expect_certified(evaluation::cconv1d(x, h, n, taps), cconv1d_by_definition(x, h, n),
                       kernel_roundings);
    }
}

/// Impulses have flat spectra, exact in every bit, so the bound is a formula of Fourier's radius.
TEST(Cconv1d, TheBoundIsTheSumOfItsSteps) {
  ComplexArray<double> x(4);
  x.re[0] = 1;

  const truth::Chain chain = evaluation::cconv1d(x, x, 4, 4).evaluate({60}, 0);

  const double root8 = std::sqrt(8.0);
  const double r = truth::Fourier::radius(8, 60);
  const double product = root8 * r + root8 * r * root8;
  EXPECT_NEAR(chain.error.to_double() / (root8 * (product + r * root8) / 8), 1, 0x1p-40);
}

/// numpy.convolve([1, 2, 3], [0, 1, 0.5]) = [0, 1, 2.5, 4, 1.5].
TEST(Cconv1d, KnownValues) {
  ComplexArray<double> x(3);
  x.re = {1, 2, 3};
  ComplexArray<double> h(3);
  h.re = {0, 1, 0.5};

  const truth::Truth truth = truth::cconv1d(x, h, 3, 3);

  EXPECT_EQ(truth.n, 5u);
  const double expected[] = {0, 1, 2.5, 4, 1.5};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(truth.hi.re[i], expected[i], 0x1p-100) << i;
  EXPECT_EQ(truth.hi.im, AlignedVector<double>(5));
}

TEST(Cconv1d, RealOperandsHaveARealResult) {
  const auto x = real_gaussian(20, 3);
  const auto h = real_gaussian(5, 4);
  EXPECT_EQ(real_elements(evaluation::cconv1d(x, h, 20, 5)), std::vector<bool>(24, true));
  EXPECT_NE(truth::cconv1d(x, gaussian(5, 4), 20, 5).hi.im, AlignedVector<double>(24));
  EXPECT_NE(truth::cconv1d(gaussian(20, 3), h, 20, 5).hi.im, AlignedVector<double>(24));
}

TEST(Cmodrelu, KeepsItsRadiusAgainstTheDefinition) {
  for (const std::size_t n : {1u, 3u, 50u}) {
    SCOPED_TRACE("n = " + std::to_string(n) + ", seeds 1, 2");
    const auto z = gaussian(4 * n, 1);
    auto b = real_gaussian(n, 2);
    if (n == 1) b.re[0] = 0.25;  // an item of one element that is not all dead

    expect_certified(evaluation::cmodrelu(z, b), cmodrelu_by_definition(z, b), kernel_roundings);
  }
}

/// |3+4i| = 5: alive, exactly at the edge, dead; and zero whatever b is.
TEST(Cmodrelu, KnownValues) {
  ComplexArray<double> z(4);
  z.re = {3, 3, 3, 0};
  z.im = {4, -4, 4, 0};
  ComplexArray<double> b(4);
  b.re = {5, -5, -5.5, 2};

  const truth::Truth truth = truth::cmodrelu(z, b);

  EXPECT_EQ(truth.hi.re, (AlignedVector<double>{6, 0, 0, 0}));
  EXPECT_EQ(truth.hi.im, (AlignedVector<double>{8, 0, 0, 0}));
}

TEST(Cmodrelu, ExactZerosAreCertain) {
  ComplexArray<double> z(2);
  z.re = {1, 3};
  z.im = {1, 4};
  ComplexArray<double> b(2);
  b.re = {-2, -5};  // sqrt(2) < 2 for certain; 5 - 5 without rounding

  const truth::Truth truth = truth::cmodrelu(z, b);

  EXPECT_EQ(truth.radius_rel, 0);
}

/// Where modulus and sum are exact, 4u of the sum; where the sum is rounded, u of it more.
TEST(Cmodrelu, TheBoundChargesWhatWasRounded) {
  ComplexArray<double> z(1);
  z.re = {3};
  z.im = {4};
  ComplexArray<double> b(1);
  const auto bound = [&](double bias) {
    b.re = {bias};
    return evaluation::cmodrelu(z, b).evaluate({60}, 0).error.to_double() / 0x1p-60;
  };
  EXPECT_NEAR(bound(1), 24, 0x1p-40);
  EXPECT_NEAR(bound(0x1p-70), 25, 0x1p-40);
  z.re = {4};  // sqrt(32)
  EXPECT_NEAR(bound(0), 5 * std::sqrt(32.0), 0x1p-40);
}

TEST(Cmodrelu, NearTheEdgeThePairStillDecides) {
  ComplexArray<double> z(1);
  z.re = {1};
  z.im = {0x1p-40};
  ComplexArray<double> b(1);
  b.re = {-1};  // |z| - 1 = 2^-81, nearly

  const truth::Truth truth = truth::cmodrelu(z, b);

  EXPECT_LE(truth.radius_rel, 0x1.1p-106);
  EXPECT_LE(error_of(truth, cmodrelu_by_definition(z, b)), truth.radius_rel);
  EXPECT_EQ(truth.hi.re[0], 0x1p-81);
  // at 60 bits the modulus is 1 and the element looks dead
  const auto coarse = evaluation::cmodrelu(z, b).evaluate({60}, 0);
  const ChainError error = chain_error(coarse, cmodrelu_by_definition(z, b), 0);
  EXPECT_NEAR(error.found, 1, 0x1p-40);
  EXPECT_GE(error.bound, error.found);
}

TEST(Kernels, KeepTheirRadiusOnEveryStressfulInput) {
  for (const Stress stress : all_stresses) {
    if (stress == Stress::huge) continue;  // its products are beyond double
    SCOPED_TRACE(name_of(stress));
    const auto x = stress_input(stress, 24, 7);
    const auto w = gaussian(24, 8);
    expect_tiers_honest(evaluation::cgemm(x, w, 4, 6, 4), cgemm_by_definition(x, w, 4, 6, 4));
    expect_tiers_honest(evaluation::cmul(x, w, 24), cmul_by_definition(x, w));
    expect_tiers_honest(evaluation::cconv1d(x, w, 24, 24), cconv1d_by_definition(x, w, 24));
    ComplexArray<double> b(24);
    for (std::size_t j = 0; j < 24; ++j) b.re[j] = -x.re[23 - j];
    expect_tiers_honest(evaluation::cmodrelu(x, b), cmodrelu_by_definition(x, b));
  }
}

TEST(Kernels, BadInputIsAnInputError) {
  const ComplexArray<double> six(6);
  const ComplexArray<double> five(5);
  EXPECT_THROW(truth::cgemm(six, six, 3, 3, 2), InputError);
  EXPECT_THROW(truth::cgemm(six, six, 2, 3, 3), InputError);
  EXPECT_THROW(truth::cgemm(six, six, 2, 0, 2), InputError);
  EXPECT_THROW(truth::cgemm(six, ComplexArray<double>(), 2, 3, 0), InputError);
  EXPECT_THROW(truth::cmul(six, five, 6), InputError);
  EXPECT_THROW(truth::cmul(six, five, 5), InputError);
  EXPECT_THROW(truth::cmul(six, ComplexArray<double>(4), 2), InputError);
  EXPECT_THROW(truth::cconv1d(six, five, 6, 4), InputError);
  EXPECT_THROW(truth::cconv1d(six, five, 4, 5), InputError);
  EXPECT_THROW(truth::cconv1d(six, ComplexArray<double>(), 6, 0), InputError);
  EXPECT_THROW(truth::cmodrelu(six, five), InputError);
  ComplexArray<double> b(6);
  b.im[1] = 1;
  EXPECT_THROW(truth::cmodrelu(six, b), InputError);
}

}  // namespace
}  // namespace fftprec::testing
