/// The published probes of matrix units, alignment and blocks: each preset answers as
/// its source says.
///
/// The expected answers are worked out by hand from the published descriptions that
/// arith/machines/presets.cpp names; the reasoning stands beside each.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/arith/probes.hpp"

namespace fftprec::testing {

/// c = 1, a product of 2^-24 and one of -1 in one block: 2^-24 is left if an extra bit is kept
/// (Fasi et al. 2021, section 3.2); with 2^-25 a second one, with 2^-26 a third.
TEST(Probe, ExtraAlignmentBitsAreNoneOnV100OneOnA100TwoOnH100) {
  const auto extra_bits = [](const char* name, const Format& operands) {
    int bits = 0;
    while (bits < 4 && sum_of_powers(preset(name), operands, 1, {{-24 - bits}, {0, -1}}) ==
                           std::ldexp(1.0f, -24 - bits))
      ++bits;
    return bits;
  };

  EXPECT_EQ(extra_bits("nv-volta", fp16), 0);
  EXPECT_EQ(extra_bits("nv-turing", fp16), 1);
  EXPECT_EQ(extra_bits("nv-ampere", fp16), 1);
  EXPECT_EQ(extra_bits("nv-ampere", bf16), 1);
  EXPECT_EQ(extra_bits("nv-ampere", tf32), 1);
  EXPECT_EQ(extra_bits("nv-ada", bf16), 1);
  EXPECT_EQ(extra_bits("nv-hopper", fp16), 2);
  EXPECT_EQ(extra_bits("nv-hopper", bf16), 2);
  EXPECT_EQ(extra_bits("nv-hopper", tf32), 2);
  EXPECT_EQ(extra_bits("nv-blackwell", bf16), 2);
}

/// Bits that are cut go toward zero, or down: -2^-30 beside 1 - 1 leaves -0 of a unit when cut
/// toward zero. AMD's CDNA3 cuts products toward zero but the sum of products and c by floor: c =
/// 2^10 and a product -2^-30 gives the floor at 2^(10-31) = 2^-21, 2^10 - 2^-21, which rounds (rne,
/// unit 2^-13) to 2^10. With c = -2^-30 beside products 2^10: c is cut by floor at 2^(10-24) to
/// -2^-14, a quarter of the unit 2^-14 below 2^10 in [2^9, 2^10): 2^10 - 2^-14 is held.
TEST(Probe, CutBitsGoTowardZeroAndALateCByFloor) {
  EXPECT_EQ(sum_of_powers(preset("nv-hopper"), bf16, 1, {{-30, -1}, {0, -1}}), 0.0f);
  EXPECT_EQ(sum_of_powers(preset("amd-cdna3"), bf16, 0x1p10f, {{-30, -1}}), 0x1p10f);
  EXPECT_EQ(sum_of_powers(preset("amd-cdna3"), bf16, -0x1p-30f, {{10}}), 0x1p10f - 0x1p-14f);
  EXPECT_EQ(sum_of_powers(preset("nv-hopper"), bf16, -0x1p-30f, {{10}}), 0x1p10f);
}

/// The last rounding. 1 + 3 2^-25 in one block is above the tie 2^-24: rne gives 1 + 2^-23, rz 1;
/// with F = 25 both terms are whole.
TEST(Probe, TheResultIsTruncatedOnNvidiaAndRoundedOnAmd) {
  const std::vector<Power> terms{{0}, {-24}, {-25}};

  EXPECT_EQ(sum_of_powers(preset("nv-hopper"), bf16, 0, terms), 1.0f);
  EXPECT_EQ(sum_of_powers(preset("nv-blackwell"), bf16, 0, terms), 1.0f);
  // amd-cdna3 cuts 2^-25 at 24 bits: 1 + 2^-24 is a tie, to even. 2^-24 twice is no tie.
  EXPECT_EQ(sum_of_powers(preset("amd-cdna3"), bf16, 0, terms), 1.0f);
  EXPECT_EQ(sum_of_powers(preset("amd-cdna3"), bf16, 0, {{0}, {-24}, {-24}}), 1 + 0x1p-23f);
  EXPECT_EQ(sum_of_powers(preset("trn-exact"), bf16, 0, terms), 1 + 0x1p-23f);
  // Negative sums are truncated toward zero, not down.
  EXPECT_EQ(sum_of_powers(preset("nv-hopper"), bf16, 0, {{0, -1}, {-24, -1}, {-25, -1}}), -1.0f);
}

/// Sums are not normalised between terms: 2^-24 eight times beside 1 - 1 is 2^-21 on an A100, and a
/// carry out of [1, 2) costs no bit: 1.5 + 1.5 + 2^-24 - 3 keeps 2^-24.
TEST(Probe, ABlockIsNormalisedOnceAtItsEnd) {
  const std::vector<float> a{1.5f, 1.5f, 0x1p-12f, -1.5f, -1.5f}, b{1, 1, 0x1p-12f, 1, 1};

  EXPECT_EQ(answer(preset("nv-ampere"), bf16, 0, a, b), 0x1p-24f);
  EXPECT_EQ(answer(preset("nv-hopper"), fp16, 0, a, b), 0x1p-24f);
  EXPECT_EQ(answer(preset("trn"), bf16, 0, a, b), 0.0f);  // 3 + 2^-24 rounds to 3
}

/// A product aligns by the sum of its operands' exponents, not by its own: 1.5 * 1.5 = 2.25 counts
/// as exponent 0, so beside it 2^-25 is the last place of F = 25; by its own exponent it is lost.
TEST(Probe, ProductsAlignUnnormalised) {
  const std::vector<float> a{1.5f, 0x1p-12f, -1.5f}, b{1.5f, 0x1p-13f, 1.5f};

  EXPECT_EQ(answer(preset("nv-hopper"), bf16, 0, a, b), 0x1p-25f);
  EXPECT_EQ(answer(preset("nv-ampere"), bf16, 0, a, b), 0.0f);  // F = 24
}

/// 2^12 first and -2^12 `distance` products later, with c = 2^-12: c survives as long as both are
/// in one block. Otherwise 2^12 + 2^-12 is rounded to fp32 between them.
TEST(Probe, BlocksAreAsLongAsTheSourceSays) {
  const auto block = [](const char* name, const Format& operands) {
    std::size_t distance = 1;
    for (; distance < 64; ++distance) {
      std::vector<Power> powers(distance + 1, Power{0, 0});
      powers.front() = {12};
      powers.back() = {12, -1};
      if (sum_of_powers(preset(name), operands, 0x1p-12f, powers) != 0x1p-12f) break;
    }
    return distance;
  };

  EXPECT_EQ(block("nv-turing", fp16), 8u);
  EXPECT_EQ(block("nv-ampere", bf16), 8u);
  EXPECT_EQ(block("nv-ampere", fp16), 8u);
  EXPECT_EQ(block("nv-ampere", tf32), 4u);
  EXPECT_EQ(block("nv-ada", tf32), 4u);
  EXPECT_EQ(block("nv-hopper", bf16), 16u);
  EXPECT_EQ(block("nv-hopper", tf32), 8u);
  EXPECT_EQ(block("nv-blackwell", fp16), 16u);
  EXPECT_EQ(block("nv-blackwell", fp8_e4m3fn), 32u);
  EXPECT_EQ(block("amd-cdna1", fp16), 4u);
  EXPECT_EQ(block("amd-cdna1", bf16), 2u);
  EXPECT_EQ(block("amd-cdna2", bf16), 4u);
  EXPECT_EQ(block("amd-cdna3", bf16), 8u);
  EXPECT_EQ(block("amd-cdna3", tf32), 4u);
  EXPECT_EQ(block("intel-amx", bf16), 32u);
}

/// Volta has no extra bit, so 2^12 + 2^-11 is a float and passes from block to block. 2 2^12 +
/// 2^-11 is not: it loses 2^-11 (rz) unless at least one -2^12 is in the same block of 4.
TEST(Probe, VoltaAddsFourProductsAtOnce) {
  std::size_t distance = 2;
  for (; distance < 16; ++distance) {
    std::vector<Power> powers(distance + 2, Power{0, 0});
    powers[0] = powers[1] = {12};
    powers[distance] = powers[distance + 1] = {12, -1};
    if (sum_of_powers(preset("nv-volta"), fp16, 0x1p-11f, powers) != 0x1p-11f) break;
  }

  EXPECT_EQ(distance, 4u);
}

/// fp8 on Ada and Hopper: F = 13, and the sum leaves with 13 fraction bits. 1 + 2^-13 is held,
/// 2^-14 beside 1 is cut, also twice; Blackwell keeps both (F = 25).
TEST(Probe, Fp8KeepsThirteenBitsOnAdaAndHopper) {
  const auto with_one = [](const char* name, int exponent, std::size_t count) {
    std::vector<Power> powers(count, Power{exponent});
    powers.insert(powers.begin(), Power{0});
    return sum_of_powers(preset(name), fp8_e5m2, 0, powers);
  };

  for (const char* name : {"nv-ada", "nv-hopper"}) {
    EXPECT_EQ(with_one(name, -13, 1), 1 + 0x1p-13f) << name;
    EXPECT_EQ(with_one(name, -14, 2), 1.0f) << name;
    // The sum 2 + 2^-13 is aligned whole, and loses its last bit as it leaves.
    EXPECT_EQ(sum_of_powers(preset(name), fp8_e5m2, 0, {{0}, {0}, {-13}}), 2.0f) << name;
  }
  EXPECT_EQ(with_one("nv-blackwell", -14, 2), 1 + 0x1p-13f);
}

/// Khattak and Mikaitis 2025, MMA-Sim 2025: alignment has a lowest exponent, -132 on Ampere and
/// -133 on Hopper, so the last place is 2^-156 and 2^-158, below fp32's least number 2^-149: eight
/// products of 2^-152 in one block make one of those.
TEST(Probe, TheLowestAlignmentIsBelowWhatFp32Holds) {
  const std::vector<Power> eight(8, Power{-152});
  const auto sum = [&](const char* name) { return sum_of_powers(preset(name), bf16, 0, eight); };

  EXPECT_EQ(sum("nv-ampere"), 0x1p-149f);
  EXPECT_EQ(sum("nv-hopper"), 0x1p-149f);
  EXPECT_EQ(sum("amd-cdna3"), 0x1p-149f);
  EXPECT_EQ(sum("trn"), 0.0f);  // each addition rounds 2^-152 to 0
}

}  // namespace fftprec::testing
