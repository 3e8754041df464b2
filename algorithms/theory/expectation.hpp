/// The RMS model: the expected square of the relative 2-norm error that each kind of stage adds to
/// random data. Errors of different stages are independent, so the squares add.
///
/// Where there is no closed form the answer is NaN, and so is everything computed from it.
#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "algorithms/theory/bounds.hpp"

namespace fftprec {

/// What a table is like on average, the part of an error that no input changes: means over its
/// entries, |w| = 1.
struct TableStatistics {
  double error_square = 0;  ///< |w^ - w|^2: rounding, and the angle's error if there is one
  double low_square = 0;    ///< |w^ - first word|^2
  double rest_square = 0;   ///< |w^ - first two words|^2
  double nontrivial = 1;    ///< share of entries other than 1, -1, i, -i
  bool whole = true;        ///< all entries were looked at
  double last_square = 0;   ///< |w^ - first three words|^2
  double beyond = 0;        ///< share of entries that fixed point holds as the number next to 1
  double low_loss = 0;      ///< of size, by first words in blocks; low_square is what it leaves
  bool are_data = false;    ///< no table: computed factors, normal values
  double loss = 0;          ///< of size, by the table: the mean of Re((w - w^)/w)
};

/// Statistics of the `size` entries given by index(i), read from `roots` in `format`; `exact` gives
/// the true roots in fp64. Words are rounded residuals in the format `word`, nothing is
/// left of narrower entries. Of a table with more than 2^14 entries it takes a fixed sample of that
/// many. The rounding of an fp64 table cannot be seen against fp64 roots: for exact tables it is
/// the mean for a uniform phase, 0.119 u^2 (expectation.cpp), times the nontrivial share; for fixed
/// point of more digits q^2/12 for each part.
TableStatistics table_statistics(std::size_t size, const RootIndices& index,
                                 const RootFunction& roots, const RootFunction& exact,
                                 const Format& format, const Format& word = bf16);

/// Adds what the first words of a DFT matrix of order r leave in blocks along its columns. Of more
/// than 2^14 entries it takes a fixed sample of so many in whole blocks.
void add_blocks(TableStatistics& entries, const BlockFormat& blocks, const RootIndices& matrix,
                std::size_t r, const RootFunction& roots, const Format& format);

/// Means over the entries of a real table: squares relative to the squares of the exact entries,
/// each weighted with the mean `power` of the data that it multiplies; `nontrivial` is the weight
/// of entries other than 0 and powers of two. Entries that are exact only to fp64 do not show how
/// an fp64 table rounds: it counts as rounded normal data.
/// Shapes: three arrays of one size.
TableStatistics real_table_statistics(const std::vector<double>& stored,
                                      const std::vector<double>& exact,
                                      const std::vector<double>& power, const Format& format);

/// Mean relative loss by one truncation, in u: half of a last place of 2u 2^e, and the mean of
/// 2^e/|x| over a logarithmic density is 1/(2 ln 2).
inline constexpr double truncation_loss = 0.72;

/// One rounding of normal data with unit roundoff u: 0.181 u^2.
double value_variance(double u);

/// On the way into the format that data are kept in, as the machine casts: the error to either
/// side, and the loss of size.
double store_variance(const ArithmeticSpec& arithmetic);
double store_bias(const ArithmeticSpec& arithmetic);

/// The part of gemm_variance that comes from cutting data into words: none if data are in the
/// words' format already, as between passes.
double gemm_variance_unless_stored(const ArithmeticSpec& arithmetic);

/// One sum of two like terms, and one product with a real number, on the vector engine.
double sum_variance(const ArithmeticSpec& arithmetic);
double scaling_variance(const ArithmeticSpec& arithmetic);

/// Variance of the errors of a table's entries as the mode holds them, but for their loss of size:
/// in the mean over entries of modulus 1, and of the result of a product with them; elementwise,
/// and in a matrix product of depth r.
double table_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table);
double gemm_table_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                           std::size_t r);

/// An elementwise product with a table, as the mode forms it, table error included, but for the
/// loss of size of all entries, the same for all products, of which it is a bias. `data_bits`: how
/// many bits data have, and the factors if those are data, too.
double product_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                        int data_bits = fp64.precision);

/// Whether sums of a few such values leave nothing to round.
bool sums_are_exact(const ArithmeticSpec& arithmetic, int data_bits);

/// The same with real factors, the entries of `table` relative to their own mean square: of the
/// complex product one real product per part is not zero.
double real_product_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table);

/// Data of a matrix product: the products with an imaginary part of zero are in no sum.
enum class GemmData { complex, real };

/// What a scheme's words do to a product, relative to the product.
struct LeftOut {
  double factor;  ///< variance of what the factor's words leave of it
  double rest;    ///< variance of all else that is left out
  double bias;    ///< loss of size
};

/// For normal data of `data_bits` bits and factors with these statistics, in sums over k of length
/// `depth`.
LeftOut left_out(const GemmScheme& words, const ArithmeticSpec& arithmetic,
                 const TableStatistics& factors, std::size_t depth, int data_bits);

/// Variance of the sum of the terms, the leading one first, where one rounding has variance `once`.
/// A term smaller than a rounding is lost, which costs no more than the term.
double rounded_terms(const GemmScheme& words, const ArithmeticSpec& arithmetic,
                     const TableStatistics& factors, std::size_t depth, double once);

/// Bits of the products of first words, which are nearly all of a sum.
int leading_product_bits(const GemmScheme& gemm);

/// Share of the variance of a rounding to p digits that the sum of two exact products of so many
/// bits has.
double cut_sum_of_two(int bits, int p);

/// The words into which the scheme cuts its factors, with an exponent range that has no end: what
/// TableStatistics are to be taken for.
Format word_of(const GemmScheme& words);

/// Statistics of computed factors that are normal values, in sums of length `depth`.
TableStatistics normal_factors(const GemmScheme& words, std::size_t depth);

/// Errors to either side, and a loss of size.
struct Additions {
  double variance;
  double bias;
};

/// What is known of the data of a sum of r products.
struct SumData {
  GemmData parts = GemmData::complex;
  int bits = fp64.precision;  ///< where words may hold more
  std::size_t zeros = 0;      ///< at the end; fewer than r
};

/// The additions in PSUM, with the way across tiles and PSUM's own format, of a product with an n x
/// n DFT matrix: the mean over all its columns. NaN where there is no closed form: for aligned sums
/// that cut a good part of their products' bits, for slices that are not exact.
Additions psum_additions(const ArithmeticSpec& arithmetic, std::size_t n, const SumData& data = {});

/// A product with an r x r DFT matrix on the engine that the mode names, and on the vector engine.
double gemm_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table, std::size_t r,
                     const SumData& data = {});
double dot_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table, std::size_t r,
                    const SumData& data = {});

/// The part of both variances that goes with the imaginary part of a result that should be real, as
/// it is for Hermitian data.
double gemm_imaginary_variance(const ArithmeticSpec& arithmetic, std::size_t r);
double dot_imaginary_variance(const ArithmeticSpec& arithmetic, std::size_t r);

/// By how much truncation shrinks the result of gemm: an error beside gemm_variance, and one that
/// the same error of another stage adds to, not only its square.
double gemm_bias(const ArithmeticSpec& arithmetic, const TableStatistics& table, std::size_t r,
                 const SumData& data = {});

/// An r-point DFT on the vector engine whose row and column of ones take no product; `core` is the
/// rest of the matrix.
double dft_core_variance(const ArithmeticSpec& arithmetic, const TableStatistics& core,
                         std::size_t r, const SumData& data = {});

/// One step of refinement X <- X + F(x - G(X)) of an X of expected square error `before`, with F
/// and G of `forward` and `backward`. NaN stays NaN.
double refined_variance(double before, double forward, double backward);

/// Of the words of elementwise products and of matrix products: what statistics are taken for.
Format product_word(const ArithmeticSpec& arithmetic);
Format gemm_word(const ArithmeticSpec& arithmetic);

}  // namespace fftprec
