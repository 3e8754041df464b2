/// What the words of operands do to products: worst case, variance and bias, one class per kind of
/// word.
#pragma once

#include <cstddef>
#include <span>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/error_bound.hpp"
#include "algorithms/theory/table_statistics.hpp"

namespace fftprec {

/// The words of a matrix product for sums of length `depth`, slices with their bits. Residues stand
/// for integers of as many bits as the moduli leave: one slice.
GemmScheme words_at(const ArithmeticSpec& arithmetic, std::size_t depth);

/// What the factors of a product are: entries of modulus 1, as of a DFT matrix, or any.
enum class Factors { roots, any };

/// Bounds on the size of the words of operands, and on the part they leave out: relative to each
/// value where values are cut one by one, else to the norm of the vector in one sum.
struct WordNorms {
  double formed;    ///< sum of |w_f| |x_d| over the products of words that are formed
  double left_out;  ///< size of the products that are not formed, or are of other data
};

/// The norms for sums over k of length `depth`.
WordNorms word_norms(const GemmScheme& words, const ArithmeticSpec& arithmetic, std::size_t depth,
                     Factors factors);

/// Expected errors that a scheme's words cause in a product, relative to the product.
struct LeftOut {
  double factor = 0;  ///< variance of what the factor's words leave of it
  double rest = 0;    ///< variance of all else that is left out
  double bias = 0;    ///< loss of size
};

/// For normal data of `data_bits` bits and factors with these statistics, in sums over k of length
/// `depth`.
LeftOut left_out(const GemmScheme& words, const ArithmeticSpec& arithmetic,
                 const TableStatistics& factors, std::size_t depth, int data_bits);

/// Variance of the sum of the terms, the leading one first, where one rounding has variance `once`.
/// A term smaller than a rounding is lost, which costs no more than the term.
double rounded_terms(const GemmScheme& words, const ArithmeticSpec& arithmetic,
                     const TableStatistics& factors, std::size_t depth, double once);

/// Absolute error of a value of the format `source` that is cut into words; `flushes`: subnormal
/// words become zero.
double small_error(const OperandWords& words, const Format& source, bool flushes);

/// The words into which the scheme cuts its factors, with an unlimited exponent range: the format
/// that TableStatistics are taken for.
Format word_of(const GemmScheme& words);

/// Statistics of computed factors that are normal values, in sums of length `depth`.
TableStatistics normal_factors(const GemmScheme& words, std::size_t depth);

}  // namespace fftprec
