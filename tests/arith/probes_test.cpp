/// The published probes of matrix units, order, rounding, alignment and the ends of the range: each
/// preset answers as its source says.
///
/// The expected answers are worked out by hand from the published descriptions that
/// arith/machines/presets.cpp names; the reasoning stands beside each.
#include "tests/arith/probes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "arith/accumulators/definition.hpp"
#include "arith/machines/parameters.hpp"
#include "arith/splitting/block_scaling.hpp"
#include "arith/support/error.hpp"

namespace fftprec::testing {

/// (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14. It needs 15 bits, which every published unit keeps; rounded to
/// 8 bits it is 1 + 2^-6 (2^-14 is far below the tie 2^-8). Only trn-claim rounds products.
TEST(Probe, ASquareTellsExactProductsFromRoundedOnes) {
  const std::vector<float> x{1 + 0x1p-7f};
  int asked = 0;
  for (const Machine& machine : machines()) {
    // PSUM in bf16 rounds the sum on write, with random bits or without.
    if (machine.psum != fp32) continue;
    ++asked;
    EXPECT_EQ(answer(machine, sixteen_bits(machine), 0, x, x),
              machine.name == "trn-claim" ? 1.015625f : 1.01568603515625f)
        << machine.name;
  }
  EXPECT_GE(asked, 20);
  const std::vector<float> of_11_bits{1 + 0x1p-10f};
  EXPECT_EQ(answer(preset("trn"), fp16, 0, of_11_bits, of_11_bits), 1 + 0x1p-9f + 0x1p-20f);
  EXPECT_EQ(answer(preset("trn-claim"), fp16, 0, of_11_bits, of_11_bits), 1.0f);
}

/// bf16 PSUM: the exact 1 + 2^-6 + 2^-14 is rounded once, on write.
TEST(Probe, ABf16PsumRoundsTheSumOnWrite) {
  const std::vector<float> x{1 + 0x1p-7f};

  EXPECT_EQ(answer(preset("trn3-bf16psum"), bf16, 0, x, x), 1.015625f);
  // 1 + 2^-8 is a tie of bf16: as one product to even, but 1.0 stays while terms of 2^-8 come one
  // matmul at a time, whatever their number; fp32 PSUM keeps them.
  EXPECT_EQ(answer(preset("trn3-bf16psum"), bf16, 1, {0x1p-4f}, {0x1p-4f}), 1.0f);
  EXPECT_EQ(answer(preset("trn"), bf16, 1, {0x1p-4f}, {0x1p-4f}), 1 + 0x1p-8f);
}

namespace {

/// The sums of 2^large and -2^large with a 1 before, between and after them, one digit each.
std::string places_of_one(const Machine& machine, int large, const Format& operands) {
  std::string answers;
  for (const std::size_t place : {0u, 1u, 2u}) {
    std::vector<Power> terms{{large}, {large, -1}};
    terms.insert(terms.begin() + static_cast<std::ptrdiff_t>(place), Power{0});
    answers += std::to_string(static_cast<int>(sum_of_powers(machine, operands, 0, terms)));
  }
  return answers;
}

/// growth: 1 and 127 terms t = 2^-24 (1 + 2^-7), each just above half a unit u = 2^-23 of 1: the
/// excess over 1 in u. A sequential rne chain goes up by u each time; rz stays at 1; the reversed
/// chain sums the 127 terms first, 127 t = u (63.996), and 1 + that is 1 + 64 u; an exact sum the
/// same. Aligned units cut t, whose exponent is -24, to F = 23 bits: nothing is left; with F = 24 a
/// block of 8 keeps 2^-24 of each, 7 of them first, then 8: with rz 1 + 3 u, then 4 u more by each
/// of the 15 other blocks. F = 25 keeps 2^-24 as well (2^-31 is cut), a block of 16: 15/2 -> 7 u,
/// then 8 u by each of 7. Pairs (Arm): 1 + t rounds up to 1 + u, later pairs 2 t = u (1 + 2^-7) add
/// u each; exact sums of c and 2 (cdna1): the same. Even and odd chains of 16 in each instruction
/// of 32 (AMX): the even chain of the first is 1 + 15 u, the odd one 16 t exactly; their sum rounds
/// to 23 u; each of the three others adds 32 t: 16 u. AVX-512: the odd t of the first pair meets c
/// = 0, then 1: u; each of the 126 others adds u. Wormhole's first phase takes 2^-24 of each t, a
/// tie to even, and the 127 2^-31 of the next join Dst as less than a tie.
///
/// beside_24: 2^24 + 1 is a tie, to even 2^24, and cut to 2^24 by rz; 2^24 - 1 is held. Ascending,
/// or as a tree ((x0 + x1) + x2): lost, lost, kept. Descending the 1 meets 0 or -2^24 and is always
/// kept. Even and odd chains, x0 + x2 and x1: 1 - 2^24 is held, 2^24 + 1 is not. Exact, or with F
/// >= 24 inside one block: always kept. To odd: between 2^24 and 2^24 + 2 = 2 (2^23 + 1) the latter
/// is odd: 2 is left.
///
/// beside_25: 2^25 + 1 and 2^25 - 1 both round and are cut to 2^25 or beside it: 2^25 - 1 is a tie
/// of 2^25 - 2 = 2 (2^24 - 1) and 2^25, even. So where the 1 meets a large term it is lost,
/// whatever the sign. In one block of exponent 25 a 1 needs F = 25. To odd: 2^25 + 4 = 4 (2^23 +
/// 1).
///
/// alignment: 1 and four products 2^-25: the excess over 1 in u.
struct Answers {
  const char* machine;
  float growth;
  const char* beside_24;
  const char* beside_25;
  float alignment;
  bool flushes;  ///< subnormal operands of 16 bits, and sums
};

// Worked out by hand from the definitions that the presets' sources give.
constexpr Answers known_answers[] = {
    {"trn", 127, "001", "001", 0, false},           {"trn-claim", 127, "001", "001", 0, false},
    {"trn-rz", 0, "001", "001", 0, false},          {"trn-ftz", 127, "001", "001", 0, true},
    {"trn-reversed", 64, "111", "100", 1, false},   {"trn-segments", 79, "001", "001", 0, false},
    {"trn-tree", 64, "001", "001", 0, false},       {"trn-exact", 64, "111", "111", 1, false},
    {"trn3-bf16psum", 127, "001", "001", 0, false}, {"trn-autocast", 127, "001", "001", 0, false},
    {"trn-sr", 127, "001", "001", 0, false},        {"ieee", 127, "001", "001", 0, false},
    {"nv-volta", 0, "000", "000", 0, false},        {"nv-turing", 63, "111", "000", 0, false},
    {"nv-ampere", 63, "111", "000", 0, false},      {"nv-ada", 63, "111", "000", 0, false},
    {"nv-hopper", 63, "111", "111", 1, false},      {"nv-hopper-mma", 63, "111", "111", 1, false},
    {"nv-blackwell", 63, "111", "111", 1, false},   {"amd-cdna1", 64, "001", "001", 0, false},
    {"amd-cdna2", 64, "001", "001", 0, true},       {"amd-cdna3", 64, "111", "000", 0, false},
    {"tpu", 127, "001", "001", 0, false},           {"tpu-high", 127, "001", "001", 0, false},
    {"tpu-highest", 127, "001", "001", 0, false},   {"tt-wormhole", 0, "001", "001", 0, true},
    {"intel-amx", 71, "110", "010", 0, true},       {"x86-avx512bf16", 127, "001", "001", 0, true},
    {"arm-bfdot", 127, "221", "441", 1, true},      {"arm-ebf16", 64, "001", "001", 0, false},
};

}  // namespace

/// PSUM is fp32 here: in bf16 it rounds all of these sums.
TEST(Probe, EveryPresetAnswersAsItsSourceSays) {
  std::vector<float> growing(128, 0x1p-12f), above_half(128, 0x1p-12f * (1 + 0x1p-7f));
  growing[0] = above_half[0] = 1;
  EXPECT_EQ(std::size(known_answers), machines().size());
  for (const Answers& known : known_answers) {
    SCOPED_TRACE(known.machine);
    Machine machine = preset(known.machine);
    machine.psum = fp32;
    const Format operands = sixteen_bits(machine);
    const auto excess = [&](const std::vector<float>& a, const std::vector<float>& b) {
      return (answer(machine, operands, 0, a, b) - 1) * 0x1p23f;
    };
    const float subnormal = static_cast<float>(min_subnormal(operands));
    const float scale = operands == bf16 ? 0x1p20f : 0x1p10f;

    EXPECT_EQ(excess(growing, above_half), known.growth);
    EXPECT_EQ(places_of_one(machine, 24, operands), known.beside_24);
    EXPECT_EQ(places_of_one(machine, 25, operands), known.beside_25);
    EXPECT_EQ(excess({1, 0x1p-12f, 0x1p-12f, 0x1p-12f, 0x1p-12f},
                     {1, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f}),
              known.alignment);
    EXPECT_EQ(answer(machine, operands, 0, {subnormal}, {scale}),
              known.flushes ? 0.0f : subnormal * scale);
    if (operands == bf16) {
      EXPECT_EQ(answer(machine, bf16, 0, {0x1p-65f}, {0x1p-65f}), known.flushes ? 0 : 0x1p-130f);
    }
  }
  EXPECT_EQ(places_of_one(preset("amd-cdna1"), 25, fp16), "111");  // an exact sum of 4
  // 2^-75 * 2^-75 = 2^-150 is half the least fp32: to even 0.
  EXPECT_EQ(answer(preset("trn"), bf16, 0, {0x1p-75f}, {0x1p-75f}), 0.0f);
}

/// c = 2^-12 beside products 2^12 and -2^12 of one block: an early c of a rounding unit is lost in
/// 2^12 + 2^-12 (25 bits: a tie, to even), a late one survives; aligned units with c inside keep it
/// from F = 24 on.
TEST(Probe, AnEarlyCIsLostWhereALateOneSurvives) {
  const std::map<std::string, bool> keeps{
      {"tpu", false},         {"ieee", false},     {"intel-amx", true}, {"arm-bfdot", true},
      {"arm-ebf16", true},    {"amd-cdna2", true}, {"amd-cdna3", true}, {"nv-ampere", true},
      {"nv-blackwell", true}, {"trn", true}};  // trn: the tile by itself, then PSUM

  for (const auto& [name, kept] : keeps)
    EXPECT_EQ(sum_of_powers(preset(name), bf16, 0x1p-12f, {{12}, {12, -1}}), kept ? 0x1p-12f : 0.0f)
        << name;
  EXPECT_EQ(sum_of_powers(preset("nv-volta"), fp16, 0x1p-12f, {{12}, {12, -1}}), 0.0f);
}

/// c = 1 beside products 2^24 and -2^24: 1 + 2^24 is a tie, to even, so the 1 is lost where it
/// meets 2^24 first; 1 - 2^24 is held.
TEST(Probe, APairTakesTheOddProductFirstOnAvx512Bf16) {
  EXPECT_EQ(sum_of_powers(preset("x86-avx512bf16"), bf16, 1, {{24}, {24, -1}}), 1.0f);
  EXPECT_EQ(sum_of_powers(preset("x86-avx512bf16"), bf16, 1, {{24, -1}, {24}}), 0.0f);
  EXPECT_EQ(sum_of_powers(preset("tpu"), bf16, 1, {{24}, {24, -1}}), 0.0f);
  EXPECT_EQ(sum_of_powers(preset("tpu"), bf16, 1, {{24, -1}, {24}}), 1.0f);
}

/// The sums by which docs/machines.md tells units that have no preset of their own.
TEST(Probe, UnitsThatAreParametersAreTold) {
  const std::string half = "accumulate.format=fp16,accumulate.rounding=rne";
  const auto of = [](const std::string& name, const Format& operands, float c,
                     const std::vector<Power>& powers) {
    return sum_of_powers(preset(name), operands, c, powers);
  };
  const std::vector<Power> one_and_a_bit{{0}, {-11}, {-12}};
  EXPECT_EQ(of("nv-hopper{" + half + "}", fp16, 0, one_and_a_bit), 1 + 0x1p-10f);
  EXPECT_EQ(of("nv-hopper", fp16, 0, one_and_a_bit), 1 + 0x3p-12f);
  const std::vector<Power> low_tie{{-25}, {-48}};
  EXPECT_EQ(of("nv-hopper{" + half + "}", fp16, 0, low_tie), 0x1p-24f);
  EXPECT_EQ(of("nv-hopper{" + half + ",accumulate.lowest_exponent=-22}", fp16, 0, low_tie), 0);

  const auto of_pairs = [&](const char* name) {
    return answer(preset(name), bf16, 1, {0x1p24f, 0, -0x1p24f, 0}, {1, 1, 1, 1});
  };
  EXPECT_EQ(of_pairs("amd-cdna2"), 1);
  EXPECT_EQ(of_pairs("amd-cdna2{accumulate.block=2}"), 0);

  const auto of_quarters = [&](const std::string& name) {
    return answer(preset(name), fp4_e2m1, 0x1p24f, std::vector<float>(8, 0.5f),
                  std::vector<float>(8, 0.5f));
  };
  EXPECT_EQ(of_quarters("nv-blackwell"), 0x1p24f + 2);
  const std::string unscaled =
      "nv-blackwell{accumulate.block=32,accumulate.group=1,accumulate.group_exponent=product,"
      "accumulate.fraction_bits=25,accumulate.lowest_exponent=-133}";
  EXPECT_EQ(of_quarters(unscaled), 0x1p24f);
  EXPECT_EQ(accumulator_for(preset(unscaled), fp8_e5m2, fp4_e2m1).operands_of_b, fp4_e2m1);
}

/// Beyond the top: rz units of NVIDIA and Arm's odd unit give infinity, an rz chain by IEEE's rule
/// the largest finite number.
TEST(Probe, TruncationOverflowsToInfinityOnNvidiaOnly) {
  const std::vector<float> terms{0x1.fep127f, 0x1.fep127f};
  constexpr float infinity = std::numeric_limits<float>::infinity();

  for (const char* name : {"trn", "nv-ampere", "nv-hopper", "amd-cdna1", "amd-cdna3", "arm-bfdot"})
    EXPECT_EQ(sum_of(preset(name), bf16, terms), infinity) << name;
  EXPECT_EQ(sum_of(preset("trn-rz"), bf16, terms), std::numeric_limits<float>::max());
}

/// Infinities and NaNs among the products give what IEEE gives, in every preset that multiplies
/// operands as they are: parts of an infinity are none.
TEST(Probe, InfinitiesAndNansPass) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const Machine& machine : machines()) {
    if (!takes(machine, bf16) || machine.fidelity != Fidelity::whole) continue;
    EXPECT_EQ(sum_of(machine, bf16, {1, -infinity, 2}), -infinity) << machine.name;
    const float invalid = answer(machine, bf16, 0, {1, infinity, -infinity}, {1, 1, 1});
    EXPECT_NE(invalid, invalid) << machine.name;
  }
}

/// 1, as c or as a product, a product of 2^-24 and one of -1 in one block: 2^-24 is left if an
/// extra bit is kept (Fasi et al. 2021, section 3.2); with 2^-25 a second one, with 2^-26 a third.
/// Published sums tell the bits of other units (tests/silicon/published_dots.txt).
TEST(Probe, ExtraAlignmentBitsAreOneOnCdna3AndTwoOnB200) {
  const auto extra_bits = [](const char* name, const Format& operands) {
    for (int bits = -1;; ++bits) {
      const Power small{-24 - bits};
      const float with_c = sum_of_powers(preset(name), operands, 1, {small, {0, -1}});
      EXPECT_EQ(sum_of_powers(preset(name), operands, 0, {{0}, small, {0, -1}}), with_c) << name;
      if (with_c != std::ldexp(1.0f, small.exponent)) return bits;
    }
  };

  EXPECT_EQ(extra_bits("nv-blackwell", bf16), 2);
  EXPECT_EQ(extra_bits("nv-blackwell", fp8_e5m2), 2);
  EXPECT_EQ(extra_bits("amd-cdna3", bf16), 1);
  EXPECT_EQ(extra_bits("amd-cdna3", tf32), 1);
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
  EXPECT_EQ(block("nv-hopper", bf16), 16u);
  EXPECT_EQ(block("nv-blackwell", fp16), 16u);
  EXPECT_EQ(block("nv-blackwell", fp8_e4m3fn), 32u);
  EXPECT_EQ(block("amd-cdna3", bf16), 8u);
  EXPECT_EQ(block("amd-cdna3", tf32), 4u);
  EXPECT_EQ(block("intel-amx", bf16), 32u);
}

/// e2m1 on B200, scaled and not: c = 2^-25 beside products 1 and -1. Unscaled operands go in blocks
/// of 32 with 25 bits, scaled ones of 64 with 35.
TEST(Probe, UnscaledE2m1HasTheBlocksAndTheBitsOfFp8) {
  const auto kept = [](const char* name, std::size_t distance, int lowest) {
    std::vector<float> terms(distance + 1);
    terms.front() = 1;
    terms.back() = -1;
    const float c = std::ldexp(1.0f, lowest);
    return answer(preset(name), fp4_e2m1, c, terms, std::vector<float>(terms.size(), 1.0f)) == c;
  };

  const char* unscaled =
      "nv-blackwell{accumulate.block=32,accumulate.group=1,accumulate.group_exponent=product,"
      "accumulate.fraction_bits=25}";
  EXPECT_TRUE(kept(unscaled, 31, -25));
  EXPECT_FALSE(kept(unscaled, 31, -26));
  EXPECT_FALSE(kept(unscaled, 32, -25));
  EXPECT_TRUE(kept("nv-blackwell", 63, -35));
  EXPECT_FALSE(kept("nv-blackwell", 63, -36));
  EXPECT_FALSE(kept("nv-blackwell", 64, -35));
}

/// Formats of 8 bits meet in one unit; wider ones do not, nor do units that differ.
TEST(Probe, UnitsTakeTwoFormatsOfEightBits) {
  const auto takes_both = [](const char* machine, const Format& data, const Format& table) {
    try {
      return operands_of_b(accumulator_for(preset(machine), data, table)) == table;
    } catch (const NotApplicable&) {
      return false;
    }
  };
  constexpr Format e2m3{4, 0, 2, true, Overflow::saturate};
  constexpr Format e2m1{2, 0, 2, true, Overflow::saturate};
  EXPECT_TRUE(takes_both("nv-hopper", fp8_e4m3fn, fp8_e5m2));
  EXPECT_TRUE(takes_both("nv-ada", fp8_e5m2, fp8_e4m3fn));
  EXPECT_TRUE(takes_both("nv-blackwell", e2m3, fp8_e5m2));
  EXPECT_TRUE(takes_both("amd-cdna3", fp8_e4m3fnuz, fp8_e5m2fnuz));
  EXPECT_TRUE(takes_both("trn", fp8_e4m3, fp8_e5m2));
  EXPECT_FALSE(takes_both("nv-hopper", bf16, fp16));
  EXPECT_FALSE(takes_both("nv-blackwell", e2m1, fp8_e5m2));
  EXPECT_FALSE(takes_both("trn{fidelity=lofi}", fp8_e4m3, fp8_e5m2));
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

namespace {

/// An operand of `bits` significant bits as an integer, in parts: of data the first 7 bits and the
/// next 4, of a table 5 and 5. (tt-isa-documentation, SrcASrcB.md; data in SrcB.)
struct IntegerParts {
  long high;
  long low;

  IntegerParts(long whole, int bits, int first, int next) {
    const long unit = bits > first ? 1L << (bits - first) : 1;
    const long last = bits > first + next ? 1L << (bits - first - next) : 1;
    high = whole / unit * unit;
    low = (whole - high) / last * last;
  }
};

/// The phases that a fidelity runs, summed as integers.
long in_phases(const std::string& fidelity, long data, long table, int bits) {
  const IntegerParts x(data, bits, 7, 4), w(table, bits, 5, 5);
  long sum = x.high * w.high;
  if (fidelity != "lofi") sum += x.high * w.low;
  if (fidelity == "hifi3" || fidelity == "hifi4") sum += x.low * w.high;
  if (fidelity == "hifi4") sum += x.low * w.low;
  return sum;
}

Machine wormhole(const std::string& fidelity) {
  return preset("tt-wormhole{fidelity=" + fidelity + "}");
}

}  // namespace

/// Every product of two bf16 significands, and a fifth of those of fp16 and tf32: the sum of a few
/// phases has 22 bits at most, which fp32 holds, and so have its parts.
TEST(Probe, FidelitiesMultiplyTheirPartsOfEverySignificand) {
  for (const std::string fidelity : {"lofi", "hifi2", "hifi3", "hifi4"})
    for (const Format& operands : {bf16, fp16, tf32}) {
      const int bits = operands.precision;
      const long one = 1L << (bits - 1);
      const long step = bits == 8 ? 1 : 13;
      for (long data = one; data < 2 * one; data += step) {
        std::vector<float> a, b, c;
        for (long table = one; table < 2 * one; table += step)
          b.push_back(static_cast<float>(table));
        a.push_back(static_cast<float>(data));
        c.resize(b.size());
        Matmul<float> call{};
        call.stationary = a.data();
        call.stationary_k = call.stationary_m = call.m = call.k = 1;
        call.moving = b.data();
        call.moving_stride = call.psum_stride = call.n = b.size();
        call.psum = c.data();
        tensor_unit(wormhole(fidelity), operands).matmul(call);
        for (std::size_t i = 0; i < b.size(); ++i)
          ASSERT_EQ(static_cast<long>(c[i]),
                    in_phases(fidelity, data, static_cast<long>(b[i]), bits))
              << fidelity << ", " << to_string(operands) << ", " << data << " times " << b[i];
      }
    }
}

/// Three products tell the fidelities apart: 1.0000001 from the data (binary), 1.00001 from the
/// table, and both. The last bit of their product, 2^-12, is low times low.
TEST(Probe, ThreeProductsTellTheFidelitiesApart) {
  const float x = 1 + 0x1p-7f, w = 1 + 0x1p-5f;
  const auto told = [&](const std::string& fidelity) {
    const Machine machine = wormhole(fidelity);
    return std::vector<float>{answer(machine, bf16, 0, {x}, {1}),
                              answer(machine, bf16, 0, {1}, {w}),
                              answer(machine, bf16, 0, {x}, {w})};
  };
  EXPECT_EQ(told("lofi"), (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(told("hifi2"), (std::vector<float>{1, w, w}));
  EXPECT_EQ(told("hifi3"), (std::vector<float>{x, w, w + 0x1p-7f}));
  EXPECT_EQ(told("hifi4"), (std::vector<float>{x, w, x * w}));
  EXPECT_EQ(told("whole"), (std::vector<float>{x, w, x * w}));
}

/// Each phase joins Dst by itself: c = 2^28, in steps of 32, takes neither 16, a tie to even, nor
/// then 1/2. Their sum 16.5 at once would be a step.
TEST(Probe, EveryPhaseJoinsDstByItself) {
  EXPECT_EQ(answer(wormhole("hifi4"), bf16, 0x1p28f, {1}, {16.5f}), 0x1p28f);
  EXPECT_EQ(answer(wormhole("whole"), bf16, 0x1p28f, {1}, {16.5f}), 0x1p28f + 32);
  // 17 ones are one sum of a matmul, which is a step. In blocks of 16, as Tenstorrent's kernel has
  // them, they are 16, a tie, and then 1.
  const std::vector<float> ones(17, 1);
  const Machine kernel =
      preset("tt-wormhole{accumulate.block=16,accumulate.c=late,tiles=through,k_tile=32}");
  EXPECT_EQ(answer(wormhole("hifi4"), bf16, 0x1p28f, ones, ones), 0x1p28f + 32);
  EXPECT_EQ(answer(kernel, bf16, 0x1p28f, ones, ones), 0x1p28f);
}

/// 2^-8 - 2^-11 beside 1 lies half a place of tf32 below the middle of two bf16 values. Rounded
/// twice, ties away, it is a tie that goes up; what is a little less, and one rounding, stay at 1.
TEST(Probe, AWideTieBelowANarrowOneTellsADstThatRoundsTwice) {
  const auto sum = [](const std::string& writes, float term) {
    return answer(preset("tt-wormhole{psum=bf16" + writes + "}"), bf16, 1, {term}, {1});
  };
  const float tie = 0x1p-8f - 0x1p-11f;
  for (const float sign : {1.0f, -1.0f}) {
    const std::string via = ",psum.rounding=rna,psum.via=tf32";
    EXPECT_EQ(answer(preset("tt-wormhole{psum=bf16" + via + "}"), bf16, sign, {sign * tie}, {1}),
              sign * (1 + 0x1p-7f));
  }
  EXPECT_EQ(sum(",psum.rounding=rna,psum.via=tf32", tie - 0x1p-15f), 1);
  EXPECT_EQ(sum(",psum.via=tf32", tie), 1);
  EXPECT_EQ(sum(",psum.rounding=rna", tie), 1);
  EXPECT_EQ(sum(",psum.rounding=rna", 0x1p-8f), 1 + 0x1p-7f);
  EXPECT_EQ(sum("", 0x1p-8f), 1);
}

/// Products of Wormholes with a Dst of 16 bits, the first operand in SrcA: tt-metal #12923 (HiFi2
/// and HiFi4), #16448 (HiFi4) and the pull request #35077. A Dst of 32 bits gives 10.4375 for
/// 1.3125 times 7.96875 in HiFi4, too.
TEST(Probe, PhasesIntoANarrowDstGiveThePublishedProducts) {
  struct Published {
    const char* fidelity;
    float table, data, product;
  };
  for (const Published& each : {Published{"hifi2", 1.3125f, 7.96875f, 10.4375f},
                                {"hifi4", 1.3125f, 7.96875f, 10.5f},
                                {"hifi4", 508, 748, 378880},
                                {"hifi4", -3.640625f, 0.298828125f, -1.09375f},
                                {"hifi4", -3.640625f, 0.30078125f, -1.1015625f}})
    for (const char* writes : {"", ",psum.rounding=rna,psum.via=tf32"}) {
      const std::string name =
          std::string("tt-wormhole{psum=bf16,fidelity=") + each.fidelity + writes + "}";
      EXPECT_EQ(answer(preset(name), bf16, 0, {each.data}, {each.table}), each.product) << name;
    }
}

/// What is low is not subnormal where its operand is normal: (2^-126 + 2^-133) 2^100.
TEST(Probe, PartsOfNormalOperandsAreNotFlushed) {
  EXPECT_EQ(answer(wormhole("hifi4"), bf16, 0, {0x1p-126f + 0x1p-133f}, {0x1p100f}),
            0x1p-26f + 0x1p-33f);
  EXPECT_EQ(answer(wormhole("hifi4"), bf16, 0, {0x1p-127f}, {0x1p100f}), 0);
}

TEST(MachinePresets, AreValidAndSayTheirConfidence) {
  for (const Machine& machine : machines()) {
    EXPECT_NO_THROW(validate(machine)) << machine.name;
    EXPECT_EQ(canonical_name(machine), machine.name);
    if (machine.name == "ieee") continue;  // a definition, not hardware
    bool says = false;
    for (const char* letter : {"D", "M", "U"})
      says |= machine.summary.find("(" + std::string(letter)) != std::string::npos;
    EXPECT_TRUE(says) << machine.name << ": " << machine.summary;
  }
}

TEST(MachinePresets, Fp32BesideAMatrixUnitIsAChainOfFmas) {
  constexpr unsigned seed = 11;
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (const Machine& machine : machines()) {
    if (machine.fp32_matmul != Fp32Matmul::native || machine.name == "ieee") continue;
    std::vector<float> a(77);
    std::vector<float> b(77);
    float chain = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      a[k] = uniform(random);
      b[k] = uniform(random);
      chain = std::fma(a[k], b[k], chain);
    }

    EXPECT_EQ(dot(accumulator_for(machine, fp32), 0, a, b), chain)
        << machine.name << ", seed " << seed;
    EXPECT_EQ(machine.across_tiles, AcrossTiles::through) << machine.name;
  }
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 is a tie that plain fp32 rounds away.
  const std::vector<float> x{1 + 0x1p-12f, -1}, w{1 + 0x1p-12f, 1};
  EXPECT_EQ(dot(accumulator_for(machine_named("ieee"), fp32), 0, x, w), 0x1p-11f);
}

TEST(MachinePresets, AFormatWithoutAUnitIsRefusedWithThoseThatHaveOne) {
  try {
    accumulator_for(machine_named("nv-volta"), bf16);
    FAIL() << "no error";
  } catch (const NotApplicable& error) {
    EXPECT_STREQ(error.what(),
                 "machine nv-volta multiplies no matrices of bf16; it takes fp16, fp32");
  }
}

}  // namespace fftprec::testing
