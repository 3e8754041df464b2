/// A table as an arithmetic holds it.
#pragma once

#include <memory>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/views.hpp"
#include "arith/splitting/residues.hpp"

namespace fftprec {

/// Table entries in the words that an arithmetic wants, one plane per word.
template <class Real>
struct FactorTable {
  ComplexArray<Real> planes;
  std::size_t size = 0;  ///< entries; planes.size() / size words
  /// Instead of planes, a matrix in what a tensor engine takes where that is not Real.
  ComplexArray<float> words{};
  std::vector<int> exponents{};  ///< of the columns of sliced words (arith/splitting/slices.hpp)
  std::shared_ptr<const ResidueMatrix> residues{};

  /// The entries from `first` on, one per (row, column) as the steps say.
  FactorView<Real> view(std::size_t first, std::size_t row_step, std::size_t col_step) const {
    return {planes.re.data() + first, planes.im.data() + first, row_step, col_step, size};
  }
};

}  // namespace fftprec
