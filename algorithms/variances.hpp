/// The RMS model: the expected square of the relative 2-norm error that each kind of stage adds to
/// random data. Errors of different stages are independent, so the squares add.
#pragma once

#include <cstddef>

#include "algorithms/modes.hpp"
#include "algorithms/table_statistics.hpp"

namespace fftprec {

/// One rounding of normal data with unit roundoff u: 0.181 u^2.
double value_variance(double u);

/// One sum of two like terms: 0.213 u^2.
double sum_variance(double u);

/// What a table's entries as the mode holds them are off by: in the mean over entries of modulus 1,
/// and of the result of a product with them.
double table_variance(const Mode& mode, const TableStatistics& table);

/// An elementwise product with a table, as the mode forms it, table error included.
double product_variance(const Mode& mode, const Machine& machine, const TableStatistics& table);

/// The same with real factors, the entries of `table` relative to their own mean square: of the
/// complex product one real product per part is not zero.
double real_product_variance(const Mode& mode, const Machine& machine,
                             const TableStatistics& table);

/// Data of a matrix product: the products with an imaginary part of zero are in no sum.
enum class GemmData { complex, real };

/// A product with an r x r DFT matrix on the engine that the mode names, and on the vector engine.
double gemm_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                     std::size_t r, GemmData data = GemmData::complex);
double dot_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                    std::size_t r);

/// By how much a truncating accumulator shrinks the result of gemm: an error beside gemm_variance,
/// and one that the same error of another stage adds to, not only its square.
double gemm_drift(const Mode& mode, const Machine& machine, std::size_t r,
                  GemmData data = GemmData::complex);

/// An r-point DFT on the vector engine whose row and column of ones take no product; `core` is the
/// rest of the matrix.
double dft_core_variance(const Mode& mode, const Machine& machine, const TableStatistics& core,
                         std::size_t r);

}  // namespace fftprec
