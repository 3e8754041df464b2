/// The evaluations in double for elementary.hpp, without branches: for one value or a register of
/// values, with equal bits on every instruction set.
///
/// Each result is the correctly rounded float, or NaN if the rounding test is not conclusive or x
/// is outside the stated range.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fftprec::truth {

struct SinCos {
  float sin;
  float cos;
};

/// c_0 + c_1 x + ...
template <int Count>
struct Polynomial {
  double coefficients[Count];

  [[gnu::always_inline]] constexpr double operator()(double x) const {
    double sum = coefficients[Count - 1];
    for (int i = Count - 1; i-- > 0;) sum = sum * x + coefficients[i];
    return sum;
  }
};

/// Eight Taylor coefficients sign / first!, -sign / (first + 2)!, ...
consteval Polynomial<8> alternating_factorials(int first, double sign) {
  Polynomial<8> result{};
  double factorial = 1;
  int m = 0;
  for (double& coefficient : result.coefficients) {
    while (m < first) factorial *= ++m;  // exact up to 18!
    coefficient = sign / factorial;
    sign = -sign;
    first += 2;
  }
  return result;
}

/// 1/2!, 1/3!, ..., 1/14!
consteval Polynomial<13> factorials_from_two() {
  Polynomial<13> result{};
  double factorial = 1;
  for (int i = 0; i < 13; ++i) {
    factorial *= i + 2;
    result.coefficients[i] = 1 / factorial;
  }
  return result;
}

/// 2/3, 2/5, ..., 2/23: s^3, s^5, ... of 2 atanh(s).
consteval Polynomial<11> twice_odd_reciprocals() {
  Polynomial<11> result{};
  for (int i = 0; i < 11; ++i) result.coefficients[i] = 2 / static_cast<double>(2 * i + 3);
  return result;
}

/// Adding and subtracting this rounds x to the nearest integer, |x| < 2^51. The lowest bits of x +
/// this are the integer in two's complement.
constexpr double nearest_integer_shift = 0x1.8p52;

/// `value` as a float if every number within `error` of it rounds to this float, else NaN.
[[gnu::always_inline]] inline float round_if_sure(double value, double error) {
  const auto rounded = static_cast<float>(value - error);
  return rounded == static_cast<float>(value + error) ? rounded : __builtin_nanf("");
}

/// Bound of the relative error of each evaluation, with the proof at the function.
constexpr double elementary_error = 0x1p-50;

/// x = quadrant * pi/2 + high + low, |high + low| < 0.7855; `quadrant` counts modulo 4.
struct ReducedAngle {
  double high;
  double low;
  double absolute_error;
  std::uint64_t quadrant;
};

/// Requires: |x| <= 2^17. pi/2 has 33 + 33 + 53 bits, with an error below 2^-122. With k < 2^17,
/// k*half_pi_high and k*half_pi_middle are exact (17 + 33 bits). x - k*half_pi_high is exact,
/// because both are multiples of 2^-32 and the difference is below 1. TwoSum is exact. Then |low| <
/// 2^-50, and 2^-98 covers its two roundings and the error of pi/2.
[[gnu::always_inline]] inline ReducedAngle reduce_angle(double x) {
  constexpr double half_pi_high = 0x1.921fb544p+0;
  constexpr double half_pi_middle = 0x1.0b4611a6p-34;
  constexpr double half_pi_low = 0x1.3198a2e037073p-69;
  constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  const double shifted = x * two_over_pi + nearest_integer_shift;
  const double k = shifted - nearest_integer_shift;
  const double first = x - k * half_pi_high;
  const double second = -(k * half_pi_middle);
  const double high = first + second;
  const double moved = high - first;
  const double rest = (first - (high - moved)) + (second - moved);
  const double low = rest - k * half_pi_low;
  return {high, low, k == 0 ? 0 : 0x1p-98, __builtin_bit_cast(std::uint64_t, shifted)};
}

/// sin(high + low). Relative error below 2^-50, apart from that of the reduction: Taylor's
/// remainder 2^-63; the omitted low*high^4/24, below 2^-55 of the result; the last sum 2^-53; the
/// roundings of the correction, which is at most 0.11 of the result and has fewer than 4 effective
/// roundings.
[[gnu::always_inline]] inline double sin_of(const ReducedAngle& r) {
  constexpr Polynomial<8> terms = alternating_factorials(3, -1);
  const double square = r.high * r.high;
  const double correction = r.high * square * terms(square);
  return r.high + (correction + r.low * (1 - 0.5 * square));
}

/// cos(high + low) >= 0.7. Error below 2^-51: 1 - square/2 and the last sum 2^-54 each, square
/// 2^-55, the terms below 2^-56, the omitted low*high^3/6 below 2^-53, Taylor's remainder 2^-67.
[[gnu::always_inline]] inline double cos_of(const ReducedAngle& r) {
  constexpr Polynomial<8> terms = alternating_factorials(4, 1);
  const double square = r.high * r.high;
  const double correction = square * square * terms(square);
  return (1 - 0.5 * square) + (correction - r.high * r.low);
}

/// sin(r + quadrant * pi/2) from sin r and cos r, NaN if the rounding is not sure. It uses masks,
/// since SSE2 cannot select by a 64-bit integer.
[[gnu::always_inline]] inline float sin_in_quadrant(std::uint64_t quadrant, double sin, double cos,
                                                    double absolute_error) {
  const std::uint64_t odd = 0 - (quadrant & 1);
  const std::uint64_t sign = (quadrant & 2) << 62;
  const std::uint64_t magnitude = (__builtin_bit_cast(std::uint64_t, sin) & ~odd) |
                                  (__builtin_bit_cast(std::uint64_t, cos) & odd);
  const auto value = __builtin_bit_cast(double, magnitude ^ sign);
  return round_if_sure(value, __builtin_fabs(value) * elementary_error + absolute_error);
}

/// sin and cos, each NaN if its rounding is not sure. Range: 0 < |x| <= 2^17.
[[gnu::always_inline]] inline SinCos sin_cos_if_sure(float x) {
  const ReducedAngle r = reduce_angle(static_cast<double>(x));
  const double sin = sin_of(r);
  const double cos = cos_of(r);
  const bool in_range = x >= -0x1p17F && x <= 0x1p17F && x != 0;
  return {
      in_range ? sin_in_quadrant(r.quadrant, sin, cos, r.absolute_error) : __builtin_nanf(""),
      in_range ? sin_in_quadrant(r.quadrant + 1, sin, cos, r.absolute_error) : __builtin_nanf("")};
}

/// Natural logarithm. Range: 0 < x < infinity.
[[gnu::always_inline]] inline float log_if_sure(float x) {
  constexpr double log2_high = 0x1.62e42fefa2p-1;  // log 2 in 40 + 53 bits
  constexpr double log2_low = 0x1.9ef35793c7673p-41;
  constexpr Polynomial<11> terms = twice_odd_reciprocals();
  // x = 2^exponent * m with m in [sqrt(1/2), sqrt(2)), exponent > -1024.
  constexpr std::uint64_t bias = 1024;
  constexpr auto sqrt_half = __builtin_bit_cast(std::uint64_t, 0x1.6a09e667f3bcdp-1);
  const auto bits = __builtin_bit_cast(std::uint64_t, static_cast<double>(x));
  const std::uint64_t biased_exponent = (bits - sqrt_half + (bias << 52)) >> 52;
  const auto m = __builtin_bit_cast(double, bits - ((biased_exponent - bias) << 52));
  constexpr auto two_to_52 = __builtin_bit_cast(std::uint64_t, 0x1p52);
  const double count = __builtin_bit_cast(double, two_to_52 | biased_exponent) - (0x1p52 + bias);
  // log m = 2 atanh(s), |s| < 0.1716; m - 1 and m + 1 are exact, so the relative error of log m is
  // below 2^-51. The term exponent*log2, if not zero, is at least twice log m, and its leading part
  // is exact (8 + 40 bits). So the relative error of the sum stays below 2^-50.
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  const double log_m = 2 * s + s * square * terms(square);
  const double value = count * log2_high + (log_m + count * log2_low);
  const float rounded = round_if_sure(value, __builtin_fabs(value) * elementary_error);
  return x > 0 && x <= 0x1.fffffep127F ? rounded : __builtin_nanf("");
}

/// Exponential. Range: -104 <= x <= 89.
[[gnu::always_inline]] inline float exp_if_sure(float x) {
  constexpr double log2_high = 0x1.62e42fefa2p-1;
  constexpr double log2_low = 0x1.9ef35793c7673p-41;
  constexpr double one_over_log2 = 0x1.71547652b82fep+0;
  constexpr Polynomial<13> terms = factorials_from_two();
  const auto wide = static_cast<double>(x);
  const double shifted = wide * one_over_log2 + nearest_integer_shift;
  const double k = shifted - nearest_integer_shift;
  // The product by log2_high and the difference are exact (8 + 40 bits); r has an absolute error
  // below 2^-54, and Taylor's remainder at |r| < 0.3467 is below 2^-60.
  const double r = (wide - k * log2_high) - k * log2_low;
  const double fraction = 1 + (r + r * r * terms(r));
  const auto scale =
      __builtin_bit_cast(double, (__builtin_bit_cast(std::uint64_t, shifted) + 1023) << 52);
  const double value = fraction * scale;
  const float rounded = round_if_sure(value, value * elementary_error);
  return x >= -104 && x <= 89 ? rounded : __builtin_nanf("");
}

/// `Tag` is the instruction set that the members are compiled for. Every result is correctly
/// rounded, or NaN if the rounding is not sure. No array overlaps another.
template <class Tag>
struct ElementaryTables {
  static void sin_cos(const float* x, float* sin, float* cos, std::size_t size);
  static void log(const float* x, float* log, std::size_t size);
  static void exp(const float* x, float* exp, std::size_t size);
};

}  // namespace fftprec::truth
