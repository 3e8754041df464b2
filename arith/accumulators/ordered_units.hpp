/// The arithmetic units of models that round every addition, as what a vector loop calls: how two
/// operands become a product, and how a product joins a sum.
///
/// Beside what additions.hpp says, each has add_product(c, a, b); product(a, b) unless it works in
/// chains only, where product and addition may be one; and a chain over whole rows of its own if
/// it is written in vectors (`by_rows`).
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/accumulator.hpp"
#include "arith/accumulators/additions.hpp"
#include "arith/accumulators/final_rounding.hpp"
#include "arith/formats/exact.hpp"

namespace fftprec {

/// One float multiplication: fp32_product for all operands, exact where the exact product is a
/// float.
struct FloatProduct {
  [[gnu::always_inline]] static float product(float a, float b) { return a * b; }
};
/// Exact float products rounded once. Requires: every product is zero or a normal float.
struct Bf16Product {
  [[gnu::always_inline]] static float product(float a, float b) { return round_to_bf16(a * b); }
};
struct Bf16CutProduct {
  [[gnu::always_inline]] static float product(float a, float b) { return truncate_to_bf16(a * b); }
};
template <Rounding R>
struct GridProduct {
  RoundingGrid<float> grid;
  [[gnu::always_inline]] float product(float a, float b) const {
    return round_to_grid<R, false>(a * b, grid);
  }
};

/// A product and an addition, apart.
template <class Product, class Add>
struct UnfusedUnit {
  static constexpr std::size_t steps = Add::steps;
  static constexpr bool trusts_infinity = Add::trusts_infinity;
  static constexpr bool chains_only = false;
  static constexpr bool by_rows = false;
  Product products;
  Add additions;

  [[gnu::always_inline]] float operand(float x) const { return additions.operand(x); }
  [[gnu::always_inline]] float product(float a, float b) const {
    return products.product(a, additions.operand(b));
  }
  [[gnu::always_inline]] float add(float a, float b) const { return additions.add(a, b); }
  [[gnu::always_inline]] float add_product(float c, float a, float b) const {
    return additions.add(c, product(a, b));
  }
};

/// Products that stay exact, or are rounded once to nearest or toward zero, in a double: of any
/// operands, 2^-298 to 2^256 at their most.
struct WideExactProduct {
  static constexpr bool is_float = false;
  [[gnu::always_inline]] static double rounded(double product) { return product; }
};
template <Rounding R>
struct WideRoundedProduct {
  static constexpr bool is_float = true;
  FinalRounding rounding;
  [[gnu::always_inline]] double rounded(double product) const {
    const double result = rounding.rounded<R>(product);
    return __builtin_fabs(product) < __builtin_inf() ? result : product;
  }
};

/// Every model: product and sum in double, the sum rounded to odd and then once by the model, which
/// is one rounding of the exact sum (arith/formats/exact.hpp), at about a tenth of the speed of the
/// others.
template <Rounding R, class Product>
struct WideUnit {
  static constexpr std::size_t steps = 1;
  static constexpr bool trusts_infinity = true;
  static constexpr bool chains_only = !Product::is_float;
  static constexpr bool by_rows = false;
  Product products;
  float flush_operands_below;
  double infinite_from;  ///< products of this magnitude are
  FinalRounding rounding;

  [[gnu::always_inline]] float operand(float x) const {
    return __builtin_fabsf(x) < flush_operands_below ? __builtin_copysignf(0.0f, x) : x;
  }
  [[gnu::always_inline]] double wide_product(float a, float b) const {
    const double exact = static_cast<double>(a) * static_cast<double>(operand(b));
    const double infinity = __builtin_copysign(__builtin_inf(), exact);
    return products.rounded(__builtin_fabs(exact) >= infinite_from ? infinity : exact);
  }
  [[gnu::always_inline]] float sum(double a, double b) const {
    return static_cast<float>(rounding.rounded<R>(sum_to_odd(a, b)));
  }
  [[gnu::always_inline]] float product(float a, float b) const {
    return static_cast<float>(wide_product(a, b));
  }
  [[gnu::always_inline]] float add(float a, float b) const {
    return sum(static_cast<double>(a), static_cast<double>(b));
  }
  [[gnu::always_inline]] float add_product(float c, float a, float b) const {
    return sum(static_cast<double>(c), wide_product(a, b));
  }
};

}  // namespace fftprec
