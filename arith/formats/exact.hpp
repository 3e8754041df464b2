/// Exact results as a double rounded to odd: the step before a single rounding of any kind.
///
/// Rounding to odd keeps, in the last bit of 53, whether anything was lost; a second rounding to at
/// most 51 bits then gives what a single rounding of the exact value gives, in every direction.
/// Source: Boldo, Melquiond, IEEE Trans. Comput. 57 (2008), 462-471.
#pragma once

#include <cstdint>

#include "arith/formats/eft.hpp"

namespace fftprec {

/// The exact value near + error, rounded to odd, where near is its rounding to nearest and `error`
/// has the sign of the remainder. Infinities and NaNs in either leave `near` as it is.
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

/// a / b, rounded to odd: the remainder a - qb is a double, and its sign tells on which side of q
/// the quotient lies.
/// Requires: what two_prod requires of q and b.
/// Source: Markstein 1990; Boldo, Daumas, ARITH 2003 (the remainder is representable).
[[gnu::always_inline]] inline constexpr double quotient_to_odd(double a, double b) {
  const double quotient = a / b;
  const Pair<double> product = two_prod(quotient, b);
  const double remainder = (a - product.high) - product.low;
  return to_odd(quotient, b < 0 ? -remainder : remainder);
}

/// sqrt(a), rounded to odd, likewise.
[[gnu::always_inline]] inline double square_root_to_odd(double a) {
  const double root = __builtin_sqrt(a);
  const Pair<double> square = two_prod(root, root);
  return to_odd(root, (a - square.high) - square.low);
}

/// a * b + c, rounded to odd, where a * b is a double.
[[gnu::always_inline]] inline constexpr double exact_product_sum_to_odd(double a, double b,
                                                                        double c) {
  return sum_to_odd(a * b, c);
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

}  // namespace fftprec
