/// What steps of refinement X <- X + F(x - G(X)) do: worst case and variance.
#pragma once

#include "algorithms/theory/error_bound.hpp"

namespace fftprec {

/// One step on an X of error at most `before`, with F and G of error at most `forward` and
/// `backward`. `growth`: an error of relative size e in the data of F or G is at most growth * e in
/// the result; where that is above 1, G need not see all of X.
ErrorBound refined_error(const ErrorBound& before, const ErrorBound& forward,
                         const ErrorBound& backward, double growth);

/// The same for X, F and G of error at most b, unitary up to a scale.
inline ErrorBound refined_error(const ErrorBound& b) { return refined_error(b, b, b, 1); }

/// The same of expected square errors. NaN stays NaN.
double refined_variance(double before, double forward, double backward);

}  // namespace fftprec
