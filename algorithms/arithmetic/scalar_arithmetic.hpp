/// The reference arithmetic: every operation element by element over any scalar type, with a
/// rounder that says what becomes of each result. It serves emulated and wide numbers of your own,
/// stores that round at random, and as a second opinion on the fast arithmetic.
#pragma once

#include <algorithm>
#include <cmath>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/cast.hpp"
#include "algorithms/arithmetic/root_entries.hpp"
#include "arith/formats/complex.hpp"
#include "arith/formats/round.hpp"
#include "arith/machines/machine.hpp"

namespace fftprec {

/// The rounder that leaves results as the operations of the scalar type give them.
struct OwnRounding {
  OwnRounding of_element(std::size_t, std::size_t) const { return {}; }
  template <class T>
  const T& operator()(const T& result) const {
    return result;
  }
};

/// The rounder of a machine that casts in its own way, for data in a format narrower than fp32:
/// results of fp32, rounded to nearest, are stored by its cast. Random bits depend on the machine's
/// seed, on the cast's stream (one per call) and on the place of the element and operation in the
/// call alone.
class CastStores {
 public:
  CastStores(const Cast& cast, const Format& storage) : cast_(cast), storage_(storage) {}

  /// For the results of one element, in turn: at most `results` of them.
  CastStores of_element(std::size_t place, std::size_t results) const {
    CastStores element = *this;
    element.counter_ = place * results;
    return element;
  }
  float operator()(float result) {
    return static_cast<float>(cast_to(static_cast<double>(result), storage_, cast_, counter_++));
  }

 private:
  Cast cast_;
  Format storage_;
  std::uint64_t counter_ = 0;
};

/// An ArrayArithmetic (arithmetic.hpp) whose elements are T and whose every result is one of T's
/// own operations, then the rounder's, in the order: product w x as the schoolbook formula, then
/// the sums; gemm sums k ascending, all Xr Wr before all Xi (-Wi), from zero. Tables are T(double)
/// of what the roots give in `table`.
template <Scalar T, class Rounder = OwnRounding>
class ScalarArithmetic {
 public:
  using Real = T;
  using Table = FactorTable<T>;

  explicit ScalarArithmetic(const Format& table, Rounder rounder = {})
      : table_(table), rounder_(rounder) {}

  static NoStage stage(std::string_view, std::size_t) { return {}; }

  Table factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return {root_entries<T>(spec, table_, direction, roots), spec.size};
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
    each(x, of_product, [&](std::size_t i, std::size_t j, auto round) {
      put(x, i, j, product(factor(w, i, j), at(x, i, j), round));
    });
  }
  void multiply_wide(View<T> x, FactorView<T> w) const { multiply(x, w); }
  void butterfly(View<T> top, View<T> bottom, FactorView<T> w) const {
    each(top, of_product + 2 * of_sum, [&](std::size_t i, std::size_t j, auto round) {
      const Complex<T> t = product(factor(w, i, j), at(bottom, i, j), round);
      put_both(top, bottom, i, j, t, round);
    });
  }
  void butterfly_dif(View<T> top, View<T> bottom, FactorView<T> w) const {
    each(top, of_product + 2 * of_sum, [&](std::size_t i, std::size_t j, auto round) {
      put_both(top, bottom, i, j, at(bottom, i, j), round);
      put(bottom, i, j, product(factor(w, i, j), at(bottom, i, j), round));
    });
  }
  void sum_difference(View<T> top, View<T> bottom) const {
    each(top, 2 * of_sum, [&](std::size_t i, std::size_t j, auto round) {
      put_both(top, bottom, i, j, at(bottom, i, j), round);
    });
  }
  void rotated(View<T> top, View<T> bottom, Direction direction) const {
    each(top, 2 * of_sum, [&](std::size_t i, std::size_t j, auto round) {
      put_both(top, bottom, i, j, turned(at(bottom, i, j), direction), round);
    });
  }
  void multiply_eighth(View<T> x, const Table& w, bool odd, Direction direction) const {
    add_turned(x, direction);
    if (odd) turn(x, direction);
    multiply_real(x, w.planes.re[0]);
  }
  /// x <- x - i x forward, x + i x inverse.
  void add_turned(View<T> x, Direction direction) const {
    each(x, of_sum, [&](std::size_t i, std::size_t j, auto round) {
      put(x, i, j, sum(at(x, i, j), turned(at(x, i, j), direction), round));
    });
  }
  void multiply_real(View<T> x, const T& factor) const {
    each(x, of_sum, [&](std::size_t i, std::size_t j, auto round) {
      const Complex<T> value = at(x, i, j);
      const T re = round(factor * value.re);
      put(x, i, j, {re, round(factor * value.im)});
    });
  }
  void add(View<T> out, View<T> a, View<T> b) const {
    each(out, of_sum, [&](std::size_t i, std::size_t j, auto round) {
      put(out, i, j, sum(at(a, i, j), at(b, i, j), round));
    });
  }
  void accumulate(View<T> total, View<T> x, FactorView<T> w) const {
    each(total, x.cols * (of_product + of_sum), [&](std::size_t i, std::size_t j, auto round) {
      for (std::size_t k = 0; k < x.cols; ++k) {
        const Complex<T> term = product(factor(w, k, j), at(x, i, k), round);
        put(total, i, j, sum(at(total, i, j), term, round));
      }
    });
  }
  void accumulate_columns(View<T> total, FactorView<T> w, View<T> x) const {
    each(total, x.rows * (of_product + of_sum), [&](std::size_t i, std::size_t j, auto round) {
      for (std::size_t k = 0; k < x.rows; ++k) {
        const Complex<T> term = product(factor(w, k, i), at(x, k, j), round);
        put(total, i, j, sum(at(total, i, j), term, round));
      }
    });
  }
  void gemm(View<T> out, View<T> x, const Table& w) const {
    const FactorView<T> table = w.view(0, out.cols, 1);
    each(out, 8 * x.cols, [&](std::size_t i, std::size_t j, auto round) {
      const auto data = [&](std::size_t k) { return at(x, i, k); };
      put(out, i, j,
          dot(
              x.cols, data, [&](std::size_t k) { return factor(table, k, j); }, round));
    });
  }
  void gemm_columns(View<T> out, const Table& w, View<T> x) const {
    const FactorView<T> table = w.view(0, out.rows, 1);
    each(out, 8 * x.rows, [&](std::size_t i, std::size_t j, auto round) {
      const auto data = [&](std::size_t k) { return at(x, k, j); };
      put(out, i, j,
          dot(
              x.rows, data, [&](std::size_t k) { return factor(table, k, i); }, round));
    });
  }
  void store(View<T>) const {}
  void store_product(View<T>) const {}
  std::size_t stage_cols(std::size_t all, std::size_t usual) const { return std::min(all, usual); }
  void begin_stage(View<T>, std::size_t) const {}
  void end_stage(View<T>, std::size_t) const {}
  void scale_by(View<T> x, double factor) const { multiply_real(x, T(factor)); }
  void scale(View<T> x, std::size_t divisor) const {
    scale_by(x, 1.0 / static_cast<double>(divisor));
  }
  void scale_product(View<T> x, std::size_t divisor) const { scale(x, divisor); }
  void modrelu(View<T> x, const T* bias) const {
    each(x, 8, [&](std::size_t i, std::size_t j, auto round) {
      put(x, i, j, modrelu_of(at(x, i, j), bias[j], round));
    });
  }
  /// modrelu of one value. Requires: T with /, < and a sqrt.
  template <class Round>
  static Complex<T> modrelu_of(const Complex<T>& x, const T& bias, Round&& round) {
    using std::sqrt;
    const T zero = T(0.0);
    const T re_square = round(x.re * x.re);
    const T im_square = round(x.im * x.im);
    const T modulus = round(sqrt(round(re_square + im_square)));
    T size = round(modulus + bias);
    if (size < zero) size = zero;
    const T factor = modulus == zero ? zero : round(size / modulus);
    const T re = round(factor * x.re);
    return {re, round(factor * x.im)};
  }

 private:
  /// Real results that are rounded.
  static constexpr std::size_t of_sum = 2;
  static constexpr std::size_t of_product = 6;

  template <class Round>
  static Complex<T> sum(const Complex<T>& a, const Complex<T>& b, Round& round) {
    const T re = round(a.re + b.re);
    return {re, round(a.im + b.im)};
  }
  template <class Round>
  static Complex<T> product(const Complex<T>& w, const Complex<T>& x, Round& round) {
    const T rr = round(w.re * x.re);
    const T ii = round(w.im * x.im);
    const T ri = round(w.re * x.im);
    const T ir = round(w.im * x.re);
    const T re = round(rr - ii);
    return {re, round(ri + ir)};
  }
  /// (top, bottom) <- (top + t, top - t) at one place.
  template <class Round>
  static void put_both(const View<T>& top, const View<T>& bottom, std::size_t i, std::size_t j,
                       const Complex<T>& t, Round& round) {
    const Complex<T> a = at(top, i, j);
    put(top, i, j, sum(a, t, round));
    const T re = round(a.re - t.re);
    put(bottom, i, j, {re, round(a.im - t.im)});
  }
  /// -i x forward, i x inverse.
  static Complex<T> turned(const Complex<T>& x, Direction direction) {
    if (direction == Direction::forward) return {x.im, -x.re};
    return {-x.im, x.re};
  }
  /// sum of x(k) w(k) in the order of gemm.
  template <class Data, class Entry, class Round>
  static Complex<T> dot(std::size_t size, Data x, Entry w, Round& round) {
    Complex<T> total{T(0.0), T(0.0)};
    const auto add = [&round](T& to, const T& a, const T& b) { to = round(to + round(a * b)); };
    for (std::size_t k = 0; k < size; ++k) {
      add(total.re, x(k).re, w(k).re);
      add(total.im, x(k).re, w(k).im);
    }
    for (std::size_t k = 0; k < size; ++k) {
      add(total.re, x(k).im, -w(k).im);
      add(total.im, x(k).im, w(k).re);
    }
    return total;
  }
  /// body(i, j, round) for every element of x, of which so many results are rounded at most.
  template <class Body>
  void each(const View<T>& x, std::size_t results, Body body) const {
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j)
        body(i, j, rounder_.of_element(i * x.cols + j, results));
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
  Rounder rounder_;
};

}  // namespace fftprec
