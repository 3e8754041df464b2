#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/files/words.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"

namespace fftprec {

namespace {

/// The header of a .npy file, a Python dictionary of three entries.
struct NpyHeader {
  std::string descr;           ///< the dtype, like "<f8"
  bool fortran_order = false;  ///< the first index is the fastest
  std::vector<std::size_t> shape;
};

/// Reads "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }": the three keys once each in
/// any order, either quote, white space between the words and after. Throws InputError for anything
/// else, naming the place.
class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  NpyHeader header() {
    NpyHeader header;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !std::exchange(has_descr, true)) {
        header.descr = descr();
      } else if (key == "fortran_order" && !std::exchange(has_order, true)) {
        header.fortran_order = boolean();
      } else if (key == "shape" && !std::exchange(has_shape, true)) {
        header.shape = shape();
      } else {
        throw bad("has the key '" + printable(key, 80) +
                  "'; it holds descr, fortran_order and shape, each once");
      }
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ < text_.size()) throw bad("goes on after its '}'");
    if (!has_descr || !has_order || !has_shape)
      throw bad("lacks " + std::string(!has_descr   ? "descr"
                                       : !has_order ? "fortran_order"
                                                    : "shape"));
    return header;
  }

 private:
  InputError bad(const std::string& what) const {
    return InputError(std::string(name_) + ": the .npy header " + what);
  }
  InputError expected(const std::string& what) const {
    return bad("has no " + what + " at its byte " + std::to_string(at_) + ": '" +
               printable(text_.substr(at_), 80) + "'");
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }
  bool accept(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool accept(char c) { return accept(std::string_view(&c, 1)); }
  void expect(char c) {
    if (!accept(c)) throw expected(std::string("'") + c + "'");
  }

  std::string string() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'' && !accept(quote)) throw expected("quoted word");
    const std::size_t end = text_.find(quote, at_);
    if (end == text_.npos) throw expected("closing quote");
    const std::string word(text_.substr(at_, end - at_));
    at_ = end + 1;
    return word;
  }

  std::string descr() {
    skip_space();
    if (text_.substr(at_).starts_with('['))
      throw bad("describes records of several fields; save one field as an array of its own");
    return string();
  }

  bool boolean() {
    if (accept("True")) return true;
    if (accept("False")) return false;
    throw expected("True or False");
  }

  /// As in Python, "(3)" is no tuple.
  std::vector<std::size_t> shape() {
    std::vector<std::size_t> sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(size());
      if (accept(',')) continue;
      if (sizes.size() == 1) throw expected("','");
      expect(')');
      break;
    }
    return sizes;
  }

  std::size_t size() {
    skip_space();
    std::size_t value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{}) throw expected("size below 2^64");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
};

constexpr std::string_view magic = "\x93NUMPY";

struct Dtype {
  std::string_view
      name;           ///< without the byte order; of formats that NumPy lacks, that of ml_dtypes
  Format format;      ///< of a part
  std::size_t parts;  ///< 2: real and imaginary

  std::size_t part_bytes() const { return static_cast<std::size_t>(width_of(format)) / 8; }
  bool of_numpy() const { return name.size() <= 3; }
};

constexpr Dtype dtypes[] = {{"f2", fp16, 1},
                            {"f4", fp32, 1},
                            {"f8", fp64, 1},
                            {"c8", fp32, 2},
                            {"c16", fp64, 2},
                            {"bfloat16", bf16, 1},
                            {"float8_e4m3", fp8_e4m3, 1},
                            {"float8_e4m3fn", fp8_e4m3fn, 1},
                            {"float8_e5m2", fp8_e5m2, 1}};

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

double number_at(const char* at, const Dtype& dtype, bool big_endian) {
  const std::uint64_t bits = unsigned_at(at, dtype.part_bytes(), big_endian);
  if (dtype.format == fp32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (dtype.format == fp64) return std::bit_cast<double>(bits);
  return value_of_code(bits, dtype.format);
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
  NpyHeader header = Reader(bytes.substr(text_at, length), name).header();
  bytes.remove_prefix(text_at + length);
  return header;
}

/// The signed or unsigned integers that `descr` names, if they are in order: "<i2", "|u1".
struct IntegerType {
  std::size_t bytes = 0;  ///< 0: none
  bool is_signed = false;
};

IntegerType integer_type(std::string_view descr) {
  const bool ordered = descr.starts_with('<') || descr.starts_with('>');
  const std::string_view type = descr.substr(ordered || descr.starts_with('|') ? 1 : 0);
  for (const std::size_t bytes : {1u, 2u, 4u, 8u})
    for (const bool is_signed : {true, false})
      if (type == (is_signed ? "i" : "u") + std::to_string(bytes) && (ordered || bytes == 1))
        return {bytes, is_signed};
  return {};
}

/// The types of bytes alone: void, which numpy.save makes of a type that NumPy lacks, and unsigned.
bool is_raw(std::string_view type) { return type.starts_with('V') || type.starts_with('u'); }

/// What a header's `descr` names, or, where that tells no more than a number of bytes, `asked`.
const Dtype& dtype_of(const std::string& descr, std::string_view asked, std::string_view name) {
  const bool ordered = descr.starts_with('<') || descr.starts_with('>');
  const bool marked = ordered || descr.starts_with('|') || descr.starts_with('=');
  const std::string_view type = std::string_view(descr).substr(marked ? 1 : 0);
  const auto found = std::find_if(std::begin(dtypes), std::end(dtypes),
                                  [type](const Dtype& dtype) { return dtype.name == type; });
  const bool whole = found != std::end(dtypes) && (ordered || !found->of_numpy());
  if (whole && (asked.empty() || asked == found->name)) return *found;
  std::string message = "has dtype '" + printable(descr, 80) + "'";
  if (whole) throw bad(name, message + ", not " + std::string(asked));
  if (is_raw(type) && !asked.empty()) {
    const Dtype& dtype = item_named(dtypes, "dtype", asked);
    if (type.substr(1) == std::to_string(dtype.part_bytes() * dtype.parts)) return dtype;
    throw bad(name, message + ", which is not as wide as " + std::string(asked));
  }
  if (type == "O") message += " (Python objects, as a ragged array has)";
  if (found != std::end(dtypes)) message += ", which does not say the order of bytes";
  if (is_raw(type)) message += ", plain bytes: name their type by the key dtype";
  if (integer_type(descr).bytes > 0)
    message +=
        is_raw(type) ? ", or their fixed point by words" : ": name their fixed point by words";
  throw bad(name, message +
                      "; known: <f2, <f4, <f8, <c8, <c16, or with '>', bfloat16, "
                      "float8_e4m3, float8_e4m3fn, float8_e5m2");
}

std::string text_of(const std::vector<std::size_t>& shape) {
  const std::string text = fmt::format("{}", fmt::join(shape, " x "));
  return "shape " + (shape.empty() ? "()" : printable(text, 80));
}

/// The product of `shape`, at least 1 and at most `most`, the number of values that are there.
std::size_t count_of(const std::vector<std::size_t>& shape, std::size_t most,
                     std::string_view name) {
  if (std::ranges::find(shape, 0U) != shape.end())
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

/// Where the values of an array, in the order of its file, go in C order.
class InCOrder {
 public:
  InCOrder(const std::vector<std::size_t>& shape, bool fortran_order)
      : shape_(fortran_order ? shape : std::vector<std::size_t>{}), steps_(shape_.size(), 1) {
    for (std::size_t axis = steps_.size(); axis-- > 1;)
      steps_[axis - 1] = steps_[axis] * shape_[axis];
  }

  std::size_t operator()(std::size_t i) const {
    if (shape_.empty()) return i;
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      place += i % shape_[axis] * steps_[axis];
      i /= shape_[axis];
    }
    return place;
  }

 private:
  std::vector<std::size_t> shape_;  ///< empty: the order is the same
  std::vector<std::size_t> steps_;
};

}  // namespace

bool is_npy(std::string_view bytes) { return bytes.starts_with(magic); }

bool is_wav(std::string_view bytes) {
  return bytes.starts_with("RIFF") && bytes.size() >= 12 && bytes.substr(8).starts_with("WAVE");
}

Samples parse_npy(std::string_view bytes, std::string_view name, const NpyReading& how) {
  std::string_view data = bytes;
  NpyHeader header = take_header(data, name);
  const Dtype& dtype = dtype_of(header.descr, how.dtype, name);
  const std::size_t part_bytes = dtype.part_bytes();
  const std::size_t value_bytes = part_bytes * dtype.parts;
  const std::size_t count = count_of(header.shape, data.size() / value_bytes, name);
  if (data.size() > count * value_bytes)
    throw bad(name, "has " + std::to_string(data.size() - count * value_bytes) +
                        " bytes after its array of " + text_of(header.shape));

  const bool big_endian = header.descr.starts_with('>');
  const InCOrder place(header.shape, header.fortran_order);
  Samples samples{.values = ComplexArray<double>(count),
                  .shape = header.shape,
                  .dtype = std::string(dtype.name),
                  .format = dtype.format};
  for (std::size_t i = 0; i < count; ++i) {
    const char* const at = data.data() + i * value_bytes;
    const double re = number_at(at, dtype, big_endian);
    const double im = dtype.parts == 2 ? number_at(at + part_bytes, dtype, big_endian) : 0;
    const std::size_t to = place(i);
    if (how.finite && (!std::isfinite(re) || !std::isfinite(im)))
      throw bad(name, "value " + std::to_string(to) + " is infinite or not a number");
    samples.values.re[to] = re;
    samples.values.im[to] = im;
  }
  return samples;
}

namespace {

/// The last `bytes` bytes of `bits`, the least significant first.
void append_little(std::string& text, std::uint64_t bits, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>((bits >> (8 * i)) & 0xff);
}

bool holds(const Dtype& dtype, double x) {
  return dtype.format == fp64 || std::isnan(x) || round(x, dtype.format, Rounding::rne) == x;
}

bool holds(const Dtype& dtype, const AlignedVector<double>& x) {
  return std::ranges::all_of(x, [&](double value) { return holds(dtype, value); });
}

bool is_zero(double x) { return std::bit_cast<std::uint64_t>(x) == 0; }

/// The dtype that is asked for, or the narrowest of NumPy's own that holds the values.
const Dtype& dtype_for(const ComplexArray<double>& values, const NpyWriting& how) {
  std::string name = how.dtype;
  if (name.empty()) {
    const Dtype& single = item_named(dtypes, "dtype", "f4");
    const bool fits = holds(single, values.re) && holds(single, values.im);
    name = how.real ? (fits ? "f4" : "f8") : (fits ? "c8" : "c16");
  }
  const Dtype& dtype = item_named(dtypes, "dtype", name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool real = dtype.parts == 2 || is_zero(values.im[i]);
    if (!real || !holds(dtype, values.re[i]) || !holds(dtype, values.im[i]))
      throw InputError("value " + std::to_string(i) + ", " + exact_number(values.re[i]) + " + " +
                       exact_number(values.im[i]) + "i, does not fit dtype " + name);
  }
  return dtype;
}

/// Everything before the data, with room for `data_bytes` of them.
std::string npy_beginning(const std::string& descr, const std::vector<std::size_t>& sizes,
                          std::size_t data_bytes) {
  std::string shape;
  for (const std::size_t size : sizes)
    shape += (shape.empty() ? "" : " ") + std::to_string(size) + ",";
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t before = 10;  // magic, version, length
  constexpr std::size_t alignment = 64;
  header.resize(header.size() + alignment - 1 - (before + header.size()) % alignment, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes.reserve(before + header.size() + data_bytes);
  bytes += '\x01';
  bytes += '\0';
  append_little(bytes, header.size(), 2);
  return bytes + header;
}

}  // namespace

std::string npy_bytes(const ComplexArray<double>& values, const NpyWriting& how) {
  const Dtype& dtype = dtype_for(values, how);
  const std::size_t part_bytes = dtype.part_bytes();
  const std::string descr = (dtype.of_numpy() ? "<" : "") + std::string(dtype.name);
  std::string bytes =
      npy_beginning(descr, how.shape.empty() ? std::vector{values.size()} : how.shape,
                    values.size() * part_bytes * dtype.parts);
  for (std::size_t i = 0; i < values.size(); ++i) {
    append_little(bytes, code_of_value(values.re[i], dtype.format), part_bytes);
    if (dtype.parts == 2)
      append_little(bytes, code_of_value(values.im[i], dtype.format), part_bytes);
  }
  return bytes;
}

bool is_integer_npy(std::string_view npy, std::string_view name) {
  return integer_type(take_header(npy, name).descr).bytes > 0;
}

IntegerArray parse_integer_npy(std::string_view bytes, std::string_view name) {
  const NpyHeader header = take_header(bytes, name);
  const IntegerType type = integer_type(header.descr);
  if (type.bytes == 0)
    throw bad(name, "has dtype '" + printable(header.descr, 80) +
                        "'; words of fixed point are integers: int8, int16, int32 or int64");
  const std::size_t count = count_of(header.shape, bytes.size() / type.bytes, name);
  if (bytes.size() > count * type.bytes)
    throw bad(name, "has " + std::to_string(bytes.size() - count * type.bytes) +
                        " bytes after its array of " + text_of(header.shape));
  const InCOrder place(header.shape, header.fortran_order);
  IntegerArray array{std::vector<std::int64_t>(count), header.shape};
  const auto unused = static_cast<unsigned>(64 - 8 * type.bytes);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits =
        unsigned_at(bytes.data() + i * type.bytes, type.bytes, header.descr.starts_with('>'));
    const auto extended = static_cast<std::int64_t>(bits << unused) >> unused;
    array.numbers[place(i)] = type.is_signed ? extended : static_cast<std::int64_t>(bits);
  }
  return array;
}

std::string integer_npy_bytes(const IntegerArray& array, std::size_t bytes) {
  std::string text = npy_beginning((bytes == 1 ? "|i" : "<i") + std::to_string(bytes), array.shape,
                                   array.numbers.size() * bytes);
  for (const std::int64_t number : array.numbers)
    append_little(text, static_cast<std::uint64_t>(number), bytes);
  return text;
}

}  // namespace fftprec
