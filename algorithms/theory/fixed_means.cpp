#include "algorithms/theory/fixed_means.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/theory/roundings.hpp"
#include "arith/formats/complex.hpp"
#include "arith/kernels/fixed.hpp"

namespace fftprec {

namespace {

/// Bits of x below the point.
int bits_of(double x) {
  int bits = 0;
  for (; x != std::floor(x); x *= 2) ++bits;
  return bits;
}

/// The functions of FixedKernels (kernels/fixed.hpp) of a unit that makes every result its mean,
/// and has no end of the range: none counts an overflow.
template <class Real>
class MeanLoops {
 public:
  static std::uint64_t multiply(const FixedPoint& fixed, View<Real> x, FactorView<Real> w) {
    each(x, [&](std::size_t i, std::size_t j) {
      Sum sum(fixed, {});
      add_to(sum, at(x, i, j), w, i, j);
      put(x, i, j, sum.total());
    });
    return 0;
  }
  static std::uint64_t butterfly(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                 FactorView<Real> w) {
    return multiply(fixed, bottom, w) + sum_difference(fixed, top, bottom);
  }
  static std::uint64_t butterfly_dif(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                     FactorView<Real> w) {
    sum_difference(fixed, top, bottom);
    return multiply(fixed, bottom, w);
  }
  static std::uint64_t accumulate(const FixedPoint& fixed, View<Real> total, View<Real> x,
                                  FactorView<Real> w) {
    return sums(fixed, total, x.cols, [&](Sum& sum, std::size_t i, std::size_t j, std::size_t k) {
      add_to(sum, at(x, i, k), w, k, j);
    });
  }
  static std::uint64_t accumulate_columns(const FixedPoint& fixed, View<Real> total,
                                          FactorView<Real> w, View<Real> x) {
    return sums(fixed, total, x.rows, [&](Sum& sum, std::size_t i, std::size_t j, std::size_t k) {
      add_to(sum, at(x, k, j), w, k, i);
    });
  }
  static std::uint64_t add(const FixedPoint&, View<Real> out, View<const Real> a,
                           View<const Real> b) {
    each(out, [&](std::size_t i, std::size_t j) { put(out, i, j, at(a, i, j) + at(b, i, j)); });
    return 0;
  }
  static std::uint64_t sum_difference(const FixedPoint&, View<Real> top, View<Real> bottom) {
    return exchange(top, bottom, [](Number b) { return b; });
  }
  /// (top, bottom) <- (top - i bottom, top + i bottom).
  static std::uint64_t sum_difference_rotated(const FixedPoint&, View<Real> top,
                                              View<Real> bottom) {
    return exchange(top, bottom, [](Number b) { return Number{b.im, -b.re}; });
  }
  /// x <- (1 - i) x or, `conjugate`, (1 + i) x.
  static std::uint64_t rotate_eighth(const FixedPoint&, View<Real> x, bool conjugate) {
    each(x, [&](std::size_t i, std::size_t j) {
      const Number a = at(x, i, j);
      put(x, i, j, a + (conjugate ? Number{-a.im, a.re} : Number{a.im, -a.re}));
    });
    return 0;
  }
  static std::uint64_t scale(const FixedPoint& fixed, View<Real> x, Real factor) {
    const double by = factor;
    const double error = mean(fixed, bits_of(by));
    each(x, [&](std::size_t i, std::size_t j) {
      const Number a = at(x, i, j);
      put(x, i, j, {by * a.re + error, by * a.im + error});
    });
    return 0;
  }

 private:
  using Number = Complex<double>;

  /// Products that one rounding, or one each, make into a result.
  class Sum {
   public:
    Sum(const FixedPoint& fixed, const Number& start) : fixed_(fixed), total_(start) {}
    void add(const Number& x, const Number& w) {
      const int re_bits = bits_of(w.re);
      const int im_bits = bits_of(w.im);
      total_ = total_ + fftprec::multiply(w, x);
      if (fixed_.rounds_products) {
        const double straight = mean(fixed_, re_bits);
        const double crossed = mean(fixed_, im_bits);
        total_ = total_ + Number{straight - crossed, straight + crossed};
      }
      bits_ = std::max({bits_, re_bits, im_bits});
    }
    Number total() const {
      const double once = fixed_.rounds_products ? 0 : mean(fixed_, bits_);
      return {total_.re + once, total_.im + once};
    }

   private:
    const FixedPoint& fixed_;
    Number total_;
    int bits_ = 0;
  };

  static double mean(const FixedPoint& fixed, int bits) {
    return fixed_errors(fixed.data, fixed.rounding, bits).mean;
  }
  template <class Work>
  static void each(View<Real> x, Work work) {
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) work(i, j);
  }
  template <class Part>
  static Number at(View<Part> x, std::size_t i, std::size_t j) {
    const std::size_t place = i * x.stride + j;
    return {x.re[place], x.im[place]};
  }
  static void put(View<Real> x, std::size_t i, std::size_t j, const Number& value) {
    const std::size_t place = i * x.stride + j;
    x.re[place] = static_cast<Real>(value.re);
    x.im[place] = static_cast<Real>(value.im);
  }
  static void add_to(Sum& sum, const Number& x, FactorView<Real> w, std::size_t i, std::size_t j) {
    const std::size_t place = i * w.row_step + j * w.col_step;
    sum.add(x, {w.re[place], w.im[place]});
  }
  template <class Add>
  static std::uint64_t sums(const FixedPoint& fixed, View<Real> total, std::size_t depth, Add add) {
    each(total, [&](std::size_t i, std::size_t j) {
      Sum sum(fixed, at(total, i, j));
      for (std::size_t k = 0; k < depth; ++k) add(sum, i, j, k);
      put(total, i, j, sum.total());
    });
    return 0;
  }
  template <class Turn>
  static std::uint64_t exchange(View<Real> top, View<Real> bottom, Turn turn) {
    each(top, [&](std::size_t i, std::size_t j) {
      const Number a = at(top, i, j);
      const Number b = turn(at(bottom, i, j));
      put(top, i, j, a + b);
      put(bottom, i, j, a - b);
    });
    return 0;
  }
};

}  // namespace

template <class Real>
KernelSet<Real> of_means(KernelSet<Real> kernels) {
  kernels.fixed = fixed_kernels_of<Real, MeanLoops<Real>>();
  return kernels;
}

template KernelSet<float> of_means(KernelSet<float>);
template KernelSet<double> of_means(KernelSet<double>);

}  // namespace fftprec
