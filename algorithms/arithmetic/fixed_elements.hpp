/// The elementwise operations of fixed point, by the names that the reference arithmetic gives
/// them.
#pragma once

#include <cstdint>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "arith/kernels/fixed.hpp"

namespace fftprec {

/// One operation each, as ScalarArithmetic (scalar_arithmetic.hpp): carried out by the loops, which
/// say what left the range.
template <class Real>
class FixedElements {
 public:
  FixedElements(const FixedKernels<Real>& kernels, const FixedPoint& fixed, std::uint64_t& lost)
      : kernels_(kernels), fixed_(fixed), lost_(lost) {}

  void multiply(View<Real> x, FactorView<Real> w) const {
    lost_ += kernels_.multiply(fixed_, x, w);
  }
  void butterfly(View<Real> top, View<Real> bottom, FactorView<Real> w) const {
    lost_ += kernels_.butterfly(fixed_, top, bottom, w);
  }
  void butterfly_dif(View<Real> top, View<Real> bottom, FactorView<Real> w) const {
    lost_ += kernels_.butterfly_dif(fixed_, top, bottom, w);
  }
  void sum_difference(View<Real> top, View<Real> bottom) const {
    lost_ += kernels_.sum_difference(fixed_, top, bottom);
  }
  /// Requires: forward.
  void rotated(View<Real> top, View<Real> bottom, Direction) const {
    lost_ += kernels_.sum_difference_rotated(fixed_, top, bottom);
  }
  void add_turned(View<Real> x, Direction direction) const {
    lost_ += kernels_.rotate_eighth(fixed_, x, direction == Direction::inverse);
  }
  void multiply_real(View<Real> x, Real factor) const {
    lost_ += kernels_.scale(fixed_, x, factor);
  }
  void add(View<Real> out, View<Real> a, View<Real> b) const {
    lost_ += kernels_.add(fixed_, out, constant(a), constant(b));
  }
  void accumulate(View<Real> sum, View<Real> x, FactorView<Real> w) const {
    lost_ += kernels_.accumulate(fixed_, sum, x, w);
  }
  void accumulate_columns(View<Real> sum, FactorView<Real> w, View<Real> x) const {
    lost_ += kernels_.accumulate_columns(fixed_, sum, w, x);
  }
  /// out <- x w or, where `data_moves`, w^T x.
  void gemm(View<Real> out, View<Real> x, const FactorTable<Real>& w, bool data_moves) const {
    fill_zero(out);
    if (data_moves)
      accumulate_columns(out, w.view(0, out.rows, 1), x);
    else
      accumulate(out, x, w.view(0, out.cols, 1));
  }

 private:
  const FixedKernels<Real>& kernels_;
  FixedPoint fixed_;
  std::uint64_t& lost_;
};

}  // namespace fftprec
