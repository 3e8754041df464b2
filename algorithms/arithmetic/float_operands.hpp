/// Arrays of doubles as the floats that a machine's arithmetic takes, and back.
#pragma once

#include <algorithm>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/stages.hpp"

namespace fftprec {

/// A view's values as floats: the same where they stand on a grid that floats have, else rounded,
/// which the trace is told.
class FloatOperand {
 public:
  FloatOperand(View<double> home, StageTrace& trace) : home_(home), values_(home.rows * home.cols) {
    bool rounded = false;
    each([&rounded](float& mine, const double& theirs) {
      mine = static_cast<float>(theirs);
      rounded = rounded || (static_cast<double>(mine) != theirs && theirs == theirs);
    });
    if (rounded) trace.note_rounding();
  }

  /// For what is written only.
  explicit FloatOperand(View<double> home) : home_(home), values_(home.rows * home.cols) {}

  View<float> view() { return view_of(values_, home_.rows, home_.cols); }

  /// The values back to where they came from.
  void put_back() {
    each([](const float& mine, double& theirs) { theirs = static_cast<double>(mine); });
  }

 private:
  template <class Move>
  void each(Move move) {
    for (std::size_t i = 0; i < home_.rows; ++i)
      for (std::size_t j = 0; j < home_.cols; ++j) {
        move(values_.re[i * home_.cols + j], home_.re[i * home_.stride + j]);
        move(values_.im[i * home_.cols + j], home_.im[i * home_.stride + j]);
      }
  }

  View<double> home_;
  ComplexArray<float> values_;
};

/// `words` planes of factors from plane `first` on, for rows x cols elements.
class FloatFactors {
 public:
  FloatFactors(FactorView<double> w, std::size_t first, std::size_t words, std::size_t rows,
               std::size_t cols)
      : rows_(w.row_step == 0 ? 1 : rows),
        cols_(w.col_step == 0 ? 1 : cols),
        planes_(words * rows_ * cols_) {
    std::size_t to = 0;
    for (std::size_t word = first; word < first + words; ++word)
      for (std::size_t i = 0; i < rows_; ++i)
        for (std::size_t j = 0; j < cols_; ++j, ++to) {
          const std::size_t from = word * w.plane + i * w.row_step + j * w.col_step;
          planes_.re[to] = static_cast<float>(w.re[from]);
          planes_.im[to] = static_cast<float>(w.im[from]);
        }
  }

  FactorView<float> view() const {
    return {planes_.re.data(), planes_.im.data(), rows_ == 1 ? 0 : cols_,
            cols_ == 1 ? std::size_t{0} : std::size_t{1}, rows_ * cols_};
  }

 private:
  std::size_t rows_;
  std::size_t cols_;
  ComplexArray<float> planes_;
};

}  // namespace fftprec
