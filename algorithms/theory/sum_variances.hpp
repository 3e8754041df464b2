/// What the additions of a matrix product do to random data: the RMS counterpart of
/// accumulation.hpp.
#pragma once

#include <cstddef>

#include "algorithms/arithmetic/modes.hpp"
#include "algorithms/theory/variances.hpp"

namespace fftprec {

/// Errors to either side, and a loss of size.
struct Additions {
  double variance;
  double drift;
};

/// Variance of a chain of additions, the first of them to zero, each of variance `rounding` of its
/// result: after k of `length` the sum has k/length of its final variance.
double chain_variance(double length, double rounding);

/// Variance of the additions for a product with an n x n DFT matrix in one fp64 chain per part: the
/// mean over all its columns.
double host_additions(std::size_t n, GemmData data);

/// The additions in PSUM, with the way across tiles and PSUM's own format, of a product with an n x
/// n DFT matrix: the mean over all its columns. NaN where there is no closed form: for aligned sums
/// that cut a good part of their products' bits, for slices that are not exact.
Additions psum_additions(const GemmScheme& gemm, const Mode& mode, const Machine& machine,
                         std::size_t n, GemmData data);

}  // namespace fftprec
