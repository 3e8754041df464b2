/// The inner loops: a scheme of complex products, applied along the independent direction.
///
/// Each loop is the scalar definition of kernels/products.hpp repeated over contiguous arrays, so
/// the compiler vectorises it and its bits equal those of the scalar code.
#pragma once

#include "arith/formats/emulated.hpp"
#include "arith/formats/scalar.hpp"
#include "arith/formats/vector_engine.hpp"
#include "arith/formats/views.hpp"
#include "arith/kernels/products.hpp"

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
/// code is compiled for. Views passed to one call must not overlap, unless stated.
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
  // One row each: with restricted pointers as parameters the compiler vectorises without a test for
  // overlap. With col_step 0 one factor serves the whole row.

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

  // Never inlined: many loops call these, and then compile in a fraction of the time.

  /// out <- a + b, each part rounded once.
  [[gnu::noinline]] static void add(View<Real> out, View<const Real> a, View<const Real> b) {
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
  [[gnu::noinline]] static void sum_difference(View<Real> top, View<Real> bottom) {
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

  /// x(i, j) <- x(i, j) + w a(i, j), w the real part of w(i, j), each part rounded once.
  static void fused(View<Real> x, View<Real> a, FactorView<Real> w) {
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) {
        const std::size_t to = i * x.stride + j;
        const std::size_t from = i * a.stride + j;
        const T by = load(w.offset(i, j).re[0]);
        x.re[to] = store(product_plus(by, load(a.re[from]), load(x.re[to])));
        x.im[to] = store(product_plus(by, load(a.im[from]), load(x.im[to])));
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

// The loops of schemes whose product is long, and of compensated sums, block by block.
//
// The bits equal those of Loops. The product is compiled in only one loop, in place, and the sums
// around it run over a block that is still in the first-level cache. This costs a long product
// little speed, and it compiles in a fraction of the time.

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
  using Element = ElementLoops<Tag, typename SumScalar<T>::type>;
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
          multiply_by_one(term.re, term.im, factor, count);
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
          multiply_row(term.re, term.im, factor.re, factor.im, factor.plane, count);
          add_row(s, term);
        }
      });
  }

 private:
  static void multiply_part(Real* re, Real* im, FactorView<Real> w, std::size_t cols) {
    if (w.col_step == 0)
      multiply_by_one(re, im, w, cols);
    else
      multiply_row(re, im, w.re, w.im, w.plane, cols);
  }

  /// Multiplies a row by the first factor, which is copied into a row of factors.
  static void multiply_by_one(Real* re, Real* im, FactorView<Real> w, std::size_t cols) {
    constexpr std::size_t plane = Row::capacity;
    alignas(64) Real w_re[plane * Product::factor_words];
    alignas(64) Real w_im[plane * Product::factor_words];
    const std::size_t spread = cols < plane ? cols : plane;
    for (std::size_t first = 0; first < plane * Product::factor_words; first += plane) {
      const std::size_t word = first / plane * w.plane;
      for (std::size_t j = 0; j < spread; ++j) w_re[first + j] = w.re[word];
      for (std::size_t j = 0; j < spread; ++j) w_im[first + j] = w.im[word];
    }
    each_block<Tag, Real>(cols, [&](std::size_t first, std::size_t count) {
      multiply_row(re + first, im + first, w_re, w_im, plane, count);
    });
  }

  static void add_row(View<Real> sum, const Row& term) {
    Element::add(sum, {sum.re, sum.im, 1, sum.cols, 0}, {term.re, term.im, 1, sum.cols, 0});
  }

  // Never inlined, so that every loop above shares it.
  [[gnu::noinline]] static void multiply_row(Real* __restrict re, Real* __restrict im,
                                             const Real* __restrict w_re,
                                             const Real* __restrict w_im, std::size_t plane,
                                             std::size_t cols) {
    for (std::size_t j = 0; j < cols; ++j) {
      const Factor<T, Product::factor_words> w =
          load_factor<T, Product::factor_words>(w_re, w_im, plane, j);
      const Complex<T> y =
          Product::multiply(w, Complex<T>{Carrier<T>::load(re[j]), Carrier<T>::load(im[j])});
      re[j] = Carrier<T>::store(y.re);
      im[j] = Carrier<T>::store(y.im);
    }
  }
};

/// Sums of products by a scheme of kernels/products.hpp. Each call starts with a rest of zero and
/// with `sum` as the first term.
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

/// psum(i, j) (+)= sum over k of stationary(k, i) * moving(k, j), k ascending for every element: a
/// matmul without tiles, on the host.
///
/// The vector direction is j. A row of sums is loaded once for every `steps` values of k, and the
/// panel of `moving` for a block of columns stays in the first-level cache for all rows i. Rounds:
/// each product and each sum once; if `fused`, each sum with its exact product once.
template <class Tag, Scalar T, bool fused = false>
struct HostLoops {
  using Real = typename Carrier<T>::type;

  static void matmul(const Matmul<Real>& call) {
    for (std::size_t j = 0; j < call.n; j += block_cols) {
      const std::size_t cols = call.n - j < block_cols ? call.n - j : block_cols;
      for (std::size_t i = 0; i < call.m; ++i) block(call, i, j, cols);
    }
  }

 private:
  static constexpr std::size_t block_cols = 256 / sizeof(Real);
  static constexpr std::size_t steps = 8;

  /// The sums of row i, columns [j, j + cols), over all k.
  static void block(const Matmul<Real>& call, std::size_t i, std::size_t j, std::size_t cols) {
    Real* psum = call.psum + i * call.psum_stride + j;
    const Real* moving = call.moving + j;
    Real sum[block_cols];
    for (std::size_t c = 0; c < cols; ++c) sum[c] = call.accumulate ? psum[c] : Real(0);
    std::size_t k = 0;
    for (; k + steps <= call.k; k += steps)
      add_products<steps>(sum, moving + k * call.moving_stride, call, i, k, cols);
    for (; k < call.k; ++k) add_products<1>(sum, moving + k * call.moving_stride, call, i, k, cols);
    for (std::size_t c = 0; c < cols; ++c) psum[c] = sum[c];
  }

  /// sum(j) <- sum(j) + stationary(k + s, i) * moving(k + s, j) for s = 0 .. count-1 in turn.
  template <std::size_t count>
  static void add_products(Real* __restrict sum, const Real* __restrict moving,
                           const Matmul<Real>& call, std::size_t i, std::size_t k,
                           std::size_t cols) {
    T factor[count];
    for (std::size_t s = 0; s < count; ++s) {
      const T element = load(call.stationary[(k + s) * call.stationary_k + i * call.stationary_m]);
      factor[s] = call.negate ? -element : element;
    }
    const std::size_t stride = call.moving_stride;
    for (std::size_t j = 0; j < cols; ++j) {
      T value = load(sum[j]);
#pragma GCC unroll 8
      for (std::size_t s = 0; s < count; ++s) {
        const T element = load(moving[s * stride + j]);
        if constexpr (fused)
          value = __builtin_fma(factor[s], element, value);
        else
          value = value + factor[s] * element;
      }
      sum[j] = store(value);
    }
  }

  [[gnu::always_inline]] static T load(Real x) { return Carrier<T>::load(x); }
  [[gnu::always_inline]] static Real store(T x) { return Carrier<T>::store(x); }
};

}  // namespace fftprec
