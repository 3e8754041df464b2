/// Complex matrix products on a tensor engine, in every mode and on every machine, against those by
/// hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/algorithms/hand_product.hpp"

namespace fftprec::testing {

namespace {

const std::vector<SplitTerm> three{{0, 0}, {1, 0}, {0, 1}};
const std::vector<SplitTerm> four{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
const std::vector<SplitTerm> six{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
const std::vector<SplitTerm> nine{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1},
                                  {0, 2}, {2, 1}, {1, 2}, {2, 2}};
const std::vector<SplitTerm> hq{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};

/// How `fast` multiplies fp32 operands: all passes into one PSUM.
HandScheme fast(Fp32Matmul how) {
  switch (how) {
    case Fp32Matmul::native:
      break;
    case Fp32Matmul::split_12_12:
      return {"fast", half_fp32, 2, 2, four, 0, false, Rounding::rz, true};
    case Fp32Matmul::three_of_12:
      return {"fast", half_fp32, 2, 2, three, 0, false, Rounding::rz, true};
    case Fp32Matmul::split_11_11:
      return {"fast", tf32, 2, 2, four, 0, false, Rounding::rz};
    case Fp32Matmul::one_bf16:
      return {"fast", bf16};
    case Fp32Matmul::one_tf32:
      return {"fast", tf32};
    case Fp32Matmul::one_tf32_cut:
      return {.mode = "fast", .word = tf32, .rounding = Rounding::rz};
    case Fp32Matmul::two_bf16:
      return {"fast", bf16, 2, 2, three};
    case Fp32Matmul::three_bf16:
      return {"fast", bf16, 3, 3, six};
  }
  return {"fast", fp32};
}

std::vector<HandScheme> schemes_on(const NamedMachine& machine) {
  return {fast(machine.fp32_matmul),
          {"bf16", bf16},
          {"fp16", fp16},
          {"tf32", tf32},
          {"fp8_e4m3", fp8_e4m3},
          {"fp8_e4m3fn", fp8_e4m3fn},
          {"fp8_e5m2", fp8_e5m2},
          {.mode = "fp8_e5m2:table=fp8_e4m3fn", .word = fp8_e5m2, .factor_word = fp8_e4m3fn},
          {.mode = "fp8_e4m3fn:table=fp8_e5m2", .word = fp8_e4m3fn, .factor_word = fp8_e5m2},
          {.mode = "fp8_e4m3:table=fp8_e5m2", .word = fp8_e4m3, .factor_word = fp8_e5m2},
          {"ozaki", bf16, 2, 2, three, 0, true},
          {"ozaki_hq", bf16, 3, 2, hq, 0, true},
          {"bf16x2:3", bf16, 2, 2, three, 0, true},
          {"bf16x2:4", bf16, 2, 2, four, 0, true},
          {"bf16x3:6", bf16, 3, 3, six, 0, true},
          {"bf16x3:9", bf16, 3, 3, nine, 0, true},
          {"fp16x2:3", fp16, 2, 2, three, 11, true},
          {"fp16x2:4", fp16, 2, 2, four, 11, true},
          {"tf32x2:3", tf32, 2, 2, three, 0, true},
          {"tf32x3:9", tf32, 3, 3, nine, 0, true},
          {.mode = "mxfp8_e4m3fn", .word = fp8_e4m3fn, .block_headroom = 1},
          {.mode = "mxfp8_e5m2:ocp", .word = fp8_e5m2, .block_headroom = 0},
          {.mode = "mxfp4_e2m1", .word = {2, 0, 2, true, Overflow::saturate}, .block_headroom = 1}};
}

bool takes(const NamedMachine& machine, const HandScheme& scheme) {
  const auto has = [&](const Format& word) {
    return std::ranges::any_of(machine.units, [&](const AccumulatorModel& unit) {
      return unit.operands == (word == half_fp32 ? fp32 : word);
    });
  };
  return has(scheme.word) && has(scheme.factor_word.value_or(scheme.word));
}

/// Products in both forms, bit for bit. Returns whether the machine multiplies such words.
bool expect_product_by_hand(const HandScheme& scheme, const NamedMachine& machine,
                            ProductShape shape, int exponent = 0) {
  if (!takes(machine, scheme)) return false;
  const Mode mode = mode_named(scheme.mode);
  SCOPED_TRACE(::testing::Message() << scheme.mode << " on " << machine.name << ", seeds 3 and 4");
  auto x = scattered<float>(shape.b * shape.k, storage_format(mode), 3);
  const auto w = scattered<float>(shape.k * shape.n, storage_format(mode), 4);
  for (auto* part : {&x.re, &x.im})
    for (float& value : *part) value = std::ldexp(value, exponent);
  const HandProduct by_hand(scheme, machine, x, w, shape);
  const MachineArithmetic<float> arithmetic(resolve(mode, machine));
  const auto rows = product_by(arithmetic, x, w, shape, false);
  const auto columns = product_by(arithmetic, x, w, shape, true);
  for (std::size_t i = 0; i < shape.b; ++i)
    for (std::size_t j = 0; j < shape.n; ++j)
      for (const int part : {0, 1}) {
        const auto& of_rows = part == 0 ? rows.re : rows.im;
        const auto& of_columns = part == 0 ? columns.re : columns.im;
        const float truth = by_hand(i, j, part);
        EXPECT_EQ(of_rows[i * shape.n + j], truth) << "gemm, part " << part << i << ", " << j;
        EXPECT_EQ(of_columns[i * shape.n + j], truth) << "columns, part " << part << i << ", " << j;
        if (::testing::Test::HasFailure()) return true;
      }
  return true;
}

NamedMachine with_small_tiles(NamedMachine machine) {
  machine.name += ", small tiles";
  machine.k_tile = 8;
  machine.m_tile = 2;
  machine.n_tile = 4;
  return machine;
}

}  // namespace

TEST(MachineGemm, EveryModeIsTheProductByHandOnEveryPreset) {
  std::size_t checked = 0;
  for (const NamedMachine& machine : machines()) {
    if (machine.casts != Rounding::rne) continue;
    for (const HandScheme& scheme : schemes_on(machine))
      checked += expect_product_by_hand(scheme, machine, {2, 37, 3}) ? 1 : 0;
  }
  EXPECT_GT(checked, 5 * machines().size());
}

/// Scales take blocks far below the range of their elements.
TEST(MachineGemm, BlocksOfSmallDataAreTheProductByHand) {
  for (const NamedMachine& machine : machines()) {
    if (machine.casts != Rounding::rne) continue;
    for (const HandScheme& scheme : schemes_on(machine))
      if (scheme.block_headroom >= 0) expect_product_by_hand(scheme, machine, {2, 70, 3}, -40);
  }
}

TEST(MachineGemm, EveryModeIsTheProductByHandAcrossTiles) {
  for (const char* name : {"trn", "trn-rz", "trn3-bf16psum", "trn-misread", "nv-hopper", "ieee"}) {
    NamedMachine machine = with_small_tiles(machine_named(name));
    if (machine.name[0] != 'n') machine.eviction = bf16;
    for (const HandScheme& scheme : schemes_on(machine))
      expect_product_by_hand(scheme, machine, {3, 37, 9});
  }
}

TEST(MachineGemm, Fp32OperandsAreCutAsTheMachineSays) {
  for (const Fp32Matmul how :
       {Fp32Matmul::native, Fp32Matmul::split_12_12, Fp32Matmul::three_of_12,
        Fp32Matmul::split_11_11, Fp32Matmul::one_bf16, Fp32Matmul::one_tf32,
        Fp32Matmul::one_tf32_cut, Fp32Matmul::two_bf16, Fp32Matmul::three_bf16})
    for (const char* name : {"trn", "trn-rz", "nv-hopper", "trn-elided"}) {
      NamedMachine machine = with_small_tiles(machine_named(name));
      machine.fp32_matmul = how;
      EXPECT_TRUE(expect_product_by_hand(fast(how), machine, {3, 37, 9}))
          << static_cast<int>(how) << name;
    }
}

TEST(MachineGemm, FaultsOfSplitKernelsAreThoseByHand) {
  for (const Elision elided : {Elision::none, Elision::data, Elision::table, Elision::both})
    for (const Demotion demotion :
         {Demotion::none, Demotion::sum, Demotion::terms, Demotion::leading})
      for (const bool misread : {false, true}) {
        NamedMachine machine = with_small_tiles(machine_named("trn"));
        machine.faults = {.elided = elided, .demotion = demotion, .misread = misread};
        for (const HandScheme& scheme : schemes_on(machine))
          if (scheme.evicted || scheme.mode == std::string("fast"))
            expect_product_by_hand(scheme, machine, {2, 21, 3});
      }
}

}  // namespace fftprec::testing
