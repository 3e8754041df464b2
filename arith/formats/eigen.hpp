/// Emulated numbers as Eigen scalars: any Eigen expression then runs in them, every operation
/// rounded once.
///
/// The order of the sums is Eigen's. `a.lazyProduct(b)` on matrices of dynamic size sums over k in
/// ascending order, one product and one sum per step; `a * b` may split k between accumulators.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "arith/formats/emulated.hpp"

namespace Eigen {

template <fftprec::Format F, fftprec::Rounding R>
struct NumTraits<fftprec::Emulated<F, R>> {
  using Scalar = fftprec::Emulated<F, R>;
  using Real = Scalar;
  using NonInteger = Scalar;
  using Nested = Scalar;
  using Literal = Scalar;

  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 6,
    MulCost = 6
  };

  /// Distance from 1 to its successor, 2u.
  static Scalar epsilon() { return Scalar(2 * fftprec::unit_roundoff(F)); }
  /// Eigen's fuzzy comparisons: 8 units of the last place.
  static Scalar dummy_precision() { return Scalar(8 * fftprec::unit_roundoff(F)); }
  static Scalar highest() { return Scalar(fftprec::max_finite(F)); }
  static Scalar lowest() { return -highest(); }
  static Scalar infinity() { return Scalar(std::numeric_limits<double>::infinity()); }
  static Scalar quiet_NaN() { return Scalar(std::numeric_limits<double>::quiet_NaN()); }
  static constexpr int digits() { return F.precision; }
  /// floor((p - 1) log10(2)).
  static constexpr int digits10() { return (F.precision - 1) * 1233 / 4096; }
};

}  // namespace Eigen
