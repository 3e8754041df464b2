/// Operands and tables for tests of the algorithms and their arithmetic.
#pragma once

#include <random>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "tests/algorithms/test_roots.hpp"

namespace fftprec::testing {

/// Normal values that are fp32 numbers.
inline ComplexArray<double> normal_values(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  ComplexArray<double> x(size);
  for (auto* part : {&x.re, &x.im})
    for (double& value : *part) value = static_cast<double>(normal(random));
  return x;
}

/// Normal values rounded to the format.
template <class Real>
ComplexArray<Real> gaussian(std::size_t size, const Format& format) {
  std::mt19937 random(23);
  std::normal_distribution<double> normal;
  ComplexArray<Real> x(size);
  for (auto* part : {&x.re, &x.im})
    for (Real& value : *part)
      value = static_cast<Real>(round(normal(random), format, Rounding::rne));
  return x;
}

/// What no result may start from.
template <class Real>
ComplexArray<Real> garbage(std::size_t size) {
  ComplexArray<Real> x(size);
  for (auto* part : {&x.re, &x.im})
    for (Real& value : *part) value = Real(1e6);
  return x;
}

inline RootIndex root_of_37(std::size_t i) { return {7 * i, 37}; }

inline bool multiplies_matrices(const Mode& mode, const Machine& machine) {
  try {
    resolve(mode, machine).matrices();
    return true;
  } catch (const NotApplicable&) {
    return false;
  }
}

}  // namespace fftprec::testing
