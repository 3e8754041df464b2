/// How large the words of a matrix product's operands are at most, and what they leave out.
///
/// Sizes are relative to the operand: to every single value where each is cut by itself, else to
/// the norm of the vector that takes part in one sum.
#pragma once

#include <cstddef>

#include "algorithms/arithmetic/modes.hpp"

namespace fftprec {

/// What the factors of a product are: entries of modulus 1, as of a DFT matrix, or any.
enum class Factors { roots, any };

struct WordNorms {
  double kept;      ///< sum of |w_f| |x_d| over the products of words that are formed
  double left_out;  ///< what products that are not formed, or are of other data, are worth
};

/// Of the words of `scheme` for sums over k of length `depth`.
WordNorms word_norms(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                     std::size_t depth, Factors factors);

}  // namespace fftprec
