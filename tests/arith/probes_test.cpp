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
#include <string>

#include "arith/splitting/block_scaling.hpp"

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

/// 1 and 127 terms t = 2^-24 (1 + 2^-7), each just above half a unit u = 2^-23 of 1.
///
/// A sequential rne chain goes up by u each time; rz stays at 1; the reversed chain sums the 127
/// terms first, 127 t = 2^-24 (127 + 127/128) = u (63.996), and 1 + that is 1 + 64 u; an exact sum
/// the same. Aligned units cut t, whose exponent is -24, to F = 23 bits: nothing is left; with F =
/// 24 a block of 8 keeps 2^-24 of each, 7 of them first, then 8: with rz 1 + 3 u, then 4 u more by
/// each of the 15 other blocks: 1 + 63 u. F = 25 keeps 2^-24 as well (2^-31 is cut), a block of 16:
/// 15/2 -> 7 u, then 8 u by each of 7: 1 + 63 u.
TEST(Probe, ManySmallTermsTellRoundingAndTruncation) {
  constexpr float u = 0x1p-23f;
  std::vector<float> terms(128, 0x1p-24f * (1 + 0x1p-7f));
  terms[0] = 1;
  const std::map<std::string, float> expected{
      {"trn", 1 + 127 * u},
      {"ieee", 1 + 127 * u},
      {"trn-rz", 1},
      {"trn-reversed", 1 + 64 * u},
      {"trn-exact", 1 + 64 * u},
      {"tpu", 1 + 127 * u},
      {"nv-ampere", 1 + 63 * u},
      {"nv-ada", 1 + 63 * u},
      {"nv-hopper", 1 + 63 * u},
      {"nv-blackwell", 1 + 63 * u},
      // Pairs first: 1 + t rounds up to 1 + u, later pairs 2 t = u (1 + 2^-7) add u each, since
      // the sum's distance to the grid, 2^-7 u, is below the tie: 1 + 64 u.
      {"arm-ebf16", 1 + 64 * u},
      // Exact sums of c and 2: the same pairs with c in one rounding.
      {"amd-cdna1", 1 + 64 * u},
      // Even and odd chains of 16 in each instruction of 32: the even chain of the first is 1 + 15
      // u, the odd one 16 t exactly; their sum, 15 u + 8 u + 2^-4 u, rounds to 23 u. Each of the
      // three others adds 32 t = 16 u + 2^-3 u: 16 u. 1 + 23 u + 48 u.
      {"intel-amx", 1 + 71 * u},
      // The odd t of the first pair meets c = 0, then 1: u; each of the 126 others adds u.
      {"x86-avx512bf16", 1 + 127 * u},
  };

  for (const auto& [name, sum] : expected)
    EXPECT_EQ(sum_of(preset(name), bf16, terms), sum) << name;
}

/// Volta takes fp16, which has no 2^-24 (1 + 2^-7): the term as a product of 2^-12 and 2^-12 (1 +
/// 2^-7). Its exponent, -24, is below the last place 2^-23: cut.
TEST(Probe, VoltaHasNoExtraBitForSmallTerms) {
  std::vector<float> a(128, 0x1p-12f), b(128, 0x1p-12f * (1 + 0x1p-7f));
  a[0] = b[0] = 1;

  EXPECT_EQ(answer(preset("nv-volta"), fp16, 0, a, b), 1.0f);
  EXPECT_EQ(answer(preset("nv-turing"), fp16, 0, a, b), 1 + 63 * 0x1p-23f);
}

namespace {

/// The sums of 2^large and -2^large with a 1 before, between and after them, one digit each.
std::string places_of_one(const std::string& name, int large, const Format& operands = bf16) {
  std::string answers;
  for (const std::size_t place : {0u, 1u, 2u}) {
    std::vector<Power> terms{{large}, {large, -1}};
    terms.insert(terms.begin() + static_cast<std::ptrdiff_t>(place), Power{0});
    answers += std::to_string(static_cast<int>(sum_of_powers(preset(name), operands, 0, terms)));
  }
  return answers;
}

}  // namespace

/// 2^24 + 1 is a tie, to even 2^24, and cut to 2^24 by rz; 2^24 - 1 is held.
///
/// Ascending, or as a tree ((x0 + x1) + x2): lost, lost, kept. Descending the 1 meets 0 or -2^24
/// and is always kept. Even and odd chains, x0 + x2 and x1: 1 - 2^24 is held, 2^24 + 1 is not.
/// Exact, or with F >= 24 inside one block: always kept.
TEST(Probe, ThePlaceOfAOneTellsTheOrder) {
  const std::map<std::string, std::string> expected{
      {"trn", "001"},
      {"ieee", "001"},
      {"trn-rz", "001"},
      {"trn-reversed", "111"},
      {"trn-tree", "001"},
      {"trn-segments", "001"},
      {"trn-exact", "111"},
      {"tpu", "001"},
      {"intel-amx", "110"},
      {"nv-ampere", "111"},
      {"nv-ada", "111"},
      {"nv-hopper", "111"},
      {"nv-blackwell", "111"},
      {"amd-cdna3", "111"},
      // Blocks of 2 with c exact: 1 + 2^24 -> 2^24 (tie), 2^24 + 1 likewise; {2^24, -2^24} cancel.
      {"amd-cdna1", "001"},
      // Pairs, to odd: between 2^24 and 2^24 + 2 = 2 (2^23 + 1) the latter is odd: 2 is left.
      {"arm-bfdot", "221"},
      {"arm-ebf16", "001"},
      // Pairs, the odd one first: 2^24 + 1 and 1 + 2^24 are ties, both before -2^24.
      {"x86-avx512bf16", "001"},
      // (x0 + x1) + (x2 + 0), then c: as a tree.
      {"amd-cdna2", "001"},
  };

  for (const auto& [name, digits] : expected) EXPECT_EQ(places_of_one(name, 24), digits) << name;
}

/// 2^25 + 1 and 2^25 - 1 both round and are cut to 2^25 or beside it: 2^25 - 1 is a tie of 2^25 - 2
/// = 2 (2^24 - 1) and 2^25, even. So where the 1 meets a large term it is lost, whatever the sign.
/// In one block of exponent 25 a 1 needs F = 25.
TEST(Probe, ThePlaceOfAOneBeside2To25TellsTheOrderAndTheAlignment) {
  const std::map<std::string, std::string> expected{{"trn", "001"},
                                                    {"trn-reversed", "100"},
                                                    {"trn-tree", "001"},
                                                    {"trn-segments", "001"},
                                                    {"trn-exact", "111"},
                                                    {"intel-amx", "010"},
                                                    {"nv-ampere", "000"},
                                                    {"nv-ada", "000"},
                                                    {"nv-hopper", "111"},
                                                    {"nv-blackwell", "111"},
                                                    {"amd-cdna3", "000"},
                                                    {"amd-cdna1", "001"},
                                                    {"arm-ebf16", "001"},
                                                    {"amd-cdna2", "001"},
                                                    // To odd: 2^25 + 4 = 4 (2^23 + 1).
                                                    {"arm-bfdot", "441"}};

  for (const auto& [name, digits] : expected) EXPECT_EQ(places_of_one(name, 25), digits) << name;
  EXPECT_EQ(places_of_one("amd-cdna1", 25, fp16), "111");  // an exact sum of 4
  EXPECT_EQ(places_of_one("nv-volta", 25, fp16), "000");
}

/// A subnormal operand 2^-133 times 2^20: 2^-113, or 0 where subnormals are flushed (HARDWARE
/// table: amd-cdna2, intel-amx, x86-avx512bf16, arm-bfdot, trn-ftz).
TEST(Probe, SubnormalOperandsAreKeptOrFlushed) {
  const std::map<std::string, bool> flushes{
      {"trn", false},           {"trn-ftz", true},    {"ieee", false},      {"nv-ampere", false},
      {"nv-hopper", false},     {"amd-cdna1", false}, {"amd-cdna2", true},  {"amd-cdna3", false},
      {"intel-amx", true},      {"arm-bfdot", true},  {"arm-ebf16", false}, {"nv-blackwell", false},
      {"x86-avx512bf16", true}, {"tt-wormhole", true}};

  for (const auto& [name, flushed] : flushes)
    EXPECT_EQ(answer(preset(name), bf16, 0, {0x1p-133f}, {0x1p20f}), flushed ? 0.0f : 0x1p-113f)
        << name;
}

/// 2^-70 * 2^-70 = 2^-140 is a subnormal sum: of trn it stays, flushed units give 0. Of nv-ampere
/// it is cut to 2^(-132 - 24): it stays. 2^-75 * 2^-75 = 2^-150 is half the least fp32: to even 0.
TEST(Probe, SubnormalSumsAreKeptOrFlushed) {
  for (const char* name : {"trn", "nv-ampere", "nv-hopper", "amd-cdna1", "amd-cdna3", "arm-ebf16"})
    EXPECT_EQ(answer(preset(name), bf16, 0, {0x1p-70f}, {0x1p-70f}), 0x1p-140f) << name;
  for (const char* name :
       {"trn-ftz", "amd-cdna2", "intel-amx", "x86-avx512bf16", "arm-bfdot", "tt-wormhole"})
    EXPECT_EQ(answer(preset(name), bf16, 0, {0x1p-70f}, {0x1p-70f}), 0.0f) << name;
  EXPECT_EQ(answer(preset("trn"), bf16, 0, {0x1p-75f}, {0x1p-75f}), 0.0f);
}

/// c = 2^-12 beside products 2^12 and -2^12 of one block: an early c of a rounding unit is lost in
/// 2^12 + 2^-12 (25 bits: a tie, to even), a late one survives; aligned units with c inside keep it
/// from F = 24 on.
TEST(Probe, AnEarlyCIsLostWhereALateOneSurvives) {
  const std::map<std::string, bool> keeps{
      {"tpu", false},      {"ieee", false},     {"intel-amx", true}, {"arm-bfdot", true},
      {"arm-ebf16", true}, {"amd-cdna2", true}, {"amd-cdna3", true}, {"nv-ampere", true},
      {"trn", true}};  // trn: the tile by itself, then PSUM

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

/// fp8 by mma.sync adds c to the finished sum 1 + 2^-11, to nearest: 2 + 2^-11 - 2^-24 rounds up.
/// One aligned sum of all is cut, to the last place 2^-22.
TEST(Probe, ACAfterItsBlockIsAddedToNearest) {
  const auto sum = [](const char* name) {
    return sum_of_powers(preset(name), fp8_e5m2, 1 - 0x1p-24f, {{0}, {-12}, {-12}});
  };

  EXPECT_EQ(sum("nv-hopper-mma"), 2 + 0x1p-11f);
  EXPECT_EQ(sum("nv-blackwell"), 2 + 0x1p-11f - 0x1p-22f);
}

/// Beside 2^26 a product of 1 is cut; with k = 2 it is in another sum of mma.sync.
TEST(Probe, MmaSyncTakesFp8ByTurnsOfTwo) {
  const auto sum = [](const std::string& name, std::size_t k) {
    std::vector<float> a{0x1p13f, -0x1p13f}, b{0x1p13f, 0x1p13f};
    a.resize(32), b.resize(32);
    a[k] = b[k] = 1;
    return answer(preset(name), fp8_e5m2, 0, a, b);
  };

  for (std::size_t k = 2; k < 32; ++k) {
    EXPECT_EQ(sum("nv-hopper-mma", k), k % 4 < 2 ? 0 : 1) << k;
    EXPECT_EQ(sum("nv-hopper-mma{accumulate.interleave=0}", k), k < 16 ? 0 : 1) << k;
    EXPECT_EQ(sum("nv-blackwell", k), 0) << k;
  }
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

/// fp32 beside the matrix unit: a chain of FMAs keeps the product of 1 + 2^-12 and 1 - 2^-12, 1 -
/// 2^-24, against c = -1; plain fp32 rounds it to 1 - 2^-24 as well (24 bits), but (1 + 2^-12)^2 =
/// 1
/// + 2^-11 + 2^-24 is a tie that it rounds away.
TEST(Probe, Fp32OnOrdinaryCoresIsFused) {
  const std::vector<float> x{1 + 0x1p-12f};

  for (const char* name : {"nv-hopper", "amd-cdna3", "intel-amx", "x86-avx512bf16", "arm-ebf16"})
    EXPECT_EQ(answer(preset(name), fp32, -1, x, x), 0x1p-11f + 0x1p-24f) << name;
  EXPECT_EQ(answer(preset("ieee"), fp32, -1, x, x), 0x1p-11f);
}

/// 1, as c or as a product, a product of 2^-24 and one of -1 in one block: 2^-24 is left if an
/// extra bit is kept (Fasi et al. 2021, section 3.2); with 2^-25 a second one, with 2^-26 a third.
TEST(Probe, ExtraAlignmentBitsAreNoneOnV100OneOnA100TwoOnH100) {
  const auto extra_bits = [](const char* name, const Format& operands) {
    for (int bits = -1;; ++bits) {
      const Power small{-24 - bits};
      const float with_c = sum_of_powers(preset(name), operands, 1, {small, {0, -1}});
      EXPECT_EQ(sum_of_powers(preset(name), operands, 0, {{0}, small, {0, -1}}), with_c) << name;
      if (with_c != std::ldexp(1.0f, small.exponent)) return bits;
    }
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
  EXPECT_EQ(extra_bits("amd-cdna3", bf16), 1);
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

/// 2^-9 is subnormal in e4m3, with the exponent -6, and normal in e5m2: 13 bits below it 2^-20 is
/// cut or kept, whichever side holds which format.
TEST(Probe, ASubnormalHasTheExponentOfItsOwnFormat) {
  const auto sum = [](const Format& data, const Format& table, std::vector<float> x,
                      std::vector<float> w, bool data_moves) {
    float psum = 0;
    Matmul<float> call{};
    call.stationary = data_moves ? w.data() : x.data();
    call.moving = data_moves ? x.data() : w.data();
    call.stationary_k = call.stationary_m = call.moving_stride = call.psum_stride = 1;
    call.m = call.n = 1;
    call.k = 2;
    call.psum = &psum;
    call.data_moves = data_moves;
    const Machine machine = preset("nv-hopper");
    const TensorUnit unit = tensor_unit(machine, accumulator_for(machine, data, table), best_isa());
    unit.matmul(call);
    float defined = 0;
    call.psum = &defined;
    unit.matmul_by_definition(call);
    EXPECT_EQ(psum, defined);
    return psum;
  };
  for (const bool data_moves : {false, true}) {
    EXPECT_EQ(sum(fp8_e4m3fn, fp8_e5m2, {0x1p-9f, 0x1p-6f}, {1, 0x1p-14f}, data_moves), 0x1p-9f);
    EXPECT_EQ(sum(fp8_e5m2, fp8_e4m3fn, {0x1p-9f, 0x1p-14f}, {1, 0x1p-6f}, data_moves),
              0x1p-9f + 0x1p-20f);
    EXPECT_EQ(sum(fp8_e5m2, fp8_e4m3fn, {1, 0x1p-14f}, {0x1p-9f, 0x1p-6f}, data_moves), 0x1p-9f);
  }
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

/// fp8 on Ada and Hopper: F = 13, and the sum leaves with 13 fraction bits. 1 + 2^-13 is held,
/// 2^-14 beside 1 is cut, also four times; Blackwell keeps all (F = 25).
TEST(Probe, Fp8KeepsThirteenBitsOnAdaAndHopper) {
  for (const Format& operands : {fp8_e4m3fn, fp8_e5m2}) {
    const auto with_one = [&](const char* name, int exponent, std::size_t count) {
      std::vector<Power> powers(count, Power{exponent});
      powers.insert(powers.begin(), Power{0});
      return sum_of_powers(preset(name), operands, 0, powers);
    };

    for (const char* name : {"nv-ada", "nv-hopper"}) {
      EXPECT_EQ(with_one(name, -13, 1), 1 + 0x1p-13f) << name;
      EXPECT_EQ(with_one(name, -14, 4), 1.0f) << name;
      // The sum 2 + 2^-13 is aligned whole, and loses its last bit as it leaves.
      EXPECT_EQ(sum_of_powers(preset(name), operands, 0, {{0}, {0}, {-13}}), 2.0f) << name;
    }
    EXPECT_EQ(with_one("nv-blackwell", -14, 1), 1 + 0x1p-14f);
    EXPECT_EQ(with_one("nv-blackwell", -14, 4), 1 + 0x1p-12f);
    if (operands == fp8_e5m2) {
      EXPECT_EQ(with_one("trn", -14, 4), 1 + 0x1p-12f);
    }
  }
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

}  // namespace fftprec::testing
