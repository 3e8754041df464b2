/// Iterative refinement of a transform: correct X by the transform of what it fails to give back.
#pragma once

#include "algorithms/arithmetic/machine_arithmetic.hpp"

namespace fftprec {

/// X = F(x), then `steps` times r = x - G(X), X = X + F(r), with G the inverse of F, which may have
/// an arithmetic of its own. x is fp32; each call of F and G rounds its input to the storage format
/// of its arithmetic, the residual and the correction are fp32 (one rounding per part each).
/// `Transform` is a callable (arithmetic, ComplexArray<float>) -> ComplexArray<float>.
/// Error: the error of G stays in X (refined_error in bounds.cpp), so X is as accurate as G, not as
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
