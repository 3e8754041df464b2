#include "algorithms/theory/fixed_means.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/theory/bounds.hpp"
#include "arith/formats/quad.hpp"
#include "arith/kernels/fixed_by_element.hpp"

namespace fftprec {

namespace {

/// Bits of x below the point.
int bits_of(double x) {
  int bits = 0;
  for (; x != std::floor(x); x *= 2) ++bits;
  return bits;
}

template <class Real>
int bits_below_point(Real x) {
  const auto near = static_cast<double>(x);
  const auto rest = static_cast<double>(x - static_cast<Real>(near));  // of Quad
  return std::max(bits_of(near), bits_of(rest));
}

/// A unit that makes every result its mean, and has no end of the range.
template <class Real>
class MeanUnit {
 public:
  using Number = double;

  explicit MeanUnit(const FixedPoint& fixed) : fixed_(fixed) {}

  double at(Real x) const { return static_cast<double>(x); }
  std::uint64_t put(Real& out, double value) const {
    out = static_cast<Real>(value);
    return 0;
  }
  std::uint64_t scaled(Real& x, Real factor, std::uint64_t) const {
    return put(x, static_cast<double>(factor) * at(x) + mean(bits_below_point(factor)));
  }

  /// Products that one rounding, or one each, make into a result.
  class Sum {
   public:
    Sum(const MeanUnit& unit, const Complex<double>& start, const FixedCounters&)
        : unit_(unit), total_(start) {}
    void add(const Complex<double>& x, Real w_re, Real w_im) {
      const Complex<double> by{static_cast<double>(w_re), static_cast<double>(w_im)};
      const int re_bits = bits_below_point(w_re);
      const int im_bits = bits_below_point(w_im);
      total_ = total_ + fftprec::multiply(by, x);
      if (unit_.fixed_.rounds_products) {
        const double straight = unit_.mean(re_bits);
        const double crossed = unit_.mean(im_bits);
        total_ = total_ + Complex<double>{straight - crossed, straight + crossed};
      }
      bits_ = std::max({bits_, re_bits, im_bits});
    }
    void hold() {}
    std::uint64_t put(Real& re, Real& im) const {
      const double once = unit_.fixed_.rounds_products ? 0 : unit_.mean(bits_);
      return unit_.put(re, total_.re + once) + unit_.put(im, total_.im + once);
    }

   private:
    const MeanUnit& unit_;
    Complex<double> total_;
    int bits_ = 0;
  };

 private:
  double mean(int bits) const { return fixed_errors(fixed_.data, fixed_.rounding, bits).mean; }

  const FixedPoint& fixed_;
};

}  // namespace

template <class Real>
KernelSet<Real> of_means(KernelSet<Real> kernels) {
  kernels.fixed = fixed_kernels_of<Real, FixedByElement<Real, MeanUnit<Real>>>();
  return kernels;
}

template KernelSet<float> of_means(KernelSet<float>);
template KernelSet<double> of_means(KernelSet<double>);
template KernelSet<Quad> of_means(KernelSet<Quad>);

}  // namespace fftprec
