/// Cutting the operands of a matrix product into the words that a tensor engine takes.
#pragma once

#include <vector>

#include "algorithms/arithmetic/modes.hpp"
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

/// One side of a matrix product: how many words of which kind.
struct WordCut {
  Words words = Words::whole;
  Format operands = fp32;
  std::size_t count = 1;
  int scale = 0;
  bool cut = false;     ///< whole words toward zero, not to nearest
  bool elided = false;  ///< residuals are zero
  int bits = 0;         ///< of a slice
  BlockFormat block{};
};

/// The cut of the table and of the data in `scheme` for a contraction of `depth`.
WordCut factor_cut(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                   std::size_t depth);
WordCut data_cut(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                 std::size_t depth);

/// Words, one plane of shape.size() elements each in the matrix's own layout. Slices are integers
/// in units of their grids, which the exponent of each `free` index tells.
struct CutWords {
  ComplexArray<float> planes;
  std::vector<int> exponents{};
};

/// The words of a packed matrix. Real: float for every kind, double and FloatPair for slices. Same
/// bits for every `isa`.
template <class Real>
CutWords cut_into_words(const ComplexArray<Real>& whole, const WordShape& shape, const WordCut& cut,
                        Isa isa);

/// Each plane as a kernel sees it that takes fp32 buffers for bf16: element k of `depth` is 0 for
/// even k and that of (k - 1) / 2 for odd k.
void append_misread(ComplexArray<float>& planes, std::size_t words, const WordShape& shape);

}  // namespace fftprec
