/// Bit reversal: where the radix-2 and split-radix transforms find or leave their data.
#pragma once

#include <cstddef>
#include <vector>

#include "arith/formats/views.hpp"

namespace fftprec {

/// The bits of i < size in reverse order, size = 2^t.
inline std::size_t bit_reversed(std::size_t i, std::size_t size) {
  std::size_t reversed = 0;
  for (std::size_t bit = 1; bit < size; bit <<= 1, i >>= 1) reversed = (reversed << 1) | (i & 1);
  return reversed;
}

/// bit_reversed(i, size) of all i.
inline std::vector<std::size_t> bit_reversals(std::size_t size) {
  std::vector<std::size_t> reversed(size);
  for (std::size_t i = 0; i < size; ++i) reversed[i] = bit_reversed(i, size);
  return reversed;
}

/// columns(i, g) = x[r] with r = rev(i) * cols + rev(g), the bit reversal of g * rows + i. Element
/// i of column g is element g * rows + i of the reordered data.
/// Shapes: columns is rows x cols, x holds rows * cols contiguous elements, `reversed` is
/// bit_reversals(cols).
template <class Real>
void gather_bit_reversed(View<Real> x, View<Real> columns,
                         const std::vector<std::size_t>& reversed) {
  for (std::size_t i = 0; i < columns.rows; ++i) {
    const std::size_t from = bit_reversed(i, columns.rows) * columns.cols;
    const std::size_t to = i * columns.stride;
    for (std::size_t g = 0; g < columns.cols; ++g) {
      columns.re[to + g] = x.re[from + reversed[g]];
      columns.im[to + g] = x.im[from + reversed[g]];
    }
  }
}

/// The inverse of gather_bit_reversed: x[r] = columns(i, g). It is the same permutation.
template <class Real>
void scatter_bit_reversed(View<Real> columns, View<Real> x,
                          const std::vector<std::size_t>& reversed) {
  for (std::size_t i = 0; i < columns.rows; ++i) {
    const std::size_t from = i * columns.stride;
    const std::size_t to = bit_reversed(i, columns.rows) * columns.cols;
    // Equals x[to + rev(g)] = columns(i, g), since bit reversal is its own inverse.
    for (std::size_t g = 0; g < columns.cols; ++g) {
      x.re[to + g] = columns.re[from + reversed[g]];
      x.im[to + g] = columns.im[from + reversed[g]];
    }
  }
}

}  // namespace fftprec
