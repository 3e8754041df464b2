/// Cutting the operands of a matrix product into the words that a tensor engine takes.
#pragma once

#include <vector>

#include "algorithms/arithmetic/resolved_arithmetic.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// A matrix that is to be cut: element (k, free) at k * k_step + free * free_step.
struct WordShape {
  std::size_t depth;
  std::size_t free;
  std::size_t k_step;
  std::size_t free_step;

  std::size_t size() const { return depth * free; }
};

/// Words, one plane of shape.size() elements each in the matrix's own layout. Slices are integers
/// in units of their grids, which the exponent of each `free` index tells.
struct CutWords {
  ComplexArray<float> planes;
  std::vector<int> exponents{};
};

/// The words of a packed matrix. Real: float for every kind, double and FloatPair for slices. Same
/// bits for every `isa`.
template <class Real>
CutWords cut_into_words(const ComplexArray<Real>& whole, const WordShape& shape,
                        const OperandWords& words, Isa isa);
template <>
CutWords cut_into_words(const ComplexArray<float>& whole, const WordShape& shape,
                        const OperandWords& words, Isa isa);

}  // namespace fftprec
