/// The true transform of a given input, with a certified radius.
#pragma once

#include <cstddef>
#include <string>

#include "arith/complex_array.hpp"

namespace fftprec::truth {

/// Exact values to about 106 bits: element j is (hi.re[j] + lo.re[j]) + i (hi.im[j] + lo.im[j]).
/// The array is a batch of hi.size() / n items one after the other: one item is the whole output
/// for one item of the input, whatever the transform (a spectrum, an image's spectrum, all frames
/// of a signal, a row of a matrix product).
struct Truth {
  ComplexArray<double> hi;
  ComplexArray<double> lo;
  std::size_t n = 0;      ///< output elements of one item
  double radius_rel = 0;  ///< certified: ||stored - exact||_2 <= radius_rel ||stored||_2 over each
                          ///< item as a whole, the worst item's
  int bits = 0;           ///< floor(-log2(radius_rel))
  std::string method;     ///< how it was certified
};

}  // namespace fftprec::truth
