/// Names of machines: presets, presets with parameters, one name for each machine, and machines
/// that cannot be, refused with the reason.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "arith/machines/machine.hpp"
#include "arith/machines/parameters.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {

namespace {

/// The reason against a machine of this name.
std::string refusal(std::string_view text) {
  return error_text([&] { machine_named(text); });
}

/// The reason against trn after `change`.
template <class Change>
std::string refused(Change change) {
  Machine machine = machines().front();
  change(machine);
  return error_text([&] { validate(machine); });
}

/// Without what names it, so that == compares what it computes.
Machine nameless(Machine machine) {
  machine.name.clear();
  machine.summary.clear();
  for (AccumulatorModel& unit : machine.units) unit.name = {};
  return machine;
}

/// Some values of a parameter: all names, formats, the ends of its range and powers of two in it.
std::vector<std::string> some_values(const MachineParameter& parameter) {
  std::vector<std::string> values = parameter.values.names;
  if (parameter.values.any_format)
    values.insert(values.end(),
                  {"fp32", "bf16", "tf32",
                   "custom(p=14,emin=-126,emax=127,subnormals=true,overflow=infinity)"});
  if (const auto& range = parameter.values.range) {
    values.insert(values.end(), {std::to_string(range->least), std::to_string(range->most)});
    for (std::int64_t value = 1; value <= 64; value *= 2)
      if (value > range->least && static_cast<std::uint64_t>(value) < range->most)
        values.push_back((value == 16 ? "0" : "") + std::to_string(value));
  }
  return values;
}

/// A name with up to five parameters; often one that is refused.
template <class Random>
std::string random_name(Random& random) {
  const auto below = [&](std::size_t size) { return static_cast<std::size_t>(random() % size); };
  std::vector<MachineParameter> chosen = machine_parameters();
  std::shuffle(chosen.begin(), chosen.end(), random);
  chosen.resize(below(6));
  std::string list;
  for (const MachineParameter& parameter : chosen) {
    const std::vector<std::string> values = some_values(parameter);
    list += (list.empty() ? " " : " ,") + parameter.key + " = " + values[below(values.size())];
  }
  return machines()[below(machines().size())].name + (list.empty() ? "" : "{" + list + "}");
}

}  // namespace

/// A preset's own; that of the preset which overrides make; else what differs from the nearest
/// preset, in order, without the defaults of what an override brings.
TEST(MachineName, IsTheShortestThatMakesTheMachine) {
  for (const Machine& machine : machines()) EXPECT_EQ(machine_named(machine.name), machine);
  for (const auto& [text, name] : {
           std::pair{" trn ", "trn"},
           {"trn{}", "trn"},
           {"trn{accumulate.rounding=rz}", "trn-rz"},
           {"trn{product=bf16}", "trn-claim"},
           {"trn{accumulate.order=pairwise, accumulate.c=late}", "trn-tree"},
           {"trn{accumulate.order=exact}", "trn-exact"},
           {"trn{accumulate.c=late,accumulate.order=segments}", "trn-segments"},
           {"trn{accumulate.order=reversed}", "trn-reversed"},
           {"trn{casts=sr,psum.rounding=sr}", "trn-sr"},
           {"trn{casts=StochasticA,psum.rounding=StochasticA}", "trn-sr"},
           {"trn{casts=ToOdd}", "trn{casts=odd}"},
           {"trn{flush.outputs=on,flush.inputs=on,vector.flush=on}", "trn-ftz"},
           {"trn{fp32_matmul=bf16}", "trn-autocast"},
           {"tpu{fp32_matmul=bf16x3}", "tpu-highest"},
           {"tt-wormhole{fidelity=hifi4}", "tt-wormhole"},
           {"tt-wormhole{ fidelity = lofi }", "tt-wormhole{fidelity=lofi}"},
           {"trn{product=fp32,tiles=through}", "ieee{fp32_matmul=split_12_12}"},
           {"trn { psum = bf16 , accumulate.rounding = rz }", "trn-rz{psum=bf16}"},
           {"trn{psum=bf16,k_tile=0064}", "trn{k_tile=64,psum=bf16}"},
           {"trn-rz{accumulate.rounding=rne,psum=bf16}", "trn{psum=bf16}"},
           {"trn{psum=custom(emin=-14, p=11, emax=15)}", "trn{psum=fp16}"},
           {"trn{psum=custom(p=12,emin=-126,emax=127),eviction=bf16}",
            "trn{psum=custom(p=12,emin=-126,emax=127,subnormals=true,overflow=infinity),"
            "eviction=bf16}"},
           {"trn{accumulate.order=aligned,accumulate.block=8,accumulate.fraction_bits=24,"
            "accumulate.cut=toward_zero}",
            "trn{accumulate.order=aligned,accumulate.block=8}"},
           {"trn-sr{casts=rne,psum.rounding=rne}", "trn"},
           {"trn{psum.via=tf32,psum=bf16}", "trn{psum=bf16,psum.via=tf32}"},
           // What only a later parameter makes read.
           {"trn-rz{accumulate.order=aligned,accumulate.block=16,accumulate.c=after}",
            "trn-rz{accumulate.order=aligned,accumulate.block=16,accumulate.c=after}"},
       }) {
    const Machine machine = machine_named(text);
    EXPECT_EQ(machine.name, name) << text;
    EXPECT_EQ(nameless(machine_named(name)), nameless(machine)) << text;
  }
}

TEST(MachineName, WhatNothingReadsAnyLongerIsForgotten) {
  for (const AccumulatorModel& unit :
       machine_named("nv-hopper{accumulate.order=sequential}").units) {
    EXPECT_EQ(unit.lowest_exponent, AccumulatorModel{}.lowest_exponent);
    EXPECT_EQ(unit.fraction_bits, AccumulatorModel{}.fraction_bits);
  }
  const Machine early = machine_named("amd-cdna3{accumulate.c=early}");
  EXPECT_EQ(accumulator_for(early, bf16).late_fraction_bits, 24);
}

TEST(MachineName, AnAlignmentParameterIsForTheUnitsThatAlign) {
  const Machine machine = machine_named("nv-hopper{accumulate.fraction_bits=20}");

  EXPECT_EQ(accumulator_for(machine, bf16).fraction_bits, 20);
  EXPECT_EQ(accumulator_for(machine, fp8_e5m2).fraction_bits, 20);
  EXPECT_EQ(accumulator_for(machine, fp32).sum, BlockSum::sequential);
}

TEST(MachineName, ProductsOfHalvesStayExact) {
  EXPECT_TRUE(accumulator_for(machine_named("trn{product=bf16}"), half_fp32).product.exact);
  EXPECT_FALSE(
      accumulator_for(machine_named("trn{product=bf16,fp32_matmul=native}"), fp32).product.exact);
  EXPECT_TRUE(accumulator_for(machine_named("ieee{fp32_matmul=split_12_12}"), fp32).product.exact);
}

TEST(MachineName, AnOverriddenFlushIsForEveryUnit) {
  const Machine on = machine_named("amd-cdna2{flush.inputs=on}");
  const Machine off = machine_named("amd-cdna2{flush.inputs=off}");

  for (const Format& operands : {bf16, fp16, fp32}) {
    EXPECT_TRUE(accumulator_for(on, operands).flush_inputs);
    EXPECT_FALSE(accumulator_for(off, operands).flush_inputs);
  }
  EXPECT_FALSE(accumulator_for(machine_named("amd-cdna2"), fp32).flush_inputs);
}

TEST(MachineName, EverySpellingOfAMachineHasOneName) {
  constexpr unsigned seed = 20;
  std::mt19937 random(seed);
  std::vector<Machine> seen;
  std::size_t equal = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::string text = random_name(random);
    Machine machine;
    try {
      machine = machine_named(text);
    } catch (const InputError&) {
      continue;
    }
    const Machine again = machine_named(machine.name);

    ASSERT_EQ(again.name, machine.name) << text << ", seed " << seed;
    ASSERT_EQ(nameless(again), nameless(machine)) << text << ", seed " << seed;
    ASSERT_EQ(canonical_name(machine), machine.name) << text << ", seed " << seed;
    for (const Machine& other : seen) {
      const bool same = nameless(other) == nameless(machine);
      ASSERT_EQ(other.name == machine.name, same) << text << ", " << other.name;
      equal += same;
    }
    seen.push_back(machine);
  }
  EXPECT_GT(seen.size(), 500u);
  EXPECT_GT(equal, 100u);
}

TEST(MachineName, UnknownOnesAreRefusedWithTheNearest) {
  expect_each(refusal,
              {{"trn-r", holds("unknown machine 'trn-r'", "trn-rz")},
               {"nv-hoper{tiles=through}", "did you mean 'nv-hopper'?"},
               {"trn{acumulate.rounding=rz}",
                holds("machine 'trn{acumulate.rounding=rz}'", "unknown parameter",
                      "did you mean 'accumulate.rounding'?")},
               {"trn{accumulate.rounding=rzz}",
                holds("machine 'trn{accumulate.rounding=rzz}'",
                      "unknown value of accumulate.rounding 'rzz'", "known: rne, rz, odd")},
               {"trn{accumulate.rounding=sr}", "known: rne, rz, odd"},
               {"trn{casts=StochasticB}", "known: rne, rna, rz, ru, rd, odd, sr, rnu"},
               {"trn{tiles=thru}", "known: tile_then_add, through"},
               {"tt-wormhole{fidelity=hifi5}", holds("hifi5", "lofi, hifi2, hifi3, hifi4")},
               {"trn{psum=bf17}", holds("value of psum: unknown format 'bf17'", "'bf16'?")},
               {"trn{product=exakt}", "value of product: exact or a format"},
               {"trn{vector.flush=yes}", "known: off, on"}});
}

TEST(MachineName, MalformedOnesAreRefusedWithTheReason) {
  expect_each(refusal, {{"trn{psum=bf16", "the closing brace is missing"},
                        {"trn{psum=bf16}x", "the closing brace is missing"},
                        {"trn{psum}", "'psum' is not key=value"},
                        {"trn{psum=}", "'psum=' is not key=value"},
                        {"trn{=bf16}", "'=bf16' is not key=value"},
                        {"trn{psum=bf16,}", "nothing follows the last comma"},
                        {"trn{,psum=bf16}", "'' is not key=value"},
                        {"trn{psum=bf16,psum=fp16}", "'psum' is given twice"},
                        {"trn{k_tile=many}", "'many' is not a whole number from 0 on"},
                        {"trn{k_tile=-1}", "'-1' is not a whole number from 0 on"},
                        {"trn{sr.bits=8.5,casts=sr}", "'8.5' is not a whole number"},
                        {"trn{k_tile=99999999999999999999}", "is not a whole number"}});
}

TEST(MachineName, AParameterThatNothingReadsIsRefusedWithWhatItNeeds) {
  expect_each(refusal, {{"trn{accumulate.segment=16}",
                         "nothing reads 'accumulate.segment'; it needs accumulate.order=segments"},
                        {"trn{accumulate.fraction_bits=20}", "accumulate.order=aligned"},
                        {"nv-hopper{accumulate.late_cut=floor}", "accumulate.c=late"},
                        {"nv-hopper{accumulate.interleave=2}", "accumulate.c=after"},
                        {"trn{product.rounding=rz}", "it needs product=FORMAT"},
                        {"trn{sr.bits=8}", "it needs casts=sr or psum.rounding=sr"},
                        {"trn{sr.seed=8}", "it needs casts=sr or psum.rounding=sr"},
                        {"trn{sr.variant=b}", "it needs casts=sr or psum.rounding=sr"}});
  for (const char* machine :
       {"trn{psum.via=tf32}", "trn{psum=bf16,psum.rounding=sr,psum.via=tf32}"})
    EXPECT_THAT(refusal(machine), holds("nothing reads 'psum.via'; it needs a psum narrower"));
}

TEST(MachineName, ThatOfNoPresetWithParametersIsRefused) {
  const auto refused = [](auto change) {
    Machine machine = machines().front();
    change(machine);
    return error_text([&] { canonical_name(machine); });
  };
  const auto reason = holds("is no preset with parameters set");

  EXPECT_THAT(refused([](Machine& m) { m.units.pop_back(); }), reason);
  EXPECT_THAT(refused([](Machine& m) { m.units[0].rounding = Rounding::rz; }), reason);
  EXPECT_THAT(refused([](Machine& m) { m.units[0].sum = BlockSum::segments; }), reason);
  EXPECT_THAT(refused([](Machine& m) { m.units[0].segment = 7; }), reason);  // read by nothing
}

TEST(MachineRules, EveryUnitMustBeValid) {
  EXPECT_THAT(refusal("trn{accumulate.order=aligned}"),
              holds("for operands bf16", "needs a block length"));
}

TEST(MachineRules, UnitsDifferInTheirOperands) {
  EXPECT_THAT(refused([](Machine& m) { m.units.push_back(m.units[0]); }),
              holds("two units for operands bf16"));
  EXPECT_THAT(refused([](Machine& m) { m.units.clear(); }), holds("a machine needs a unit"));
}

TEST(MachineRules, AnFp32MatmulNeedsTheUnitOfItsPasses) {
  expect_each(refusal, {{"nv-volta{fp32_matmul=bf16x2}", "need a unit for bf16"},
                        {"nv-volta{fp32_matmul=bf16}", "need a unit for bf16"},
                        {"nv-volta{fp32_matmul=bf16x3}", "need a unit for bf16"}});
  for (const char* matmul : {"tf32", "tf32_cut", "split_11_11"})
    EXPECT_THAT(refusal("tpu{fp32_matmul=" + std::string(matmul) + "}"),
                holds("need a unit for tf32"));
  for (const char* matmul : {"native", "split_12_12", "three_of_12", "split_11_13"})
    EXPECT_THAT(refusal("tpu{fp32_matmul=" + std::string(matmul) + "}"),
                holds("need a unit for fp32"));
  EXPECT_EQ(machine_named("nv-ampere{fp32_matmul=tf32_cut}").fp32_matmul, Fp32Matmul::one_tf32_cut);
}

TEST(MachineRules, TilesHaveASize) {
  for (const std::string key : {"k_tile", "m_tile", "n_tile"}) {
    EXPECT_THAT(refusal("trn{" + key + "=0}"), holds(key + "=0 is not in 1..65536"));
    EXPECT_THAT(refusal("trn{" + key + "=65537}"), holds(key + "=65537 is not in 1..65536"));
    EXPECT_EQ(refusal("trn{" + key + "=65536}"), "no error");
  }
}

TEST(MachineRules, StorageIsNoWiderThanFp32) {
  expect_each(refusal, {{"trn{psum=fp64}", "psum=fp64 is wider than fp32"},
                        {"trn{eviction=fp64}", "eviction=fp64 is wider than fp32"},
                        {"trn{psum=custom(p=24,emin=-200,emax=127)}", "wider than fp32"},
                        {"trn{psum=custom(p=1,emin=-126,emax=127)}", "precision"}});
}

TEST(MachineRules, WritesToPsumRoundToNearestOrStochastically) {
  EXPECT_EQ(refused([](Machine& m) { m.casts = Rounding::rz; }), "no error");
  EXPECT_THAT(refused([](Machine& m) { m.psum_rounding = Rounding::odd; }),
              holds("psum.rounding=odd is not rne, rna or sr"));
  EXPECT_THAT(refused([](Machine& m) { m.psum_via = bf16; }),
              holds("psum.via=bf16 has fewer bits than psum"));
  EXPECT_THAT(refusal("trn-sr{sr.bits=0}"), holds("sr.bits=0 is not in 1..53"));
  EXPECT_THAT(refusal("trn-sr{sr.bits=54}"), holds("sr.bits=54 is not in 1..53"));
  EXPECT_EQ(refusal("trn-sr{sr.bits=53}"), "no error");
  EXPECT_THAT(refusal("trn-sr{sr.bits=53,sr.variant=c}"), holds("take sr.bits up to 52"));
  EXPECT_EQ(refusal("trn-sr{sr.bits=1}"), "no error");
}

TEST(MachineRules, TheVectorEngineHasOneRefinementAtATime) {
  expect_each(refusal,
              {{"trn{vector.product_bits=22}", "=22 is not 24, 21 or 20"},
               {"trn{vector.product_rounding=rz}", "is for products of fewer than 24 bits"},
               {"trn{vector.fused=on,vector.product_bits=20}", "vector.fused needs"},
               {"trn{vector.fused=on,vector.sum_rounding=rz}", "vector.fused needs"},
               {"trn-ftz{vector.fused=on}", "vector.flush needs"},
               {"trn-ftz{vector.sum_rounding=rz}", "vector.flush needs"}});
  EXPECT_THAT(refused([](Machine& m) { m.vector.sum_rounding = Rounding::odd; }),
              holds("the vector engine rounds by rne or rz"));
  EXPECT_THAT(refused([](Machine& m) { m.vector.product_rounding = Rounding::ru; }),
              holds("the vector engine rounds by rne or rz"));
  EXPECT_EQ(refusal("trn{vector.product_bits=20,vector.product_rounding=rz,"
                    "vector.sum_rounding=rz}"),
            "no error");
}

TEST(MachineRules, IntegerAccumulatorsHave32Bits) {
  EXPECT_THAT(refusal("trn{integer.bits=16}"), holds("integer.bits=16 is neither 0 nor 32"));
}

TEST(MachineParameters, OnesOfUnitsThatDifferAreShownByOperands) {
  const Machine hopper = machine_named("nv-hopper");
  for (const MachineRow& row : describe(hopper)) {
    if (row.key == "accumulate.block") {
      EXPECT_EQ(row.value, "bf16, fp16: 16; tf32: 8; fp8_e4m3fn, fp8_e5m2: 32; fp32: 0");
    }
    if (row.key == "accumulate.fraction_bits") {
      EXPECT_EQ(row.value, "bf16, fp16, tf32: 25; fp8_e4m3fn, fp8_e5m2: 13");
    }
    if (row.key == "accumulate.segment") {
      EXPECT_EQ(row.value, unread);
    }
    EXPECT_EQ(row.confidence, "") << row.key;
  }
}

TEST(MachineParameters, DescribeTellsWhatDiffersFromTrn) {
  std::vector<std::string> differing;
  for (const MachineRow& row : describe(machine_named("trn-rz{psum=bf16}"))) {
    EXPECT_FALSE(row.meaning.empty()) << row.key;
    const bool known = row.as_trn && row.value != unread;
    EXPECT_EQ(row.confidence.empty(), !known) << row.key;
    if (!row.as_trn) differing.push_back(row.key + "=" + row.value);
  }

  EXPECT_THAT(differing,
              ::testing::ElementsAre("accumulate.rounding=rz", "psum=bf16", "psum.via=fp32"));
  for (const MachineRow& row : describe(machines().front())) EXPECT_TRUE(row.as_trn) << row.key;
}

TEST(MachineParameters, SettingAValueThatOneHasChangesNothing) {
  for (const Machine& machine : machines())
    for (const MachineParameter& parameter : machine_parameters()) {
      const std::string value = parameter.text(machine);
      if (value == unread || value.find(';') != std::string::npos) continue;
      Machine changed = machine;

      parameter.set(changed, value);

      EXPECT_EQ(parameter.text(changed), value) << machine.name << ' ' << parameter.key;
      EXPECT_EQ(changed, machine) << machine.name << ' ' << parameter.key;
    }
}

}  // namespace fftprec::testing
