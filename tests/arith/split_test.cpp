/// Words of a split: their grid, what they leave, and where fp16 words under- or overflow.
#include "arith/splitting/split.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

/// Any significand, with an exponent in [lowest, highest].
float random_float(std::mt19937& random, int lowest, int highest) {
  const float significand = 1 + std::ldexp(static_cast<float>(random() >> 9), -23);
  const int exponent =
      lowest + static_cast<int>(random() % static_cast<unsigned>(highest - lowest + 1));
  return std::ldexp(random() % 2 == 0 ? significand : -significand, exponent);
}

/// Half of what `words` words leave of a value in [2^e, 2^(e+1)) at most, as a multiple of 2^e.
double left_over(const Format& word, int words) {
  return std::ldexp(1.0, 1 - (word.precision + 1) * words);
}

/// Expects every word on its grid, and after each word at most what split_words promises.
template <Format word, std::size_t words, int scale>
void expect_words(float x) {
  const auto parts = split_words<word, words, scale>(Complex<float>{x, -x});
  const double binade = std::ldexp(1.0, std::ilogb(x));
  double rest = static_cast<double>(x);
  for (std::size_t i = 0; i < words; ++i) {
    const float part = parts.word[i].re;
    ASSERT_EQ(part, leading_word<word>(part)) << "word " << i << " of " << show(rest);
    ASSERT_EQ(-part, parts.word[i].im);
    rest -= std::ldexp(static_cast<double>(part), -scale * static_cast<int>(i));
    ASSERT_LE(std::fabs(rest), binade * left_over(word, static_cast<int>(i) + 1))
        << "word " << i << " of " << show(static_cast<double>(x)) << ", seed 3";
  }
}

}  // namespace

TEST(SplitWords, EachSettlesOneBitMoreThanItHolds) {
  std::mt19937 random(3);
  for (int i = 0; i < 100000; ++i) {
    const float x = random_float(random, -90, 100);
    expect_words<bf16, 3, 0>(x);
    expect_words<tf32, 3, 0>(x);
    expect_words<fp16, 2, 11>(random_float(random, -13, 14));
    if (HasFatalFailure()) return;
  }
}

TEST(SplitWords, ThreeOfBf16AndOfTf32HoldAnFp32Value) {
  std::mt19937 random(4);
  for (int i = 0; i < 100000; ++i) {
    const float x = random_float(random, -90, 100);
    const auto short_words = split_words<bf16, 3, 0>(Complex<float>{x, 0});
    const auto long_words = split_words<tf32, 3, 0>(Complex<float>{x, 0});
    ASSERT_EQ(short_words.word[0].re + (short_words.word[1].re + short_words.word[2].re), x);
    ASSERT_EQ(long_words.word[0].re + (long_words.word[1].re + long_words.word[2].re), x);
  }
}

TEST(SplitWords, TwoOfBf16DoNotHoldAnFp32Value) {
  const float x = 1 + 0x1p-9f + 0x1p-23f;
  const auto words = split_words<bf16, 2, 0>(Complex<float>{x, 0});
  EXPECT_EQ(words.word[0].re + words.word[1].re, x - 0x1p-23f);
}

TEST(SplitWords, OfFp16OverflowFrom65520On) {
  const auto below = split_words<fp16, 2, 11>(Complex<float>{65519.996f, 0});
  EXPECT_EQ(below.word[0].re, 65504);
  EXPECT_EQ(below.word[1].re, 32768);
  const auto above = split_words<fp16, 2, 11>(Complex<float>{65520, 0});
  EXPECT_TRUE(std::isinf(above.word[0].re));
  EXPECT_TRUE(std::isinf(above.word[1].re));
}

TEST(SplitWords, OfFp16EndAt2ToTheMinus36) {
  std::mt19937 random(6);
  for (int i = 0; i < 100000; ++i) {
    const float x = random_float(random, -60, -14);
    const auto parts = split_words<fp16, 2, 11>(Complex<float>{x, 0});
    const double rest = static_cast<double>(x) - static_cast<double>(parts.word[0].re) -
                        std::ldexp(static_cast<double>(parts.word[1].re), -11);
    ASSERT_LE(std::fabs(rest), 0x1p-36) << show(static_cast<double>(x)) << ", seed 6";
  }
}

TEST(SplitWords, OfFp16NeedTheScaleForTheirRests) {
  const float x = (1 + 0x1p-12f + 0x1p-22f) * 0x1p-13f;
  const auto scaled = split_words<fp16, 2, 11>(Complex<float>{x, 0});
  const auto unscaled = split_words<fp16, 2, 0>(Complex<float>{x, 0});
  EXPECT_EQ(scaled.word[0].re + scaled.word[1].re * 0x1p-11f, x);
  EXPECT_EQ(unscaled.word[0].re + unscaled.word[1].re, 0x1p-13f + 0x1p-24f);
  const float small = 0x1p-20f + 0x1p-36f;
  const auto lost = split_words<fp16, 2, 11>(Complex<float>{small, 0});
  EXPECT_EQ(lost.word[0].re + lost.word[1].re * 0x1p-11f, 0x1p-20f);
}

}  // namespace fftprec::testing
