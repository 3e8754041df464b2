/// What faults of software add to the errors of a matrix product; all zero or empty without faults.
#pragma once

#include <span>

#include "algorithms/arithmetic/resolved_arithmetic.hpp"

namespace fftprec {

/// The terms of a product of split operands that read other data than they should.
std::span<const SplitTerm> misread_terms(const GemmScheme& words,
                                         const ResolvedArithmetic& arithmetic);

/// Worst case of a term, relative to the term, and of the sum of all terms.
double demoted_term_error(const ResolvedArithmetic& arithmetic);
double demoted_sum_error(const ResolvedArithmetic& arithmetic);

/// Expected square error, relative to the product.
double demotion_variance(const ResolvedArithmetic& arithmetic);

}  // namespace fftprec
