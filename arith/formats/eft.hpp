/// Error-free transforms: a sum or product as an unevaluated pair, its rounded value and its error.
///
/// All of them assume radix 2 and rounding to nearest, and state when they are exact.
#pragma once

#include "arith/formats/concepts.hpp"

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
/// Requires: |x| < 2^(emax + 1 - ceil(p/2)) or so: the product with the factor must not overflow
/// (fp32: beyond 2^115 it may, and the result is NaN).
/// Source: Dekker 1971, section 5; ties as in Boldo, IJCAR 2006.
template <Scalar T>
[[gnu::always_inline]] inline constexpr Pair<T> split(T x) {
  const T scaled = veltkamp_factor<T> * x;
  const T high = scaled - (scaled - x);
  return {high, x - high};
}

/// high + low = a * b exactly, high = fl(ab): 17 operations.
/// Requires: |ab| >= 2^(emin + p - 1), or ab = 0 (fp32: 2^-103), so that the error is
/// representable; neither operand beyond the range of split. Source: Dekker 1971, section 5.
template <Scalar T>
[[gnu::always_inline]] inline constexpr Pair<T> two_prod(T a, T b) {
  const T product = a * b;
  const Pair<T> x = split(a);
  const Pair<T> y = split(b);
  const T error = ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return {product, error};
}

}  // namespace fftprec
