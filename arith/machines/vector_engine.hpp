/// A vector engine as data.
#pragma once

#include "arith/formats/rounding.hpp"

namespace fftprec {

/// The elementwise engine. Operations on fp32 data; narrower data are widened first and rounded on
/// store. The roundings are those of arith/formats/engine_float.hpp; a fused engine forms a complex
/// product as FusedProduct (arith/formats/product.hpp) does, and fuses nothing further in
/// butterflies and sums over k.
struct VectorEngine {
  int product_bits = 24;  ///< 24, 21 or 20: significand bits that the multiplier delivers
  Rounding product_rounding = Rounding::rne;  ///< rne or rz
  Rounding sum_rounding = Rounding::rne;      ///< rne or rz
  bool fused = false;  ///< a product and the sum that takes it round once, as an FMA
  bool flush = false;  ///< subnormal operands and results count as zero

  [[gnu::always_inline]] friend constexpr bool operator==(const VectorEngine&,
                                                          const VectorEngine&) = default;
};

}  // namespace fftprec
