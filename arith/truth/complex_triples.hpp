/// Split-complex arrays of triple-double numbers.
#pragma once

#include <cstddef>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/triple_double.hpp"

namespace fftprec::truth {

/// Element j is (hi.re[j] + mid.re[j] + lo.re[j]) + i (hi.im[j] + mid.im[j] + lo.im[j]).
struct ComplexTriples {
  using Number = TripleDouble;

  ComplexTriples() = default;
  explicit ComplexTriples(std::size_t size) : hi(size), mid(size), lo(size) {}
  std::size_t size() const { return hi.size(); }

  ComplexTripleDouble at(std::size_t j) const {
    return {{hi.re[j], mid.re[j], lo.re[j]}, {hi.im[j], mid.im[j], lo.im[j]}};
  }
  void set(std::size_t j, const ComplexTripleDouble& value) {
    hi.re[j] = value.re.hi;
    mid.re[j] = value.re.mid;
    lo.re[j] = value.re.lo;
    hi.im[j] = value.im.hi;
    mid.im[j] = value.im.mid;
    lo.im[j] = value.im.lo;
  }

  ComplexArray<double> hi;
  ComplexArray<double> mid;
  ComplexArray<double> lo;
};

}  // namespace fftprec::truth
