/// The inner loops: a scheme of complex products, applied along the independent direction.
///
/// Each loop is the scalar definition of arith/formats/product.hpp repeated over contiguous arrays,
/// so the compiler vectorises it and its bits equal those of the scalar code.
#pragma once

#include "arith/formats/carrier.hpp"
#include "arith/formats/emulated.hpp"
#include "arith/formats/product.hpp"
#include "arith/kernels/views.hpp"

namespace fftprec {

/// The factor `at` elements behind w_re, w_im, its words `plane` apart.
template <Scalar T, std::size_t words>
[[gnu::always_inline]] inline Factor<T, words> load_factor(const typename Carrier<T>::type* w_re,
                                                           const typename Carrier<T>::type* w_im,
                                                           std::size_t plane, std::size_t at) {
  Factor<T, words> result;
  for (std::size_t i = 0; i < words; ++i)
    result.word[i] = {Carrier<T>::load(w_re[i * plane + at]),
                      Carrier<T>::load(w_im[i * plane + at])};
  return result;
}

/// The loops of one scalar type T and one product scheme. `Tag` is the instruction set that the
/// code is compiled for. Views passed to one call must not overlap, except where said.
template <class Tag, Scalar T, class Product>
struct Loops {
  using Real = typename Carrier<T>::type;
  static constexpr std::size_t words = Product::factor_words;

  [[gnu::always_inline]] static T load(Real x) { return Carrier<T>::load(x); }
  [[gnu::always_inline]] static Real store(T x) { return Carrier<T>::store(x); }

  [[gnu::always_inline]] static Factor<T, words> factor(const Real* w_re, const Real* w_im,
                                                        std::size_t plane, std::size_t at) {
    return load_factor<T, words>(w_re, w_im, plane, at);
  }

  /// x(i, j) <- w(i, j) * x(i, j).
  static void multiply(View<Real> x, FactorView<Real> w) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      const FactorView<Real> at = w.offset(i, 0);
      const auto row = w.col_step == 0 ? multiply_row<0> : multiply_row<1>;
      row(x.re + i * x.stride, x.im + i * x.stride, at.re, at.im, at.plane, x.cols);
    }
  }

  /// (top, bottom) <- (top + w * bottom, top - w * bottom): the radix-2 butterfly.
  /// Rounds: the product as its scheme says, then each of the four sums once.
  static void butterfly(View<Real> top, View<Real> bottom, FactorView<Real> w) {
    for (std::size_t i = 0; i < top.rows; ++i) {
      const FactorView<Real> at = w.offset(i, 0);
      const auto row = w.col_step == 0 ? butterfly_row<0> : butterfly_row<1>;
      row(top.re + i * top.stride, top.im + i * top.stride, bottom.re + i * bottom.stride,
          bottom.im + i * bottom.stride, at.re, at.im, at.plane, top.cols);
    }
  }

  /// (top, bottom) <- (top + bottom, w * (top - bottom)): the butterfly of decimation in frequency.
  /// Rounds: each of the four sums once, then the product as its scheme says.
  static void butterfly_dif(View<Real> top, View<Real> bottom, FactorView<Real> w) {
    for (std::size_t i = 0; i < top.rows; ++i) {
      const FactorView<Real> at = w.offset(i, 0);
      const auto row = w.col_step == 0 ? butterfly_dif_row<0> : butterfly_dif_row<1>;
      row(top.re + i * top.stride, top.im + i * top.stride, bottom.re + i * bottom.stride,
          bottom.im + i * bottom.stride, at.re, at.im, at.plane, top.cols);
    }
  }

  /// sum(i, j) <- sum(i, j) + w(k, i) * x(k, j), k ascending: the transposed product, whose vector
  /// direction is the columns of the data. Shapes: sum M x C, w K x M, x K x C.
  /// Rounds: as multiply_accumulate.
  static void accumulate_columns(View<Real> sum, FactorView<Real> w, View<Real> x) {
    for (std::size_t i = 0; i < sum.rows; ++i)
      for (std::size_t k = 0; k < x.rows; ++k) {
        const FactorView<Real> at = w.offset(k, i);
        accumulate_column(sum.re + i * sum.stride, sum.im + i * sum.stride, x.re + k * x.stride,
                          x.im + k * x.stride, at.re, at.im, at.plane, sum.cols);
      }
  }

  /// sum(i, j) <- sum(i, j) + w(k, j) * x(i, k), k ascending: a complex matrix product on the
  /// vector engine. Shapes: sum B x N, x B x K, w K x N with col_step 1.
  /// Rounds: each product as its scheme says, each of the two sums once.
  static void multiply_accumulate(View<Real> sum, View<Real> x, FactorView<Real> w) {
    for (std::size_t i = 0; i < sum.rows; ++i)
      for (std::size_t k = 0; k < x.cols; ++k) {
        const FactorView<Real> at = w.offset(k, 0);
        accumulate_row(sum.re + i * sum.stride, sum.im + i * sum.stride, x.re[i * x.stride + k],
                       x.im[i * x.stride + k], at.re, at.im, at.plane, sum.cols);
      }
  }

 private:
  // One row each: restricted pointers as parameters are what lets the compiler vectorise without
  // a test for overlap. A col_step of 0 makes the factor the same for the whole row.

  template <std::size_t col_step>
  static void multiply_row(Real* __restrict re, Real* __restrict im, const Real* __restrict w_re,
                           const Real* __restrict w_im, std::size_t plane, std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const Complex<T> y = Product::multiply(factor(w_re, w_im, plane, j * col_step),
                                             Complex<T>{load(re[j]), load(im[j])});
      re[j] = store(y.re);
      im[j] = store(y.im);
    }
  }

  template <std::size_t col_step>
  static void butterfly_row(Real* __restrict top_re, Real* __restrict top_im,
                            Real* __restrict bottom_re, Real* __restrict bottom_im,
                            const Real* __restrict w_re, const Real* __restrict w_im,
                            std::size_t plane, std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const Complex<T> a{load(top_re[j]), load(top_im[j])};
      const Complex<T> t = Product::multiply(factor(w_re, w_im, plane, j * col_step),
                                             Complex<T>{load(bottom_re[j]), load(bottom_im[j])});
      const Complex<T> sum = a + t;
      const Complex<T> difference = a - t;
      top_re[j] = store(sum.re);
      top_im[j] = store(sum.im);
      bottom_re[j] = store(difference.re);
      bottom_im[j] = store(difference.im);
    }
  }

  template <std::size_t col_step>
  static void butterfly_dif_row(Real* __restrict top_re, Real* __restrict top_im,
                                Real* __restrict bottom_re, Real* __restrict bottom_im,
                                const Real* __restrict w_re, const Real* __restrict w_im,
                                std::size_t plane, std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const Complex<T> a{load(top_re[j]), load(top_im[j])};
      const Complex<T> b{load(bottom_re[j]), load(bottom_im[j])};
      const Complex<T> sum = a + b;
      const Complex<T> y = Product::multiply(factor(w_re, w_im, plane, j * col_step), a - b);
      top_re[j] = store(sum.re);
      top_im[j] = store(sum.im);
      bottom_re[j] = store(y.re);
      bottom_im[j] = store(y.im);
    }
  }

  static void accumulate_column(Real* __restrict sum_re, Real* __restrict sum_im,
                                const Real* __restrict x_re, const Real* __restrict x_im,
                                const Real* __restrict w_re, const Real* __restrict w_im,
                                std::size_t plane, std::size_t cols) {
    const Factor<T, words> w = factor(w_re, w_im, plane, 0);
    for (std::size_t j = 0; j < cols; ++j) {
      const Complex<T> y = Complex<T>{load(sum_re[j]), load(sum_im[j])} +
                           Product::multiply(w, Complex<T>{load(x_re[j]), load(x_im[j])});
      sum_re[j] = store(y.re);
      sum_im[j] = store(y.im);
    }
  }

  static void accumulate_row(Real* __restrict sum_re, Real* __restrict sum_im, Real x_re, Real x_im,
                             const Real* __restrict w_re, const Real* __restrict w_im,
                             std::size_t plane, std::size_t cols) {
    const Complex<T> x{load(x_re), load(x_im)};
    for (std::size_t j = 0; j < cols; ++j) {
      const Complex<T> y = Complex<T>{load(sum_re[j]), load(sum_im[j])} +
                           Product::multiply(factor(w_re, w_im, plane, j), x);
      sum_re[j] = store(y.re);
      sum_im[j] = store(y.im);
    }
  }
};

/// Elementwise loops that need no product scheme. The output may be one of the inputs.
template <class Tag, Scalar T>
struct ElementLoops {
  using Real = typename Carrier<T>::type;

  template <class Operation>
  [[gnu::always_inline]] static void each(View<Real> out, View<const Real> a, View<const Real> b,
                                          Operation operation) {
    for (std::size_t i = 0; i < out.rows; ++i) {
      const std::size_t from_a = i * a.stride;
      const std::size_t from_b = i * b.stride;
      Real* re = out.re + i * out.stride;
      Real* im = out.im + i * out.stride;
      for (std::size_t j = 0; j < out.cols; ++j)
        re[j] = operation(a.re[from_a + j], b.re[from_b + j]);
      for (std::size_t j = 0; j < out.cols; ++j)
        im[j] = operation(a.im[from_a + j], b.im[from_b + j]);
    }
  }

  /// out <- a + b, each part rounded once.
  static void add(View<Real> out, View<const Real> a, View<const Real> b) {
    each(out, a, b, [](Real x, Real y) {
      return Carrier<T>::store(Carrier<T>::load(x) + Carrier<T>::load(y));
    });
  }

  /// out <- a - b, each part rounded once.
  static void subtract(View<Real> out, View<const Real> a, View<const Real> b) {
    each(out, a, b, [](Real x, Real y) {
      return Carrier<T>::store(Carrier<T>::load(x) - Carrier<T>::load(y));
    });
  }

  /// (top, bottom) <- (top + bottom, top - bottom), each part rounded once.
  static void sum_difference(View<Real> top, View<Real> bottom) {
    for (std::size_t i = 0; i < top.rows; ++i) {
      const std::size_t t = i * top.stride;
      const std::size_t b = i * bottom.stride;
      exchange(top.re + t, bottom.re + b, top.cols);
      exchange(top.im + t, bottom.im + b, top.cols);
    }
  }

  /// (top, bottom) <- (top - i bottom, top + i bottom), each part rounded once.
  static void sum_difference_rotated(View<Real> top, View<Real> bottom) {
    for (std::size_t i = 0; i < top.rows; ++i)
      exchange_rotated(top.re + i * top.stride, top.im + i * top.stride,
                       bottom.re + i * bottom.stride, bottom.im + i * bottom.stride, top.cols);
  }

  /// x <- (1 - i) x or, `conjugate`, (1 + i) x: each part one sum, rounded once.
  static void rotate_eighth(View<Real> x, bool conjugate) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      Real* re = x.re + i * x.stride;
      Real* im = x.im + i * x.stride;
      // (1 + i) x = (re - im) + i (im + re): the same loop with the parts exchanged.
      if (conjugate)
        turn_row(im, re, x.cols);
      else
        turn_row(re, im, x.cols);
    }
  }

  /// x <- factor * x, each part rounded once.
  static void scale(View<Real> x, Real factor) {
    for (std::size_t i = 0; i < x.rows; ++i)
      for (Real* part : {x.re + i * x.stride, x.im + i * x.stride})
        for (std::size_t j = 0; j < x.cols; ++j)
          part[j] = Carrier<T>::store(Carrier<T>::load(factor) * Carrier<T>::load(part[j]));
  }

 private:
  [[gnu::always_inline]] static T load(Real x) { return Carrier<T>::load(x); }
  [[gnu::always_inline]] static Real store(T x) { return Carrier<T>::store(x); }

  static void exchange(Real* __restrict top, Real* __restrict bottom, std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const T a = load(top[j]);
      const T b = load(bottom[j]);
      top[j] = store(a + b);
      bottom[j] = store(a - b);
    }
  }

  static void exchange_rotated(Real* __restrict top_re, Real* __restrict top_im,
                               Real* __restrict bottom_re, Real* __restrict bottom_im,
                               std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const T a_re = load(top_re[j]);
      const T a_im = load(top_im[j]);
      const T b_re = load(bottom_re[j]);
      const T b_im = load(bottom_im[j]);
      top_re[j] = store(a_re + b_im);
      top_im[j] = store(a_im - b_re);
      bottom_re[j] = store(a_re - b_im);
      bottom_im[j] = store(a_im + b_re);
    }
  }

  /// (p, q) <- (p + q, q - p).
  static void turn_row(Real* __restrict p, Real* __restrict q, std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const T a = load(p[j]);
      const T b = load(q[j]);
      p[j] = store(a + b);
      q[j] = store(b - a);
    }
  }
};

}  // namespace fftprec
