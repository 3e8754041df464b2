/// What an FFT may ask of an arithmetic: products with a table, sums, matrix products. Nothing else
/// touches the data, so a mode and a machine are free to say how each is done.
#pragma once

#include <concepts>
#include <cstddef>

#include "algorithms/roots.hpp"
#include "arith/complex_array.hpp"
#include "arith/kernels/views.hpp"

namespace fftprec {

/// A root of unity that a table needs: exp(-2 pi i exponent/order), exponent not reduced.
struct RootIndex {
  std::uint64_t exponent;
  std::uint64_t order;
};

/// Table entries in the words that an arithmetic wants, one plane per word.
template <class Real>
struct FactorTable {
  ComplexArray<Real> planes;
  std::size_t size = 0;  ///< entries; planes.size() / size words

  /// The entries from `first` on, one per (row, column) as the steps say.
  FactorView<Real> view(std::size_t first, std::size_t row_step, std::size_t col_step) const {
    return {planes.re.data() + first, planes.im.data() + first, row_step, col_step, size};
  }
};

/// All of an array of rows x cols elements as a View.
template <class Real>
View<Real> view_of(ComplexArray<Real>& x, std::size_t rows, std::size_t cols) {
  return {x.re.data(), x.im.data(), rows, cols, cols};
}
template <class Real>
View<const Real> constant(View<Real> x) {
  return {x.re, x.im, x.rows, x.cols, x.stride};
}

/// An arithmetic over whole arrays.
/// - `factors(size, index, direction, roots)`: a table for multiply and butterfly; entry i is the
///   root index(i), conjugated for the inverse.
/// - `matrix(size, index, direction, roots)`: a table for gemm, row-major K x N.
/// - `multiply(x, w)`: x <- w x.  `butterfly(a, b, w)`: (a, b) <- (a + w b, a - w b).
/// - `gemm(out, x, w)`: out (B x N) <- x (B x K) times w (K x N).
/// - `scale(x, divisor)`: x <- x * fl(1/divisor), in the format that vector operations store;
///   `scale_product(x, divisor)`: the same in the format that gemm delivers.
template <class A>
concept ArrayArithmetic = requires(const A& a, typename A::Real r, View<typename A::Real> x,
                                   typename A::Table table, std::size_t size,
                                   RootIndex (*index)(std::size_t), Direction direction,
                                   const RootFunction& roots) {
  { a.factors(size, index, direction, roots) } -> std::same_as<typename A::Table>;
  { a.matrix(size, index, direction, roots) } -> std::same_as<typename A::Table>;
  a.multiply(x, table.view(size, size, size));
  a.butterfly(x, x, table.view(size, size, size));
  a.gemm(x, x, table);
  a.scale(x, size);
  a.scale_product(x, size);
};

}  // namespace fftprec
