/// Fixed-point arithmetic on arrays: the values of an integer unit, held in floats or doubles.
#pragma once

#include <cstdint>
#include <functional>

#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// How an integer unit multiplies and adds. A complex product, or a sum of complex products, is
/// exact, then rounded once to the data's format; or each real product is rounded separately. Sums
/// of data need no rounding. Out of range a result saturates or wraps, depending on the format.
struct FixedPoint {
  Format data = fixed_format(1, 15);
  Format table = fixed_format(1, 15);
  Rounding rounding = Rounding::rne;
  StochasticRounding random{};   ///< of sr
  bool rounds_products = false;  ///< every real product is rounded separately
  /// Bits of sums of products, in units of the product of both quanta. Sums saturate or wrap to
  /// this range after every complex product, which adds two real products to a part at once. 0: as
  /// many bits as needed.
  int accumulator_bits = 0;
  /// Called for each result that leaves the range, with the address that it is stored at and its
  /// value before; null: results are only counted.
  const std::function<void(const void* place, double value)>* lost = nullptr;
};

/// The loops of ComplexKernels (kernels/complex_kernels.hpp) in fixed point. Each returns the
/// number of real results beyond the range of the format by more than a rounding, or beyond the
/// range of the accumulator. Requires: data and factors on their grids; at most 22 bits for floats,
/// 50 for doubles.
template <class Real>
struct FixedKernels {
  std::uint64_t (*multiply)(const FixedPoint& fixed, View<Real> x, FactorView<Real> w);
  std::uint64_t (*butterfly)(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                             FactorView<Real> w);
  std::uint64_t (*butterfly_dif)(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                 FactorView<Real> w);
  std::uint64_t (*accumulate)(const FixedPoint& fixed, View<Real> sum, View<Real> x,
                              FactorView<Real> w);
  std::uint64_t (*accumulate_columns)(const FixedPoint& fixed, View<Real> sum, FactorView<Real> w,
                                      View<Real> x);
  std::uint64_t (*add)(const FixedPoint& fixed, View<Real> out, View<const Real> a,
                       View<const Real> b);
  std::uint64_t (*sum_difference)(const FixedPoint& fixed, View<Real> top, View<Real> bottom);
  std::uint64_t (*sum_difference_rotated)(const FixedPoint& fixed, View<Real> top,
                                          View<Real> bottom);
  std::uint64_t (*rotate_eighth)(const FixedPoint& fixed, View<Real> x, bool conjugate);
  std::uint64_t (*scale)(const FixedPoint& fixed, View<Real> x, Real factor);
};

/// The loops of a class that has one function of each name.
template <class Real, class Loops>
constexpr FixedKernels<Real> fixed_kernels_of() {
  return {.multiply = Loops::multiply,
          .butterfly = Loops::butterfly,
          .butterfly_dif = Loops::butterfly_dif,
          .accumulate = Loops::accumulate,
          .accumulate_columns = Loops::accumulate_columns,
          .add = Loops::add,
          .sum_difference = Loops::sum_difference,
          .sum_difference_rotated = Loops::sum_difference_rotated,
          .rotate_eighth = Loops::rotate_eighth,
          .scale = Loops::scale};
}

}  // namespace fftprec
