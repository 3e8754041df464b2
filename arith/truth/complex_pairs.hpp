/// Split-complex arrays of double-double numbers.
#pragma once

#include <cstddef>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/double_double.hpp"

namespace fftprec::truth {

/// Element j is (hi.re[j] + lo.re[j]) + i (hi.im[j] + lo.im[j]), each pair a DoubleDouble.
struct ComplexPairs {
  using Number = DoubleDouble;

  ComplexPairs() = default;
  explicit ComplexPairs(std::size_t size) : hi(size), lo(size) {}
  std::size_t size() const { return hi.size(); }

  ComplexDoubleDouble at(std::size_t j) const {
    return {{hi.re[j], lo.re[j]}, {hi.im[j], lo.im[j]}};
  }
  void set(std::size_t j, const ComplexDoubleDouble& value) {
    hi.re[j] = value.re.hi;
    lo.re[j] = value.re.lo;
    hi.im[j] = value.im.hi;
    lo.im[j] = value.im.lo;
  }

  ComplexArray<double> hi;
  ComplexArray<double> lo;
};

}  // namespace fftprec::truth
