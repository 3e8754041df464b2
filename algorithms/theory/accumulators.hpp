/// What an engine's accumulator means for worst case and variance.
#pragma once

#include <cstddef>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/expectation.hpp"

namespace fftprec {

/// A rounding of a result of variance 1, in an accumulator or on the way to a narrower format. To
/// odd: uniform to a whole unit on either side, four times the variance of half a unit; stochastic:
/// twice. Toward zero: uniform around its mean, which is `loss` of the result. Toward an infinity
/// it moves all results one way, and how that adds up is unknown.
struct Noise {
  double variance;
  double loss;

  Noise(const Format& format, Rounding rounding)
      : variance(value_variance(unit_roundoff(format))), loss(0) {
    if (format.is_fixed()) variance = 0;  // no error is relative
    if (format.is_fixed()) return;
    if (rounding == Rounding::odd) variance *= 4;
    if (rounding == Rounding::ru || rounding == Rounding::rd) variance = unknown;
    if (rounding == Rounding::sr) variance *= 2;
    if (rounding == Rounding::rz) loss = truncation_loss * unit_roundoff(format);
  }
};

/// As chain_error, of one element of a complex product of depth n in PSUM: both parts, all K-tiles
/// and passes, the way across tiles and PSUM's own format. On the host: one fp64 chain.
/// Program order: for every K-tile the real and the imaginary products of all passes into each
/// part. `through`: one chain of blocks over all of them, PSUM written after each matmul. Else each
/// matmul is a chain from zero, and every one but the first is added to PSUM in fp32, which is
/// then written.
ErrorBound accumulation_error(const ArithmeticSpec& arithmetic, std::size_t n);

/// Error of one product in the unit, and of its additions. Each product, and each term of an
/// aligned sum, counts as one addition; lanes, blocks and tiles add at most as many again.
double term_small_error(const GemmScheme& gemm, const Machine& machine);

/// Real products other than zero for one part of an output. Of real data, a real column fills one
/// part of the result, any other column both.
double products_of_column(std::size_t n, std::size_t order, GemmData data);

/// Variance of a chain of additions, the first of them to zero, each of variance `rounding` of its
/// result: after k of `length` the sum has k/length of its final variance.
double chain_variance(double length, double rounding);

/// Variance of the additions for a product with an n x n DFT matrix in one fp64 chain per part: the
/// mean over all its columns. Products have so many bits.
double host_additions(std::size_t n, const SumData& data, int bits);

/// Variance of the product of two words before it is added.
double product_rounding_variance(const GemmScheme& gemm);

}  // namespace fftprec
