/// The reference arithmetic: every operation element by element over any scalar type, with a
/// rounder for each result. Uses: emulated and wide numbers of your own, stores that round at
/// random, a second opinion on MachineArithmetic.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/cast.hpp"
#include "algorithms/arithmetic/lanes.hpp"
#include "algorithms/arithmetic/storage.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "arith/formats/complex.hpp"
#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/round_array.hpp"
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

/// The rounder of data in a format narrower than fp32. To nearest even, a result is rounded once:
/// of doubles, as if it were exact (53 >= 2p + 2, Figueroa 1995). Other casts round the fp32
/// result, itself rounded to nearest; in a format that a float does not hold, the exact result.
/// Random bits depend only on the machine's seed, on the cast's stream (one per call) and on the
/// place of the element and operation in the call.
class CastStores {
 public:
  /// The bits do not depend on `isa`, which rounds lanes.
  CastStores(const Cast& cast, const Format& storage, Isa isa = best_isa())
      : cast_(cast), storage_(storage), isa_(isa) {}

  /// For the results of one element, in turn: at most `results` of them.
  CastStores of_element(std::size_t place, std::size_t results) const {
    return of_element(LanePlaces{place, 1}, results);
  }
  CastStores of_element(LanePlaces places, std::size_t results) const {
    CastStores elements = *this;
    elements.counter_ = places.first * results;
    elements.results_ = results;
    elements.count_ = places.count;
    return elements;
  }
  template <class T>
  T operator()(T result) {
    const auto exact = static_cast<double>(result);
    const double from = rounds_once<T>() ? exact : static_cast<double>(static_cast<float>(exact));
    return static_cast<T>(cast_to(from, storage_, cast_, counter_++));
  }
  template <class T>
  Lanes<T> operator()(const Lanes<T>& results) {
    auto x = std::bit_cast<std::array<double, Lanes<T>::width>>(results.lane);
    if (!rounds_once<T>())
      for (double& value : x) value = static_cast<double>(static_cast<float>(value));
    const std::span<double> some(x.data(), count_);
    if (cast_.rounding == Rounding::sr)
      for (std::size_t l = 0; l < count_; ++l)
        x[l] = cast_to(x[l], storage_, cast_, counter_ + l * results_);
    else
      round_array(some, some, storage_, cast_.rounding, isa_);
    ++counter_;
    return Lanes<T>(std::bit_cast<std::array<T, Lanes<T>::width>>(x));
  }

 private:
  template <class T>
  bool rounds_once() const {
    return std::is_same_v<T, OddDouble> || cast_.rounding == Rounding::rne;
  }

  Cast cast_;
  Format storage_;
  Isa isa_;
  std::uint64_t counter_ = 0;
  std::size_t results_ = 1;  ///< of an element: how far its counters are from the next one's
  std::size_t count_ = 1;    ///< of lanes
};

/// An ArrayArithmetic (arithmetic.hpp) in which every result is one operation of T, then one of the
/// rounder. Order: the product w x by the schoolbook formula, then the sums; gemm sums k ascending,
/// all Xr Wr before all Xi (-Wi), from zero. Elements and tables are in memory as Stored; tables
/// are Stored(double) of the roots in the format `table`. T may be Lanes: then several elements are
/// in work at once, and each takes the operations that it takes alone.
template <Scalar T, class Rounder = OwnRounding, class Stored = T>
class ScalarArithmetic {
 public:
  using Real = Stored;
  using Table = FactorTable<Stored>;

  explicit ScalarArithmetic(const Format& table, Rounder rounder = {})
      : table_(table), rounder_(rounder) {}

  static NoStage stage(std::string_view, std::size_t) { return {}; }

  Table factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return {root_entries<Stored>(spec, table_, direction, roots), spec.size};
  }
  Table wide_factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return factors(spec, direction, roots);
  }
  Table matrix(const TableSpec& spec, std::size_t, Direction direction,
               const RootFunction& roots) const {
    return factors(spec, direction, roots);
  }
  ComplexArray<Stored> values(const TableSpec& spec, Direction direction,
                              const RootFunction& roots) const {
    return factors(spec, direction, roots).planes;
  }
  Table real_factors(const RealTable& table) const {
    const std::vector<double> values = table(table_);
    Table factors{ComplexArray<Stored>(values.size()), values.size()};
    for (std::size_t i = 0; i < values.size(); ++i) {
      factors.planes.re[i] = Stored(values[i]);
      factors.planes.im[i] = Stored(0.0);
    }
    return factors;
  }
  Table factors_of(const ComplexArray<Stored>& values) const { return {values, values.size()}; }
  Table matrix_of(const ComplexArray<Stored>& values, std::size_t) const {
    return factors_of(values);
  }
  Table eighth_factor(const RootFunction& roots) const {
    Table table{ComplexArray<Stored>(1), 1};
    table.planes.re[0] = Stored(roots(1, 8, table_).real());
    table.planes.im[0] = Stored(0.0);
    return table;
  }

  void multiply(View<Stored> x, FactorView<Stored> w) const {
    each(x, of_product, [&](const auto& i, const auto& j, auto round) {
      put(x, i, j, product(factor(w, i, j), at(x, i, j), round));
    });
  }
  void multiply_wide(View<Stored> x, FactorView<Stored> w) const { multiply(x, w); }
  void butterfly(View<Stored> top, View<Stored> bottom, FactorView<Stored> w) const {
    each(top, of_product + 2 * of_sum, [&](const auto& i, const auto& j, auto round) {
      const Complex<T> t = product(factor(w, i, j), at(bottom, i, j), round);
      put_both(top, bottom, i, j, t, round);
    });
  }
  void butterfly_dif(View<Stored> top, View<Stored> bottom, FactorView<Stored> w) const {
    each(top, of_product + 2 * of_sum, [&](const auto& i, const auto& j, auto round) {
      put_both(top, bottom, i, j, at(bottom, i, j), round);
      put(bottom, i, j, product(factor(w, i, j), at(bottom, i, j), round));
    });
  }
  void sum_difference(View<Stored> top, View<Stored> bottom) const {
    each(top, 2 * of_sum, [&](const auto& i, const auto& j, auto round) {
      put_both(top, bottom, i, j, at(bottom, i, j), round);
    });
  }
  void rotated(View<Stored> top, View<Stored> bottom, Direction direction) const {
    each(top, 2 * of_sum, [&](const auto& i, const auto& j, auto round) {
      put_both(top, bottom, i, j, turned(at(bottom, i, j), direction), round);
    });
  }
  void multiply_eighth(View<Stored> x, const Table& w, bool odd, Direction direction) const {
    add_turned(x, direction);
    if (odd) turn(x, direction);
    multiply_real(x, w.planes.re[0]);
  }
  /// x <- x - i x forward, x + i x inverse.
  void add_turned(View<Stored> x, Direction direction) const {
    each(x, of_sum, [&](const auto& i, const auto& j, auto round) {
      put(x, i, j, sum(at(x, i, j), turned(at(x, i, j), direction), round));
    });
  }
  void multiply_real(View<Stored> x, const Stored& stored) const {
    const T factor(stored);
    each(x, of_sum, [&](const auto& i, const auto& j, auto round) {
      const Complex<T> value = at(x, i, j);
      const T re = round(factor * value.re);
      put(x, i, j, {re, round(factor * value.im)});
    });
  }
  void add(View<Stored> out, View<Stored> a, View<Stored> b) const {
    each(out, of_sum, [&](const auto& i, const auto& j, auto round) {
      put(out, i, j, sum(at(a, i, j), at(b, i, j), round));
    });
  }
  void fused(View<Stored> x, View<Stored> a, FactorView<Stored> w) const {
    const auto part = [](const T& factor, const T& value, const T& to) {
      if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Lanes<double>>)
        return Holds<T>::lanewise(
            [](double one, double other, double addend) {
              return product_sum_to_odd(one, other, addend);
            },
            factor, value, to);
      else
        return product_plus(factor, value, to);
    };
    each(x, of_sum, [&](const auto& i, const auto& j, auto round) {
      const Complex<T> to = at(x, i, j);
      const Complex<T> value = at(a, i, j);
      const T by = factor(w, i, j).re;
      const T re = round(part(by, value.re, to.re));
      put(x, i, j, {re, round(part(by, value.im, to.im))});
    });
  }
  void accumulate(View<Stored> total, View<Stored> x, FactorView<Stored> w) const {
    each(total, x.cols * (of_product + of_sum), [&](const auto& i, const auto& j, auto round) {
      Complex<T> result = at(total, i, j);
      for (std::size_t k = 0; k < x.cols; ++k)
        result = sum(result, product(factor(w, k, j), at(x, i, k), round), round);
      put(total, i, j, result);
    });
  }
  void accumulate_columns(View<Stored> total, FactorView<Stored> w, View<Stored> x) const {
    each(total, x.rows * (of_product + of_sum), [&](const auto& i, const auto& j, auto round) {
      Complex<T> result = at(total, i, j);
      for (std::size_t k = 0; k < x.rows; ++k)
        result = sum(result, product(factor(w, k, i), at(x, k, j), round), round);
      put(total, i, j, result);
    });
  }
  void gemm(View<Stored> out, View<Stored> x, const Table& w) const {
    const FactorView<Stored> table = w.view(0, out.cols, 1);
    each(out, 8 * x.cols, [&](const auto& i, const auto& j, auto round) {
      const auto data = [&](std::size_t k) { return at(x, i, k); };
      put(out, i, j,
          dot(
              x.cols, data, [&](std::size_t k) { return factor(table, k, j); }, round));
    });
  }
  void gemm_columns(View<Stored> out, const Table& w, View<Stored> x) const {
    const FactorView<Stored> table = w.view(0, out.rows, 1);
    each(out, 8 * x.rows, [&](const auto& i, const auto& j, auto round) {
      const auto data = [&](std::size_t k) { return at(x, k, j); };
      put(out, i, j,
          dot(
              x.rows, data, [&](std::size_t k) { return factor(table, k, i); }, round));
    });
  }
  void store(View<Stored>) const {}
  void store_product(View<Stored>) const {}
  std::size_t stage_cols(std::size_t all, std::size_t usual) const { return std::min(all, usual); }
  std::size_t stage_lines(std::size_t all, std::size_t usual) const { return std::min(all, usual); }
  void begin_stage(View<Stored>, std::size_t, std::size_t) const {}
  void end_stage(View<Stored>, std::size_t) const {}
  void end_stage(View<Stored>, std::size_t, std::size_t, const Places&) const {}
  void scale_by(View<Stored> x, double factor) const { multiply_real(x, Stored(factor)); }
  void scale(View<Stored> x, Dft dft, std::size_t n) const {
    if (constexpr ScalePolicy whole; whole.divides_after(dft))
      scale_by(x, whole.after_stages(dft, n));
  }
  void scale_product(View<Stored> x, Dft dft, std::size_t n) const { scale(x, dft, n); }
  void modrelu(View<Stored> x, const T* bias) const {
    each(x, 8, [&](const auto& i, const auto& j, auto round) {
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
  template <class I, class J, class Round>
  static void put_both(const View<Stored>& top, const View<Stored>& bottom, const I& i, const J& j,
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
  /// body(i, j, round) for every element of x; each rounds at most `results` results.
  template <class Body>
  void each(const View<Stored>& x, std::size_t results, Body body) const {
    Holds<T>::each(x.rows, x.cols, [&](const auto& i, const auto& j, auto place) {
      body(i, j, rounder_.of_element(place, results));
    });
  }
  template <class I, class J>
  static Complex<T> at(const View<Stored>& x, const I& i, const J& j) {
    const auto place = i * x.stride + j;
    return {Holds<T>::load(x.re, place), Holds<T>::load(x.im, place)};
  }
  template <class I, class J>
  static void put(const View<Stored>& x, const I& i, const J& j, const Complex<T>& value) {
    const auto place = i * x.stride + j;
    Holds<T>::store(value.re, x.re, place);
    Holds<T>::store(value.im, x.im, place);
  }
  template <class I, class J>
  static Complex<T> factor(const FactorView<Stored>& w, const I& i, const J& j) {
    const auto place = i * w.row_step + j * w.col_step;
    return {Holds<T>::load(w.re, place), Holds<T>::load(w.im, place)};
  }

  Format table_;
  Rounder rounder_;
};

}  // namespace fftprec
