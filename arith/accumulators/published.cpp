#include "arith/accumulators/published.hpp"

#include "arith/support/named.hpp"

namespace fftprec {

const std::vector<AccumulatorModel>& published_accumulators() {
  static const std::vector<AccumulatorModel> models = {
      nv_volta,          nv_turing,        nv_ampere_bf16,   nv_ampere_fp16,    nv_ampere_tf32,
      nv_ada_bf16,       nv_ada_fp16,      nv_ada_tf32,      nv_ada_fp8,        nv_hopper_bf16,
      nv_hopper_fp16,    nv_hopper_tf32,   nv_hopper_fp8,    nv_blackwell_bf16, nv_blackwell_fp16,
      nv_blackwell_tf32, nv_blackwell_fp8, nv_blackwell_fp4, amd_cdna1_bf16,    amd_cdna1_fp16,
      amd_cdna2_bf16,    amd_cdna2_fp16,   amd_cdna3_bf16,   amd_cdna3_fp16,    amd_cdna3_xf32,
      intel_amx,         arm_bfdot,        arm_ebf16,        trn_sequential,    trn_reversed,
      trn_tree,          trn_segments,     trn_exact};
  return models;
}

const AccumulatorModel& published_accumulator(std::string_view name) {
  return item_named(published_accumulators(), "accumulator", name);
}

}  // namespace fftprec
