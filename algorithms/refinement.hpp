/// Iterative refinement of a transform: correct X by the transform of what it fails to give back.
#pragma once

#include "algorithms/machine_arithmetic.hpp"

namespace fftprec {

/// X = F(x), then `steps` times r = x - G(X), X = X + F(r), with G the inverse of F.
/// x is fp32; each call of F and G rounds its input to the storage format of the arithmetic, the
/// residual and the correction are fp32 (one rounding per part each).
/// `Transform` is a callable (arithmetic, ComplexArray<float>) -> ComplexArray<float>.
/// Error: the error of G stays in X (refined_error in bounds.cpp), so X is as accurate as G, not as
/// fp32.
template <class Transform>
ComplexArray<float> refine(const MachineArithmetic<float>& arithmetic, const Transform& forward,
                           const Transform& backward, ComplexArray<float> x, int steps) {
  const auto apply = [&](const Transform& transform, ComplexArray<float> in) {
    arithmetic.store(in);
    return transform(arithmetic, std::move(in));
  };
  ComplexArray<float> result = apply(forward, x);
  for (int step = 0; step < steps; ++step) {
    ComplexArray<float> residual = apply(backward, result);
    arithmetic.subtract_wide(x, residual);
    ComplexArray<float> correction = apply(forward, std::move(residual));
    arithmetic.add_wide(result, correction);
  }
  return result;
}

}  // namespace fftprec
