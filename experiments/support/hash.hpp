/// Short names for texts: XXH3-64 as 16 hexadecimal digits, the same on every machine.
#pragma once

#include <string>
#include <string_view>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// XXH3-64 of the bytes of `text`, most significant digit first.
std::string text_hash(std::string_view text);

/// XXH3-64 of a result: the real parts, then the imaginary parts, as little-endian doubles, every
/// NaN the same one.
std::string array_hash(const ComplexArray<double>& x);

}  // namespace fftprec
