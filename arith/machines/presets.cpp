/// The presets: published, documented or conjectured accumulator models of real matrix units, and
/// the machines that have them.
///
/// Sources. MMA-Sim: Xie, Wang, Yang, Yang, "MMA-Sim: bit-accurate reference model of tensor cores
/// and matrix cores", arXiv 2511.10909 (2025). Khattak and Mikaitis, "Accurate models of NVIDIA
/// tensor cores", arXiv 2512.07004 (2025). Khattak, Mikaitis and Graziani, "Accurate models of AMD
/// matrix cores", arXiv 2609.14845 (2026). Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of
/// NVIDIA tensor cores", PeerJ Comput. Sci. 7 (2021) e330. Confidence: D documented by the vendor,
/// M measured by others, I inferred, U unknown and therefore a parameter.
#include <string>
#include <utility>

#include "arith/machines/machine.hpp"
#include "arith/splitting/block_scaling.hpp"

namespace fftprec {

namespace {

/// The same unit for operands of another format, of which it may take another number at a time.
constexpr AccumulatorModel with_operands(AccumulatorModel model, const Format& operands,
                                         std::string_view name, std::size_t block = 0) {
  model.operands = operands;
  model.name = name;
  if (block > 0) model.block = block;
  return model;
}

/// fp32's exponents with 13 fraction bits: how fp8 sums leave the tensor cores of Ada and Hopper.
constexpr Format e8m13{14, -126, 127};

/// NVIDIA Volta (V100): 4 products and c, no extra alignment bit; rz. (M: Fasi et al. 2021,
/// MMA-Sim; lowest exponent I: that of c.)
constexpr AccumulatorModel nv_volta{.name = "nv-volta",
                                    .operands = fp16,
                                    .sum = BlockSum::aligned,
                                    .block = 4,
                                    .rounding = Rounding::rz,
                                    .overflow_to_infinity = true,
                                    .fraction_bits = 23};

/// NVIDIA Turing (T4): 8 products and c, one extra bit; rz. (M: MMA-Sim; lowest exponent I.)
constexpr AccumulatorModel nv_turing{.name = "nv-turing",
                                     .operands = fp16,
                                     .sum = BlockSum::aligned,
                                     .block = 8,
                                     .rounding = Rounding::rz,
                                     .overflow_to_infinity = true,
                                     .fraction_bits = 24};

/// NVIDIA Ampere (A100), bf16: 8 products and c, one extra bit; rz. (M: MMA-Sim, Khattak and
/// Mikaitis.)
constexpr AccumulatorModel nv_ampere_bf16{.name = "nv-ampere-bf16",
                                          .sum = BlockSum::aligned,
                                          .block = 8,
                                          .rounding = Rounding::rz,
                                          .overflow_to_infinity = true,
                                          .fraction_bits = 24,
                                          .lowest_exponent = -132};
/// The same for fp16. (M)
constexpr AccumulatorModel nv_ampere_fp16 = with_operands(nv_ampere_bf16, fp16, "nv-ampere-fp16");
/// NVIDIA Ampere, tf32: blocks of 4. The unit cuts fp32 operands to tf32: the caller does. (M)
constexpr AccumulatorModel nv_ampere_tf32 =
    with_operands(nv_ampere_bf16, tf32, "nv-ampere-tf32", 4);

/// NVIDIA Ada (L40, RTX 40): 16-bit and tf32 operands as on Ampere. (M: MMA-Sim.)
constexpr AccumulatorModel nv_ada_bf16 = with_operands(nv_ampere_bf16, bf16, "nv-ada-bf16");
constexpr AccumulatorModel nv_ada_fp16 = with_operands(nv_ampere_bf16, fp16, "nv-ada-fp16");
constexpr AccumulatorModel nv_ada_tf32 = with_operands(nv_ampere_tf32, tf32, "nv-ada-tf32");
/// NVIDIA Ada, fp8: 16 products, 13 fraction bits in the alignment and in the result. (M: MMA-Sim;
/// lowest exponent I.)
constexpr AccumulatorModel nv_ada_fp8{.name = "nv-ada-fp8",
                                      .operands = fp8_e4m3fn,
                                      .sum = BlockSum::aligned,
                                      .block = 16,
                                      .rounding = Rounding::rz,
                                      .format = e8m13,
                                      .overflow_to_infinity = true,
                                      .fraction_bits = 13};

/// NVIDIA Hopper (H100, H200), bf16: 16 products and c, two extra bits; rz. (M: here; MMA-Sim,
/// Khattak and Mikaitis.)
constexpr AccumulatorModel nv_hopper_bf16{.name = "nv-hopper-bf16",
                                          .sum = BlockSum::aligned,
                                          .block = 16,
                                          .rounding = Rounding::rz,
                                          .overflow_to_infinity = true,
                                          .fraction_bits = 25,
                                          .lowest_exponent = -133};
/// The same for fp16. (M)
constexpr AccumulatorModel nv_hopper_fp16 = with_operands(nv_hopper_bf16, fp16, "nv-hopper-fp16");
/// NVIDIA Hopper, tf32: blocks of 8. (M)
constexpr AccumulatorModel nv_hopper_tf32 =
    with_operands(nv_hopper_bf16, tf32, "nv-hopper-tf32", 8);
/// NVIDIA Hopper, fp8 by wgmma: 32 products, 13 fraction bits in the alignment and in the result.
/// (M: here; MMA-Sim.)
constexpr AccumulatorModel nv_hopper_fp8{.name = "nv-hopper-fp8",
                                         .operands = fp8_e4m3fn,
                                         .sum = BlockSum::aligned,
                                         .block = 32,
                                         .rounding = Rounding::rz,
                                         .format = e8m13,
                                         .overflow_to_infinity = true,
                                         .fraction_bits = 13,
                                         .lowest_exponent = -133};

/// fp8 by mma.sync on Hopper and on B200, which have no unit for it: operands widened to fp16, 32
/// products in two sums of 16 from zero, the first of k mod 4 < 2, c added in the accumulator's
/// format, rne. (M: here on Hopper; Khattak and Mikaitis. D: the machine code that ptxas 13.0 makes
/// for sm_90a.)
constexpr AccumulatorModel nv_mma_fp8{.name = "nv-mma-fp8",
                                      .operands = fp8_e4m3fn,
                                      .sum = BlockSum::aligned,
                                      .block = 32,
                                      .segment = 16,
                                      .interleave = 2,
                                      .addend = AddendPosition::after,
                                      .rounding = Rounding::rz,
                                      .overflow_to_infinity = true,
                                      .fraction_bits = 25,
                                      .lowest_exponent = -133};

/// NVIDIA Blackwell (B200): 16-bit and tf32 operands as on Hopper. (M: MMA-Sim.)
constexpr AccumulatorModel nv_blackwell_bf16 =
    with_operands(nv_hopper_bf16, bf16, "nv-blackwell-bf16");
constexpr AccumulatorModel nv_blackwell_fp16 =
    with_operands(nv_hopper_bf16, fp16, "nv-blackwell-fp16");
constexpr AccumulatorModel nv_blackwell_tf32 =
    with_operands(nv_hopper_tf32, tf32, "nv-blackwell-tf32");
/// NVIDIA Blackwell, fp8 and narrower without block scales: 32 products, 25 fraction bits. (M:
/// MMA-Sim.)
constexpr AccumulatorModel nv_blackwell_fp8{.name = "nv-blackwell-fp8",
                                            .operands = fp8_e4m3fn,
                                            .sum = BlockSum::aligned,
                                            .block = 32,
                                            .rounding = Rounding::rz,
                                            .overflow_to_infinity = true,
                                            .fraction_bits = 25,
                                            .lowest_exponent = -133};

/// NVIDIA Blackwell, fp4 in blocks with a shared scale: 64 products, of which groups of 16 are
/// summed exactly, then aligned by their scales with 35 fraction bits. (M: MMA-Sim.)
constexpr AccumulatorModel nv_blackwell_fp4{.name = "nv-blackwell-fp4",
                                            .operands = fp4_e2m1,
                                            .sum = BlockSum::aligned,
                                            .block = 64,
                                            .rounding = Rounding::rz,
                                            .overflow_to_infinity = true,
                                            .group = 16,
                                            .group_exponent = GroupExponent::scale,
                                            .fraction_bits = 35,
                                            .lowest_exponent = -139};

/// AMD CDNA1 (MI100): c and 4 (fp16) or 2 (bf16) products, summed exactly, rounded once. (M:
/// MMA-Sim.)
constexpr AccumulatorModel amd_cdna1_fp16{
    .name = "amd-cdna1-fp16", .operands = fp16, .sum = BlockSum::exact, .block = 4};
constexpr AccumulatorModel amd_cdna1_bf16{
    .name = "amd-cdna1-bf16", .sum = BlockSum::exact, .block = 2};

/// AMD CDNA2 (MI200): c + ((p0 + p1) + (p2 + p3)), fp32 rne each, subnormals flushed in and out.
/// (M: MMA-Sim; its older bf16 instructions take pairs.)
constexpr AccumulatorModel amd_cdna2_bf16{.name = "amd-cdna2-bf16",
                                          .sum = BlockSum::pairwise,
                                          .block = 4,
                                          .addend = AddendPosition::late,
                                          .product = fp32_product,
                                          .flush_inputs = true,
                                          .flush_outputs = true};
/// The same for fp16. (M)
constexpr AccumulatorModel amd_cdna2_fp16 = with_operands(amd_cdna2_bf16, fp16, "amd-cdna2-fp16");

/// AMD CDNA3 (MI300): 8 products aligned and cut to 24 fraction bits; their sum, cut by floor at 32
/// bits, and c, at 24, aligned to the larger; the sum of both cut by floor to 32 significant bits,
/// 31 fraction bits below 2^-126; rne. (M: Khattak, Mikaitis and Graziani, algorithm 1.)
constexpr AccumulatorModel amd_cdna3_bf16{.name = "amd-cdna3-bf16",
                                          .sum = BlockSum::aligned,
                                          .block = 8,
                                          .addend = AddendPosition::late,
                                          .product_overflow = true,
                                          .fraction_bits = 24,
                                          .late_fraction_bits = 32,
                                          .sum_bits = 32,
                                          .lowest_exponent = -298};
/// The same for fp16. (M)
constexpr AccumulatorModel amd_cdna3_fp16 = with_operands(amd_cdna3_bf16, fp16, "amd-cdna3-fp16");
/// AMD CDNA3, xf32: blocks of 4. (M)
constexpr AccumulatorModel amd_cdna3_xf32 =
    with_operands(amd_cdna3_bf16, tf32, "amd-cdna3-xf32", 4);

/// AMD CDNA3, fp8: 16 products, even and odd k aligned by themselves, both sums by floor; a c of
/// less than 2^-25 of the largest is left out. (M: Khattak, Mikaitis and Graziani, algorithm 2.)
constexpr AccumulatorModel amd_cdna3_fp8{.name = "amd-cdna3-fp8",
                                         .operands = fp8_e4m3fnuz,
                                         .sum = BlockSum::aligned,
                                         .block = 16,
                                         .addend = AddendPosition::late,
                                         .lanes = 2,
                                         .c_reach = 25,
                                         .fraction_bits = 24,
                                         .late_fraction_bits = 32,
                                         .sum_bits = 32,
                                         .lowest_exponent = -298};

/// Intel AMX, TDPBF16PS: a chain of FMAs over even k and one over odd k, even + odd, then c + that;
/// rne, subnormals flushed in and out. One instruction takes up to 32 products. (D: Intel
/// instruction set reference, TDPBF16PS.)
constexpr AccumulatorModel intel_amx{.name = "intel-amx",
                                     .sum = BlockSum::even_odd,
                                     .block = 32,
                                     .addend = AddendPosition::late,
                                     .flush_inputs = true,
                                     .flush_outputs = true};

/// VDPBF16PS of x86 processors with AVX512-BF16: c, the product of the odd k of a pair, then that
/// of the even one, two FMAs; rne, subnormals flushed in and out of each. The kernel meant runs
/// over k in pairs, one accumulator for each element. (D: Intel instruction set reference,
/// VDPBF16PS, MXCSR unread; M: AMD family 26 has these bits, tests/silicon/avx512bf16_test.cpp.)
constexpr AccumulatorModel x86_avx512bf16{.name = "x86-avx512bf16",
                                          .sum = BlockSum::reversed,
                                          .block = 2,
                                          .flush_inputs = true,
                                          .flush_outputs = true};

/// Arm BFDOT without FEAT_EBF16: products, their sum and the accumulation each rounded to odd,
/// overflow to infinity, subnormals flushed. (D: Arm Architecture Reference Manual, BFDOT.)
constexpr AccumulatorModel arm_bfdot{
    .name = "arm-bfdot",
    .sum = BlockSum::pairwise,
    .block = 2,
    .addend = AddendPosition::late,
    .product = fp32_product,  // of bf16: exact, infinite or flushed, as to odd
    .rounding = Rounding::odd,
    .overflow_to_infinity = true,
    .flush_inputs = true,
    .flush_outputs = true};

/// Arm BFDOT with FPCR.EBF = 1: the pair fused and rounded once, then added; rne, subnormals kept
/// by default. (D: Arm Architecture Reference Manual, BFDOT.)
constexpr AccumulatorModel arm_ebf16{
    .name = "arm-ebf16", .sum = BlockSum::exact, .block = 2, .addend = AddendPosition::late};

/// Trainium, the column in ascending order: the default assumption. (fp32 D, order and rounding U.)
constexpr AccumulatorModel trn_sequential{.name = "trn-sequential"};
/// Trainium, the other way round. (U)
constexpr AccumulatorModel trn_reversed{.name = "trn-reversed", .sum = BlockSum::reversed};
/// Trainium, a tree over the column, c added to it. (U)
constexpr AccumulatorModel trn_tree{
    .name = "trn-tree", .sum = BlockSum::pairwise, .addend = AddendPosition::late};
/// Trainium, chains over 32 partitions each, a tree over those, c added to it. (U)
constexpr AccumulatorModel trn_segments{
    .name = "trn-segments", .sum = BlockSum::segments, .addend = AddendPosition::late};
/// Trainium, the column and c summed exactly and rounded once. (U)
constexpr AccumulatorModel trn_exact{.name = "trn-exact", .sum = BlockSum::exact};

// Trainium, as documented and with one assumption changed at a time, and `ieee`.

/// The same unit for every format of operands that a Trainium tensor engine takes.
std::vector<AccumulatorModel> trn_units(const AccumulatorModel& unit) {
  std::vector<AccumulatorModel> units;
  for (const Format& operands : {bf16, fp16, tf32, fp32, fp8_e4m3, fp8_e5m2}) {
    units.push_back(unit);
    units.back().operands = operands;
    // Halves of fp32 operands are exact in the product whatever 16-bit products do.
    if (operands == fp32) units.back().product = {};
  }
  return units;
}

AccumulatorModel truncating(AccumulatorModel unit) {
  unit.rounding = Rounding::rz;
  return unit;
}

AccumulatorModel rounding_products(AccumulatorModel unit, const ProductModel& product) {
  unit.product = product;
  return unit;
}

/// Plain fp32: every product rounds, fp32 operands included.
std::vector<AccumulatorModel> ieee_units() {
  std::vector<AccumulatorModel> units = trn_units(trn_sequential);
  for (AccumulatorModel& unit : units) unit.product = fp32_product;
  return units;
}

/// NeuronCore v4 takes OCP's fp8, and the elements of its block-scaled formats, as well.
std::vector<AccumulatorModel> trn3_units() {
  std::vector<AccumulatorModel> units = trn_units(trn_sequential);
  for (const Format& operands : {fp8_e4m3fn, fp4_e2m1})
    units.push_back(with_operands(trn_sequential, operands, trn_sequential.name));
  return units;
}

constexpr ProductModel bf16_product{.exact = false, .format = bf16};

std::vector<Machine> trainium_presets() {
  return {
      {.name = "trn",
       .summary = "AWS Trainium as documented: exact products, fp32 PSUM (D); sequential rne "
                  "accumulation, tiles added one by one (U, default); fp32 in 4 passes (D)",
       .units = trn_units(trn_sequential)},
      {.name = "trn-claim",
       .summary = "trn with every product rounded to bf16 before PSUM, as trnfft explains its "
                  "silicon figures (U)",
       .units = trn_units(rounding_products(trn_sequential, bf16_product))},
      {.name = "trn-rz",
       .summary = "trn with an accumulator that rounds toward zero, as measured on other tensor "
                  "cores (U)",
       .units = trn_units(truncating(trn_sequential))},
      {.name = "trn-ftz",
       .summary = "trn with subnormals flushed to zero, in and out, on both engines (U)",
       .units = trn_units(trn_sequential),
       .vector = {.flush = true},
       .flush_inputs = true,
       .flush_outputs = true},
      {.name = "trn-reversed",
       .summary = "trn with columns summed from the last product to the first (U)",
       .units = trn_units(trn_reversed)},
      {.name = "trn-segments",
       .summary = "trn with columns summed in chains of 32 partitions and a tree over those (U)",
       .units = trn_units(trn_segments)},
      {.name = "trn-tree",
       .summary = "trn with columns summed by a tree of neighbours, PSUM added last (U)",
       .units = trn_units(trn_tree)},
      {.name = "trn-exact",
       .summary = "trn with a column summed exactly and rounded once (U): the best that fp32 PSUM "
                  "allows",
       .units = trn_units(trn_exact)},
      {.name = "trn3-bf16psum",
       .summary = "Trainium 3 with PSUM in bf16, as NeuronCore v4 offers: widened, added in fp32, "
                  "rounded on write (D); else trn; also takes fp8_e4m3fn and e2m1 in blocks (D)",
       .units = trn3_units(),
       .psum = bf16},
      {.name = "trn-autocast",
       .summary = "trn with fp32 matmuls cast to bf16, as the Neuron compiler did by default "
                  "before SDK 2.27 (D)",
       .units = trn_units(trn_sequential),
       .fp32_matmul = Fp32Matmul::one_bf16},
      {.name = "trn-sr",
       .summary = "trn with stochastic rounding switched on: casts, eviction and writes to a "
                  "narrower PSUM (D; 32 random bits U)",
       .units = trn_units(trn_sequential),
       .psum_rounding = Rounding::sr,
       .casts = Rounding::sr},
      {.name = "ieee",
       .summary = "plain fp32 multiply, then add, in one sequential chain; no tiles, no passes",
       .units = ieee_units(),
       .across_tiles = AcrossTiles::through,
       .fp32_matmul = Fp32Matmul::native},
  };
}

// Matrix units of other vendors, after published models.

/// fp32 outside the matrix unit: fma(a_k, b_k, c), k ascending.
constexpr AccumulatorModel fma_chain{.name = "fma-chain", .operands = fp32};

/// A TPU's systolic array: exact products, fp32 rne chain. (D for fp32; order, rounding U.)
constexpr AccumulatorModel tpu_bf16{.name = "tpu-bf16"};

/// Tenstorrent's matrix unit, one phase: 16 products in a chain, then Dst. (U: the functional model
/// of MVMUL, which calls itself a rough guide.)
constexpr AccumulatorModel tt_wormhole{.name = "tt-wormhole"};

/// The unit for fp8 takes both formats of OCP, or of `formats`.
std::vector<AccumulatorModel> with_fp8(std::vector<AccumulatorModel> units,
                                       const AccumulatorModel& fp8,
                                       const std::vector<Format>& formats = {fp8_e4m3fn,
                                                                             fp8_e5m2}) {
  for (const Format& operands : formats) units.push_back(with_operands(fp8, operands, fp8.name));
  return units;
}

/// A matrix unit beside ordinary cores that multiply fp32 by FMA. Blocks chain through c, so how a
/// contraction is tiled into whole blocks changes nothing.
Machine beside_cores(std::string name, std::string summary, std::vector<AccumulatorModel> units,
                     int integer_bits) {
  units.push_back(fma_chain);
  return {.name = std::move(name),
          .summary = std::move(summary),
          .units = std::move(units),
          .across_tiles = AcrossTiles::through,
          .fp32_matmul = Fp32Matmul::native,
          .integer_bits = integer_bits};
}

Machine tpu(std::string name, std::string fp32_passes, Fp32Matmul fp32_matmul) {
  return {.name = std::move(name),
          .summary = "Google TPU: exact bf16 products, fp32 sums (D), in sequence, rne (U); fp32 " +
                     std::move(fp32_passes) + " (D, XLA's precision settings)",
          .units = {tpu_bf16},
          .across_tiles = AcrossTiles::through,
          .fp32_matmul = fp32_matmul,
          .integer_bits = 32};
}

std::vector<Machine> nvidia_presets() {
  return {
      beside_cores("nv-volta",
                   "NVIDIA V100: fp16 tensor cores, blocks of 4, 23 bits, rz (M: Fasi et al. "
                   "2021, MMA-Sim); fp32 by FMAs (D)",
                   {nv_volta}, 0),
      beside_cores("nv-turing",
                   "NVIDIA T4: fp16 tensor cores, blocks of 8, 24 bits, rz (M: Fasi et al. 2021, "
                   "MMA-Sim); fp32 by FMAs (D)",
                   {nv_turing}, 32),
      beside_cores("nv-ampere",
                   "NVIDIA A100: 16-bit operands in blocks of 8, tf32 of 4, 24 bits, rz (M: "
                   "MMA-Sim, Khattak and Mikaitis 2025); fp32 by FMAs (D)",
                   {nv_ampere_bf16, nv_ampere_fp16, nv_ampere_tf32}, 32),
      beside_cores("nv-ada",
                   "NVIDIA L40, RTX 40: as nv-ampere; fp8 in blocks of 16, 13 bits, result rz to "
                   "13 (M: MMA-Sim); fp32 by FMAs (D)",
                   with_fp8({nv_ada_bf16, nv_ada_fp16, nv_ada_tf32}, nv_ada_fp8), 32),
      beside_cores(
          "nv-hopper",
          "NVIDIA H100, H200: 16-bit operands in blocks of 16, tf32 of 8, 25 bits; fp8 of "
          "32, 13 bits, rz (M: here; MMA-Sim, Khattak and Mikaitis 2025); fp32 by FMAs (M: here)",
          with_fp8({nv_hopper_bf16, nv_hopper_fp16, nv_hopper_tf32}, nv_hopper_fp8), 32),
      beside_cores(
          "nv-hopper-mma",
          "NVIDIA H100, H200, B200 by mma.sync: as nv-hopper, but fp8 as two sums of 16 from "
          "zero, which take k by turns of 2, 25 bits, then c, rne (M: here on Hopper; Khattak and "
          "Mikaitis 2025); fp32 by FMAs (M: here)",
          with_fp8({nv_hopper_bf16, nv_hopper_fp16, nv_hopper_tf32}, nv_mma_fp8), 32),
      beside_cores(
          "nv-blackwell",
          "NVIDIA B200 by tcgen05, RTX 50: as nv-hopper, but fp8 and fp6 with 25 bits and fp32 "
          "results; "
          "fp4 in blocks of 64, exact groups of 16, then 35 bits (M: MMA-Sim); fp32 by FMAs (D)",
          with_fp8({nv_blackwell_bf16, nv_blackwell_fp16, nv_blackwell_tf32, nv_blackwell_fp4},
                   nv_blackwell_fp8, {fp8_e4m3fn, fp8_e5m2, fp6_e2m3, fp6_e3m2}),
          32),
  };
}

std::vector<Machine> amd_presets() {
  return {
      beside_cores("amd-cdna1",
                   "AMD MI100: exact sums of 4 fp16 or 2 bf16 products and c, rne (M: MMA-Sim); "
                   "fp32 by FMAs (M)",
                   {amd_cdna1_bf16, amd_cdna1_fp16}, 32),
      beside_cores("amd-cdna2",
                   "AMD MI200: c + ((p0 + p1) + (p2 + p3)), rne each, 16-bit subnormals flushed "
                   "(M: MMA-Sim); fp32 by FMAs (M)",
                   {amd_cdna2_bf16, amd_cdna2_fp16}, 32),
      beside_cores("amd-cdna3",
                   "AMD MI300: products cut to 24 bits in blocks of 8 (xf32: 4; fp8: 16, even and "
                   "odd k apart), then c by floor, 32 bits of the sum by floor, rne (M: MMA-Sim, "
                   "Khattak, Mikaitis and Graziani 2026); fp32 by FMAs (M)",
                   with_fp8({amd_cdna3_bf16, amd_cdna3_fp16, amd_cdna3_xf32}, amd_cdna3_fp8,
                            {fp8_e4m3fnuz, fp8_e5m2fnuz}),
                   32),
  };
}

std::vector<Machine> vendor_presets() {
  std::vector<Machine> all = nvidia_presets();
  for (Machine& machine : amd_presets()) all.push_back(std::move(machine));
  all.push_back(tpu("tpu", "as one pass of bf16", Fp32Matmul::one_bf16));
  all.push_back(tpu("tpu-high", "as two bf16 words, 3 passes", Fp32Matmul::two_bf16));
  all.push_back(tpu("tpu-highest", "as three bf16 words, 6 passes", Fp32Matmul::three_bf16));
  all.push_back(
      {.name = "tt-wormhole",
       .summary =
           "Tenstorrent Wormhole: bf16, fp16 and tf32 in phases of 7 by 5 bits, 16 products "
           "each, added to an fp32 Dst; subnormals flushed; HiFi4 (D: tt-isa-documentation); "
           "sequential, rne (U, its rough guide); fp32 cut to tf32 (D)",
       .units = {tt_wormhole, with_operands(tt_wormhole, fp16, "tt-wormhole-fp16"),
                 with_operands(tt_wormhole, tf32, "tt-wormhole-tf32")},
       .fp32_matmul = Fp32Matmul::one_tf32_cut,
       .fidelity = Fidelity::hifi4,
       .k_tile = 16,
       .m_tile = 8,
       .n_tile = 16,
       .flush_inputs = true,
       .flush_outputs = true,
       .integer_bits = 32});
  all.push_back(beside_cores("intel-amx",
                             "Intel AMX: chains of FMAs over even and odd k, their sum, then c; "
                             "subnormals flushed (D: TDPBF16PS); fp32 by FMAs (D)",
                             {intel_amx}, 32));
  all.push_back(beside_cores("x86-avx512bf16",
                             "x86 VDPBF16PS over k in pairs: c, then an FMA of the odd and one of "
                             "the even k, rne, subnormals flushed (D: VDPBF16PS; M: AMD family 26, "
                             "bit for bit); fp32 by FMAs (D)",
                             {x86_avx512bf16}, 0));
  all.push_back(beside_cores("arm-bfdot",
                             "Arm BFDOT: products, their sum and c rounded to odd each, subnormals "
                             "flushed (D: Arm ARM); fp32 by FMAs (D)",
                             {arm_bfdot}, 0));
  all.push_back(beside_cores("arm-ebf16",
                             "Arm BFDOT with FPCR.EBF = 1: a fused pair, then c, rne each (D: Arm "
                             "ARM); fp32 by FMAs (D)",
                             {arm_ebf16}, 0));
  return all;
}

}  // namespace

const std::vector<Machine>& machines() {
  static const std::vector<Machine> presets = [] {
    std::vector<Machine> all = trainium_presets();
    for (Machine& machine : vendor_presets()) all.push_back(std::move(machine));
    return all;
  }();
  return presets;
}

}  // namespace fftprec
