/// Files of numbers: NumPy's .npy arrays, and WAV recordings of PCM or floating-point samples,
/// which libsndfile reads; words.hpp has words of fixed point. Source of .npy: NumPy Enhancement
/// Proposal 1 (Kern 2007) and the documentation of numpy.lib.format.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"

namespace fftprec {

/// Finite numbers, the last index fastest. Reals have imaginary part +0.
struct Samples {
  ComplexArray<double> values;
  std::vector<std::size_t> shape;  ///< product = values.size(); empty for a single number
  std::string dtype{};             ///< of an array, by the names of NpyWriting; empty: a recording
  Format format = fp32;            ///< of an array's numbers
};

/// Whether the bytes begin like a .npy file.
bool is_npy(std::string_view bytes);

/// How the parts of complex numbers lie in files of words.
enum class WordLayout {
  interleaved,  ///< re, im, re, im, ...; in a .csv file a pair a line, in an array the last axis
  packed,       ///< a word {re, im} of twice the bits, the real part in the upper half
  split,        ///< two files, for "x.hex" x_re.hex and x_im.hex
  real,         ///< the numbers have no imaginary parts
};

/// Exponents that words share: block b has the values b * size, ..., and the last may be shorter.
struct BlockExponents {
  std::size_t size = 1;
  std::vector<int> re{};
  std::vector<int> im{};

  friend bool operator==(const BlockExponents&, const BlockExponents&) = default;
};

/// Words of fixed point: a word k of qI.F is the value k 2^-F; in a block of exponent e, k 2^(e-F).
struct WordForm {
  Format format = fixed_format(1, 15);
  WordLayout layout = WordLayout::interleaved;
  std::optional<BlockExponents> exponents{};
};

/// How a file is read.
struct NpyReading {
  std::string dtype{};              ///< type of a file of plain bytes: V1, V2, u1, u2
  bool finite = true;               ///< infinities and NaN are errors
  std::optional<WordForm> words{};  ///< of integers
};

/// The array in `bytes`, the contents of the file `name`. Format versions 1.0, 2.0 and 3.0, C and
/// Fortran order; dtypes f2, f4, f8, c8 and c16, each in byte order '<' or '>', not in the "native"
/// order of an unknown computer; and bfloat16, float8_e4m3, float8_e4m3fn and float8_e5m2, by their
/// names in ml_dtypes. numpy.save writes these four as plain bytes.
/// Rounds: never; float64 and complex128 keep all bits.
/// Memory: allocates nothing before the shape is known to fit the size of the file.
/// Throws InputError "NAME: ...": cut short, bytes after the array, a header that is no dictionary
/// of exactly descr, fortran_order and shape, another version or dtype, no values, an infinity or
/// NaN if `finite`.
Samples parse_npy(std::string_view bytes, std::string_view name, const NpyReading& how = {});

/// How a .npy file is written.
struct NpyWriting {
  std::vector<std::size_t> shape{};  ///< product = number of values; empty: one axis
  bool real = false;                 ///< of the default dtype
  std::string dtype{};               ///< empty: c8 or f4 if every part is a float, else c16, f8
};

/// The bytes of a .npy file, version 1.0, C order. parse_npy returns `values` from them, bit for
/// bit except for the bits of NaN.
/// Rounds: never. Throws InputError for a value that the dtype does not hold, and an unknown dtype,
/// listing the known.
std::string npy_bytes(const ComplexArray<double>& values, const NpyWriting& how = {});

/// Whether the bytes begin like a WAV file.
bool is_wav(std::string_view bytes);

/// Channel `channel`, counted from 0, of the recording in `bytes`, the contents of the file `name`.
/// PCM of b bits becomes an integer in -2^(b-1) .. 2^(b-1) - 1 divided by 2^(b-1); floating-point
/// samples keep all bits.
/// Rounds: never.
/// Throws InputError "NAME: ...": cut short, of another kind (compressed, A-law), no such channel,
/// no samples, an infinity or NaN.
Samples parse_wav(std::string_view bytes, std::string_view name, std::size_t channel);

/// The version of libsndfile, "1.2.0"; empty in a build without it.
std::string sndfile_version();

}  // namespace fftprec
