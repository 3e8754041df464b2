/// The corners of rounding, by hand: NaN payloads, infinities, signed zeros, overflow rules,
/// missing subnormals, and the short bf16 form.
#include <cmath>
#include <cstring>
#include <random>

#include "arith/formats/round.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {
namespace {

constexpr Rounding deterministic[] = {Rounding::rne, Rounding::rna, Rounding::rz,
                                      Rounding::ru,  Rounding::rd,  Rounding::odd};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::uint64_t bits_of(double x) { return __builtin_bit_cast(std::uint64_t, x); }
std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }
float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

TEST(RoundNan, StaysAQuietNanWithItsSignAndLeadingPayload) {
  for (const Rounding rounding : deterministic)
    for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{1} << 63})
      for (const std::uint64_t payload :
           {0x0000000000001ull, 0x8000000000000ull, 0xfffffffffffffull, 0x4a5a5a5a5a5a5ull}) {
        const std::uint64_t in = sign | 0x7ff0000000000000ull | payload;

        const double out = round(__builtin_bit_cast(double, in), bf16, rounding);

        const std::uint64_t kept = payload & 0xfe00000000000ull;  // bf16 holds 7 fraction bits
        EXPECT_EQ(bits_of(out), sign | 0x7ff8000000000000ull | kept)
            << std::hex << in << " " << name_of(rounding);
      }
}

TEST(RoundNan, KeepsTheLeadingPayloadOfAFloatGoingToBf16) {
  for (const std::uint32_t sign : {0u, 0x80000000u})
    for (const std::uint32_t payload : {1u, 0x7fffu, 0x8000u, 0xffffu, 0x3f8000u, 0x7fffffu}) {
      const std::uint32_t in = sign | 0x7f800000u | payload;

      const float out = leading_word<bf16>(float_of(in));

      EXPECT_EQ(bits_of(out), sign | 0x7fc00000u | (payload & 0x7f0000u)) << std::hex << in;
    }
}

TEST(RoundToBf16, ShortFormIsRoundingForEveryValueWhoseNansAreOnTheGrid) {
  std::mt19937 random(2);
  for (int i = 0; i < 1 << 20; ++i) {
    std::uint32_t bits = static_cast<std::uint32_t>(random());
    if (i % 3 == 0) bits = (bits & 0xffff0000u) | (0x7ffeu + bits % 4);  // about a tie
    if ((bits & 0x7fffffffu) > 0x7f800000u) bits = (bits & 0xffff0000u) | 0x400000u;
    const float x = float_of(bits);

    const double truth = round(static_cast<double>(x), bf16, Rounding::rne);

    ASSERT_TRUE(same_value(round_to_bf16(x), truth)) << std::hex << bits;
    ASSERT_TRUE(same_value(leading_word<bf16>(x), truth)) << std::hex << bits;
    if (x != x) {
      ASSERT_EQ(bits_of(round_to_bf16(x)), bits);
    }
  }
}

TEST(RoundToBf16, ShortFormNeedsItsConditionOnNans) {
  const float nan_below_the_grid = float_of(0x7f800001u);

  EXPECT_TRUE(std::isinf(round_to_bf16(nan_below_the_grid)));
  EXPECT_TRUE(std::isnan(leading_word<bf16>(nan_below_the_grid)));
}

TEST(RoundZero, KeepsItsSignAndSoDoesWhatBecomesZero) {
  for (const Rounding rounding : deterministic)
    for (const Format& format : {bf16, fp16, fp8_e4m3fn, Format{5, -14, 15, false}}) {
      EXPECT_TRUE(same_value(round(0.0, format, rounding), 0.0));
      EXPECT_TRUE(same_value(round(-0.0, format, rounding), -0.0));
      EXPECT_TRUE(std::signbit(round(-1e-300, format, rounding)));
    }
  EXPECT_TRUE(same_value(round(-1e-300, fp16, Rounding::rne), -0.0));
  EXPECT_TRUE(same_value(round(-1e-300, fp16, Rounding::ru), -0.0));
}

struct TopCase {
  Format format;
  double x;
  double rne, rna, rz, ru, rd, odd;
};

class RoundTop : public ::testing::TestWithParam<TopCase> {};

TEST_P(RoundTop, FollowsTheOverflowRule) {
  const TopCase& top = GetParam();
  const double expected[] = {top.rne, top.rna, top.rz, top.ru, top.rd, top.odd};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_TRUE(same_value(round(top.x, top.format, deterministic[i]), expected[i]))
        << to_string(top.format) << " " << name_of(deterministic[i]) << " of " << show(top.x);
}

constexpr Format saturating{4, -6, 8, true, Overflow::saturate};  // max 480

INSTANTIATE_TEST_SUITE_P(
    Infinity, RoundTop,
    ::testing::Values(TopCase{fp16, 65519, 65504, 65504, 65504, infinity, 65504, 65504},
                      TopCase{fp16, 65520, infinity, infinity, 65504, infinity, 65504, 65504},
                      TopCase{fp16, -65520, -infinity, -infinity, -65504, -65504, -infinity,
                              -65504},
                      TopCase{fp16, 1e300, infinity, infinity, 65504, infinity, 65504, 65504},
                      TopCase{fp16, -infinity, -infinity, -infinity, -infinity, -infinity,
                              -infinity, -infinity}));
INSTANTIATE_TEST_SUITE_P(
    Saturate, RoundTop,
    ::testing::Values(TopCase{saturating, 496, 480, 480, 480, 480, 480, 480},
                      TopCase{saturating, -1e300, -480, -480, -480, -480, -480, -480},
                      TopCase{saturating, infinity, 480, 480, 480, 480, 480, 480}));
INSTANTIATE_TEST_SUITE_P(
    Nan, RoundTop,
    ::testing::Values(TopCase{fp8_e4m3fn, 464, 448, nan, 448, nan, 448, 448},
                      TopCase{fp8_e4m3fn, 465, nan, nan, 448, nan, 448, 448},
                      TopCase{fp8_e4m3fn, -480, nan, nan, -448, -448, nan, -448},
                      TopCase{fp8_e4m3fn, -infinity, nan, nan, nan, nan, nan, nan}));
/// Without subnormals the neighbours below 2^emin are 0 (even) and 2^emin.
constexpr Format flushing{5, -14, 15, false};
INSTANTIATE_TEST_SUITE_P(
    WithoutSubnormals, RoundTop,
    ::testing::Values(TopCase{flushing, 0x1p-15, 0, 0x1p-14, 0, 0x1p-14, 0, 0x1p-14},
                      TopCase{flushing, 0x1.8p-15, 0x1p-14, 0x1p-14, 0, 0x1p-14, 0, 0x1p-14},
                      TopCase{flushing, -0x1p-16, -0.0, -0.0, -0.0, -0.0, -0x1p-14, -0x1p-14},
                      TopCase{flushing, 0x1p-14, 0x1p-14, 0x1p-14, 0x1p-14, 0x1p-14, 0x1p-14,
                              0x1p-14}));

}  // namespace
}  // namespace fftprec::testing
