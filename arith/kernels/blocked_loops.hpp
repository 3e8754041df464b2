/// The inner loops of schemes whose product is long, and of compensated sums, block by block.
///
/// The bits are those of Loops; but a product is compiled in two loops only, in place, and the sums
/// around it run over a block that is still in the first cache. A long product loses little by that
/// and compiles in a fraction of the time.
#pragma once

#include "arith/formats/summation.hpp"
#include "arith/kernels/loops.hpp"

namespace fftprec {

/// One row of a block on the stack.
template <class Real>
struct BlockRow {
  static constexpr std::size_t capacity = 256;
  alignas(64) Real re[capacity];
  alignas(64) Real im[capacity];
};

/// Calls work(first, count) for consecutive blocks of at most BlockRow's capacity.
template <class Tag, class Real, class Work>
[[gnu::always_inline]] inline void each_block(std::size_t cols, Work work) {
  constexpr std::size_t capacity = BlockRow<Real>::capacity;
  for (std::size_t first = 0; first < cols; first += capacity)
    work(first, cols - first < capacity ? cols - first : capacity);
}

/// As Loops<Tag, T, Product>.
template <class Tag, Scalar T, class Product>
struct BlockedLoops {
  using Real = typename Carrier<T>::type;
  using Element = ElementLoops<Tag, T>;
  using Row = BlockRow<Real>;

  static void multiply(View<Real> x, FactorView<Real> w) {
    for (std::size_t i = 0; i < x.rows; ++i)
      multiply_part(x.re + i * x.stride, x.im + i * x.stride, w.offset(i, 0), x.cols);
  }

  static void butterfly(View<Real> top, View<Real> bottom, FactorView<Real> w) {
    for (std::size_t i = 0; i < top.rows; ++i)
      each_block<Tag, Real>(top.cols, [&](std::size_t first, std::size_t count) {
        const View<Real> a = top.middle_rows(i, 1).middle_cols(first, count);
        const View<Real> b = bottom.middle_rows(i, 1).middle_cols(first, count);
        multiply_part(b.re, b.im, w.offset(i, first), count);
        Element::sum_difference(a, b);
      });
  }

  static void butterfly_dif(View<Real> top, View<Real> bottom, FactorView<Real> w) {
    for (std::size_t i = 0; i < top.rows; ++i)
      each_block<Tag, Real>(top.cols, [&](std::size_t first, std::size_t count) {
        const View<Real> a = top.middle_rows(i, 1).middle_cols(first, count);
        const View<Real> b = bottom.middle_rows(i, 1).middle_cols(first, count);
        Element::sum_difference(a, b);
        multiply_part(b.re, b.im, w.offset(i, first), count);
      });
  }

  static void accumulate_columns(View<Real> sum, FactorView<Real> w, View<Real> x) {
    Row term;
    for (std::size_t i = 0; i < sum.rows; ++i)
      each_block<Tag, Real>(sum.cols, [&](std::size_t first, std::size_t count) {
        const View<Real> s = sum.middle_rows(i, 1).middle_cols(first, count);
        for (std::size_t k = 0; k < x.rows; ++k) {
          const std::size_t at = k * x.stride + first;
          for (std::size_t j = 0; j < count; ++j) term.re[j] = x.re[at + j];
          for (std::size_t j = 0; j < count; ++j) term.im[j] = x.im[at + j];
          const FactorView<Real> factor = w.offset(k, i);
          multiply_row<0>(term.re, term.im, factor.re, factor.im, factor.plane, count);
          add_row(s, term);
        }
      });
  }

  static void multiply_accumulate(View<Real> sum, View<Real> x, FactorView<Real> w) {
    Row term;
    for (std::size_t i = 0; i < sum.rows; ++i)
      each_block<Tag, Real>(sum.cols, [&](std::size_t first, std::size_t count) {
        const View<Real> s = sum.middle_rows(i, 1).middle_cols(first, count);
        for (std::size_t k = 0; k < x.cols; ++k) {
          const std::size_t at = i * x.stride + k;
          for (std::size_t j = 0; j < count; ++j) term.re[j] = x.re[at];
          for (std::size_t j = 0; j < count; ++j) term.im[j] = x.im[at];
          const FactorView<Real> factor = w.offset(k, first);
          multiply_row<1>(term.re, term.im, factor.re, factor.im, factor.plane, count);
          add_row(s, term);
        }
      });
  }

 private:
  static void multiply_part(Real* re, Real* im, FactorView<Real> w, std::size_t cols) {
    const auto row = w.col_step == 0 ? multiply_row<0> : multiply_row<1>;
    row(re, im, w.re, w.im, w.plane, cols);
  }

  static void add_row(View<Real> sum, const Row& term) {
    Element::add(sum, {sum.re, sum.im, 1, sum.cols, 0}, {term.re, term.im, 1, sum.cols, 0});
  }

  // Never inlined, so that every loop above shares the two of them.
  template <std::size_t col_step>
  [[gnu::noinline]] static void multiply_row(Real* __restrict re, Real* __restrict im,
                                             const Real* __restrict w_re,
                                             const Real* __restrict w_im, std::size_t plane,
                                             std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const Factor<T, Product::factor_words> w =
          load_factor<T, Product::factor_words>(w_re, w_im, plane, j * col_step);
      const Complex<T> y =
          Product::multiply(w, Complex<T>{Carrier<T>::load(re[j]), Carrier<T>::load(im[j])});
      re[j] = Carrier<T>::store(y.re);
      im[j] = Carrier<T>::store(y.im);
    }
  }
};

/// Sums of products by a scheme of arith/formats/summation.hpp. What the roundings have lost lives
/// for one call; sum is read as the first term.
template <class Tag, Scalar T, class Sum>
struct CompensatedLoops {
  using Real = typename Carrier<T>::type;
  using Row = BlockRow<Real>;

  /// As Loops::accumulate_columns, the sums over k as `Sum` forms them.
  static void accumulate_columns(View<Real> sum, FactorView<Real> w, View<Real> x) {
    Row rest;
    for (std::size_t i = 0; i < sum.rows; ++i)
      each_block<Tag, Real>(sum.cols, [&](std::size_t first, std::size_t count) {
        const std::size_t out = i * sum.stride + first;
        clear(rest, count);
        for (std::size_t k = 0; k < x.rows; ++k) {
          const std::size_t at = k * x.stride + first;
          const FactorView<Real> factor = w.offset(k, i);
          step_row<0, 1>(sum.re + out, sum.im + out, rest.re, rest.im, x.re + at, x.im + at,
                         factor.re, factor.im, count);
        }
        total_row(sum.re + out, sum.im + out, rest.re, rest.im, count);
      });
  }

  /// As Loops::multiply_accumulate, the sums over k as `Sum` forms them.
  static void multiply_accumulate(View<Real> sum, View<Real> x, FactorView<Real> w) {
    Row rest;
    for (std::size_t i = 0; i < sum.rows; ++i)
      each_block<Tag, Real>(sum.cols, [&](std::size_t first, std::size_t count) {
        const std::size_t out = i * sum.stride + first;
        clear(rest, count);
        for (std::size_t k = 0; k < x.cols; ++k) {
          const std::size_t at = i * x.stride + k;
          const FactorView<Real> factor = w.offset(k, first);
          step_row<1, 0>(sum.re + out, sum.im + out, rest.re, rest.im, x.re + at, x.im + at,
                         factor.re, factor.im, count);
        }
        total_row(sum.re + out, sum.im + out, rest.re, rest.im, count);
      });
  }

 private:
  [[gnu::always_inline]] static T load(Real x) { return Carrier<T>::load(x); }
  [[gnu::always_inline]] static Real store(T x) { return Carrier<T>::store(x); }

  static void clear(Row& rest, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) rest.re[j] = store(T(0.0));
    for (std::size_t j = 0; j < count; ++j) rest.im[j] = store(T(0.0));
  }

  template <std::size_t w_step, std::size_t x_step>
  [[gnu::noinline]] static void step_row(Real* __restrict sum_re, Real* __restrict sum_im,
                                         Real* __restrict rest_re, Real* __restrict rest_im,
                                         const Real* __restrict x_re, const Real* __restrict x_im,
                                         const Real* __restrict w_re, const Real* __restrict w_im,
                                         std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const RunningSum<T> s = Sum::step(
          RunningSum<T>{{load(sum_re[j]), load(sum_im[j])}, {load(rest_re[j]), load(rest_im[j])}},
          Factor<T, 1>{{{load(w_re[j * w_step]), load(w_im[j * w_step])}}},
          Complex<T>{load(x_re[j * x_step]), load(x_im[j * x_step])});
      sum_re[j] = store(s.sum.re);
      sum_im[j] = store(s.sum.im);
      rest_re[j] = store(s.rest.re);
      rest_im[j] = store(s.rest.im);
    }
  }

  static void total_row(Real* __restrict sum_re, Real* __restrict sum_im,
                        const Real* __restrict rest_re, const Real* __restrict rest_im,
                        std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const Complex<T> total = Sum::total(
          RunningSum<T>{{load(sum_re[j]), load(sum_im[j])}, {load(rest_re[j]), load(rest_im[j])}});
      sum_re[j] = store(total.re);
      sum_im[j] = store(total.im);
    }
  }
};

}  // namespace fftprec
