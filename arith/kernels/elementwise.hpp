/// The elementwise loops of one instruction set, in three groups: elementwise.cpp,
/// elementwise_engines.cpp and elementwise_splits.cpp define them.
#pragma once

#include "arith/kernels/dispatch.hpp"
#include "arith/kernels/loops.hpp"

namespace fftprec {

/// A table has only null pointers if there are no loops for its arguments.
template <class Tag>
struct ElementTables {
  /// Plain products of data stored in a format that fits a float.
  static ComplexKernels<float> stored(const Format& storage);
  /// Compensated products and sums, data stored as fp32.
  static ComplexKernels<float> compensated(ProductScheme product);
  static ComplexKernels<float> split(const SplitSpec& spec);
  /// Plain and two_prod on an engine that is not the default one, data stored as fp32.
  static ComplexKernels<float> on_engine(ProductScheme product, const VectorEngine& engine);
};

/// False for pairs, whose sums do not round once, and for engines with other roundings.
template <class T>
inline constexpr bool has_product_plus = !std::is_same_v<typename Carrier<T>::type, FloatPair>;
template <VectorEngine engine>
inline constexpr bool has_product_plus<EngineFloat<engine>> = engine.product_bits == 24 &&
                                                              is_nearest(engine.product_rounding) &&
                                                              is_nearest(engine.sum_rounding);

/// The loop x <- x + w a, or null if T does not round this sum once to nearest.
template <class Tag, class T>
constexpr auto fused_loop() {
  using Real = typename Carrier<T>::type;
  void (*loop)(View<Real>, View<Real>, FactorView<Real>) = nullptr;
  if constexpr (has_product_plus<T>) loop = ElementLoops<Tag, T>::fused;
  return loop;
}

/// The table of the loops `Complex` (Loops or BlockedLoops of T) and the elementwise loops of T.
template <class Tag, class T, class Complex>
constexpr ComplexKernels<typename Carrier<T>::type> kernels_of() {
  using Element = ElementLoops<Tag, typename SumScalar<T>::type>;
  return {.multiply = Complex::multiply,
          .butterfly = Complex::butterfly,
          .butterfly_dif = Complex::butterfly_dif,
          .multiply_accumulate = Complex::multiply_accumulate,
          .accumulate_columns = Complex::accumulate_columns,
          .add = Element::add,
          .subtract = Element::subtract,
          .sum_difference = Element::sum_difference,
          .sum_difference_rotated = Element::sum_difference_rotated,
          .rotate_eighth = Element::rotate_eighth,
          .scale = ElementLoops<Tag, T>::scale,
          .fused = fused_loop<Tag, T>()};
}

}  // namespace fftprec
