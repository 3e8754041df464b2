/// Iterative refinement of a transform: X is corrected by the transform of the residual.
#pragma once

#include "algorithms/arithmetic/machine_arithmetic.hpp"

namespace fftprec {

/// X = F(x), then `steps` times r = x - G(X), X = X + F(r). G is the inverse of F and may use
/// another arithmetic. x is fp32. Each call of F and G rounds its input to the storage format of
/// its arithmetic. The residual and the correction are fp32, with one rounding per part each.
/// `Transform` is a callable (arithmetic, ComplexArray<float>) -> ComplexArray<float>.
/// Error: the error of G stays in X (refined_error), so X is as accurate as G, not as
/// fp32.
template <class Transform>
ComplexArray<float> refine(const MachineArithmetic<float>& arithmetic, const Transform& forward,
                           const MachineArithmetic<float>& of_inverse, const Transform& backward,
                           ComplexArray<float> x, int steps) {
  const auto apply = [](const MachineArithmetic<float>& with, const Transform& transform,
                        ComplexArray<float> in) {
    with.keep(in);
    ComplexArray<float> out = transform(with, std::move(in));
    with.end_stage(view_of(out, 1, out.size()), end_of_transform);
    return out;
  };
  ComplexArray<float> result = apply(arithmetic, forward, x);
  for (int step = 0; step < steps; ++step) {
    ComplexArray<float> residual = apply(of_inverse, backward, result);
    arithmetic.subtract_wide(x, residual);
    ComplexArray<float> correction = apply(arithmetic, forward, std::move(residual));
    arithmetic.add_wide(result, correction);
  }
  return result;
}

}  // namespace fftprec
