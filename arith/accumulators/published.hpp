/// The accumulator models that are published, documented or conjectured for real matrix units.
///
/// Sources. MMA-Sim: Xie, Wang, Yang, Yang, "MMA-Sim: bit-accurate reference model of tensor cores
/// and matrix cores", arXiv 2511.10909 (2025). Khattak and Mikaitis, "Accurate models of NVIDIA
/// tensor cores", arXiv 2512.07004 (2025). Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of
/// NVIDIA tensor cores", PeerJ Comput. Sci. 7 (2021) e330. Confidence: D documented by the vendor,
/// M measured by others, I inferred, U unknown and therefore a parameter.
#pragma once

#include <vector>

#include "arith/accumulators/model.hpp"
#include "arith/splitting/block_scaling.hpp"

namespace fftprec {

/// The same unit for operands of another format.
constexpr AccumulatorModel with_operands(AccumulatorModel model, const Format& operands,
                                         std::string_view name, std::string_view summary) {
  model.operands = operands;
  model.name = name;
  model.summary = summary;
  return model;
}

/// fp32's exponents with 13 fraction bits: how fp8 sums leave the tensor cores of Ada and Hopper.
inline constexpr Format e8m13{14, -126, 127};

/// NVIDIA Volta (V100): 4 products and c, no extra alignment bit; rz. (M: Fasi et al. 2021,
/// MMA-Sim; lowest exponent I: that of c.)
inline constexpr AccumulatorModel nv_volta{
    .name = "nv-volta",
    .summary = "NVIDIA V100, fp16: 4 products and c aligned to 23 fraction bits, rz (M)",
    .operands = fp16,
    .sum = BlockSum::aligned,
    .block = 4,
    .rounding = Rounding::rz,
    .overflow_to_infinity = true,
    .fraction_bits = 23};

/// NVIDIA Turing (T4): 8 products and c, one extra bit; rz. (M: MMA-Sim; lowest exponent I.)
inline constexpr AccumulatorModel nv_turing{
    .name = "nv-turing",
    .summary = "NVIDIA T4, fp16: 8 products and c aligned to 24 fraction bits, rz (M)",
    .operands = fp16,
    .sum = BlockSum::aligned,
    .block = 8,
    .rounding = Rounding::rz,
    .overflow_to_infinity = true,
    .fraction_bits = 24};

/// NVIDIA Ampere (A100), bf16: 8 products and c, one extra bit; rz. (M: MMA-Sim, Khattak and
/// Mikaitis.)
inline constexpr AccumulatorModel nv_ampere_bf16{
    .name = "nv-ampere-bf16",
    .summary = "NVIDIA A100, bf16: 8 products and c aligned to 24 fraction bits, rz (M)",
    .sum = BlockSum::aligned,
    .block = 8,
    .rounding = Rounding::rz,
    .overflow_to_infinity = true,
    .fraction_bits = 24,
    .lowest_exponent = -132};
/// The same for fp16. (M)
inline constexpr AccumulatorModel nv_ampere_fp16 =
    with_operands(nv_ampere_bf16, fp16, "nv-ampere-fp16",
                  "NVIDIA A100, fp16: 8 products and c aligned to 24 fraction bits, rz (M)");
/// NVIDIA Ampere, tf32: blocks of 4. The unit cuts fp32 operands to tf32: the caller does. (M)
inline constexpr AccumulatorModel nv_ampere_tf32{
    .name = "nv-ampere-tf32",
    .summary = "NVIDIA A100, tf32: 4 products and c aligned to 24 fraction bits, rz (M)",
    .operands = tf32,
    .sum = BlockSum::aligned,
    .block = 4,
    .rounding = Rounding::rz,
    .overflow_to_infinity = true,
    .fraction_bits = 24,
    .lowest_exponent = -132};

/// NVIDIA Ada (L40, RTX 40): 16-bit and tf32 operands as on Ampere. (M: MMA-Sim.)
inline constexpr AccumulatorModel nv_ada_bf16 =
    with_operands(nv_ampere_bf16, bf16, "nv-ada-bf16",
                  "NVIDIA Ada, bf16: 8 products and c aligned to 24 fraction bits, rz (M)");
inline constexpr AccumulatorModel nv_ada_fp16 =
    with_operands(nv_ampere_bf16, fp16, "nv-ada-fp16",
                  "NVIDIA Ada, fp16: 8 products and c aligned to 24 fraction bits, rz (M)");
inline constexpr AccumulatorModel nv_ada_tf32 =
    with_operands(nv_ampere_tf32, tf32, "nv-ada-tf32",
                  "NVIDIA Ada, tf32: 4 products and c aligned to 24 fraction bits, rz (M)");
/// NVIDIA Ada, fp8: 16 products, 13 fraction bits in the alignment and in the result. (M: MMA-Sim;
/// lowest exponent I.)
inline constexpr AccumulatorModel nv_ada_fp8{
    .name = "nv-ada-fp8",
    .summary =
        "NVIDIA Ada, fp8: 16 products and c aligned to 13 fraction bits, result rz to 13 (M)",
    .operands = fp8_e4m3fn,
    .sum = BlockSum::aligned,
    .block = 16,
    .rounding = Rounding::rz,
    .format = e8m13,
    .overflow_to_infinity = true,
    .fraction_bits = 13};

/// NVIDIA Hopper (H100, H200), bf16: 16 products and c, two extra bits; rz. (M: MMA-Sim, Khattak
/// and Mikaitis.)
inline constexpr AccumulatorModel nv_hopper_bf16{
    .name = "nv-hopper-bf16",
    .summary = "NVIDIA H100, bf16: 16 products and c aligned to 25 fraction bits, rz (M)",
    .sum = BlockSum::aligned,
    .block = 16,
    .rounding = Rounding::rz,
    .overflow_to_infinity = true,
    .fraction_bits = 25,
    .lowest_exponent = -133};
/// The same for fp16. (M)
inline constexpr AccumulatorModel nv_hopper_fp16 =
    with_operands(nv_hopper_bf16, fp16, "nv-hopper-fp16",
                  "NVIDIA H100, fp16: 16 products and c aligned to 25 fraction bits, rz (M)");
/// NVIDIA Hopper, tf32: blocks of 8. (M)
inline constexpr AccumulatorModel nv_hopper_tf32{
    .name = "nv-hopper-tf32",
    .summary = "NVIDIA H100, tf32: 8 products and c aligned to 25 fraction bits, rz (M)",
    .operands = tf32,
    .sum = BlockSum::aligned,
    .block = 8,
    .rounding = Rounding::rz,
    .overflow_to_infinity = true,
    .fraction_bits = 25,
    .lowest_exponent = -133};
/// NVIDIA Hopper, fp8: 32 products, 13 fraction bits in the alignment and in the result. (M:
/// MMA-Sim, for its warp-group instruction.)
inline constexpr AccumulatorModel nv_hopper_fp8{
    .name = "nv-hopper-fp8",
    .summary =
        "NVIDIA H100, fp8: 32 products and c aligned to 13 fraction bits, result rz to 13 (M)",
    .operands = fp8_e4m3fn,
    .sum = BlockSum::aligned,
    .block = 32,
    .rounding = Rounding::rz,
    .format = e8m13,
    .overflow_to_infinity = true,
    .fraction_bits = 13,
    .lowest_exponent = -133};

/// NVIDIA Blackwell (B200): 16-bit and tf32 operands as on Hopper. (M: MMA-Sim.)
inline constexpr AccumulatorModel nv_blackwell_bf16 =
    with_operands(nv_hopper_bf16, bf16, "nv-blackwell-bf16",
                  "NVIDIA B200, bf16: 16 products and c aligned to 25 fraction bits, rz (M)");
inline constexpr AccumulatorModel nv_blackwell_fp16 =
    with_operands(nv_hopper_bf16, fp16, "nv-blackwell-fp16",
                  "NVIDIA B200, fp16: 16 products and c aligned to 25 fraction bits, rz (M)");
inline constexpr AccumulatorModel nv_blackwell_tf32 =
    with_operands(nv_hopper_tf32, tf32, "nv-blackwell-tf32",
                  "NVIDIA B200, tf32: 8 products and c aligned to 25 fraction bits, rz (M)");
/// NVIDIA Blackwell, fp8 and narrower without block scales: 32 products, 25 fraction bits. (M:
/// MMA-Sim.)
inline constexpr AccumulatorModel nv_blackwell_fp8{
    .name = "nv-blackwell-fp8",
    .summary = "NVIDIA B200, fp8: 32 products and c aligned to 25 fraction bits, rz (M)",
    .operands = fp8_e4m3fn,
    .sum = BlockSum::aligned,
    .block = 32,
    .rounding = Rounding::rz,
    .overflow_to_infinity = true,
    .fraction_bits = 25,
    .lowest_exponent = -133};

/// NVIDIA Blackwell, fp4 in blocks with a shared scale: groups of 16 products are summed exactly,
/// then aligned with 35 fraction bits. (M: MMA-Sim; that a group aligns by its largest product, and
/// the lowest exponent, U.)
inline constexpr AccumulatorModel nv_blackwell_fp4{
    .name = "nv-blackwell-fp4",
    .summary =
        "NVIDIA B200, block-scaled fp4: exact groups of 16 aligned to 35 fraction bits, rz "
        "(M)",
    .operands = fp4_e2m1,
    .sum = BlockSum::aligned,
    .block = 32,
    .rounding = Rounding::rz,
    .overflow_to_infinity = true,
    .group = 16,
    .fraction_bits = 35,
    .lowest_exponent = -133};

/// AMD CDNA1 (MI100): c and 4 (fp16) or 2 (bf16) products, summed exactly, rounded once. (M:
/// MMA-Sim.)
inline constexpr AccumulatorModel amd_cdna1_fp16{
    .name = "amd-cdna1-fp16",
    .summary = "AMD MI100, fp16: exact sum of 4 products and c, rne (M)",
    .operands = fp16,
    .sum = BlockSum::exact,
    .block = 4};
inline constexpr AccumulatorModel amd_cdna1_bf16{
    .name = "amd-cdna1-bf16",
    .summary = "AMD MI100, bf16: exact sum of 2 products and c, rne (M)",
    .sum = BlockSum::exact,
    .block = 2};

/// AMD CDNA2 (MI200): c + ((p0 + p1) + (p2 + p3)), fp32 rne each, subnormals flushed in and out.
/// (M: MMA-Sim; its older bf16 instructions take pairs.)
inline constexpr AccumulatorModel amd_cdna2_bf16{
    .name = "amd-cdna2-bf16",
    .summary = "AMD MI200, bf16: c + ((p0 + p1) + (p2 + p3)) in fp32 rne, subnormals flushed (M)",
    .sum = BlockSum::pairwise,
    .block = 4,
    .c = Inclusion::late,
    .product = fp32_product,
    .flush_inputs = true,
    .flush_outputs = true};
/// The same for fp16. (M)
inline constexpr AccumulatorModel amd_cdna2_fp16 = with_operands(
    amd_cdna2_bf16, fp16, "amd-cdna2-fp16",
    "AMD MI200, fp16: c + ((p0 + p1) + (p2 + p3)) in fp32 rne, subnormals flushed (M)");

/// AMD CDNA3 (MI300): 8 products aligned and cut to 24 fraction bits; their sum, cut by floor at 31
/// bits, and c, at 24, aligned to the larger; rne. (M: MMA-Sim; lowest exponent U: no limit.)
inline constexpr AccumulatorModel amd_cdna3_bf16{
    .name = "amd-cdna3-bf16",
    .summary =
        "AMD MI300, bf16: 8 products aligned to 24 bits, then their sum and c by floor, rne (M)",
    .sum = BlockSum::aligned,
    .block = 8,
    .c = Inclusion::late,
    .product_overflow = true,
    .fraction_bits = 24,
    .late_fraction_bits = 31,
    .lowest_exponent = -298};
/// The same for fp16. (M)
inline constexpr AccumulatorModel amd_cdna3_fp16 = with_operands(
    amd_cdna3_bf16, fp16, "amd-cdna3-fp16",
    "AMD MI300, fp16: 8 products aligned to 24 bits, then their sum and c by floor, rne (M)");
/// AMD CDNA3, xf32: blocks of 4. (M)
inline constexpr AccumulatorModel amd_cdna3_xf32{
    .name = "amd-cdna3-xf32",
    .summary =
        "AMD MI300, xf32: 4 products aligned to 24 bits, then their sum and c by floor, rne (M)",
    .operands = tf32,
    .sum = BlockSum::aligned,
    .block = 4,
    .c = Inclusion::late,
    .product_overflow = true,
    .fraction_bits = 24,
    .late_fraction_bits = 31,
    .lowest_exponent = -298};

/// Intel AMX, TDPBF16PS: a chain of FMAs over even k and one over odd k, even + odd, then c + that;
/// rne, subnormals flushed in and out. One instruction takes up to 32 products. (D: Intel
/// instruction set reference, TDPBF16PS.)
inline constexpr AccumulatorModel intel_amx{
    .name = "intel-amx",
    .summary =
        "Intel AMX, bf16: even and odd chains of FMAs, their sum, then c; subnormals flushed (D)",
    .sum = BlockSum::even_odd,
    .block = 32,
    .c = Inclusion::late,
    .flush_inputs = true,
    .flush_outputs = true};

/// Arm BFDOT without FEAT_EBF16: products, their sum and the accumulation each rounded to odd,
/// overflow to infinity, subnormals flushed. (D: Arm Architecture Reference Manual, BFDOT.)
inline constexpr AccumulatorModel arm_bfdot{
    .name = "arm-bfdot",
    .summary = "Arm BFDOT: c + (p0 + p1), every step rounded to odd, subnormals flushed (D)",
    .sum = BlockSum::pairwise,
    .block = 2,
    .c = Inclusion::late,
    .product = fp32_product,  // of bf16: exact, infinite or flushed, as to odd
    .rounding = Rounding::odd,
    .overflow_to_infinity = true,
    .flush_inputs = true,
    .flush_outputs = true};

/// Arm BFDOT with FPCR.EBF = 1: the pair fused and rounded once, then added; rne, subnormals kept
/// by default. (D: Arm Architecture Reference Manual, BFDOT.)
inline constexpr AccumulatorModel arm_ebf16{
    .name = "arm-ebf16",
    .summary = "Arm BFDOT with extended bf16: c + fl(p0 + p1), two roundings, rne (D)",
    .sum = BlockSum::exact,
    .block = 2,
    .c = Inclusion::late};

/// Trainium, the column in ascending order: the default assumption. (fp32 D, order and rounding U.)
inline constexpr AccumulatorModel trn_sequential{
    .name = "trn-sequential", .summary = "Trainium, fp32 rne chain, k ascending (U, the default)"};
/// Trainium, the other way round. (U)
inline constexpr AccumulatorModel trn_reversed{
    .name = "trn-reversed",
    .summary = "Trainium, fp32 rne chain, k descending (U)",
    .sum = BlockSum::reversed};
/// Trainium, a tree over the column, c added to it. (U)
inline constexpr AccumulatorModel trn_tree{
    .name = "trn-tree",
    .summary = "Trainium, fp32 rne tree over the column, then c (U)",
    .sum = BlockSum::pairwise,
    .c = Inclusion::late};
/// Trainium, chains over 32 partitions each, a tree over those, c added to it. (U)
inline constexpr AccumulatorModel trn_segments{
    .name = "trn-segments",
    .summary = "Trainium, fp32 rne chains of 32, a tree over them, then c (U)",
    .sum = BlockSum::segments,
    .c = Inclusion::late};
/// Trainium, the column and c summed exactly and rounded once. (U)
inline constexpr AccumulatorModel trn_exact{
    .name = "trn-exact",
    .summary = "Trainium, the whole column and c summed exactly, one rne (U)",
    .sum = BlockSum::exact};

/// All of the above.
const std::vector<AccumulatorModel>& published_accumulators();

/// The one of that name. Throws InputError, listing the known ones.
const AccumulatorModel& published_accumulator(std::string_view name);

}  // namespace fftprec
