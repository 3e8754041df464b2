#include <algorithm>
#include <bit>

#include "experiments/inputs/npy.hpp"

namespace fftprec {

namespace {

/// The last `bytes` bytes of `bits`, the least significant first.
void append_little(std::string& text, std::uint64_t bits, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>((bits >> (8 * i)) & 0xff);
}

bool is_float(double x) { return static_cast<double>(static_cast<float>(x)) == x; }

}  // namespace

std::string npy_bytes(const ComplexArray<double>& values) {
  const bool single = std::all_of(values.re.begin(), values.re.end(), is_float) &&
                      std::all_of(values.im.begin(), values.im.end(), is_float);
  std::string header = std::string("{'descr': '") + (single ? "<c8" : "<c16") +
                       "', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) +
                       ",), }";
  constexpr std::size_t before = 10;  // magic, version, length
  constexpr std::size_t alignment = 64;
  header.resize(header.size() + alignment - 1 - (before + header.size()) % alignment, ' ');
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += '\x01';
  bytes += '\0';
  append_little(bytes, header.size(), 2);
  bytes += header;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const double part : {values.re[i], values.im[i]})
      if (single)
        append_little(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(part)), 4);
      else
        append_little(bytes, std::bit_cast<std::uint64_t>(part), 8);
  return bytes;
}

}  // namespace fftprec
