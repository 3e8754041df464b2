/// What a file of numbers holds, whatever its format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// Finite numbers, the last index fastest. Reals have imaginary part +0.
struct Samples {
  ComplexArray<double> values;
  std::vector<std::size_t> shape;  ///< product = values.size(); empty for a single number
  std::uint32_t rate_hz = 0;       ///< of a recording; 0: not known
};

/// `text` as an error message may show it: not longer than a line, bytes outside printable ASCII as
/// '?'.
std::string printable(std::string_view text);

}  // namespace fftprec
