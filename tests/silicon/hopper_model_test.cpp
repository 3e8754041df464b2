/// The model that silicon is compared with, the probes that tell its parameters, and their files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "scripts/probe/data_file.hpp"
#include "scripts/probe/edges.hpp"
#include "scripts/probe/model.hpp"
#include "scripts/probe/random_tiles.hpp"
#include "tests/arith/probes.hpp"
#include "tests/silicon/hopper_judge.hpp"

namespace fftprec::testing {
namespace {

using probe::Builder;
using probe::DataFile;
using probe::Instruction;
using probe::Random;
using probe::Vector;

constexpr std::uint64_t seed = 7;

std::uint32_t model(const Instruction& instruction, const Vector& vector) {
  return probe::run_chain(instruction, vector.a, vector.b, vector.c);
}

std::string describe(const Instruction& instruction, const Vector& vector) {
  std::ostringstream text;
  DataFile file{{}, &instruction, {{vector, model(instruction, vector)}}};
  probe::write(text, file);
  return text.str() + "judge " + probe::hex(judge(instruction, vector), 32);
}

Vector built(const Builder& builder) {
  std::vector<Vector> vectors;
  builder.add_to(vectors);
  return vectors.at(0);
}

const Instruction& named(std::string_view name) {
  const Instruction* found = probe::find_instruction(name);
  if (found == nullptr) throw std::invalid_argument("no instruction " + std::string(name));
  return *found;
}

float as_float(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

class HopperModel : public ::testing::TestWithParam<Instruction> {};
INSTANTIATE_TEST_SUITE_P(Instructions, HopperModel, ::testing::ValuesIn(probe::hopper_instructions),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(HopperModel, EqualsTheJudgeOnEveryProbe) {
  const std::vector<Vector> vectors = probe::probe_vectors(GetParam());

  ASSERT_GT(vectors.size(), 200u);
  for (const Vector& vector : vectors)
    EXPECT_EQ(model(GetParam(), vector), judge(GetParam(), vector)) << describe(GetParam(), vector);
}

TEST_P(HopperModel, EqualsTheJudgeOnRandomBits) {
  for (const std::string_view kind : probe::random_classes) {
    Random random = probe::random_stream(seed, GetParam().name, kind);
    for (int i = 0; i < 300; ++i) {
      const Vector vector = probe::random_vector(GetParam(), kind, random);
      ASSERT_EQ(model(GetParam(), vector), judge(GetParam(), vector))
          << describe(GetParam(), vector) << " seed " << seed;
    }
  }
}

TEST_P(HopperModel, HasParametersThatTheProbesTellFromTheirNeighbours) {
  const Instruction& right = GetParam();
  std::vector<std::pair<std::string, Instruction>> wrong;
  const auto change = [&](const char* name, auto edit) {
    Instruction other = right;
    edit(other.block);
    wrong.emplace_back(name, other);
  };
  change("one bit less", [](probe::Block& block) { --block.fraction_bits; });
  change("one bit more", [](probe::Block& block) { ++block.fraction_bits; });
  change("half the block",
         [&](probe::Block& block) { block.products = std::min(block.products, right.k) / 2; });
  // Into fp16 one conversion bit less is another format; the products of fp16 and fp8 operands
  // into fp32 never come near the lowest alignment.
  if (right.accumulator.name == "fp32")
    change("one output bit less", [](probe::Block& block) { --block.output_fraction_bits; });
  const int smallest_product =
      2 * (right.operand.smallest_exponent() - right.operand.fraction_bits);
  if (smallest_product < right.block.lowest_exponent - right.block.fraction_bits) {
    change("lower alignment", [](probe::Block& block) { --block.lowest_exponent; });
    change("higher alignment", [](probe::Block& block) { ++block.lowest_exponent; });
  }
  // The fp8 mma.sync always feeds whole blocks of 16 to the fp16 unit.
  const bool whole = right.lowering != probe::Lowering::native;

  for (const auto& [name, other] : wrong) {
    if (whole && name == "half the block") continue;
    std::size_t told = 0;
    for (const Vector& vector : probe::probe_vectors(right))
      if (model(right, vector) != model(other, vector)) ++told;
    EXPECT_GT(told, 0u) << name;
  }
}

TEST(HopperProducts, AreExact) {
  const Vector vector = built(
      Builder(named("wgmma_m64n8k16_bf16"), "square").operands(3, 0x3f81u, 0x3f81u));  // 1 + 2^-7

  EXPECT_EQ(as_float(model(named("wgmma_m64n8k16_bf16"), vector)), 1.01568603515625f);
}

// Source: Xie et al., arXiv:2511.10909 (2025), equation 10 and Table 8.
TEST(HopperAlignment, GivesThePublishedSumOfPowersOfTwo) {
  const auto sum = [](const char* name) {
    return as_float(model(named(name), built(Builder(named(name), "published")
                                                 .c_power(23)
                                                 .product(0, 23, true)
                                                 .product(1, -1, true)
                                                 .product(2, -2, true)
                                                 .product(3, -3, true))));
  };

  EXPECT_EQ(sum("wgmma_m64n8k16_fp16"), -0.75f);
  EXPECT_EQ(sum("mma_m16n8k16_bf16"), -0.75f);
  EXPECT_EQ(sum("wgmma_m64n8k32_e5m2"), 0.0f);
}

TEST(HopperAccumulator, StaysAtOneUnderTinyPositiveProducts) {
  const Instruction& instruction = named("mma_m16n8k16_bf16");
  std::uint32_t sum = 0x3f800000u;
  const Vector vector = built(Builder(instruction, "tiny").product(5, -24).product(6, -25));

  for (int step = 0; step < 127; ++step)
    sum = probe::run_model(instruction, vector.a, vector.b, sum);

  EXPECT_EQ(as_float(sum), 1.0f);
}

TEST(HopperFp8, TakesThirteenBitsInWgmmaAndTheFp16UnitInMmaSync) {
  const auto answer = [](const char* name) {
    return as_float(model(
        named(name),
        built(Builder(named(name), "one_and_tiny").product(0, 0).product(1, -14).c_power(1))));
  };

  EXPECT_EQ(answer("wgmma_m64n8k32_e5m2"), 3.0f);
  EXPECT_EQ(answer("mma_m16n8k32_e5m2"), 3.0f + 0x1p-14f);
}

// c comes in by a plain fp32 addition after the blocks, to nearest even: a tie above odd goes up.
TEST(HopperFp8, AddsCToNearestEvenInMmaSyncAlone) {
  const Instruction& instruction = named("mma_m16n8k32_e5m2");
  const Vector vector = built(Builder(instruction, "tie").c_power(0, false, 1).product(31, -24));

  EXPECT_EQ(as_float(model(instruction, vector)), 1.0f + 0x1p-22f);
}

TEST(HopperProbes, HaveNamesOfTheirOwn) {
  for (const Instruction& instruction : probe::hopper_instructions) {
    std::set<std::string> names;
    for (const Vector& vector : probe::probe_vectors(instruction))
      EXPECT_TRUE(names.insert(vector.name).second) << instruction.name << ' ' << vector.name;
  }
}

TEST(HopperDataFile, ReadsBackWhatItWrote) {
  const Instruction& instruction = named("mma_m16n8k8_tf32");
  DataFile file{{{"device", "a card of two words"}, {"seed", "7"}}, &instruction, {}};
  Random random(seed);
  for (const std::string_view kind : probe::random_classes)
    file.results.push_back({probe::random_vector(instruction, kind, random), random.bits()});
  std::stringstream text;
  probe::write(text, file);

  const DataFile back = probe::read(text);

  EXPECT_EQ(back.header, file.header);
  EXPECT_EQ(back.instruction, file.instruction);
  ASSERT_EQ(back.results.size(), file.results.size());
  for (std::size_t i = 0; i < back.results.size(); ++i) {
    EXPECT_EQ(back.results[i].vector.name, file.results[i].vector.name);
    EXPECT_EQ(back.results[i].vector.c, file.results[i].vector.c);
    EXPECT_EQ(back.results[i].vector.a, file.results[i].vector.a);
    EXPECT_EQ(back.results[i].vector.b, file.results[i].vector.b);
    EXPECT_EQ(back.results[i].d, file.results[i].d);
  }
}

TEST(HopperDataFile, RefusesWhatIsNone) {
  const std::string head = "# instruction mma_m16n8k8_bf16\n";
  const std::string eight(32, '0');
  const auto refusal = [&](const std::string& text) -> std::string {
    std::istringstream in(text);
    try {
      probe::read(in);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };

  EXPECT_EQ(refusal(head + "x 00000000 " + eight + ' ' + eight + " 00000000\n"), "");
  EXPECT_THAT(refusal(head), ::testing::HasSubstr("no vectors"));
  EXPECT_THAT(refusal("x 0 0 0 0\n"), ::testing::HasSubstr("no known instruction"));
  EXPECT_THAT(refusal("# instruction other\nx 0 0 0 0\n"),
              ::testing::HasSubstr("no known instruction"));
  EXPECT_THAT(refusal(head + "x 00000000 " + eight + " 00000000\n"),
              ::testing::HasSubstr("five fields"));
  EXPECT_THAT(refusal(head + "x 00000000 " + eight + ' ' + eight + " 00000000 0\n"),
              ::testing::HasSubstr("five fields"));
  EXPECT_THAT(refusal(head + "x 00000000 " + eight + "0000 " + eight + " 00000000\n"),
              ::testing::HasSubstr("multiple of k"));
  EXPECT_THAT(refusal(head + "x 00000000 " + eight + "0000 " + eight + "0000 00000000\n"),
              ::testing::HasSubstr("multiple of k"));
  EXPECT_THAT(refusal(head + "x 00000000 " + eight + "0 " + eight + " 00000000\n"),
              ::testing::HasSubstr("cut short"));
  EXPECT_THAT(refusal(head + "x 0000000g " + eight + ' ' + eight + " 00000000\n"),
              ::testing::HasSubstr("not hexadecimal"));
  EXPECT_THAT(refusal(head + "x 000000000 " + eight + ' ' + eight + " 00000000\n"),
              ::testing::HasSubstr("not a word"));
}

float value(const probe::Operand& format, std::uint32_t bits) {
  return static_cast<float>(value_of(format, bits));
}

/// Whether a preset gives what the model gives, if it takes k in the order `first(k)` before
/// others.
template <class First>
void expect_model(const char* machine, const Format& operands, const char* name, First first) {
  const Instruction& instruction = named(name);
  const Machine preset = machine_named(machine);
  const auto length = static_cast<std::size_t>(instruction.k);
  for (const std::string_view kind : probe::random_classes) {
    Random random = probe::random_stream(seed, name, kind);
    for (int i = 0; i < 200; ++i) {
      const Vector vector = probe::random_vector(instruction, kind, random);
      std::vector<float> a, b;
      for (std::size_t k = 0; k < vector.a.size(); k += length)
        for (const bool now : {true, false})
          for (std::size_t l = k; l < k + length; ++l) {
            if (first(l - k) != now) continue;
            a.push_back(value(instruction.operand, vector.a[l]));
            b.push_back(value(instruction.operand, vector.b[l]));
          }
      const float c = value(instruction.accumulator, vector.c);

      const float given = answer(preset, operands, c, a, b);

      const float expected = value(instruction.accumulator, model(instruction, vector));
      ASSERT_TRUE(given == expected || (given != given && expected != expected))
          << describe(instruction, vector) << " " << machine << " gives " << given;
    }
  }
}

TEST(HopperPresets, Fp8ByMmaSyncIsTheModelWithTheHalvesOfItsOperandsInOrder) {
  const auto first_half = [](std::size_t k) { return k % 4 < 2; };
  expect_model("nv-hopper-mma", fp8_e4m3fn, "mma_m16n8k32_e4m3", first_half);
  expect_model("nv-hopper-mma", fp8_e5m2, "mma_m16n8k32_e5m2", first_half);
}

TEST(HopperPresets, AreTheModelOfTheOtherInstructions) {
  const auto all = [](std::size_t) { return true; };
  expect_model("nv-hopper", bf16, "wgmma_m64n8k16_bf16", all);
  expect_model("nv-hopper", fp16, "mma_m16n8k16_fp16", all);
  expect_model("nv-hopper", tf32, "wgmma_m64n8k8_tf32", all);
  expect_model("nv-hopper", fp8_e4m3fn, "wgmma_m64n8k32_e4m3", all);
  expect_model("nv-hopper", fp8_e5m2, "wgmma_m64n8k32_e5m2", all);
}

TEST(HopperPresets, TakeAnFp16AccumulatorByTheirParameters) {
  const auto all = [](std::size_t) { return true; };
  expect_model("nv-hopper{accumulate.format=fp16,accumulate.rounding=rne}", fp16,
               "wgmma_m64n8k16_fp16_into_fp16", all);
  expect_model(
      "nv-hopper{accumulate.format=fp16,accumulate.rounding=rne,accumulate.lowest_exponent=-22}",
      fp16, "mma_m16n8k16_fp16_into_fp16", all);
}

}  // namespace
}  // namespace fftprec::testing
