/// Machines that cannot be are refused with the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arith/machines/machine.hpp"
#include "arith/machines/parameters.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec::testing {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The reason against `name` with parameters set.
std::string refusal(std::string_view name) {
  return error_text([&] { machine_named(name); });
}

/// The reason against trn after `change`.
template <class Change>
std::string refused(Change change) {
  NamedMachine machine = machines().front();
  change(machine);
  return error_text([&] { validate(machine); });
}

}  // namespace

TEST(MachineRules, EveryUnitMustBeValid) {
  EXPECT_THAT(refusal("trn{accumulate.order=aligned}"),
              AllOf(HasSubstr("for operands bf16"), HasSubstr("needs a block length")));
  EXPECT_THAT(refusal("nv-hopper{accumulate.fraction_bits=41}"), HasSubstr("41 fraction bits"));
  EXPECT_THAT(refusal("nv-hopper{accumulate.fraction_bits=-1}"), HasSubstr("fraction bits"));
  EXPECT_THAT(refusal("nv-hopper{accumulate.lowest_exponent=128}"),
              HasSubstr("lowest exponent 128"));
  EXPECT_THAT(refusal("nv-hopper{product=bf16}"), HasSubstr("takes exact products"));
  EXPECT_THAT(refusal("amd-cdna3{accumulate.late_fraction_bits=20}"),
              HasSubstr("late_fraction_bits is below fraction_bits"));
  EXPECT_THAT(refusal("trn{accumulate.format=fp64}"), HasSubstr("fp64 is wider than fp32"));
  EXPECT_THAT(refusal("nv-hopper{accumulate.format=fp8_e4m3fn}"),
              HasSubstr("has no infinity to overflow to"));
  EXPECT_THAT(refusal("trn{accumulate.order=segments,accumulate.segment=0}"),
              HasSubstr("a segment needs at least one product"));
  EXPECT_THAT(refusal("trn{product=fp64}"), HasSubstr("products of fp64 are wider than fp32"));
  EXPECT_THAT(refused([](NamedMachine& m) {
                m.units[0].product = {false, bf16, Rounding::sr};
              }),
              HasSubstr("products round by rne or rz"));
  EXPECT_THAT(refusal("trn{accumulate.block=65537}"), HasSubstr("65537 products per block"));
  EXPECT_THAT(refusal("trn{accumulate.order=segments,accumulate.segment=65537}"),
              HasSubstr("65537 products per segment"));
}

TEST(MachineRules, UnitsDifferInTheirOperands) {
  EXPECT_THAT(refused([](NamedMachine& m) { m.units.push_back(m.units[0]); }),
              HasSubstr("two units for operands bf16"));
  EXPECT_THAT(refused([](NamedMachine& m) { m.units.clear(); }),
              HasSubstr("a machine needs a unit"));
}

TEST(MachineRules, AnFp32MatmulNeedsTheUnitOfItsPasses) {
  EXPECT_THAT(refusal("nv-volta{fp32_matmul=bf16x2}"), HasSubstr("need a unit for bf16"));
  EXPECT_THAT(refusal("nv-volta{fp32_matmul=bf16}"), HasSubstr("need a unit for bf16"));
  EXPECT_THAT(refusal("nv-volta{fp32_matmul=bf16x3}"), HasSubstr("need a unit for bf16"));
  for (const char* matmul : {"tf32", "tf32_cut", "split_11_11"})
    EXPECT_THAT(refusal("tpu{fp32_matmul=" + std::string(matmul) + "}"),
                HasSubstr("need a unit for tf32"));
  for (const char* matmul : {"native", "split_12_12", "three_of_12"})
    EXPECT_THAT(refusal("tpu{fp32_matmul=" + std::string(matmul) + "}"),
                HasSubstr("need a unit for fp32"));
  EXPECT_EQ(machine_named("nv-ampere{fp32_matmul=tf32_cut}").fp32_matmul, Fp32Matmul::one_tf32_cut);
}

TEST(MachineRules, TilesHaveASize) {
  for (const std::string key : {"k_tile", "m_tile", "n_tile"}) {
    EXPECT_THAT(refusal("trn{" + key + "=0}"), HasSubstr(key + "=0 is not in 1..65536"));
    EXPECT_THAT(refusal("trn{" + key + "=65537}"), HasSubstr(key + "=65537 is not in 1..65536"));
    EXPECT_EQ(refusal("trn{" + key + "=65536}"), "no error");
  }
}

TEST(MachineRules, StorageIsNoWiderThanFp32) {
  EXPECT_THAT(refusal("trn{psum=fp64}"), HasSubstr("psum=fp64 is wider than fp32"));
  EXPECT_THAT(refusal("trn{eviction=fp64}"), HasSubstr("eviction=fp64 is wider than fp32"));
  EXPECT_THAT(refusal("trn{psum=custom(p=24,emin=-200,emax=127)}"), HasSubstr("wider than fp32"));
  EXPECT_THAT(refusal("trn{psum=custom(p=1,emin=-126,emax=127)}"), HasSubstr("precision"));
}

TEST(MachineRules, CastsRoundToNearestOrStochastically) {
  EXPECT_THAT(refused([](NamedMachine& m) { m.casts = Rounding::rz; }),
              HasSubstr("casts=rz is neither rne nor sr"));
  EXPECT_THAT(refused([](NamedMachine& m) { m.psum_rounding = Rounding::odd; }),
              HasSubstr("psum.rounding=odd is neither rne nor sr"));
  EXPECT_THAT(refusal("trn-sr{sr.bits=0}"), HasSubstr("sr.bits=0 is not in 1..53"));
  EXPECT_THAT(refusal("trn-sr{sr.bits=54}"), HasSubstr("sr.bits=54 is not in 1..53"));
  EXPECT_EQ(refusal("trn-sr{sr.bits=53}"), "no error");
  EXPECT_EQ(refusal("trn-sr{sr.bits=1}"), "no error");
}

TEST(MachineRules, TheVectorEngineHasOneRefinementAtATime) {
  EXPECT_THAT(refusal("trn{vector.product_bits=22}"), HasSubstr("=22 is not 24, 21 or 20"));
  EXPECT_THAT(refusal("trn{vector.product_rounding=rz}"),
              HasSubstr("is for products of fewer than 24 bits"));
  EXPECT_THAT(refusal("trn{vector.fused=on,vector.product_bits=20}"),
              HasSubstr("vector.fused needs"));
  EXPECT_THAT(refusal("trn{vector.fused=on,vector.sum_rounding=rz}"),
              HasSubstr("vector.fused needs"));
  EXPECT_THAT(refusal("trn-ftz{vector.fused=on}"), HasSubstr("vector.flush needs"));
  EXPECT_THAT(refusal("trn-ftz{vector.sum_rounding=rz}"), HasSubstr("vector.flush needs"));
  EXPECT_THAT(refused([](NamedMachine& m) { m.vector.sum_rounding = Rounding::odd; }),
              HasSubstr("the vector engine rounds by rne or rz"));
  EXPECT_THAT(refused([](NamedMachine& m) { m.vector.product_rounding = Rounding::ru; }),
              HasSubstr("the vector engine rounds by rne or rz"));
  EXPECT_EQ(refusal("trn{vector.product_bits=20,vector.product_rounding=rz,"
                    "vector.sum_rounding=rz}"),
            "no error");
}

TEST(MachineRules, IntegerAccumulatorsHave32Bits) {
  EXPECT_THAT(refusal("trn{integer.bits=16}"), HasSubstr("integer.bits=16 is neither 0 nor 32"));
}

TEST(MachineParameters, OnesOfUnitsThatDifferAreShownByOperands) {
  const NamedMachine hopper = machine_named("nv-hopper");
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

  EXPECT_THAT(differing, ::testing::ElementsAre("accumulate.rounding=rz", "psum=bf16"));
  for (const MachineRow& row : describe(machines().front())) EXPECT_TRUE(row.as_trn) << row.key;
}

TEST(MachineParameters, SettingAValueThatOneHasChangesNothing) {
  for (const NamedMachine& machine : machines())
    for (const MachineParameter& parameter : machine_parameters()) {
      const std::string value = parameter.text(machine);
      if (value == unread || value.find(';') != std::string::npos) continue;
      NamedMachine changed = machine;

      parameter.set(changed, value);

      EXPECT_EQ(parameter.text(changed), value) << machine.name << ' ' << parameter.key;
      EXPECT_EQ(changed, machine) << machine.name << ' ' << parameter.key;
    }
}

}  // namespace fftprec::testing
