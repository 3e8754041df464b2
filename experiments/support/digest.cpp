#include "experiments/support/digest.hpp"

#include <xxhash.h>

#include <new>

namespace fftprec {

void Digest::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

Digest::Digest() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void Digest::add(const void* bytes, std::size_t count) {
  if (count > 0) XXH3_128bits_update(state_.get(), bytes, count);
}

Digest::Bytes Digest::bytes() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
  return std::to_array(canonical.digest);
}

std::string Digest::digits() const {
  std::string text;
  for (const unsigned byte : bytes()) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace fftprec
