/// Functions of whole split-complex arrays: conversion, parts, differences.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// x with each part converted to To, which rounds once where To is narrower.
template <class To, class From>
ComplexArray<To> converted(const ComplexArray<From>& x) {
  ComplexArray<To> result(x.size());
  const auto convert = [](From value) { return static_cast<To>(value); };
  std::transform(x.re.begin(), x.re.end(), result.re.begin(), convert);
  std::transform(x.im.begin(), x.im.end(), result.im.begin(), convert);
  return result;
}

/// The elements [first, first + count) of x. Requires: first + count <= x.size().
template <class Real>
ComplexArray<Real> part_of(const ComplexArray<Real>& x, std::size_t first, std::size_t count) {
  ComplexArray<Real> part(count);
  std::copy_n(x.re.data() + first, count, part.re.data());
  std::copy_n(x.im.data() + first, count, part.im.data());
  return part;
}

/// a - b, each part rounded once. Requires: equal sizes.
template <class Real>
ComplexArray<Real> difference(const ComplexArray<Real>& a, const ComplexArray<Real>& b) {
  ComplexArray<Real> result(a.size());
  std::transform(a.re.begin(), a.re.end(), b.re.begin(), result.re.begin(), std::minus<>());
  std::transform(a.im.begin(), a.im.end(), b.im.begin(), result.im.begin(), std::minus<>());
  return result;
}

}  // namespace fftprec
