/// What an algorithm may ask of a scalar: a value type whose + - * round once each.
#pragma once

#include <concepts>

#include "arith/formats/format.hpp"
#include "arith/support/floating_point.hpp"

namespace fftprec {

/// The format whose grid the values of T lie on.
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

}  // namespace fftprec
