/// Truths whose transforms are triple-double: nearly all bits that a pair of doubles holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "arith/support/framing.hpp"
#include "arith/truth/dft.hpp"
#include "arith/truth/kernels.hpp"
#include "arith/truth/stft.hpp"
#include "arith/truth/transforms.hpp"
#include "tests/support/error_text.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using ::testing::HasSubstr;
using truth::Tier;
using truth::Truth;
using truth::TruthOptions;

ComplexArray<double> random_values(std::size_t size) {
  return pair_input(PairInput::random, size, 3).hi;
}

ComplexArray<double> random_reals(std::size_t size) {
  ComplexArray<double> x = random_values(size);
  x.im.assign(size, 0.0);
  return x;
}

const TruthOptions in_mpfr{.tier = Tier::mpfr};

/// Both certificates hold, so no element is further apart than both radii.
void expect_agree(const Truth& a, const Truth& b) {
  ASSERT_EQ(a.hi.size(), b.hi.size());
  for (std::size_t i = 0; i < a.hi.size(); ++i) {
    const double allowed = a.element_radius[i / a.n] + b.element_radius[i / a.n];
    const auto distance = [i](const auto& ahi, const auto& alo, const auto& bhi, const auto& blo) {
      return std::fabs((ahi[i] - bhi[i]) + (alo[i] - blo[i]));
    };
    ASSERT_LE(distance(a.hi.re, a.lo.re, b.hi.re, b.lo.re), allowed * (1 + 0x1p-50)) << i;
    ASSERT_LE(distance(a.hi.im, a.lo.im, b.hi.im, b.lo.im), allowed * (1 + 0x1p-50)) << i;
  }
}

TEST(CertifyTriples, CertifyNearlyAllBitsOfAnyLength) {
  for (const std::size_t n : {8u, 64u, 100u, 997u, 1024u, 10007u}) {
    const ComplexArray<double> x = random_values(n);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const Truth truth = truth::dft(x, n, direction, {.tier = Tier::triple_double});
      EXPECT_GE(truth.bits, direction == Direction::forward ? 105 : 101) << n;
      EXPECT_EQ(truth.tier, Tier::triple_double);
      EXPECT_EQ(truth.method, "triple-double dft by axes, probed");
      expect_agree(truth, truth::dft(x, n, direction, in_mpfr));
    }
  }
}

TEST(CertifyTriples, ServeEveryTransformThatPairsServe) {
  const std::size_t shape[] = {12, 16};
  const TruthOptions options{.tier = Tier::triple_double, .needed_bits = 98};
  const ComplexArray<double> x = random_reals(192);
  const ComplexArray<double> half = random_values(12 * 9);
  const Framing framing{.n = 32, .hop = 8, .length = 192, .window_length = 32};
  expect_agree(truth::rfft_nd(x, shape, options), truth::rfft_nd(x, shape, in_mpfr));
  expect_agree(truth::irfft_nd(half, shape, options), truth::irfft_nd(half, shape, in_mpfr));
  expect_agree(truth::dct2(x, 64, options), truth::dct2(x, 64, in_mpfr));
  expect_agree(truth::stft(x, framing, options), truth::stft(x, framing, in_mpfr));
}

TEST(CertifyTriples, AreTakenWherePairsCertifyTooLittle) {
  const ComplexArray<double> x = random_values(1024);
  const auto tier_for = [&x](int bits) {
    return truth::dft(x, 1024, Direction::forward, {.needed_bits = bits}).tier;
  };
  EXPECT_EQ(tier_for(64), Tier::double_double);
  EXPECT_EQ(tier_for(98), Tier::double_double);
  EXPECT_EQ(tier_for(99), Tier::triple_double);
  EXPECT_EQ(tier_for(105), Tier::triple_double);
  EXPECT_EQ(tier_for(106), Tier::mpfr);
}

TEST(CertifyTriples, AreRefusedByNameWhereTheyCertifyTooLittle) {
  const ComplexArray<double> x = random_values(64);
  const TruthOptions options{.tier = Tier::triple_double, .needed_bits = 107};
  EXPECT_THAT(error_text([&] { truth::dft(x, 64, Direction::forward, options); }),
              HasSubstr("triple-double certifies 105 bits of dft by axes, not the 107 needed"));
  EXPECT_THAT(error_text([&] { truth::cmodrelu(x, random_reals(64), options); }),
              HasSubstr("modrelu by elements has no way in triple-double"));
}

}  // namespace
}  // namespace fftprec::testing
