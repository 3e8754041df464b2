/// The model of the Hopper tensor core against an H100, and the presets against the model.
#include "tests/silicon/hopper_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "tests/arith/probes.hpp"
#include "tests/silicon/hopper_vectors.hpp"

namespace fftprec::testing {
namespace {

using hopper::Block;
using hopper::Instruction;
using hopper::Random;
using hopper::random_classes;
using hopper::random_stream;
using hopper::random_vector;
using hopper::Vector;

constexpr std::uint64_t seed = 7;

std::uint32_t model(const Instruction& instruction, const Vector& vector) {
  return hopper::run_chain(instruction, vector.a, vector.b, vector.c);
}

std::string describe(const Instruction& instruction, const Vector& vector) {
  std::ostringstream text;
  text << std::hex << instruction.name << ' ' << vector.name << " c " << vector.c << " a b";
  for (std::size_t i = 0; i < vector.a.size(); ++i)
    text << ' ' << vector.a[i] << ' ' << vector.b[i];
  text << " model " << model(instruction, vector);
  return text.str();
}

Instruction named(std::string_view name) {
  const probe::Instruction* found = probe::find_instruction(name);
  if (found == nullptr) throw std::invalid_argument("no instruction " + std::string(name));
  return Instruction(*found);
}

/// 2^exponent, each as a product of two operands, at places of an instruction; nothing where the
/// operands have no such numbers.
struct PowerAt {
  std::size_t place;
  int exponent;
  bool negative = false;
};
void append_powers(std::vector<Vector>& vectors, const Instruction& of,
                   std::initializer_list<PowerAt> powers) {
  Vector vector{"powers", 0, {}, {}};
  vector.a.resize(static_cast<std::size_t>(of.k));
  vector.b = vector.a;
  for (const auto& [place, exponent, negative] : powers) {
    const int first = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
    const auto a = hopper::encode(of.a, first), b = hopper::encode(of.b, exponent - first);
    if (!a || !b) return;
    vector.a[place] = *a | (negative ? hopper::sign_of(of.a) : 0u);
    vector.b[place] = *b;
  }
  vectors.push_back(vector);
}

/// Random vectors, and those at the lowest alignment, which random exponents do not reach: terms
/// below the smallest result, c zero; 2^e - 2^(e-j) shows whether the smaller one reaches the sum.
std::vector<Vector> vectors_of(const Instruction& instruction) {
  std::vector<Vector> vectors;
  for (const std::string_view kind : random_classes) {
    Random random = random_stream(seed, instruction.name, kind);
    for (int i = 0; i < 1000; ++i) vectors.push_back(random_vector(instruction, kind, random));
  }
  const probe::Operand& accumulator = instruction.accumulator;
  const int least = accumulator.smallest_exponent() - accumulator.fraction_bits;
  const bool nearest = accumulator.name == "fp16";
  // Toward zero, the least result loses a bit to any negative rest; to nearest even, half of it
  // gains one from any positive rest.
  for (int j = 1; j <= 30; ++j)
    append_powers(vectors, instruction,
                  {{0, nearest ? least - 1 : least}, {1, least - j - (nearest ? 1 : 0), !nearest}});
  // Two that cancel, and what their alignment leaves of a third.
  for (int j = 8; j <= 30; ++j)
    append_powers(vectors, instruction, {{0, 14}, {1, 14, true}, {4, 14 - j}});
  return vectors;
}

class HopperModel : public ::testing::TestWithParam<probe::Instruction> {};
INSTANTIATE_TEST_SUITE_P(Instructions, HopperModel, ::testing::ValuesIn(probe::instructions),
                         [](const auto& one) { return std::string(one.param.name); });

/// hopper_results.txt has a line for an instruction and a class: what an H100 gave by scripts/probe
/// for the first vectors of it, in words of bits, NaN of any payload as 7f...f.
TEST_P(HopperModel, EqualsAnH100) {
  const Instruction instruction(GetParam());
  std::ifstream file(FFTPREC_SOURCE_DIR "/tests/silicon/hopper_results.txt");
  std::vector<std::string> kinds;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, kind;
    words >> name >> kind;
    if (name != instruction.name) continue;
    kinds.push_back(kind);
    Random random = random_stream(seed, name, kind);
    int results = 0;
    for (std::string word; words >> word; ++results) {
      const Vector vector = random_vector(instruction, kind, random);
      ASSERT_EQ(model(instruction, vector), std::stoul(word, nullptr, 16))
          << describe(instruction, vector);
    }
    EXPECT_EQ(results, 64) << kind;
  }
  EXPECT_TRUE(std::ranges::equal(kinds, random_classes));
}

TEST_P(HopperModel, HasParametersThatVectorsTellFromTheirNeighbours) {
  const Instruction right(GetParam());
  std::vector<std::pair<std::string, Instruction>> wrong;
  const auto change = [&](const char* name, auto edit) {
    Instruction other = right;
    edit(other.block);
    wrong.emplace_back(name, other);
  };
  change("one bit less", [](Block& block) { --block.fraction_bits; });
  change("one bit more", [](Block& block) { ++block.fraction_bits; });
  // The fp8 mma.sync always feeds whole blocks of 16 to the fp16 unit.
  if (!right.fp16_halves_then_add)
    change("half the block",
           [&](Block& block) { block.products = std::min(block.products, right.k) / 2; });
  // Into fp16 one conversion bit less is another format; the products of fp16 and fp8 operands
  // into fp32 never come near the lowest alignment.
  if (right.accumulator.name == "fp32")
    change("one output bit less", [](Block& block) { --block.output_fraction_bits; });
  const int smallest_product = right.a.smallest_exponent() - right.a.fraction_bits +
                               right.b.smallest_exponent() - right.b.fraction_bits;
  if (smallest_product < right.block.lowest_exponent - right.block.fraction_bits) {
    change("lower alignment", [](Block& block) { --block.lowest_exponent; });
    change("higher alignment", [](Block& block) { ++block.lowest_exponent; });
  }

  const std::vector<Vector> vectors = vectors_of(right);
  for (const auto& changed : wrong) {
    const auto told = std::count_if(vectors.begin(), vectors.end(), [&](const Vector& vector) {
      return model(right, vector) != model(changed.second, vector);
    });
    EXPECT_GT(told, 0) << changed.first;
  }
}

float value(const probe::Operand& format, std::uint32_t bits) {
  const hopper::Decoded x = hopper::decode(format, bits);
  const float size = x.kind == hopper::Kind::nan ? std::numeric_limits<float>::quiet_NaN()
                     : x.kind == hopper::Kind::infinity
                         ? std::numeric_limits<float>::infinity()
                         : std::ldexp(static_cast<float>(x.significand), x.unit);
  return x.negative ? -size : size;
}

/// Whether a preset gives what the model gives.
void expect_model(const char* machine, const Format& operands, const char* name,
                  std::optional<Format> of_b = {}) {
  const Instruction instruction = named(name);
  const Machine preset = machine_named(machine);
  const AccumulatorModel unit = accumulator_for(preset, operands, of_b.value_or(operands));
  for (const std::string_view kind : random_classes) {
    Random random = random_stream(seed, name, kind);
    for (int i = 0; i < 200; ++i) {
      const Vector vector = random_vector(instruction, kind, random);
      std::vector<float> a, b;
      for (std::size_t k = 0; k < vector.a.size(); ++k) {
        a.push_back(value(instruction.a, vector.a[k]));
        b.push_back(value(instruction.b, vector.b[k]));
      }
      const float c = value(instruction.accumulator, vector.c);

      const float given = answer(preset, unit, c, a, b);

      const float expected = value(instruction.accumulator, model(instruction, vector));
      ASSERT_TRUE(given == expected || (given != given && expected != expected))
          << describe(instruction, vector) << " " << machine << " gives " << given;
    }
  }
}

TEST(HopperPresets, AreTheModel) {
  expect_model("nv-hopper-mma", fp8_e4m3fn, "mma_m16n8k32_e4m3");
  expect_model("nv-hopper-mma", fp8_e5m2, "mma_m16n8k32_e5m2");
  expect_model("nv-hopper-mma", fp8_e4m3fn, "mma_m16n8k32_e4m3_e5m2", fp8_e5m2);
  expect_model("nv-hopper-mma", fp8_e5m2, "mma_m16n8k32_e5m2_e4m3", fp8_e4m3fn);
  expect_model("nv-hopper", fp8_e4m3fn, "wgmma_m64n8k32_e4m3_e5m2", fp8_e5m2);
  expect_model("nv-hopper", bf16, "wgmma_m64n8k16_bf16");
  expect_model("nv-hopper{accumulate.block=8}", bf16, "mma_m16n8k8_bf16");
  expect_model("nv-hopper", fp16, "mma_m16n8k16_fp16");
  expect_model("nv-hopper", tf32, "wgmma_m64n8k8_tf32");
  expect_model("nv-hopper", fp8_e4m3fn, "wgmma_m64n8k32_e4m3");
  expect_model("nv-hopper", fp8_e5m2, "wgmma_m64n8k32_e5m2");
}

TEST(HopperPresets, TakeAnFp16AccumulatorByTheirParameters) {
  for (const char* name : {"mma_m16n8k16_fp16_into_fp16", "wgmma_m64n8k16_fp16_into_fp16"})
    expect_model(
        "nv-hopper{accumulate.format=fp16,accumulate.rounding=rne,accumulate.lowest_exponent=-21}",
        fp16, name);
  expect_model("nv-hopper{accumulate.format=fp16,accumulate.rounding=rne}", fp8_e4m3fn,
               "wgmma_m64n8k32_e4m3_into_fp16");
  expect_model("nv-hopper-mma{accumulate.format=fp16,accumulate.rounding=rne}", fp8_e5m2,
               "mma_m16n8k32_e5m2_into_fp16");
}

}  // namespace
}  // namespace fftprec::testing
