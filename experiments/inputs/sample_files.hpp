/// Files of numbers: NumPy's .npy arrays, and WAV recordings of PCM or floating-point samples,
/// which libsndfile reads. Source of .npy: NumPy Enhancement Proposal 1 (Kern 2007) and the
/// documentation of numpy.lib.format.
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

/// True for bytes that begin as a WAV file does.
bool is_wav(std::string_view bytes);

/// Channel `channel`, counted from 0, of the recording in `bytes`, the contents of the file `name`.
/// PCM of b bits becomes an integer in -2^(b-1) .. 2^(b-1) - 1 divided by 2^(b-1); floating-point
/// samples stay what they are.
/// Rounds: never.
/// Throws InputError "NAME: ...": cut short, of another kind (compressed, A-law), no such channel,
/// no samples, an infinity or NaN.
Samples parse_wav(std::string_view bytes, std::string_view name, std::size_t channel);

}  // namespace fftprec
