/// Expressions of fp32 values that round once: exact in double or rounded there to odd first.
///
/// Native doubles and integer operations alone, so the bits are the same with and without FMA
/// hardware, and every loop vectorises on every instruction set.
#pragma once

#include <cstdint>

#include "arith/formats/exact.hpp"
#include "arith/formats/round_grid.hpp"

namespace fftprec {

/// p + q rounded once to fp32, for doubles that are products of two floats or floats: the sum is
/// rounded to odd in double (such a sum neither overflows nor is subnormal there), which keeps for
/// the rounding to at most 24 bits all that it needs to know. Infinities and NaNs as p + q.
[[gnu::always_inline]] inline constexpr float sum_rounded_once(double p, double q) {
  const Pair<double> sum = two_sum(p, q);
  const auto bits = __builtin_bit_cast(std::uint64_t, sum.high);
  const std::uint64_t unlike = (bits ^ __builtin_bit_cast(std::uint64_t, sum.low)) >> 63;
  // One up or down in magnitude if the last bit is even; an error of NaN or zero leaves the sum.
  const std::uint64_t step = (1 - 2 * unlike) & ((bits & 1) - 1);
  const double odd = __builtin_bit_cast(double, bits + step);
  const bool inexact = sum.low < 0 || sum.low > 0;
  return static_cast<float>(inexact ? odd : sum.high);
}

/// a * b + c, rounded once: an FMA.
[[gnu::always_inline]] inline constexpr float multiply_add(float a, float b, float c) {
  return sum_rounded_once(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c));
}

/// a * b + c * d, rounded once.
[[gnu::always_inline]] inline constexpr float sum_of_products(float a, float b, float c, float d) {
  return sum_rounded_once(static_cast<double>(a) * static_cast<double>(b),
                          static_cast<double>(c) * static_cast<double>(d));
}

/// A float near an exact value, and a number with the sign of what is left (zero for nothing,
/// NaN where the value is infinite or NaN).
struct NearFloat {
  float near;
  float rest;
};

/// The product of two floats, which double holds exactly, as its nearest float and the rest.
[[gnu::always_inline]] inline constexpr NearFloat near_product(float a, float b) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const float near = static_cast<float>(product);
  // The rest is a multiple of 2^-298: the factor keeps it off float's underflow.
  const double rest = (product - static_cast<double>(near)) * power_of_two(150);
  return {near, static_cast<float>(rest)};
}

/// The larger in magnitude of the two as `high`, the other as `low`; a if they are equal.
[[gnu::always_inline]] inline constexpr Pair<float> by_magnitude(float a, float b) {
  const bool ordered = __builtin_fabsf(a) >= __builtin_fabsf(b);
  return {ordered ? a : b, ordered ? b : a};
}

/// a + b as its nearest float and the rest: Dekker's sum of the two in order, which overflows only
/// where the sum does (Knuth's also does next to the largest float).
[[gnu::always_inline]] inline constexpr NearFloat near_sum(float a, float b) {
  const Pair<float> ordered = by_magnitude(a, b);
  const Pair<float> sum = fast_two_sum(ordered.high, ordered.low);
  return {sum.high, sum.low};
}

/// The value that is x.near and a rest, rounded toward zero: an overflow of finite operands, which
/// has a rest of -infinity, gives the largest finite value.
[[gnu::always_inline]] inline constexpr float toward_zero(NearFloat x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x.near);
  const std::uint32_t unlike = (bits ^ __builtin_bit_cast(std::uint32_t, x.rest)) >> 31;
  const bool inexact = x.rest < 0 || x.rest > 0;
  return __builtin_bit_cast(float, bits - (inexact ? unlike : 0u));
}

/// The same rounded to odd.
[[gnu::always_inline]] inline constexpr float to_odd(NearFloat x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x.near);
  const std::uint32_t unlike = (bits ^ __builtin_bit_cast(std::uint32_t, x.rest)) >> 31;
  const std::uint32_t step = (1 - 2 * unlike) & ((bits & 1) - 1);
  const bool inexact = x.rest < 0 || x.rest > 0;
  return __builtin_bit_cast(float, bits + (inexact ? step : 0u));
}

}  // namespace fftprec
