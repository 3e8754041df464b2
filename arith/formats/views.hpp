/// Two-dimensional views of split-complex arrays, for the inner loops.
///
/// Headers in this folder are compiled at several instruction sets, so they hold no function that
/// the linker might share between them: members are always inlined, templates carry an Isa tag.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fftprec {

/// rows x cols elements; an element's columns are contiguous, its rows `stride` apart.
template <class Real>
struct View {
  Real* re;
  Real* im;
  std::size_t rows;
  std::size_t cols;
  std::size_t stride;

  /// The rows [first, first + count).
  [[gnu::always_inline]] View middle_rows(std::size_t first, std::size_t count) const {
    return {re + first * stride, im + first * stride, count, cols, stride};
  }
  /// The columns [first, first + count).
  [[gnu::always_inline]] View middle_cols(std::size_t first, std::size_t count) const {
    return {re + first, im + first, rows, count, stride};
  }
};

/// Factors for a View: element (i, j) takes the factor at i * row_step + j * col_step, with
/// col_step 0 (one factor per row) or 1. A factor split into words has one plane per word, at a
/// distance of `plane` elements; word 0 is the leading one.
template <class Real>
struct FactorView {
  const Real* re;
  const Real* im;
  std::size_t row_step;
  std::size_t col_step;
  std::size_t plane;

  [[gnu::always_inline]] FactorView offset(std::size_t rows, std::size_t cols) const {
    const std::size_t at = rows * row_step + cols * col_step;
    return {re + at, im + at, row_step, col_step, plane};
  }
};

/// One real matmul of a tensor engine: psum(i, j) (+)= sum_k stationary(k, i) * moving(k, j).
/// stationary(k, i) is stationary[k * stationary_k + i * stationary_m]; moving and psum are
/// row-major.
template <class Real>
struct Matmul {
  const Real* stationary;
  std::size_t stationary_k;
  std::size_t stationary_m;
  const Real* moving;
  std::size_t moving_stride;
  Real* psum;
  std::size_t psum_stride;
  std::size_t m;
  std::size_t n;
  std::size_t k;
  bool negate;                ///< multiply by -moving (exact)
  bool accumulate;            ///< add to the old PSUM values; false: overwrite them
  bool data_moves = false;    ///< the data are on the moving side, the table on the stationary one
  std::uint64_t step = 0;     ///< distinguishes writes to one element, for stochastic rounding
  std::uint64_t element = 0;  ///< the number of psum's first element, for stochastic rounding

  /// `rows` x `cols` elements of psum from (from_i, from_j) on, with the products [first, first +
  /// count).
  [[gnu::always_inline]] Matmul part(std::size_t from_i, std::size_t rows, std::size_t from_j,
                                     std::size_t cols, std::size_t first, std::size_t count) const {
    Matmul some = *this;
    some.stationary += first * stationary_k + from_i * stationary_m;
    some.moving += first * moving_stride + from_j;
    some.psum += from_i * psum_stride + from_j;
    some.element += from_i * psum_stride + from_j;
    some.m = rows;
    some.n = cols;
    some.k = count;
    return some;
  }
};

}  // namespace fftprec
