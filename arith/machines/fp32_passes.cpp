#include "arith/machines/fp32_passes.hpp"

namespace fftprec {

namespace {

Fp32Passes residual_passes(const Format& operands, std::size_t words, std::size_t count) {
  const SplitSpec spec = residual_split(operands, words, count);
  return {operands, Rounding::rne, words, {spec.term, spec.term + spec.count}};
}

}  // namespace

Fp32Passes fp32_passes(Fp32Matmul matmul) {
  const std::vector<SplitTerm> four{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  switch (matmul) {
    case Fp32Matmul::split_12_12:
      return {half_fp32, Rounding::rz, 2, four};
    case Fp32Matmul::three_of_12:
      return {half_fp32, Rounding::rz, 2, {four.begin(), four.begin() + 3}};
    case Fp32Matmul::split_11_11:
      return {tf32, Rounding::rz, 2, four};
    case Fp32Matmul::one_bf16:
      return {bf16};
    case Fp32Matmul::one_tf32:
      return {tf32};
    case Fp32Matmul::one_tf32_cut:
      return {tf32, Rounding::rz};
    case Fp32Matmul::two_bf16:
      return residual_passes(bf16, 2, 3);
    case Fp32Matmul::three_bf16:
      return residual_passes(bf16, 3, 6);
    case Fp32Matmul::native:
      break;
  }
  return {fp32};
}

}  // namespace fftprec
