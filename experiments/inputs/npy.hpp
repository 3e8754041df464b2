/// NumPy's .npy files: floating-point arrays of any shape, in C order.
/// Source: NumPy Enhancement Proposal 1 (Kern 2007) and the documentation of numpy.lib.format.
#pragma once

#include <string>
#include <string_view>

#include "experiments/inputs/samples.hpp"

namespace fftprec {

/// True for bytes that begin as a .npy file does.
bool is_npy(std::string_view bytes);

/// The array in `bytes`, the contents of the file `name`. Format versions 1.0, 2.0 and 3.0; dtypes
/// f4, f8, c8 and c16, each in byte order '<' or '>': "native" order is that of a machine that the
/// file does not name.
/// Rounds: never; float64 and complex128 stay what they are.
/// Memory: allocates nothing before the shape is known to fit the bytes that are there.
/// Throws InputError "NAME: ...": cut short, bytes after the array, a header that is no dictionary
/// of exactly descr, fortran_order and shape, another version or dtype, Fortran order, no values,
/// an infinity or NaN.
Samples parse_npy(std::string_view bytes, std::string_view name);

/// The bytes of a .npy file, version 1.0, of shape (size,): dtype <c8 where every part is a float,
/// else <c16. What parse_npy gives back is `values`, bit for bit.
std::string npy_bytes(const ComplexArray<double>& values);

}  // namespace fftprec
