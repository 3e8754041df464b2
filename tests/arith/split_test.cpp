/// Words of a split: their grid, their residual bounds, and products through the accumulator.
#include "arith/split.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "arith/product.hpp"

namespace fftprec::testing {

namespace {

float random_normal_float(std::mt19937& random) {
  const std::uint32_t exponent = 96 + static_cast<std::uint32_t>(random()) % 64;
  return __builtin_bit_cast(float,
                            (static_cast<std::uint32_t>(random()) & 0x807fffffu) | exponent << 23);
}

}  // namespace

TEST(SplitBf16, EveryWordSettlesNineBits) {
  std::mt19937 random(3);
  for (int i = 0; i < 200000; ++i) {
    const float x = random_normal_float(random);
    const auto words = split_bf16<3>(Complex<float>{x, -x});
    const double binade = std::ldexp(1.0, std::ilogb(x));
    double rest = static_cast<double>(x);
    for (int word = 0; word < 3; ++word) {
      const float part = words.word[word].re;
      ASSERT_EQ(part, round_any_to_bf16(part)) << "word " << word << " of " << x;
      ASSERT_EQ(-part, words.word[word].im);
      rest -= static_cast<double>(part);
      ASSERT_LE(std::fabs(rest), binade * std::ldexp(1.0, 1 - 9 * (word + 1))) << x;
    }
    ASSERT_EQ(rest, 0) << "three words hold " << x;
  }
}

TEST(SplitBf16, TwoWordsDoNotHoldAnFp32Value) {
  const float x = 1 + 0x1p-9f + 0x1p-23f;
  const auto words = split_bf16<2>(Complex<float>{x, 0});
  EXPECT_EQ(words.word[0].re + words.word[1].re, x - 0x1p-23f);
}

TEST(Slice12, BothSlicesHaveTwelveBitsAndAddUp) {
  std::mt19937 random(4);
  for (int i = 0; i < 200000; ++i) {
    const float x = random_normal_float(random);
    const float high = leading_slice12(x);
    const float low = x - high;
    ASSERT_EQ(high + low, x);
    for (const float slice : {high, low})
      ASSERT_EQ(__builtin_bit_cast(std::uint32_t, slice * 0x1p30f) & 0xfffu, 0u)
          << slice << " has more than 12 bits";
    // So every product of two slices is exact in fp32.
    ASSERT_EQ(static_cast<double>(high * low),
              static_cast<double>(high) * static_cast<double>(low));
  }
}

TEST(SplitProduct, SumsItsTermsInTheOrderOfTheScheme) {
  using Model = Accumulator<ProductRounding::none, AccumulatorRounding::rne>;
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (int i = 0; i < 10000; ++i) {
    const Complex<float> w{normal(random), normal(random)}, x{normal(random), normal(random)};
    const auto wp = split_bf16<2>(w);
    const auto xp = split_bf16<3>(x);
    // By hand: each term's real part is x.re w.re, then minus x.im w.im, in fp32.
    const auto re = [&](int f, int d) {
      return xp.word[d].re * wp.word[f].re - xp.word[d].im * wp.word[f].im;
    };
    const auto three = SplitProduct<SplitThree, Model>::multiply(wp, x);
    const auto six = SplitProduct<SplitSix, Model>::multiply(wp, x);

    ASSERT_EQ(three.re, (re(0, 0) + re(1, 0)) + re(0, 1));
    ASSERT_EQ(six.re, ((((re(0, 0) + re(0, 1)) + re(0, 2)) + re(1, 0)) + re(1, 1)) + re(1, 2));
  }
}

}  // namespace fftprec::testing
