/// The true transform of a given input, with a certified radius.
#pragma once

#include <cstddef>
#include <string>

#include "arith/complex_array.hpp"

namespace fftprec::truth {

/// Exact values to about 106 bits: element j is (hi.re[j] + lo.re[j]) + i (hi.im[j] + lo.im[j]).
struct Truth {
  ComplexArray<double> hi;
  ComplexArray<double> lo;
  std::size_t n = 0;  ///< transform length; the array holds hi.size() / n transforms
  double radius_rel =
      0;         ///< certified: ||stored - exact||_2 <= radius_rel ||stored||_2, each transform
  int bits = 0;  ///< floor(-log2(radius_rel))
  std::string method;  ///< how it was certified
};

}  // namespace fftprec::truth
