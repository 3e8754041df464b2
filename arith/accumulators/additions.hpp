/// The additions of accumulator models that round every one, as what a vector loop calls.
///
/// Each has: add(a, b); operand(x), what the model takes an operand for; the additions that one
/// turn of a vector loop makes in sequence, few enough that the compiler unrolls them before it
/// vectorises; and whether an infinity or a NaN in a result is to be trusted, or only says that the
/// definition must be asked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/formats/eft.hpp"
#include "arith/formats/round_grid.hpp"

namespace fftprec {

/// a + b in fp32, rounded toward zero or to odd, without care for the top: where the nearest sum
/// overflows this is an infinity, which stays one or becomes a NaN in every later sum.
template <Rounding R>
[[gnu::always_inline]] inline constexpr float add_directed(float a, float b) {
  static_assert(R == Rounding::rz || R == Rounding::odd);
  const auto [sum, error] = two_sum(a, b);
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, sum);
  if constexpr (R == Rounding::rz) {
    constexpr std::uint32_t sign_bit = 0x80000000u;
    const std::uint32_t toward_sum = __builtin_bit_cast(std::uint32_t, error) ^ (bits & sign_bit);
    const bool beyond = __builtin_isless(__builtin_bit_cast(float, toward_sum), 0.0f);
    return __builtin_bit_cast(float, bits - (beyond ? 1u : 0u));
  }
  const std::uint32_t unlike = (bits ^ __builtin_bit_cast(std::uint32_t, error)) >> 31;
  const std::uint32_t if_even = (bits & 1) - 1;
  const std::uint32_t step = (1 - 2 * unlike) & if_even;
  const bool inexact = __builtin_islessgreater(error, 0.0f);  // false for a NaN
  return __builtin_bit_cast(float, bits + (inexact ? step : 0u));
}

struct NearestAdd {
  static constexpr std::size_t steps = 8;
  static constexpr bool trusts_infinity = true;
  [[gnu::always_inline]] static float operand(float x) { return x; }
  [[gnu::always_inline]] static float add(float a, float b) { return a + b; }
};
struct TowardZeroAdd {
  static constexpr std::size_t steps = 2;  // its chain is long: more columns side by side hide it
  static constexpr bool trusts_infinity = false;
  [[gnu::always_inline]] static float operand(float x) { return x; }
  [[gnu::always_inline]] static float add(float a, float b) {
    return add_directed<Rounding::rz>(a, b);
  }
};

/// fp32 with what is rare: flushed operands and results, rounding to odd.
/// Below 2^-126 a sum of floats is exact, so flushing after rounding is flushing.
template <Rounding R>
struct GeneralAdd {
  static constexpr std::size_t steps = R == Rounding::rne ? 8 : 4;
  static constexpr bool trusts_infinity = R == Rounding::rne;
  float flush_operands_below;  ///< 0: none is
  float flush_below;           ///< of results

  [[gnu::always_inline]] float operand(float x) const { return flushed(x, flush_operands_below); }
  [[gnu::always_inline]] float add(float a, float b) const {
    if constexpr (R == Rounding::rne) return flushed(a + b, flush_below);
    if constexpr (R != Rounding::rne) return flushed(add_directed<R>(a, b), flush_below);
  }

 private:
  [[gnu::always_inline]] static float flushed(float x, float least) {
    constexpr std::uint32_t sign_bit = 0x80000000u;
    const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, x);
    const float magnitude = __builtin_bit_cast(float, bits & ~sign_bit);
    return __builtin_bit_cast(float, bits&(magnitude < least ? sign_bit : ~0u));
  }
};

/// A narrower accumulator: rounded to odd in fp32, then once more, which is one rounding.
/// Requires: at most 22 bits.
template <Rounding R>
struct NarrowAdd {
  static constexpr std::size_t steps = 2;
  static constexpr bool trusts_infinity = false;
  RoundingGrid<float> grid;

  [[gnu::always_inline]] static float operand(float x) { return x; }
  [[gnu::always_inline]] float add(float a, float b) const {
    return round_to_grid<R, false>(add_directed<Rounding::odd>(a, b), grid);
  }
};

}  // namespace fftprec
