/// The bytes of .npy and WAV files, good and bad, written down from their formats' definitions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fftprec::testing {

/// The lowest `count` bytes of `value`, the lowest first.
inline std::string little(std::uint64_t value, std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

inline std::string big(std::uint64_t value, std::size_t count) {
  const std::string bytes = little(value, count);
  return {bytes.rbegin(), bytes.rend()};
}

inline std::string little(float value) { return little(std::bit_cast<std::uint32_t>(value), 4); }
inline std::string little(double value) { return little(std::bit_cast<std::uint64_t>(value), 8); }
inline std::string big(float value) { return big(std::bit_cast<std::uint32_t>(value), 4); }
inline std::string big(double value) { return big(std::bit_cast<std::uint64_t>(value), 8); }

template <class Real>
std::string little_all(const std::vector<Real>& values) {
  std::string bytes;
  for (const Real value : values) bytes += little(value);
  return bytes;
}

/// A header as NumPy writes it, without its padding.
inline std::string npy_header(const std::string& descr, const std::string& shape,
                              const std::string& fortran_order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape +
         ", }";
}

/// A .npy file; the header is padded to a multiple of 64 bytes, as NumPy does it.
inline std::string npy_file(std::string header, const std::string& data, int major = 1) {
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  while ((8 + length_bytes + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  return "\x93NUMPY" + std::string{static_cast<char>(major), '\0'} +
         little(header.size(), length_bytes) + header + data;
}

struct WavFormat {
  std::uint16_t tag = 1;  ///< 1: PCM, 3: IEEE floating point, 6: A-law
  std::uint16_t channels = 1;
  std::uint16_t bits = 16;
  std::uint32_t rate_hz = 16000;
};

/// A WAV file of a fmt chunk, a chunk of no interest and a data chunk that claims `claimed` bytes.
inline std::string wav_file(const WavFormat& format, const std::string& data, std::size_t claimed) {
  const std::size_t frame_bytes = std::size_t{format.channels} * (format.bits / 8U);
  const std::string body =
      "WAVEfmt " + little(std::uint64_t{16}, 4) + little(std::uint64_t{format.tag}, 2) +
      little(std::uint64_t{format.channels}, 2) + little(std::uint64_t{format.rate_hz}, 4) +
      little(format.rate_hz * frame_bytes, 4) + little(frame_bytes, 2) +
      little(std::uint64_t{format.bits}, 2) + "LIST" + little(std::uint64_t{5}, 4) +
      std::string(6, '\0') +  // padded to even
      "data" + little(claimed, 4) + data;
  return "RIFF" + little(body.size(), 4) + body;
}

inline std::string wav_file(const WavFormat& format, const std::string& data) {
  return wav_file(format, data, data.size());
}

}  // namespace fftprec::testing
