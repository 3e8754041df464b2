/// Vectors for an instruction: random raw bits, in classes that reach different parts of the
/// arithmetic.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/silicon/hopper_model.hpp"

namespace fftprec::hopper {

/// d = c + sum a[i] b[i]; a and b hold one or more instructions, chained through d.
struct Vector {
  std::string name;
  std::uint32_t c = 0;
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
};

/// Bits of (1 + fraction * 2^-fraction_bits) * 2^exponent, or of the subnormal 2^exponent when
/// fraction is 0; nothing where the format has no such number.
inline std::optional<std::uint32_t> encode(const Operand& format, int exponent,
                                           std::uint32_t fraction = 0) {
  const int top = (1 << format.exponent_bits) - (format.infinities ? 2 : 1);
  const int field = exponent + format.bias();
  if (field > top) return std::nullopt;
  const int ignored = format.ignored_bits();
  if (field >= 1) {
    const auto bits = (static_cast<std::uint32_t>(field) << format.fraction_bits) + fraction;
    return bits << ignored;
  }
  const int place = exponent - format.smallest_exponent() + format.fraction_bits;
  if (place < 0 || fraction != 0) return std::nullopt;
  return (1u << place) << ignored;
}

inline std::uint32_t sign_of(const Operand& format) { return 1u << (format.storage_bits - 1); }

/// All-ones exponent field: infinity, or for e4m3 the top binade.
inline std::uint32_t top_field(const Operand& format) {
  return ((1u << format.exponent_bits) - 1) << (format.fraction_bits + format.ignored_bits());
}

inline std::uint32_t nan_of(const Operand& format) { return sign_of(format) - 1; }

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
/// binades; special: one infinity or NaN among finite terms; chain: two instructions, near; low: a
/// few terms around the smallest result and far below it.
inline constexpr std::array<std::string_view, 7> random_classes{
    "near", "wide", "cancel", "tiny", "special", "chain", "low"};

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

/// Signed powers of two from four times the smallest result to 2^-26 of it, as products of operands
/// of whatever exponents, beside a c of a few smallest results. Where the format of operands has
/// no such products, they are zero.
inline void fill_low(Vector& vector, const Instruction& instruction, Random& random) {
  const Operand& accumulator = instruction.accumulator;
  const int least = accumulator.smallest_exponent() - accumulator.fraction_bits;
  const auto smallest = [](const Operand& of) { return of.smallest_exponent() - of.fraction_bits; };
  const auto sign = [&](const Operand& of) { return random.below(2) == 0 ? 0u : sign_of(of); };
  vector.a.assign(vector.a.size(), 0);
  vector.b.assign(vector.b.size(), 0);
  vector.c = static_cast<std::uint32_t>(random.below(4)) | sign(accumulator);
  for (int term = 0; term < 5; ++term) {
    const int exponent = least + 2 - random.below(29);
    const int a = smallest(instruction.a) + random.below(40);
    const auto place = static_cast<std::size_t>(random.below(instruction.k));
    const auto of_a = encode(instruction.a, a);
    const auto of_b = encode(instruction.b, exponent - a);
    if (!of_a || !of_b) continue;
    vector.a[place] = *of_a | sign(instruction.a);
    vector.b[place] = *of_b;
  }
}

inline Vector random_vector(const Instruction& instruction, std::string_view kind, Random& random) {
  const Operand& of_a = instruction.a;
  const Operand& of_b = instruction.b;
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
    vector.a[i] = draw(of_a);
    vector.b[i] = draw(of_b);
  }
  if (kind == "low") fill_low(vector, instruction, random);
  if (kind == "cancel") {
    for (std::size_t i = 0; 2 * i + 1 < length; ++i) {
      vector.a[2 * i + 1] = vector.a[2 * i] ^ sign_of(of_a);
      const std::uint32_t last_place = random.below(3) == 0 ? 1u << of_b.ignored_bits() : 0u;
      vector.b[2 * i + 1] = vector.b[2 * i] ^ last_place;
    }
    // c small, so that the rest of the products decides; sometimes gone.
    vector.c = random.below(3) == 0 ? 0u : bits_near(accumulator, 14, random);
  }
  if (kind == "special") {
    const std::size_t at = static_cast<std::size_t>(random.below(instruction.k));
    const std::uint32_t sign = random.bits() % 2 == 0 ? 0u : sign_of(of_a);
    if (random.below(3) == 0)
      vector.c = top_field(accumulator) | (random.bits() % 4 == 0 ? random.bits() & 0xffu : 0u) |
                 (random.bits() % 2 == 0 ? 0u : sign_of(accumulator));
    if (random.below(3) != 0)
      vector.a[at] = (of_a.infinities ? top_field(of_a) : nan_of(of_a)) | sign;
    if (random.below(6) == 0) vector.b[at] = nan_of(of_b) | (sign != 0 ? sign_of(of_b) : 0u);
    if (random.below(6) == 0) vector.b[at] = sign != 0 ? sign_of(of_b) : 0u;
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

}  // namespace fftprec::hopper
