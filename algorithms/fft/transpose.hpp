/// Copies and transposes split-complex matrices. Nothing here rounds.
#pragma once

#include <algorithm>
#include <cstddef>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// to(i, j) = from(i, j).
template <class Real>
void copy(View<Real> from, View<Real> to) {
  for (std::size_t i = 0; i < from.rows; ++i) {
    std::copy_n(from.re + i * from.stride, from.cols, to.re + i * to.stride);
    std::copy_n(from.im + i * from.stride, from.cols, to.im + i * to.stride);
  }
}

/// to(j, i) = from(i, j), in tiles whose rows and columns both stay in the first-level cache.
template <class Real>
void transpose(View<Real> from, View<Real> to) {
  constexpr std::size_t tile = 16;
  for (std::size_t i0 = 0; i0 < from.rows; i0 += tile)
    for (std::size_t j0 = 0; j0 < from.cols; j0 += tile)
      for (std::size_t j = j0; j < std::min(j0 + tile, from.cols); ++j)
        for (std::size_t i = i0; i < std::min(i0 + tile, from.rows); ++i) {
          to.re[j * to.stride + i] = from.re[i * from.stride + j];
          to.im[j * to.stride + i] = from.im[i * from.stride + j];
        }
}

/// Each rows x cols matrix of `from`, one after the other, transposed into `to`.
template <class Real>
void transpose_each(ComplexArray<Real>& from, std::size_t rows, std::size_t cols,
                    ComplexArray<Real>& to) {
  for (std::size_t first = 0; first < from.size(); first += rows * cols)
    transpose(View<Real>{from.re.data() + first, from.im.data() + first, rows, cols, cols},
              View<Real>{to.re.data() + first, to.im.data() + first, cols, rows, rows});
}

}  // namespace fftprec
