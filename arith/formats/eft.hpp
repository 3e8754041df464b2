/// Error-free transforms and their uses: exact results rounded to odd, and expressions of fp32
/// values that round once.
///
/// All functions assume radix 2 and rounding to nearest, and state when they are exact.
#pragma once

#include <cstdint>

#include "arith/formats/round.hpp"
#include "arith/formats/scalar.hpp"

namespace fftprec {

/// The unevaluated sum high + low.
template <class T>
struct Pair {
  T high;
  T low;
};

/// high + low = a + b exactly, high = fl(a + b): 3 operations.
/// Requires: exponent(a) >= exponent(b), or a = 0; no overflow.
/// Source: Dekker, Numer. Math. 18 (1971), 224-242.
template <Scalar T>
[[gnu::always_inline]] inline constexpr Pair<T> fast_two_sum(T a, T b) {
  const T sum = a + b;
  const T b_seen = sum - a;
  return {sum, b - b_seen};
}

/// high + low = a + b exactly, high = fl(a + b), for any a and b: 6 operations.
/// Requires: no overflow. Under a directed rounding low is only an approximation.
/// Source: Knuth, TAOCP vol. 2, section 4.2.2, theorem B.
template <Scalar T>
[[gnu::always_inline]] inline constexpr Pair<T> two_sum(T a, T b) {
  const T sum = a + b;
  const T b_seen = sum - a;
  const T a_seen = sum - b_seen;
  return {sum, (a - a_seen) + (b - b_seen)};
}

/// 2^ceil(p/2) + 1, the factor of the Veltkamp split: 4097 for fp32.
template <Scalar T>
inline constexpr T veltkamp_factor =
    T(static_cast<double>((1LL << ((format_of<T>.precision + 1) / 2)) + 1));

/// high + low = x exactly, where high keeps floor(p/2) bits and low fits in ceil(p/2) - 1 bits and
/// a sign (fp32: 12 and 11): 4 operations.
/// Requires: the product with the factor does not overflow, about |x| < 2^(emax + 1 - ceil(p/2))
/// (fp32: beyond 2^115 it may overflow, and the result is NaN).
/// Source: Dekker 1971, section 5; ties as in Boldo, IJCAR 2006.
template <Scalar T>
[[gnu::always_inline]] inline constexpr Pair<T> split(T x) {
  const T scaled = veltkamp_factor<T> * x;
  const T high = scaled - (scaled - x);
  return {high, x - high};
}

/// high + low = a * b exactly, high = fl(ab): 17 operations.
/// Requires: |ab| >= 2^(emin + p), or ab = 0 (fp32: 2^-102), so that the error is
/// representable; neither operand beyond the range of split. Source: Dekker 1971, section 5.
template <Scalar T>
[[gnu::always_inline]] inline constexpr Pair<T> two_prod(T a, T b) {
  const T product = a * b;
  const Pair<T> x = split(a);
  const Pair<T> y = split(b);
  const T error = ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return {product, error};
}

// Exact results as a double rounded to odd, from which any rounding can be made.
//
// Rounding to odd records in the last of 53 bits whether the result is inexact. A second rounding
// to at most 51 bits then equals a single rounding of the exact value, in every direction. Source:
// Boldo, Melquiond, IEEE Trans. Comput. 57 (2008), 462-471.

/// The exact value near + error, rounded to odd, where near is its rounding to nearest and `error`
/// has the sign of the remainder. With an infinity or NaN in either, returns `near`.
[[gnu::always_inline]] inline constexpr double to_odd(double near, double error) {
  const auto bits = __builtin_bit_cast(std::uint64_t, near);
  const std::uint64_t signs_differ = (bits ^ __builtin_bit_cast(std::uint64_t, error)) >> 63;
  std::uint64_t step = 1 - 2 * signs_differ;  // away from zero, or one down in magnitude
  step = (bits & 1) != 0 ? 0 : step;
  step = error == 0 ? 0 : step;
  step = error != error ? 0 : step;
  return __builtin_bit_cast(double, bits + step);
}

/// a + b, rounded to odd.
/// Requires: no overflow.
[[gnu::always_inline]] inline constexpr double sum_to_odd(double a, double b) {
  const Pair<double> sum = two_sum(a, b);
  return to_odd(sum.high, sum.low);
}

/// a * b, rounded to odd.
/// Requires: what two_prod requires.
[[gnu::always_inline]] inline constexpr double product_to_odd(double a, double b) {
  const Pair<double> product = two_prod(a, b);
  return to_odd(product.high, product.low);
}

/// a / b, rounded to odd. The remainder a - qb is a double; its sign shows on which side of q the
/// quotient lies. Requires: what two_prod requires of q and b.
/// Source: Markstein 1990; Boldo, Daumas, ARITH 2003 (the remainder is representable).
[[gnu::always_inline]] inline constexpr double quotient_to_odd(double a, double b) {
  const double quotient = a / b;
  const Pair<double> product = two_prod(quotient, b);
  const double remainder = (a - product.high) - product.low;
  return to_odd(quotient, b < 0 ? -remainder : remainder);
}

/// sqrt(a), rounded to odd by the sign of its remainder.
[[gnu::always_inline]] inline double square_root_to_odd(double a) {
  const double root = __builtin_sqrt(a);
  const Pair<double> square = two_prod(root, root);
  return to_odd(root, (a - square.high) - square.low);
}

/// a * b + c, rounded to odd: the product as a pair, the three terms summed as in Boldo and
/// Melquiond's emulated FMA, with the last sum to odd as well.
/// Requires: what two_prod requires.
[[gnu::always_inline]] inline constexpr double product_sum_to_odd(double a, double b, double c) {
  const Pair<double> product = two_prod(a, b);
  const Pair<double> low = two_sum(c, product.low);
  const Pair<double> high = two_sum(product.high, low.high);
  const double tail = sum_to_odd(high.low, low.low);
  const double result = sum_to_odd(high.high, tail);
  // Infinite and NaN terms leave NaN in the tails, and a zero may have the wrong sign. In both
  // cases the plain formula is right: a zero sum means that a * b = -c is representable.
  return tail - tail == 0 && result != 0 ? result : a * b + c;
}

// Expressions of fp32 values that round once: exact in double, or first rounded there to odd. They
// use only native doubles and integer operations, so bits do not depend on FMA hardware, and every
// loop vectorises on every instruction set.

/// p + q rounded once to fp32. Requires: p and q are products of two floats, or floats. Their sum
/// is rounded to odd in double, where it neither overflows nor is subnormal, so that the rounding
/// to 24 bits is right. Infinities and NaNs as in p + q.
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

/// w a + x, rounded once to nearest. Pairs of floats and wide numbers use their product and sum.
template <class T>
[[gnu::always_inline]] inline constexpr T product_plus(T w, T a, T x) {
  if constexpr (std::is_same_v<T, double>)
    return __builtin_fma(w, a, x);
  else if constexpr (requires { multiply_add(w, a, x); })
    return multiply_add(w, a, x);
  else if constexpr (requires { fma(w, a, x); })
    return fma(w, a, x);
  else
    return w * a + x;
}

/// a * b + c * d, rounded once.
[[gnu::always_inline]] inline constexpr float sum_of_products(float a, float b, float c, float d) {
  return sum_rounded_once(static_cast<double>(a) * static_cast<double>(b),
                          static_cast<double>(c) * static_cast<double>(d));
}

/// A float near an exact value, and a number with the sign of the remainder: zero if the float is
/// exact, NaN if the value is infinite or NaN.
struct NearFloat {
  float near;
  float rest;
};

/// The product of two floats, exact in double, as its nearest float and the rest.
[[gnu::always_inline]] inline constexpr NearFloat near_product(float a, float b) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const float near = static_cast<float>(product);
  // The rest is a multiple of 2^-298. The factor keeps it from underflow in float.
  const double rest = (product - static_cast<double>(near)) * power_of_two(150);
  return {near, static_cast<float>(rest)};
}

/// The larger in magnitude as `high`, the other as `low`; a is `high` if they are equal.
[[gnu::always_inline]] inline constexpr Pair<float> by_magnitude(float a, float b) {
  const bool ordered = __builtin_fabsf(a) >= __builtin_fabsf(b);
  return {ordered ? a : b, ordered ? b : a};
}

/// a + b as its nearest float and the rest, by Dekker's sum of the ordered operands. It overflows
/// only where a + b does; Knuth's sum also overflows near the largest float.
[[gnu::always_inline]] inline constexpr NearFloat near_sum(float a, float b) {
  const Pair<float> ordered = by_magnitude(a, b);
  const Pair<float> sum = fast_two_sum(ordered.high, ordered.low);
  return {sum.high, sum.low};
}

/// The value of x rounded toward zero. If finite operands overflowed, the rest is -infinity, and
/// the result is the largest finite value.
[[gnu::always_inline]] inline constexpr float toward_zero(NearFloat x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x.near);
  const std::uint32_t unlike = (bits ^ __builtin_bit_cast(std::uint32_t, x.rest)) >> 31;
  const bool inexact = x.rest < 0 || x.rest > 0;
  return __builtin_bit_cast(float, bits - (inexact ? unlike : 0u));
}

/// The value of x rounded to odd.
[[gnu::always_inline]] inline constexpr float to_odd(NearFloat x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x.near);
  const std::uint32_t unlike = (bits ^ __builtin_bit_cast(std::uint32_t, x.rest)) >> 31;
  const std::uint32_t step = (1 - 2 * unlike) & ((bits & 1) - 1);
  const bool inexact = x.rest < 0 || x.rest > 0;
  return __builtin_bit_cast(float, bits + (inexact ? step : 0u));
}

}  // namespace fftprec
