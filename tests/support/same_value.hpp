/// Equality of results: the same bits, or both NaN.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace fftprec::testing {

inline bool same(double a, double b) {
  return (a != a && b != b) ||
         __builtin_bit_cast(std::uint64_t, a) == __builtin_bit_cast(std::uint64_t, b);
}

/// A double as hexadecimal significand and decimal digits.
inline std::string show(double x) {
  char text[80];
  std::snprintf(text, sizeof text, "%a (%.17g)", x, x);
  return text;
}

/// Passes if `actual` is `expected` bit for bit, or both are NaN; otherwise names both.
inline ::testing::AssertionResult same_value(double actual, double expected) {
  if (same(actual, expected)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "got " << show(actual) << ", truth " << show(expected);
}

}  // namespace fftprec::testing
