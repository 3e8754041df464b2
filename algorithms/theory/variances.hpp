/// The RMS model: the expected square of the relative 2-norm error that each kind of stage adds to
/// random data. Errors of different stages are independent, so the squares add.
///
/// Where there is no closed form the answer is NaN, and so is all that is made of it.
#pragma once

#include <cstddef>
#include <limits>

#include "algorithms/arithmetic/modes.hpp"
#include "algorithms/theory/table_statistics.hpp"

namespace fftprec {

/// What takes the place of a variance or a drift for which there is no closed form.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Mean relative loss by one truncation, in u: half of a last place of 2u 2^e, and the mean of
/// 2^e/|x| over a logarithmic density is 1/(2 ln 2).
inline constexpr double truncation_loss = 0.72;

/// One rounding of normal data with unit roundoff u: 0.181 u^2.
double value_variance(double u);

/// On the way into the storage format, as the machine casts.
double store_variance(const Mode& mode, const Machine& machine);

/// One sum of two like terms, and one product with a real number, on the vector engine.
double sum_variance(const Mode& mode, const Machine& machine);
double scaling_variance(const Mode& mode, const Machine& machine);

/// What a table's entries as the mode holds them are off by: in the mean over entries of modulus 1,
/// and of the result of a product with them; elementwise, and in a matrix product of depth r.
double table_variance(const Mode& mode, const Machine& machine, const TableStatistics& table);
double gemm_table_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                           std::size_t r);

/// An elementwise product with a table, as the mode forms it, table error included.
double product_variance(const Mode& mode, const Machine& machine, const TableStatistics& table);

/// The same with real factors, the entries of `table` relative to their own mean square: of the
/// complex product one real product per part is not zero.
double real_product_variance(const Mode& mode, const Machine& machine,
                             const TableStatistics& table);

/// Data of a matrix product: the products with an imaginary part of zero are in no sum.
enum class GemmData { complex, real };

/// A product with an r x r DFT matrix on the engine that the mode names, and on the vector engine.
/// `data_bits`: how many bits data have, where slices may hold more.
double gemm_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                     std::size_t r, GemmData data = GemmData::complex,
                     int data_bits = fp64.precision);
double dot_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                    std::size_t r);

/// By how much truncation shrinks the result of gemm: an error beside gemm_variance, and one that
/// the same error of another stage adds to, not only its square.
double gemm_drift(const Mode& mode, const Machine& machine, const TableStatistics& table,
                  std::size_t r, GemmData data = GemmData::complex);

/// An r-point DFT on the vector engine whose row and column of ones take no product; `core` is the
/// rest of the matrix.
double dft_core_variance(const Mode& mode, const Machine& machine, const TableStatistics& core,
                         std::size_t r);

/// One step of refinement X <- X + F(x - G(X)) of an X of expected square error `before`, with F
/// and G of `forward` and `backward`. NaN stays NaN.
double refined_variance(double before, double forward, double backward);

/// Of the words of elementwise products and of matrix products: what statistics are taken for.
Format product_word(const Mode& mode);
Format gemm_word(const Mode& mode, const Machine& machine);

}  // namespace fftprec
