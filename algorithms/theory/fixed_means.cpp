#include "algorithms/theory/fixed_means.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/theory/bounds.hpp"
#include "arith/formats/complex.hpp"

namespace fftprec {

namespace {

/// Bits of x below the point.
int bits_of(double x) {
  int bits = 0;
  for (; x != std::floor(x); x *= 2) ++bits;
  return bits;
}

template <class Real>
struct MeanLoops {
  using Number = Complex<double>;

  static double mean(const FixedPoint& fixed, int bits) {
    return fixed_errors(fixed.data, fixed.rounding, bits).mean;
  }
  static Number at(View<const Real> x, std::size_t i, std::size_t j) {
    return {static_cast<double>(x.re[i * x.stride + j]),
            static_cast<double>(x.im[i * x.stride + j])};
  }
  static void put(View<Real> x, std::size_t i, std::size_t j, Number value) {
    x.re[i * x.stride + j] = static_cast<Real>(value.re);
    x.im[i * x.stride + j] = static_cast<Real>(value.im);
  }
  template <class Work>
  static std::uint64_t each(View<Real> x, Work work) {
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) work(i, j);
    return 0;
  }

  /// Products that one rounding, or one each, make into a result.
  class Sum {
   public:
    Sum(const FixedPoint& fixed, Number start) : fixed_(fixed), total_(start) {}
    void add(Number x, FactorView<Real> w, std::size_t i, std::size_t j) {
      const std::size_t place = i * w.row_step + j * w.col_step;
      const Number by{static_cast<double>(w.re[place]), static_cast<double>(w.im[place])};
      const int re_bits = bits_of(by.re);
      const int im_bits = bits_of(by.im);
      total_ = total_ + fftprec::multiply(by, x);
      if (fixed_.rounds_products) {
        const double straight = mean(fixed_, re_bits);
        const double crossed = mean(fixed_, im_bits);
        total_ = total_ + Number{straight - crossed, straight + crossed};
      }
      bits_ = std::max({bits_, re_bits, im_bits});
    }
    Number rounded() const {
      const double once = fixed_.rounds_products ? 0 : mean(fixed_, bits_);
      return total_ + Number{once, once};
    }

   private:
    const FixedPoint& fixed_;
    Number total_;
    int bits_ = 0;
  };

  static std::uint64_t multiply(const FixedPoint& fixed, View<Real> x, FactorView<Real> w) {
    return each(x, [&](std::size_t i, std::size_t j) {
      Sum sum(fixed, {0, 0});
      sum.add(at(constant(x), i, j), w, i, j);
      put(x, i, j, sum.rounded());
    });
  }
  static std::uint64_t add(const FixedPoint&, View<Real> out, View<const Real> a,
                           View<const Real> b) {
    return each(out,
                [&](std::size_t i, std::size_t j) { put(out, i, j, at(a, i, j) + at(b, i, j)); });
  }
  static std::uint64_t sum_difference(const FixedPoint&, View<Real> top, View<Real> bottom) {
    return each(top, [&](std::size_t i, std::size_t j) {
      const Number a = at(constant(top), i, j);
      const Number b = at(constant(bottom), i, j);
      put(top, i, j, a + b);
      put(bottom, i, j, a - b);
    });
  }
  static std::uint64_t sum_difference_rotated(const FixedPoint& fixed, View<Real> top,
                                              View<Real> bottom) {
    each(bottom, [&](std::size_t i, std::size_t j) {
      const Number b = at(constant(bottom), i, j);
      put(bottom, i, j, {b.im, -b.re});
    });
    return sum_difference(fixed, top, bottom);
  }
  static std::uint64_t butterfly(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                 FactorView<Real> w) {
    multiply(fixed, bottom, w);
    return sum_difference(fixed, top, bottom);
  }
  static std::uint64_t butterfly_dif(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                     FactorView<Real> w) {
    sum_difference(fixed, top, bottom);
    return multiply(fixed, bottom, w);
  }
  static std::uint64_t accumulate(const FixedPoint& fixed, View<Real> sum, View<Real> x,
                                  FactorView<Real> w) {
    return each(sum, [&](std::size_t i, std::size_t j) {
      Sum total(fixed, at(constant(sum), i, j));
      for (std::size_t k = 0; k < x.cols; ++k) total.add(at(constant(x), i, k), w, k, j);
      put(sum, i, j, total.rounded());
    });
  }
  static std::uint64_t accumulate_columns(const FixedPoint& fixed, View<Real> sum,
                                          FactorView<Real> w, View<Real> x) {
    return each(sum, [&](std::size_t i, std::size_t j) {
      Sum total(fixed, at(constant(sum), i, j));
      for (std::size_t k = 0; k < x.rows; ++k) total.add(at(constant(x), k, j), w, k, i);
      put(sum, i, j, total.rounded());
    });
  }
  static std::uint64_t rotate_eighth(const FixedPoint&, View<Real> x, bool conjugate) {
    const double sign = conjugate ? 1 : -1;
    return each(x, [&](std::size_t i, std::size_t j) {
      put(x, i, j, fftprec::multiply(Number{1, sign}, at(constant(x), i, j)));
    });
  }
  static std::uint64_t scale(const FixedPoint& fixed, View<Real> x, double factor) {
    const double once = mean(fixed, bits_of(factor));
    return each(x, [&](std::size_t i, std::size_t j) {
      const Number value = at(constant(x), i, j);
      put(x, i, j, {factor * value.re + once, factor * value.im + once});
    });
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
