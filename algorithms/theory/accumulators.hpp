/// What an accumulator does to sums of products: worst case, variance and bias.
#pragma once

#include <cstddef>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/roundings.hpp"

namespace fftprec {

/// Data of a matrix product: products with an imaginary part of zero are in no sum.
enum class GemmData { complex, real };

/// Known properties of the data of a sum of r products.
struct SumData {
  GemmData parts = GemmData::complex;
  int bits = fp64.precision;  ///< of a value, where words may hold more
  std::size_t zeros = 0;      ///< at the end; fewer than r
};

/// A chain of `length` products through the blocks of a model, from c = 0: |computed - exact| <=
/// gamma * sum |a_k b_k|.
ErrorBound chain_error(const AccumulatorModel& model, std::size_t length);

/// As chain_error, of one element of a complex product of depth n in PSUM: both parts, all K-tiles
/// and passes, the way across tiles and PSUM's own format.
/// Program order: for every K-tile the real and the imaginary products of all passes into each
/// part. `through`: one chain of blocks over all of them, PSUM written after each matmul. Else each
/// matmul is a chain from zero, and every one but the first is added to PSUM in fp32, which is
/// then written.
ErrorBound accumulation_error(const ArithmeticSpec& arithmetic, std::size_t n);

/// Unit roundoff of the product of two words on its way into the accumulator; 0 where it is exact.
double product_roundoff(const GemmScheme& gemm);

/// Variance of the same rounding.
double product_rounding_variance(const GemmScheme& gemm);

/// Bits of the products of first words, which are nearly all of a sum.
int leading_product_bits(const GemmScheme& gemm);

/// Absolute error of one product in the unit, and of its additions. Each product, and each term of
/// an aligned sum, counts as one addition; lanes, blocks and tiles add at most as many again.
double term_small_error(const GemmScheme& gemm, const Machine& machine);

/// Real products other than zero for one part of an output. Of real data, a real column fills one
/// part of the result, any other column both.
double products_of_column(std::size_t n, std::size_t order, GemmData data);

/// Variance of a chain of additions, the first of them to zero, each of variance `rounding` of its
/// result: after k of `length` the sum has k/length of its final variance.
double chain_variance(double length, double rounding);

/// The variance of the sum of two exact products of `bits` bits, rounded to p digits, as a share of
/// the variance of one rounding.
double cut_sum_of_two(int bits, int p);

/// Variance of the additions for a product with an n x n DFT matrix in one fp64 chain per part, of
/// products of `bits` bits: the mean over all columns.
double host_additions(std::size_t n, const SumData& data, int bits);

/// The additions in PSUM, with the way across tiles and PSUM's own format, of a product with an n x
/// n DFT matrix: the mean over all its columns. NaN where there is no closed form: for aligned sums
/// that cut a good part of their products' bits, for slices that are not exact.
ExpectedError psum_additions(const ArithmeticSpec& arithmetic, std::size_t n,
                             const SumData& data = {});

}  // namespace fftprec
