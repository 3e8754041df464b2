/// Accumulator models: how one product is formed and added to a running fp32 sum.
///
/// A model is an empty type with `product` and `add`; a PSUM loop calls them and rounds nothing
/// itself. Choosing one is a run-time decision made once per matrix product (kernels/dispatch.hpp).
#pragma once

#include <cstdint>

#include "arith/formats/eft.hpp"
#include "arith/formats/round_grid.hpp"

namespace fftprec {

/// What becomes of a product before it is added, where a loop is compiled for it.
enum class ProductRounding { none, bf16_rne, bf16_rz };

/// How each addition rounds, likewise.
enum class AccumulatorRounding { rne, rz };

/// x rounded to bf16 toward zero: the low half of its bits cleared. Exact for infinities, and for
/// NaNs whose payload has no low half.
[[gnu::always_inline]] inline constexpr float truncate_to_bf16(float x) {
  return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) & 0xffff0000u);
}

/// a + b in fp32, rounded toward zero.
/// The exact error of the nearest sum tells whether it lies beyond the true one; then the magnitude
/// steps down by one. An overflow of finite operands stops at the largest finite value.
[[gnu::always_inline]] inline constexpr float add_toward_zero(float a, float b) {
  constexpr std::uint32_t magnitude_mask = 0x7fffffffu;
  constexpr std::uint32_t infinity = 0x7f800000u;
  const auto [sum, error] = two_sum(a, b);
  const std::uint32_t sum_bits = __builtin_bit_cast(std::uint32_t, sum);
  const std::uint32_t error_bits = __builtin_bit_cast(std::uint32_t, error);
  const std::uint32_t a_magnitude = __builtin_bit_cast(std::uint32_t, a) & magnitude_mask;
  const std::uint32_t b_magnitude = __builtin_bit_cast(std::uint32_t, b) & magnitude_mask;
  const std::uint32_t unlike = (sum_bits ^ error_bits) >> 31;
  const std::uint32_t toward_zero = sum_bits - (error != 0 ? unlike : 0u);
  const std::uint32_t larger = a_magnitude > b_magnitude ? a_magnitude : b_magnitude;
  const std::uint32_t at_top = sum_bits - (larger < infinity ? 1u : 0u);
  const bool finite = (sum_bits & magnitude_mask) < infinity;
  return __builtin_bit_cast(float, finite ? toward_zero : at_top);
}

/// The model of a machine's two roundings, for products of operands whose exact product fits fp32.
/// Rounds: product as `P` says, then the sum as `R` says.
/// Error of the sum of K products: gamma_K with u = 2^-24 (rne) or 2^-23 (rz), plus the product's.
template <ProductRounding P, AccumulatorRounding R>
struct Accumulator {
  template <Scalar T>
  [[gnu::always_inline]] static constexpr T product(T a, T b) {
    if constexpr (P == ProductRounding::bf16_rne)
      return round_to_bf16(a * b);
    else if constexpr (P == ProductRounding::bf16_rz)
      return truncate_to_bf16(a * b);
    else
      return a * b;
  }
  template <Scalar T>
  [[gnu::always_inline]] static constexpr T add(T sum, T product) {
    if constexpr (R == AccumulatorRounding::rz)
      return add_toward_zero(sum, product);
    else
      return sum + product;
  }
  template <Scalar T>
  [[gnu::always_inline]] static constexpr T add_product(T sum, T a, T b) {
    return add(sum, product(a, b));
  }
};

}  // namespace fftprec
