/// The published probes of matrix units, order, rounding and the ends of the range: each preset
/// answers as its source says.
///
/// The expected answers are worked out by hand from the published descriptions that
/// arith/machines/presets.cpp names; the reasoning stands beside each.
#include "tests/arith/probes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>

namespace fftprec::testing {

/// (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14. It needs 15 bits, which every published unit keeps; rounded to
/// 8 bits it is 1 + 2^-6 (2^-14 is far below the tie 2^-8). Only trn-claim rounds products.
TEST(Probe, ASquareTellsExactProductsFromRoundedOnes) {
  const std::vector<float> x{1 + 0x1p-7f};
  int asked = 0;
  for (const Machine& machine : machines()) {
    if (!takes(machine, bf16)) continue;
    ++asked;
    // PSUM in bf16 rounds the sum on write, with random bits or without.
    if (machine.psum != fp32) continue;
    EXPECT_EQ(answer(machine, bf16, 0, x, x),
              machine.name == "trn-claim" ? 1.015625f : 1.01568603515625f)
        << machine.name;
  }
  EXPECT_GE(asked, 20);
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

/// The sums of {large, -large} with a 1 before, between and after them, one digit each.
std::string places_of_one(const std::string& name, float large) {
  std::string answers;
  for (const std::size_t place : {0u, 1u, 2u}) {
    std::vector<float> terms{large, -large};
    terms.insert(terms.begin() + static_cast<std::ptrdiff_t>(place), 1.0f);
    answers += std::to_string(static_cast<int>(sum_of(preset(name), bf16, terms)));
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
      // (x0 + x1) + (x2 + 0), then c: as a tree.
      {"amd-cdna2", "001"},
  };

  for (const auto& [name, digits] : expected)
    EXPECT_EQ(places_of_one(name, 0x1p24f), digits) << name;
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

  for (const auto& [name, digits] : expected)
    EXPECT_EQ(places_of_one(name, 0x1p25f), digits) << name;
}

/// A subnormal operand 2^-133 times 2^20: 2^-113, or 0 where subnormals are flushed (HARDWARE
/// table: amd-cdna2, intel-amx, arm-bfdot, trn-ftz).
TEST(Probe, SubnormalOperandsAreKeptOrFlushed) {
  const std::map<std::string, bool> flushes{
      {"trn", false},       {"trn-ftz", true},    {"ieee", false},      {"nv-ampere", false},
      {"nv-hopper", false}, {"amd-cdna1", false}, {"amd-cdna2", true},  {"amd-cdna3", false},
      {"intel-amx", true},  {"arm-bfdot", true},  {"arm-ebf16", false}, {"nv-blackwell", false}};

  for (const auto& [name, flushed] : flushes)
    EXPECT_EQ(answer(preset(name), bf16, 0, {0x1p-133f}, {0x1p20f}), flushed ? 0.0f : 0x1p-113f)
        << name;
}

/// 2^-70 * 2^-70 = 2^-140 is a subnormal sum: of trn it stays, flushed units give 0. Of nv-ampere
/// it is cut to 2^(-132 - 24): it stays. 2^-75 * 2^-75 = 2^-150 is half the least fp32: to even 0.
TEST(Probe, SubnormalSumsAreKeptOrFlushed) {
  for (const char* name : {"trn", "nv-ampere", "nv-hopper", "amd-cdna1", "amd-cdna3", "arm-ebf16"})
    EXPECT_EQ(answer(preset(name), bf16, 0, {0x1p-70f}, {0x1p-70f}), 0x1p-140f) << name;
  for (const char* name : {"trn-ftz", "amd-cdna2", "intel-amx", "arm-bfdot"})
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

/// Beyond the top: rz units of NVIDIA and Arm's odd unit give infinity, an rz chain by IEEE's rule
/// the largest finite number.
TEST(Probe, TruncationOverflowsToInfinityOnNvidiaOnly) {
  const std::vector<float> terms{0x1.fep127f, 0x1.fep127f};
  constexpr float infinity = std::numeric_limits<float>::infinity();

  for (const char* name : {"trn", "nv-ampere", "nv-hopper", "amd-cdna1", "amd-cdna3", "arm-bfdot"})
    EXPECT_EQ(sum_of(preset(name), bf16, terms), infinity) << name;
  EXPECT_EQ(sum_of(preset("trn-rz"), bf16, terms), std::numeric_limits<float>::max());
}

/// Infinities and NaNs among the products give what IEEE gives, in every preset.
TEST(Probe, InfinitiesAndNansPass) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const Machine& machine : machines()) {
    if (!takes(machine, bf16)) continue;
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

  for (const char* name : {"nv-hopper", "amd-cdna3", "intel-amx", "arm-ebf16"})
    EXPECT_EQ(answer(preset(name), fp32, -1, x, x), 0x1p-11f + 0x1p-24f) << name;
  EXPECT_EQ(answer(preset("ieee"), fp32, -1, x, x), 0x1p-11f);
}

}  // namespace fftprec::testing
