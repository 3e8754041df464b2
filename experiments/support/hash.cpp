#include "experiments/support/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace fftprec {

namespace {

std::string hash_digits(std::uint64_t hash) {
  std::string digits(16, '0');
  for (std::size_t i = digits.size(); i-- > 0; hash >>= 4)
    digits[i] = "0123456789abcdef"[hash % 16];
  return digits;
}

HashState new_state() {
  HashState state(XXH3_createState());
  if (!state) throw std::bad_alloc();
  return state;
}

}  // namespace

void FreeHashState::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

std::string text_hash(std::string_view text) {
  return hash_digits(XXH3_64bits(text.data(), text.size()));
}

TextHash::TextHash() : state_(new_state()) { XXH3_64bits_reset(state_.get()); }

void TextHash::add(std::string_view text) {
  XXH3_64bits_update(state_.get(), text.data(), text.size());
}

std::string TextHash::digits() const { return hash_digits(XXH3_64bits_digest(state_.get())); }

std::string array_hash(const ComplexArray<double>& x) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<double> bytes;
  bytes.reserve(2 * x.size());
  for (const AlignedVector<double>* part : {&x.re, &x.im})
    for (const double value : *part)
      bytes.push_back(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
  return hash_digits(XXH3_64bits(bytes.data(), bytes.size() * sizeof(double)));
}

Digest::Digest() : state_(new_state()) { XXH3_128bits_reset(state_.get()); }

void Digest::add(const void* bytes, std::size_t count) {
  if (count > 0) XXH3_128bits_update(state_.get(), bytes, count);
}

Digest::Bytes Digest::bytes() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
  return std::to_array(canonical.digest);
}

std::string Digest::digits() const { return fmt::format("{:02x}", fmt::join(bytes(), "")); }

}  // namespace fftprec
