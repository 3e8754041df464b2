/// The concept of a scalar, a value type whose + - * round once each, and its carrier in arrays:
/// native numbers on the scalar's grid.
#pragma once

#include <concepts>

#include "arith/formats/format.hpp"
#include "arith/support/floating_point.hpp"

namespace fftprec {

/// The format of the values of T.
template <class T>
inline constexpr Format format_of = T::format;
template <>
inline constexpr Format format_of<float> = fp32;
template <>
inline constexpr Format format_of<double> = fp64;

/// An emulated or native real number. + - * return T itself, rounded once to T's format; unary
/// minus is exact. Silent promotion to a wider type does not satisfy the concept.
template <class T>
concept Scalar = std::regular<T> && std::constructible_from<T, double> && requires(T a, T b) {
  { a + b } -> std::same_as<T>;
  { a - b } -> std::same_as<T>;
  { a* b } -> std::same_as<T>;
  { -a } -> std::same_as<T>;
};

/// Carrier of a scalar: the native type that its arrays hold.
template <class T>
struct Carrier {
  using type = typename T::carrier_type;
  [[gnu::always_inline]] static constexpr T load(type x) { return T::from_carrier(x); }
  [[gnu::always_inline]] static constexpr type store(T x) { return x.carrier(); }
};
template <class Native>
struct NativeCarrier {
  using type = Native;
  [[gnu::always_inline]] static constexpr Native load(Native x) { return x; }
  [[gnu::always_inline]] static constexpr Native store(Native x) { return x; }
};
template <>
struct Carrier<float> : NativeCarrier<float> {};
template <>
struct Carrier<double> : NativeCarrier<double> {};

}  // namespace fftprec
