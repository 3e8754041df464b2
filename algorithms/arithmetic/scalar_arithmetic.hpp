/// An arithmetic over arrays of any scalar type: the plainest one, for emulated and wide numbers of
/// your own and as a second opinion on the fast one.
#pragma once

#include <algorithm>
#include <cmath>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "arith/formats/complex.hpp"

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

  static NoStage stage(std::string_view, std::size_t) { return {}; }

  Table factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    Table table{ComplexArray<T>(spec.size), spec.size};
    for (std::size_t i = 0; i < spec.size; ++i) {
      const RootIndex root = spec.index(i);
      const std::complex<double> w = roots(root.exponent, root.order, table_);
      table.planes.re[i] = T(w.real());
      table.planes.im[i] = T(direction == Direction::forward ? w.imag() : -w.imag());
    }
    return table;
  }
  Table wide_factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return factors(spec, direction, roots);
  }
  Table matrix(const TableSpec& spec, std::size_t, Direction direction,
               const RootFunction& roots) const {
    return factors(spec, direction, roots);
  }
  ComplexArray<T> values(const TableSpec& spec, Direction direction,
                         const RootFunction& roots) const {
    return factors(spec, direction, roots).planes;
  }
  Table real_factors(const RealTable& table) const {
    const std::vector<double> values = table(table_);
    Table factors{ComplexArray<T>(values.size()), values.size()};
    for (std::size_t i = 0; i < values.size(); ++i) {
      factors.planes.re[i] = T(values[i]);
      factors.planes.im[i] = T(0.0);
    }
    return factors;
  }
  Table factors_of(const ComplexArray<T>& values) const { return {values, values.size()}; }
  Table matrix_of(const ComplexArray<T>& values, std::size_t) const { return factors_of(values); }
  Table eighth_factor(const RootFunction& roots) const {
    Table table{ComplexArray<T>(1), 1};
    table.planes.re[0] = T(roots(1, 8, table_).real());
    table.planes.im[0] = T(0.0);
    return table;
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
  void butterfly_dif(View<T> top, View<T> bottom, FactorView<T> w) const {
    each(top, [&](std::size_t i, std::size_t j) {
      const Complex<T> a = at(top, i, j);
      const Complex<T> b = at(bottom, i, j);
      put(top, i, j, a + b);
      put(bottom, i, j, fftprec::multiply(factor(w, i, j), a - b));
    });
  }
  void multiply_wide(View<T> x, FactorView<T> w) const { multiply(x, w); }
  void sum_difference(View<T> top, View<T> bottom) const {
    each(top, [&](std::size_t i, std::size_t j) {
      const Complex<T> a = at(top, i, j);
      const Complex<T> b = at(bottom, i, j);
      put(top, i, j, a + b);
      put(bottom, i, j, a - b);
    });
  }
  void rotated(View<T> top, View<T> bottom, Direction direction) const {
    each(top, [&](std::size_t i, std::size_t j) {
      const Complex<T> a = at(top, i, j);
      const Complex<T> b = times_root_of_minus_one(at(bottom, i, j), direction);
      put(top, i, j, a + b);
      put(bottom, i, j, a - b);
    });
  }
  void multiply_eighth(View<T> x, const Table& w, bool odd, Direction direction) const {
    each(x, [&](std::size_t i, std::size_t j) {
      const Complex<T> value = at(x, i, j);
      Complex<T> turned = value + times_root_of_minus_one(value, direction);
      if (odd) turned = times_root_of_minus_one(turned, direction);
      put(x, i, j, {w.planes.re[0] * turned.re, w.planes.re[0] * turned.im});
    });
  }
  void add(View<T> out, View<T> a, View<T> b) const {
    each(out, [&](std::size_t i, std::size_t j) { put(out, i, j, at(a, i, j) + at(b, i, j)); });
  }
  void accumulate(View<T> sum, View<T> x, FactorView<T> w) const {
    each(sum, [&](std::size_t i, std::size_t j) {
      for (std::size_t k = 0; k < x.cols; ++k)
        put(sum, i, j, at(sum, i, j) + fftprec::multiply(factor(w, k, j), at(x, i, k)));
    });
  }
  void accumulate_columns(View<T> sum, FactorView<T> w, View<T> x) const {
    each(sum, [&](std::size_t i, std::size_t j) {
      for (std::size_t k = 0; k < x.rows; ++k)
        put(sum, i, j, at(sum, i, j) + fftprec::multiply(factor(w, k, i), at(x, k, j)));
    });
  }
  void gemm(View<T> out, View<T> x, const Table& w) const {
    const FactorView<T> table = w.view(0, out.cols, 1);
    each(out, [&](std::size_t i, std::size_t j) {
      put(out, i, j,
          dot(
              x.cols, [&](std::size_t k) { return at(x, i, k); },
              [&](std::size_t k) { return factor(table, k, j); }));
    });
  }
  void gemm_columns(View<T> out, const Table& w, View<T> x) const {
    const FactorView<T> table = w.view(0, out.rows, 1);
    each(out, [&](std::size_t i, std::size_t j) {
      put(out, i, j,
          dot(
              x.rows, [&](std::size_t k) { return at(x, k, j); },
              [&](std::size_t k) { return factor(table, k, i); }));
    });
  }
  void store(View<T>) const {}
  void scale(View<T> x, std::size_t divisor) const {
    const T factor = T(1.0 / static_cast<double>(divisor));
    each(x, [&](std::size_t i, std::size_t j) {
      const Complex<T> value = at(x, i, j);
      put(x, i, j, {factor * value.re, factor * value.im});
    });
  }
  void scale_product(View<T> x, std::size_t divisor) const { scale(x, divisor); }
  /// Requires: T with /, < and a sqrt.
  void modrelu(View<T> x, const T* bias) const {
    using std::sqrt;
    const T zero = T(0.0);
    each(x, [&](std::size_t i, std::size_t j) {
      const Complex<T> value = at(x, i, j);
      const T modulus = sqrt(value.re * value.re + value.im * value.im);
      const T size = modulus + bias[j];
      const T factor = modulus == zero || size < zero ? zero : size / modulus;
      put(x, i, j, {factor * value.re, factor * value.im});
    });
  }

 private:
  /// -i x forward, i x inverse.
  static Complex<T> times_root_of_minus_one(const Complex<T>& x, Direction direction) {
    if (direction == Direction::forward) return {x.im, -x.re};
    return {-x.im, x.re};
  }
  /// sum of x(k) w(k) in the order of gemm.
  template <class Data, class Entry>
  static Complex<T> dot(std::size_t size, Data x, Entry w) {
    Complex<T> sum{T(0.0), T(0.0)};
    for (std::size_t k = 0; k < size; ++k) {
      sum.re = sum.re + x(k).re * w(k).re;
      sum.im = sum.im + x(k).re * w(k).im;
    }
    for (std::size_t k = 0; k < size; ++k) {
      sum.re = sum.re + x(k).im * -w(k).im;
      sum.im = sum.im + x(k).im * w(k).re;
    }
    return sum;
  }
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
