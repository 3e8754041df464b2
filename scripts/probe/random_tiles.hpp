/// Random vectors of raw bit patterns, in classes that reach different parts of the arithmetic.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "scripts/probe/vector.hpp"

namespace fftprec::probe {

/// splitmix64: the stream is a function of the seed alone, on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint32_t bits() { return static_cast<std::uint32_t>(next() >> 32); }
  /// In [0, bound), with a bias below 2^-32.
  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }

 private:
  std::uint64_t state_;
};

/// near: exponents within 8 of 0; wide: any finite bits; cancel: the second half of the terms
/// undoes the first but for last places; tiny: subnormals, zeros and the smallest and largest
/// binades; special: one infinity or NaN among finite terms; chain: two instructions, near.
inline constexpr std::array<std::string_view, 6> random_classes{"near", "wide",    "cancel",
                                                                "tiny", "special", "chain"};

inline std::uint32_t finite_bits(const Operand& format, Random& random) {
  std::uint32_t bits = 0;
  do bits = random.bits() >> (32 - format.storage_bits);
  while (format.infinities ? (bits & top_field(format)) == top_field(format)
                           : (bits | sign_of(format)) == 2 * sign_of(format) - 1);
  return bits;
}

inline std::uint32_t bits_near(const Operand& format, int spread, Random& random) {
  const int ignored = format.ignored_bits();
  const int place = format.fraction_bits + ignored;
  int field = format.bias() - spread + random.below(2 * spread + 1);
  const int top = (1 << format.exponent_bits) - 2;
  field = field < 0 ? 0 : field > top ? top : field;
  const std::uint32_t low = random.bits() >> (32 - place);
  const std::uint32_t sign = random.bits() % 2 == 0 ? 0u : sign_of(format);
  return sign | (static_cast<std::uint32_t>(field) << place) | low;
}

inline std::uint32_t tiny_bits(const Operand& format, Random& random) {
  const std::uint32_t bits = finite_bits(format, random);
  const int place = format.fraction_bits + format.ignored_bits();
  const std::uint32_t low = bits & (((1u << place) - 1) | sign_of(format));
  const auto top = static_cast<std::uint32_t>((1 << format.exponent_bits) - 2);
  const std::uint32_t fields[] = {0, 0, 1, 2, static_cast<std::uint32_t>(format.bias()), top};
  const int choice = random.below(7);
  return choice == 6 ? (bits & sign_of(format)) : low | (fields[choice] << place);
}

inline Vector random_vector(const Instruction& instruction, std::string_view kind, Random& random) {
  const Operand& operand = instruction.operand;
  const Operand& accumulator = instruction.accumulator;
  const auto k = static_cast<std::size_t>(instruction.k);
  const std::size_t length = kind == "chain" ? 2 * k : k;
  Vector vector{std::string(kind), 0, std::vector<std::uint32_t>(length),
                std::vector<std::uint32_t>(length)};
  const auto draw = [&](const Operand& format) {
    if (kind == "wide") return finite_bits(format, random);
    if (kind == "tiny") return tiny_bits(format, random);
    return bits_near(format, kind == "cancel" ? 4 : 8, random);
  };
  vector.c = draw(accumulator);
  for (std::size_t i = 0; i < length; ++i) {
    vector.a[i] = draw(operand);
    vector.b[i] = draw(operand);
  }
  if (kind == "cancel") {
    for (std::size_t i = 0; 2 * i + 1 < length; ++i) {
      vector.a[2 * i + 1] = vector.a[2 * i] ^ sign_of(operand);
      const std::uint32_t last_place = random.below(3) == 0 ? 1u << operand.ignored_bits() : 0u;
      vector.b[2 * i + 1] = vector.b[2 * i] ^ last_place;
    }
    // c small, so that the rest of the products decides; sometimes gone.
    vector.c = random.below(3) == 0 ? 0u : bits_near(accumulator, 14, random);
  }
  if (kind == "special") {
    const std::size_t at = static_cast<std::size_t>(random.below(instruction.k));
    const std::uint32_t sign = random.bits() % 2 == 0 ? 0u : sign_of(operand);
    if (random.below(3) == 0)
      vector.c = top_field(accumulator) | (random.bits() % 4 == 0 ? random.bits() & 0xffu : 0u) |
                 (random.bits() % 2 == 0 ? 0u : sign_of(accumulator));
    if (random.below(3) != 0)
      vector.a[at] = (operand.infinities ? top_field(operand) : nan_of(operand)) | sign;
    if (random.below(6) == 0) vector.b[at] = nan_of(operand) | sign;
    if (random.below(6) == 0) vector.b[at] = sign;
  }
  return vector;
}

/// The stream of one class of one instruction: its seed is the run's with both mixed in.
inline Random random_stream(std::uint64_t seed, std::string_view instruction,
                            std::string_view kind) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ seed;
  for (const std::string_view text : {instruction, kind})
    for (const char letter : text)
      hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  return Random(hash);
}

}  // namespace fftprec::probe
