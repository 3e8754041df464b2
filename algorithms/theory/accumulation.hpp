/// Worst-case error of sums on a tensor engine.
///
/// All are relative to the sum of the magnitudes of the products, |computed - exact| <= gamma * sum
/// |a_k b_k|, barring overflow and underflow.
#pragma once

#include <cstddef>

#include "algorithms/arithmetic/modes.hpp"

namespace fftprec {

/// A chain of `length` products through the blocks of a model, from c = 0.
double chain_error(const AccumulatorModel& model, std::size_t length);

/// One element of a complex product of depth n in PSUM: both parts, all K-tiles and passes, the
/// way across tiles and PSUM's own format. On the host: one fp64 chain.
double accumulation_error(const GemmScheme& gemm, const Machine& machine, std::size_t n);

/// Unit roundoff of the product of two words on its way into the accumulator; 0 where it is exact.
double product_roundoff(const GemmScheme& gemm);

}  // namespace fftprec
