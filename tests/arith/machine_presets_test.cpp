/// Each preset answers the probes that tell matrix units apart as its source says.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "arith/accumulators/definition.hpp"
#include "arith/machines/machine.hpp"
#include "arith/machines/parameters.hpp"
#include "arith/support/error.hpp"
#include "tests/arith/probes.hpp"

namespace fftprec::testing {

namespace {

/// The sum of a_k b_k from 0 as the machine's unit for those operands forms it.
float column(const Machine& machine, const Format& operands, const std::vector<float>& a,
             const std::vector<float>& b) {
  return dot(accumulator_for(machine, operands), 0.0f, a, b);
}

/// What a preset makes of the probes.
struct Answers {
  const char* machine;
  int growth;     ///< 1 and 127 products 2^-24 (1 + 2^-7): the excess over 1 in units of 2^-23
  float order;    ///< 2^24, 1, -2^24
  int alignment;  ///< 1 and four products 2^-25: the excess over 1 in units of 2^-23
  bool flushes;   ///< subnormal operands of 16 bits
};

// Worked out by hand from the definitions that the presets' sources give.
constexpr Answers known_answers[] = {
    {"trn", 127, 0, 0, false},           {"trn-claim", 127, 0, 0, false},
    {"trn-rz", 0, 0, 0, false},          {"trn-ftz", 127, 0, 0, true},
    {"trn-reversed", 64, 1, 1, false},   {"trn-segments", 79, 0, 0, false},
    {"trn-tree", 64, 0, 0, false},       {"trn-exact", 64, 1, 1, false},
    {"trn3-bf16psum", 127, 0, 0, false}, {"trn-autocast", 127, 0, 0, false},
    {"trn-elided", 127, 0, 0, false},    {"trn-misread", 127, 0, 0, false},
    {"trn-sr", 127, 0, 0, false},        {"ieee", 127, 0, 0, false},
    {"nv-volta", 0, 0, 0, false},        {"nv-turing", 63, 1, 0, false},
    {"nv-ampere", 63, 1, 0, false},      {"nv-ada", 63, 1, 0, false},
    {"nv-hopper", 63, 1, 1, false},      {"nv-hopper-mma", 63, 1, 1, false},
    {"nv-blackwell", 63, 1, 1, false},   {"amd-cdna1", 64, 0, 0, false},
    {"amd-cdna2", 64, 0, 0, true},       {"amd-cdna3", 64, 1, 0, false},
    {"tpu", 127, 0, 0, false},           {"tpu-high", 127, 0, 0, false},
    {"tpu-highest", 127, 0, 0, false},   {"tt-wormhole", 127, 0, 0, true},
    {"intel-amx", 71, 1, 0, true},       {"x86-avx512bf16", 127, 0, 0, true},
    {"arm-bfdot", 127, 2, 1, true},      {"arm-ebf16", 64, 0, 0, false},
};

}  // namespace

TEST(MachinePresets, AnswerTheProbesAsTheirSourcesSay) {
  std::vector<float> growing(128, 0x1p-12f);
  std::vector<float> above_half(128, 0x1p-12f * (1 + 0x1p-7f));
  growing[0] = above_half[0] = 1;
  EXPECT_EQ(std::size(known_answers), machines().size());
  for (const Answers& known : known_answers) {
    SCOPED_TRACE(known.machine);
    const Machine machine = machine_named(known.machine);
    const Format operands = sixteen_bits(machine);
    const auto sum = [&](const std::vector<float>& a, const std::vector<float>& b) {
      return column(machine, operands, a, b);
    };
    const float subnormal = static_cast<float>(min_subnormal(operands));
    const float scale = operands == bf16 ? 0x1p20f : 0x1p10f;

    EXPECT_EQ((sum(growing, above_half) - 1) * 0x1p23f, static_cast<float>(known.growth));
    EXPECT_EQ(sum({0x1p12f, 1, -0x1p12f}, {0x1p12f, 1, 0x1p12f}), known.order);
    EXPECT_EQ((sum({1, 0x1p-12f, 0x1p-12f, 0x1p-12f, 0x1p-12f},
                   {1, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f}) -
               1) *
                  0x1p23f,
              static_cast<float>(known.alignment));
    EXPECT_EQ(sum({subnormal}, {scale}), known.flushes ? 0.0f : subnormal * scale);
    if (operands == bf16) {
      EXPECT_EQ(sum({0x1p-65f}, {0x1p-65f}), known.flushes ? 0.0f : 0x1p-130f);
    }
  }
}

TEST(MachinePresets, AreValidAndSayTheirConfidence) {
  for (const NamedMachine& machine : machines()) {
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
  for (const NamedMachine& machine : machines()) {
    if (machine.fp32_matmul != Fp32Matmul::native || machine.name == "ieee") continue;
    std::vector<float> a(77);
    std::vector<float> b(77);
    float chain = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      a[k] = uniform(random);
      b[k] = uniform(random);
      chain = std::fma(a[k], b[k], chain);
    }

    EXPECT_EQ(column(machine, fp32, a, b), chain) << machine.name << ", seed " << seed;
    EXPECT_EQ(machine.across_tiles, AcrossTiles::through) << machine.name;
  }
}

TEST(MachinePresets, IeeeRoundsEveryProductToFp32) {
  EXPECT_EQ(column(machine_named("ieee"), fp32, {1 + 0x1p-12f, -1}, {1 + 0x1p-12f, 1}), 0x1p-11f);
  EXPECT_EQ(column(machine_named("trn"), half_fp32, {1 + 0x1p-11f, -1}, {1 + 0x1p-11f, 1}),
            0x1p-10f + 0x1p-22f);
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
