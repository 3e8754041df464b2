/// XXH3-128 of bytes that come in pieces, the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace fftprec {

class Digest {
 public:
  using Bytes = std::array<unsigned char, 16>;

  Digest();

  void add(const void* bytes, std::size_t count);
  void add(std::string_view text) { add(text.data(), text.size()); }

  /// Of all that was added, most significant byte first.
  Bytes bytes() const;

  /// bytes() as 32 hexadecimal digits.
  std::string digits() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace fftprec
