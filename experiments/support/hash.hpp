/// Hashes of texts and results, whole or in pieces: XXH3, equal on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "arith/formats/complex_array.hpp"

struct XXH3_state_s;

namespace fftprec {

struct FreeHashState {
  void operator()(XXH3_state_s* state) const;
};
using HashState = std::unique_ptr<XXH3_state_s, FreeHashState>;

/// XXH3-64 of the bytes of `text`, most significant digit first.
std::string text_hash(std::string_view text);

/// text_hash of a text that comes in pieces.
class TextHash {
 public:
  TextHash();

  void add(std::string_view text);

  /// The hash of all added text, as text_hash gives it.
  std::string digits() const;

 private:
  HashState state_;
};

/// XXH3-64 of a result: the real parts, then the imaginary parts, as little-endian doubles, with
/// all NaNs made equal.
std::string array_hash(const ComplexArray<double>& x);

/// XXH3-128 of bytes that come in pieces.
class Digest {
 public:
  using Bytes = std::array<unsigned char, 16>;

  Digest();

  void add(const void* bytes, std::size_t count);
  void add(std::string_view text) { add(text.data(), text.size()); }

  /// The digest of all added bytes, most significant byte first.
  Bytes bytes() const;

  /// bytes() as 32 hexadecimal digits.
  std::string digits() const;

 private:
  HashState state_;
};

}  // namespace fftprec
