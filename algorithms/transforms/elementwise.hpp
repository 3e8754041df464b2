/// Kernels that treat every element by itself: the product with a mask, and modReLU. Operands stand
/// one after the other in one array.
#pragma once

#include <algorithm>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// y_j = m_j x_j, the complex product of the mode with m as a computed factor.
/// Shapes: items x of n, then one mask m of n for all of them; y items of n.
/// Rounds: one complex product per element.
/// Error: rho |m_j||x_j| = rho |y_j|, relative to the norm of the result.
template <ArrayArithmetic Arithmetic>
ComplexArray<typename Arithmetic::Real> masked(
    const Arithmetic& arithmetic, const ComplexArray<typename Arithmetic::Real>& operands,
    std::size_t n) {
  const std::size_t size = operands.size() - n;
  const auto mask = arithmetic.factors_of(part_of(operands, size, n));
  auto y = part_of(operands, 0, size);
  const auto mark = arithmetic.stage("product", 1);
  arithmetic.multiply(view_of(y, size / n, n), mask.view(0, 0, 1));
  return y;
}

/// y_j = max(|z_j| + b_j, 0) z_j / |z_j|, 0 where z_j = 0: `modrelu` of the arithmetic.
/// Shapes: items z of n, then one item b of n with im = 0 for all of them; y items of n.
/// Rounds: ten operations per element.
template <ArrayArithmetic Arithmetic>
ComplexArray<typename Arithmetic::Real> modrelu(
    const Arithmetic& arithmetic, const ComplexArray<typename Arithmetic::Real>& operands,
    std::size_t n) {
  const std::size_t size = operands.size() - n;
  auto y = part_of(operands, 0, size);
  const auto mark = arithmetic.stage("modReLU", 1);
  arithmetic.modrelu(view_of(y, size / n, n), operands.re.data() + size);
  return y;
}

/// Of `batch` items. The bound is relative to the norm of |z_j| + |b_j|, since |z_j| + b_j may
/// cancel: (1 + delta)(1 + u)(1 + kappa) - 1, about 7u, with delta = (1 + u)^2 - 1 and kappa =
/// (1 + u)^2 / (1 - delta) - 1. The expected error is for standard normal z and b.
/// The cost leaves out the square root and the quotient, which are no counted kinds.
Prediction predict_modrelu(const Predictor& predictor, std::size_t n, std::size_t batch);

}  // namespace fftprec
