/// Operands and tables for tests of MachineArithmetic.
#pragma once

#include <random>

#include "algorithms/arithmetic/factor_table.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "tests/algorithms/test_roots.hpp"

namespace fftprec::testing {

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
inline RootIndex root_of_4(std::size_t i) { return {i * i + i / 3, 4}; }

}  // namespace fftprec::testing
