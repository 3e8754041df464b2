/// Rounding one value to a format, against MPFR: every rounding, special values, and all of bf16.
#include "arith/formats/round.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "tests/support/bf16_pairs.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

/// Rounds in every way and compares with both judges. Stops at the first failures, which it prints.
class RoundingCheck {
 public:
  explicit RoundingCheck(const Format& format)
      : format_(format), judge_(format, 64), ieee_(format), has_ieee_(IeeeJudge::knows(format)) {}

  void operator()(double x) {
    for (const Rounding rounding : deterministic) {
      const double truth = judge_(Operation::identity, rounding, x);
      check(x, rounding, truth);
      if (has_ieee_ && IeeeJudge::knows(rounding))
        check(x, rounding, ieee_(Operation::identity, rounding, x));
    }
    ++checked_;
  }
  void both_signs(double x) {
    (*this)(x);
    (*this)(-x);
  }
  int checked() const { return checked_; }

 private:
  void check(double x, Rounding rounding, double truth) {
    if (failures_ >= 10) return;
    const double actual = round(x, format_, rounding);
    EXPECT_TRUE(same_value(actual, truth))
        << to_string(format_) << " " << name_of(rounding) << " of " << show(x);
    if (!same(actual, truth)) ++failures_;
  }

  Format format_;
  Judge judge_;
  IeeeJudge ieee_;
  bool has_ieee_;
  int checked_ = 0;
  int failures_ = 0;
};

/// The format's non-negative finite values in order, then the first value beyond the top.
std::vector<double> values_of(const Format& format) {
  std::vector<double> values = {0};
  const long first = format.subnormals ? 1 : 1L << (format.precision - 1);
  for (long m = first; m < 1L << format.precision; ++m)
    values.push_back(std::ldexp(static_cast<double>(m), format.emin - format.precision + 1));
  for (int exponent = format.emin + 1; exponent <= format.emax; ++exponent)
    for (long m = 1L << (format.precision - 1); m < 1L << format.precision; ++m)
      values.push_back(std::ldexp(static_cast<double>(m), exponent - format.precision + 1));
  values.push_back(std::ldexp(1.0, format.emax + 1));
  return values;
}

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(Round, EveryValueMidpointAndNeighbourOfASmallFormatRoundsAsMpfrSays) {
  for (const Format& format :
       {fp8_e4m3, fp8_e4m3fn, fp8_e5m2, bf16, fp16, Format{5, -14, 15, false, Overflow::saturate},
        Format{4, -6, 8, true, Overflow::saturate}, Format{4, -6, 8, false, Overflow::nan},
        Format{8, -126, 127, false, Overflow::infinity}, Format{2, -2, 2},
        Format{2, 0, 0, false, Overflow::nan}, Format{3, -1022, -1019},
        Format{6, -1022, -1017, false, Overflow::infinity},
        Format{4, 966, 970, true, Overflow::saturate}}) {
    const std::vector<double> values = values_of(format);
    RoundingCheck check(format);
    for (std::size_t i = 0; i < values.size(); ++i) {
      check.both_signs(values[i]);
      if (i + 1 == values.size()) break;
      const double midpoint = values[i] + (values[i + 1] - values[i]) / 2;
      check.both_signs(midpoint);
      check.both_signs(std::nextafter(midpoint, 0));
      check.both_signs(std::nextafter(midpoint, infinite));
      check.both_signs(std::nextafter(values[i + 1], 0));
      check.both_signs(std::nextafter(values[i], infinite));
    }
    EXPECT_GT(check.checked(), 1 << (format.precision + 1));
  }
}

TEST(Round, SampledDoublesOfEveryBinadeRoundAsMpfrSays) {
  for (const Format& format :
       {tf32, fp32, fp8_e4m3, fp8_e4m3fn, fp8_e5m2, bf16, fp16,
        Format{50, -1022, 1023, false, Overflow::infinity}, Format{50, -1000, 1000},
        Format{25, -126, 127}, Format{49, -300, 300, true, Overflow::saturate},
        Format{11, -1022, 1023}, Format{24, -126, 127, false, Overflow::infinity},
        Format{13, -40, 970, true, Overflow::nan}, Format{3, 100, 200}, Format{17, 970, 1023}}) {
    const int lowest = std::max(-1074, quantum_exponent(format) - 4);
    const int highest = std::min(1023, format.emax + 3);
    const int step = std::max(1, (highest - lowest) / 500);
    std::mt19937_64 random(1);
    RoundingCheck check(format);
    for (int exponent = lowest; exponent <= highest; exponent += step)
      for (int i = 0; i < 4; ++i) {
        const double noise = std::ldexp(static_cast<double>(random() >> 11), -53);
        check.both_signs(std::ldexp(1 + noise, exponent));
        const int bits = std::min(format.precision + 2, 52);
        const double coarse = std::ldexp(std::floor(std::ldexp(1 + noise, bits)), -bits);
        check.both_signs(std::ldexp(coarse, exponent));  // often a tie or a value
        check.both_signs(std::nextafter(std::ldexp(coarse, exponent), 0));
      }
    for (const double x :
         {0.0, infinite, max_finite(format), min_normal(format), min_subnormal(format),
          std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()})
      for (const double near : {std::nextafter(x, 0), x, std::nextafter(x, infinite)})
        check.both_signs(near);
    EXPECT_GT(check.checked(), 100);
  }
}

TEST(Round, Fp64IsTheIdentity) {
  for (const Rounding rounding : deterministic)
    for (const double x : {0.1, -0.0, 5e-324, 1.7976931348623157e308, infinite, -1e-310})
      EXPECT_TRUE(same_value(round(x, fp64, rounding), x)) << name_of(rounding);
}

TEST(Round, WorksInConstantExpressions) {
  static_assert(round(1.00390625, bf16, Rounding::rne) == 1.0);
  static_assert(round(1.00390625, bf16, Rounding::rna) == 1.0078125);
  static_assert(round(1e-9, fp8_e4m3, Rounding::ru) == 0x1p-9);
  static_assert(round(465, fp8_e4m3fn, Rounding::rz) == 448);
}

TEST(Round, RefusesStochasticRoundingWithoutRandomBits) {
  EXPECT_THROW(round(1.0, bf16, Rounding::sr), InputError);
}

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

/// By the roundings rne, rna, rz, ru, rd and odd.
TEST(Round, FollowsTheOverflowRuleAtTheTopAndKnowsNoSubnormalsWithoutThem) {
  constexpr double inf = infinite, none = not_a_number;
  constexpr Format saturating{4, -6, 8, true, Overflow::saturate};  // max 480
  /// Without subnormals the neighbours below 2^emin are 0 (even) and 2^emin.
  constexpr Format flushing{5, -14, 15, false};
  struct Top {
    Format format;
    double x;
    double rounded[6];
  };
  for (const auto& [format, x, expected] : {
           Top{fp16, 65519, {65504, 65504, 65504, inf, 65504, 65504}},
           {fp16, 65520, {inf, inf, 65504, inf, 65504, 65504}},
           {fp16, -65520, {-inf, -inf, -65504, -65504, -inf, -65504}},
           {fp16, 1e300, {inf, inf, 65504, inf, 65504, 65504}},
           {fp16, -inf, {-inf, -inf, -inf, -inf, -inf, -inf}},
           {saturating, 496, {480, 480, 480, 480, 480, 480}},
           {saturating, -1e300, {-480, -480, -480, -480, -480, -480}},
           {saturating, inf, {480, 480, 480, 480, 480, 480}},
           {fp8_e4m3fn, 464, {448, none, 448, none, 448, 448}},
           {fp8_e4m3fn, 465, {none, none, 448, none, 448, 448}},
           {fp8_e4m3fn, -480, {none, none, -448, -448, none, -448}},
           {fp8_e4m3fn, -inf, {none, none, none, none, none, none}},
           {flushing, 0x1p-15, {0, 0x1p-14, 0, 0x1p-14, 0, 0x1p-14}},
           {flushing, 0x1.8p-15, {0x1p-14, 0x1p-14, 0, 0x1p-14, 0, 0x1p-14}},
           {flushing, -0x1p-16, {-0.0, -0.0, -0.0, -0.0, -0x1p-14, -0x1p-14}},
           {flushing, 0x1p-14, {0x1p-14, 0x1p-14, 0x1p-14, 0x1p-14, 0x1p-14, 0x1p-14}},
       })
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_TRUE(same_value(round(x, format, deterministic[i]), expected[i]))
          << to_string(format) << " " << name_of(deterministic[i]) << " of " << show(x);
}

TEST(Bf16Pairs, OfEveryOperandWithTwelveOthersAreRoundedAsMpfrSays) {
  const Bf16Operands operands;
  for (const Operation operation :
       {Operation::add, Operation::subtract, Operation::multiply, Operation::divide}) {
    Bf16PairCheck check(operands, operation);
    const std::uint32_t seed = 1;
    std::uint32_t state = seed;
    for (std::uint32_t a = 0; a < 1u << 16; ++a)
      for (int i = 0; i < 12; ++i) {
        state = state * 1664525 + 1013904223;
        std::uint32_t b = state >> 16;
        if (i % 3 == 1) b = (a & 0x7f80u) ^ (b & 0x87ffu);  // exponents near: sums round, or cancel
        if (i % 3 == 2) b = (0x7f00u - (a & 0x7f80u)) ^ (b & 0x83ffu);  // product near 1
        b &= 0xffffu;

        ASSERT_TRUE(check.agree(a, b))
            << show(bf16_of(a).carrier()) << " " << name_of(operation) << " "
            << show(bf16_of(b).carrier()) << ": "
            << same_value(check.actual(a, b), check.truth(a, b)).message() << ", seed " << seed;
      }
  }
}

}  // namespace

}  // namespace fftprec::testing
