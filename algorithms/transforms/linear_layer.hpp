/// The complex linear layer y = x W^T on the engine that the mode names.
#pragma once

#include "algorithms/transforms/elementwise.hpp"

namespace fftprec {

/// y_ij = sum_l x_il w_jl: one gemm with W^T as its matrix.
/// Shapes: x batch x n, then W outputs x n in the same array; y batch x outputs.
/// Rounds: as gemm does; W^T is a computed matrix, cut into the words that gemm wants.
/// Error: gemm_error / sqrt(n), relative to ||x||_F ||W||_F (Predictor::computed_gemm).
template <ArrayArithmetic Arithmetic>
ComplexArray<typename Arithmetic::Real> linear_layer(
    const Arithmetic& arithmetic, const ComplexArray<typename Arithmetic::Real>& operands,
    std::size_t n, std::size_t outputs) {
  using Array = ComplexArray<typename Arithmetic::Real>;
  const std::size_t size = operands.size() - outputs * n;
  Array transposed(outputs * n);
  for (std::size_t j = 0; j < outputs; ++j)
    for (std::size_t l = 0; l < n; ++l) {
      transposed.re[l * outputs + j] = operands.re[size + j * n + l];
      transposed.im[l * outputs + j] = operands.im[size + j * n + l];
    }
  Array x = part_of(operands, 0, size);
  Array y(size / n * outputs);
  const auto mark = arithmetic.stage("matrix product", 1);
  arithmetic.gemm(view_of(y, size / n, outputs), view_of(x, size / n, n),
                  arithmetic.matrix_of(std::move(transposed), n));
  return y;
}

}  // namespace fftprec
