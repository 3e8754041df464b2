#include <string>
#include <utility>

#include "arith/accumulators/published.hpp"
#include "arith/machines/machine_presets.hpp"

namespace fftprec {

namespace {

/// fp32 outside the matrix unit: fma(a_k, b_k, c), k ascending.
constexpr AccumulatorModel fma_chain{
    .name = "fma-chain", .summary = "ordinary cores, fp32: a chain of FMAs, rne", .operands = fp32};

/// A TPU's systolic array.
constexpr AccumulatorModel tpu_bf16{
    .name = "tpu-bf16",
    .summary = "TPU, bf16: exact products, fp32 rne chain (D for fp32; order, rounding U)"};

/// The unit for fp8 takes both formats of OCP.
std::vector<AccumulatorModel> with_fp8(std::vector<AccumulatorModel> units,
                                       const AccumulatorModel& fp8) {
  for (const Format& operands : {fp8_e4m3fn, fp8_e5m2})
    units.push_back(with_operands(fp8, operands, fp8.name, fp8.summary));
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
      beside_cores("nv-hopper",
                   "NVIDIA H100, H200: 16-bit operands in blocks of 16, tf32 of 8, 25 bits; fp8 of "
                   "32, 13 bits, rz (M: MMA-Sim, Khattak and Mikaitis 2025); fp32 by FMAs (D)",
                   with_fp8({nv_hopper_bf16, nv_hopper_fp16, nv_hopper_tf32}, nv_hopper_fp8), 32),
      beside_cores(
          "nv-blackwell",
          "NVIDIA B200: as nv-hopper, but fp8 too with 25 bits and fp32 results; fp4 in blocks as "
          "exact groups of 16, then 35 bits (M: MMA-Sim); fp32 by FMAs (D)",
          with_fp8({nv_blackwell_bf16, nv_blackwell_fp16, nv_blackwell_tf32, nv_blackwell_fp4},
                   nv_blackwell_fp8),
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
                   "AMD MI300: products cut to 24 bits in blocks of 8 (xf32: 4), then c by floor, "
                   "rne (M: MMA-Sim); fp32 by FMAs (M)",
                   {amd_cdna3_bf16, amd_cdna3_fp16, amd_cdna3_xf32}, 32),
  };
}

}  // namespace

std::vector<Machine> vendor_presets() {
  std::vector<Machine> all = nvidia_presets();
  for (Machine& machine : amd_presets()) all.push_back(std::move(machine));
  all.push_back(tpu("tpu", "as one pass of bf16", Fp32Matmul::one_bf16));
  all.push_back(tpu("tpu-high", "as two bf16 words, 3 passes", Fp32Matmul::two_bf16));
  all.push_back(tpu("tpu-highest", "as three bf16 words, 6 passes", Fp32Matmul::three_bf16));
  all.push_back(beside_cores("intel-amx",
                             "Intel AMX: chains of FMAs over even and odd k, their sum, then c; "
                             "subnormals flushed (D: TDPBF16PS); fp32 by FMAs (D)",
                             {intel_amx}, 32));
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

}  // namespace fftprec
