/// Loops over fixed point, element by element, whatever products and their roundings are.
#pragma once

#include <algorithm>

#include "arith/formats/complex.hpp"
#include "arith/kernels/fixed.hpp"

namespace fftprec {

/// Counters of random bits, the same as those of kernels/fixed.cpp: the places of results,
/// then those of single products, for every term.
struct FixedCounters {
  static constexpr std::uint64_t products_apart = std::uint64_t{1} << 60;
  static constexpr std::uint64_t terms_apart = std::uint64_t{1} << 36;
  static constexpr std::size_t stretch = 256;  ///< parts are numbered so many at a time

  FixedCounters(std::size_t cols, std::size_t i, std::size_t j)
      : re(2 * (i * cols + j) - j % stretch),
        im(re + std::min(stretch, cols - j / stretch * stretch)) {}

  std::uint64_t re;
  std::uint64_t im;
};

/// The functions of FixedKernels (kernels/fixed.hpp). `By`, made for a FixedPoint, has numbers that
/// elements are taken as; says with `put` how one becomes an element, with `scaled` what an element
/// times a factor is; and has a Sum of products, which it rounds: By::Sum(by, start, counters),
/// add(x, w_re, w_im), hold() after each of several terms, put(re, im). What puts an element says
/// how many results were beyond the range.
template <class Real, class By>
struct FixedByElement {
  using Number = Complex<typename By::Number>;

  static std::uint64_t multiply(const FixedPoint& fixed, View<Real> x, FactorView<Real> w) {
    const By by(fixed);
    return each(x, [&](std::size_t i, std::size_t j) {
      typename By::Sum sum(by, {}, {x.cols, i, j});
      add_to(sum, at(by, x, i, j), w, i, j);
      return put(sum, x, i, j);
    });
  }
  static std::uint64_t butterfly(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                 FactorView<Real> w) {
    const std::uint64_t lost = multiply(fixed, bottom, w);
    return lost + sum_difference(fixed, top, bottom);
  }
  static std::uint64_t butterfly_dif(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                     FactorView<Real> w) {
    const std::uint64_t lost = sum_difference(fixed, top, bottom);
    return lost + multiply(fixed, bottom, w);
  }
  static std::uint64_t accumulate(const FixedPoint& fixed, View<Real> total, View<Real> x,
                                  FactorView<Real> w) {
    return sums(fixed, total, x.cols, [&](const By& by, auto& sum, auto i, auto j, auto k) {
      add_to(sum, at(by, x, i, k), w, k, j);
    });
  }
  static std::uint64_t accumulate_columns(const FixedPoint& fixed, View<Real> total,
                                          FactorView<Real> w, View<Real> x) {
    return sums(fixed, total, x.rows, [&](const By& by, auto& sum, auto i, auto j, auto k) {
      add_to(sum, at(by, x, k, j), w, k, i);
    });
  }
  static std::uint64_t add(const FixedPoint& fixed, View<Real> out, View<const Real> a,
                           View<const Real> b) {
    const By by(fixed);
    return each(out, [&](std::size_t i, std::size_t j) {
      return put(by, out, i, j, at(by, a, i, j) + at(by, b, i, j));
    });
  }
  static std::uint64_t sum_difference(const FixedPoint& fixed, View<Real> top, View<Real> bottom) {
    return exchange(fixed, top, bottom, [](Number b) { return b; });
  }
  /// (top, bottom) <- (top - i bottom, top + i bottom).
  static std::uint64_t sum_difference_rotated(const FixedPoint& fixed, View<Real> top,
                                              View<Real> bottom) {
    return exchange(fixed, top, bottom, [](Number b) { return Number{b.im, -b.re}; });
  }
  /// x <- (1 - i) x or, `conjugate`, (1 + i) x.
  static std::uint64_t rotate_eighth(const FixedPoint& fixed, View<Real> x, bool conjugate) {
    const By by(fixed);
    return each(x, [&](std::size_t i, std::size_t j) {
      const Number a = at(by, x, i, j);
      const Number turned = conjugate ? Number{-a.im, a.re} : Number{a.im, -a.re};
      return put(by, x, i, j, a + turned);
    });
  }
  static std::uint64_t scale(const FixedPoint& fixed, View<Real> x, Real factor) {
    const By by(fixed);
    return each(x, [&](std::size_t i, std::size_t j) {
      const FixedCounters counters(x.cols, i, j);
      const std::size_t place = i * x.stride + j;
      return by.scaled(x.re[place], factor, counters.re) +
             by.scaled(x.im[place], factor, counters.im);
    });
  }

 private:
  template <class Work>
  static std::uint64_t each(View<Real> x, Work work) {
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) lost += work(i, j);
    return lost;
  }
  template <class Part>
  static Number at(const By& by, View<Part> x, std::size_t i, std::size_t j) {
    const std::size_t place = i * x.stride + j;
    return {by.at(x.re[place]), by.at(x.im[place])};
  }
  static std::uint64_t put(const By& by, View<Real> x, std::size_t i, std::size_t j,
                           const Number& value) {
    const std::size_t place = i * x.stride + j;
    return by.put(x.re[place], value.re) + by.put(x.im[place], value.im);
  }
  static std::uint64_t put(typename By::Sum& sum, View<Real> x, std::size_t i, std::size_t j) {
    return sum.put(x.re[i * x.stride + j], x.im[i * x.stride + j]);
  }
  static void add_to(typename By::Sum& sum, const Number& x, FactorView<Real> w, std::size_t i,
                     std::size_t j) {
    const std::size_t place = i * w.row_step + j * w.col_step;
    sum.add(x, w.re[place], w.im[place]);
  }
  template <class Add>
  static std::uint64_t sums(const FixedPoint& fixed, View<Real> total, std::size_t depth, Add add) {
    const By by(fixed);
    return each(total, [&](std::size_t i, std::size_t j) {
      typename By::Sum sum(by, at(by, total, i, j), {total.cols, i, j});
      for (std::size_t k = 0; k < depth; ++k) {
        add(by, sum, i, j, k);
        sum.hold();
      }
      return put(sum, total, i, j);
    });
  }
  template <class Turn>
  static std::uint64_t exchange(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                Turn turn) {
    const By by(fixed);
    return each(top, [&](std::size_t i, std::size_t j) {
      const Number a = at(by, top, i, j);
      const Number b = turn(at(by, bottom, i, j));
      return put(by, top, i, j, a + b) + put(by, bottom, i, j, a - b);
    });
  }
};

}  // namespace fftprec
