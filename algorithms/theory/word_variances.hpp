/// What the words of operands leave of random data: the RMS counterpart of word_norms.hpp.
#pragma once

#include <cstddef>

#include "algorithms/arithmetic/modes.hpp"
#include "algorithms/theory/table_statistics.hpp"

namespace fftprec {

/// What a scheme's words do to a product, relative to the product.
struct LeftOut {
  double factor;  ///< variance of what the factor's words leave of it
  double rest;    ///< variance of all else that is left out
  double drift;   ///< loss of size
};

/// Of normal data of so many bits and of factors with those statistics, in sums over k of length
/// `depth`.
LeftOut left_out(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                 const TableStatistics& factors, std::size_t depth, int data_bits);

/// Variance of the sum of the terms, the leading one first, where one rounding has variance `once`:
/// a term that is smaller than that is lost, which costs no more than the term.
double rounded_terms(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                     const TableStatistics& factors, std::size_t depth, double once);

/// The words into which the scheme cuts its factors, with an exponent range that has no end: what
/// TableStatistics are to be taken for.
Format word_of(const GemmScheme& scheme);

/// The words of elementwise products: of a split mode; of others, whole values.
GemmScheme element_words(const Mode& mode);

/// Statistics of computed factors that are normal values.
TableStatistics normal_factors(const GemmScheme& scheme);

}  // namespace fftprec
