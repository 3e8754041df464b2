#include "experiments/inputs/npy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "arith/support/error.hpp"
#include "experiments/inputs/npy_header.hpp"

namespace fftprec {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct Dtype {
  std::string_view name;  ///< without the byte order
  std::size_t part_bytes;
  std::size_t parts;  ///< 2: real and imaginary
};

constexpr Dtype dtypes[] = {{"f4", 4, 1}, {"f8", 8, 1}, {"c8", 4, 2}, {"c16", 8, 2}};

InputError bad(std::string_view name, const std::string& what) {
  return InputError(std::string(name) + ": " + what);
}

std::uint64_t unsigned_at(const char* at, std::size_t bytes, bool big_endian) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::size_t place = big_endian ? bytes - 1 - i : i;
    value |= std::uint64_t{static_cast<unsigned char>(at[i])} << (8 * place);
  }
  return value;
}

double number_at(const char* at, std::size_t bytes, bool big_endian) {
  const std::uint64_t bits = unsigned_at(at, bytes, big_endian);
  return bytes == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                    : std::bit_cast<double>(bits);
}

/// Takes magic, version and header from the front of `bytes`, which then begins with the data.
NpyHeader take_header(std::string_view& bytes, std::string_view name) {
  constexpr std::size_t version_at = magic.size();
  constexpr std::size_t length_at = version_at + 2;
  if (!is_npy(bytes)) throw bad(name, "is no .npy file: it does not begin with \\x93NUMPY");
  if (bytes.size() < length_at) throw bad(name, "is cut short in the first bytes of its header");
  const auto major = static_cast<unsigned char>(bytes[version_at]);
  const auto minor = static_cast<unsigned char>(bytes[version_at + 1]);
  if (major < 1 || major > 3 || minor != 0)
    throw bad(name, "has .npy version " + std::to_string(major) + "." + std::to_string(minor) +
                        "; known: 1.0, 2.0, 3.0");
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t text_at = length_at + length_bytes;
  if (bytes.size() < text_at) throw bad(name, "is cut short in the first bytes of its header");
  const std::size_t length = unsigned_at(bytes.data() + length_at, length_bytes, false);
  if (length > bytes.size() - text_at)
    throw bad(name, "is cut short: its header takes " + std::to_string(length) + " bytes, " +
                        std::to_string(bytes.size() - text_at) + " are there");
  NpyHeader header = parse_npy_header(bytes.substr(text_at, length), name);
  bytes.remove_prefix(text_at + length);
  return header;
}

const Dtype& dtype_of(const std::string& descr, std::string_view name) {
  const std::string_view type = std::string_view(descr).substr(descr.empty() ? 0 : 1);
  const auto found = std::find_if(std::begin(dtypes), std::end(dtypes),
                                  [type](const Dtype& dtype) { return dtype.name == type; });
  const bool ordered = descr.starts_with('<') || descr.starts_with('>');
  if (ordered && found != std::end(dtypes)) return *found;
  std::string message = "has dtype '" + printable(descr) + "'";
  if (type == "O") message += " (Python objects, as a ragged array has)";
  if (found != std::end(dtypes)) message += ", which does not tell the order of bytes";
  throw bad(name, message + "; known: <f4, <f8, <c8, <c16 and the same with '>'");
}

std::string text_of(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return "shape " + (shape.empty() ? "()" : printable(text));
}

/// The product of `shape`, at least 1 and at most `most`, the number of values that are there.
std::size_t count_of(const std::vector<std::size_t>& shape, std::size_t most,
                     std::string_view name) {
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end())
    throw bad(name, "holds no values: " + text_of(shape));
  std::size_t count = 1;
  bool fits = most >= 1;
  for (const std::size_t size : shape) {
    fits = fits && size <= most / count;
    if (fits) count *= size;
  }
  if (!fits)
    throw bad(name, "is cut short: " + text_of(shape) + " takes more than the " +
                        std::to_string(most) + " values that are there");
  return count;
}

}  // namespace

bool is_npy(std::string_view bytes) { return bytes.starts_with(magic); }

Samples parse_npy(std::string_view bytes, std::string_view name) {
  std::string_view data = bytes;
  const NpyHeader header = take_header(data, name);
  const Dtype& dtype = dtype_of(header.descr, name);
  if (header.fortran_order)
    throw bad(name, "is in Fortran order; save numpy.ascontiguousarray(x) instead");
  const std::size_t value_bytes = dtype.part_bytes * dtype.parts;
  const std::size_t count = count_of(header.shape, data.size() / value_bytes, name);
  if (data.size() > count * value_bytes)
    throw bad(name, "has " + std::to_string(data.size() - count * value_bytes) +
                        " bytes after its array of " + text_of(header.shape));

  const bool big_endian = header.descr.starts_with('>');
  Samples samples{ComplexArray<double>(count), header.shape};
  for (std::size_t i = 0; i < count; ++i) {
    const char* const at = data.data() + i * value_bytes;
    const double re = number_at(at, dtype.part_bytes, big_endian);
    const double im =
        dtype.parts == 2 ? number_at(at + dtype.part_bytes, dtype.part_bytes, big_endian) : 0;
    if (!std::isfinite(re) || !std::isfinite(im))
      throw bad(name, "value " + std::to_string(i) + " is infinite or not a number");
    samples.values.re[i] = re;
    samples.values.im[i] = im;
  }
  return samples;
}

}  // namespace fftprec
