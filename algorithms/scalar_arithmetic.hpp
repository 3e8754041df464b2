/// An arithmetic over arrays of any scalar type: the plainest one, for emulated and wide numbers of
/// your own and as a second opinion on the fast one.
#pragma once

#include <algorithm>

#include "algorithms/arithmetic.hpp"
#include "arith/complex.hpp"

namespace fftprec {

/// An ArrayArithmetic (arithmetic.hpp) whose elements are T and whose every operation is T's own,
/// in the order: product w x as the schoolbook formula, then the sums; gemm sums k ascending, all
/// Xr Wr before all Xi (-Wi), from zero. Tables are T(double) of what the roots give in `table`.
template <Scalar T>
class ScalarArithmetic {
 public:
  using Real = T;
  using Table = FactorTable<T>;

  explicit ScalarArithmetic(const Format& table) : table_(table) {}

  template <class Index>
  Table factors(std::size_t size, Index index, Direction direction,
                const RootFunction& roots) const {
    Table table{ComplexArray<T>(size), size};
    for (std::size_t i = 0; i < size; ++i) {
      const RootIndex root = index(i);
      const std::complex<double> w = roots(root.exponent, root.order, table_);
      table.planes.re[i] = T(w.real());
      table.planes.im[i] = T(direction == Direction::forward ? w.imag() : -w.imag());
    }
    return table;
  }
  template <class Index>
  Table matrix(std::size_t size, Index index, Direction direction,
               const RootFunction& roots) const {
    return factors(size, index, direction, roots);
  }

  void multiply(View<T> x, FactorView<T> w) const {
    each(x, [&](std::size_t i, std::size_t j) {
      put(x, i, j, fftprec::multiply(factor(w, i, j), at(x, i, j)));
    });
  }
  void butterfly(View<T> top, View<T> bottom, FactorView<T> w) const {
    each(top, [&](std::size_t i, std::size_t j) {
      const Complex<T> a = at(top, i, j);
      const Complex<T> t = fftprec::multiply(factor(w, i, j), at(bottom, i, j));
      put(top, i, j, a + t);
      put(bottom, i, j, a - t);
    });
  }
  void gemm(View<T> out, View<T> x, const Table& w) const {
    const FactorView<T> table = w.view(0, out.cols, 1);
    each(out, [&](std::size_t i, std::size_t j) {
      Complex<T> sum{T(0.0), T(0.0)};
      for (std::size_t k = 0; k < x.cols; ++k) {
        sum.re = sum.re + at(x, i, k).re * factor(table, k, j).re;
        sum.im = sum.im + at(x, i, k).re * factor(table, k, j).im;
      }
      for (std::size_t k = 0; k < x.cols; ++k) {
        sum.re = sum.re + at(x, i, k).im * -factor(table, k, j).im;
        sum.im = sum.im + at(x, i, k).im * factor(table, k, j).re;
      }
      put(out, i, j, sum);
    });
  }
  void scale(View<T> x, std::size_t divisor) const {
    const T factor = T(1.0 / static_cast<double>(divisor));
    each(x, [&](std::size_t i, std::size_t j) {
      const Complex<T> value = at(x, i, j);
      put(x, i, j, {factor * value.re, factor * value.im});
    });
  }
  void scale_product(View<T> x, std::size_t divisor) const { scale(x, divisor); }

 private:
  template <class Body>
  static void each(const View<T>& x, Body body) {
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) body(i, j);
  }
  static Complex<T> at(const View<T>& x, std::size_t i, std::size_t j) {
    return {x.re[i * x.stride + j], x.im[i * x.stride + j]};
  }
  static void put(const View<T>& x, std::size_t i, std::size_t j, const Complex<T>& value) {
    x.re[i * x.stride + j] = value.re;
    x.im[i * x.stride + j] = value.im;
  }
  static Complex<T> factor(const FactorView<T>& w, std::size_t i, std::size_t j) {
    const std::size_t place = i * w.row_step + j * w.col_step;
    return {w.re[place], w.im[place]};
  }

  Format table_;
};

}  // namespace fftprec
