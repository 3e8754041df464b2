/// One test of an instruction, and the encoding of powers of two that the probes are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scripts/probe/instructions.hpp"

namespace fftprec::probe {

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

inline std::uint32_t largest(const Operand& format) {
  const std::uint32_t step = 1u << format.ignored_bits();
  return format.infinities ? top_field(format) - step : sign_of(format) - 2 * step;
}

inline std::uint32_t nan_of(const Operand& format) { return sign_of(format) - 1; }

/// 2^exponent as a product of two operands, both normal where that is possible.
inline std::optional<std::pair<std::uint32_t, std::uint32_t>> encode_product(const Operand& format,
                                                                             int exponent) {
  const int first = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
  const auto a = encode(format, first);
  const auto b = encode(format, exponent - first);
  if (!a || !b) return std::nullopt;
  return std::pair{*a, *b};
}

/// Builds one vector term by term; `complete` turns false where a number does not exist.
class Builder {
 public:
  Builder(const Instruction& instruction, std::string name, int steps = 1)
      : instruction_(&instruction), vector_{std::move(name), 0, {}, {}} {
    const auto length = static_cast<std::size_t>(instruction.k * steps);
    vector_.a.assign(length, 0);
    vector_.b.assign(length, 0);
  }

  Builder& product(int index, int exponent, bool negative = false) {
    const auto pair = encode_product(instruction_->operand, exponent);
    if (!pair) return fail();
    return operands(index, pair->first | (negative ? sign_of(instruction_->operand) : 0u),
                    pair->second);
  }
  Builder& operands(int index, std::uint32_t a, std::uint32_t b) {
    vector_.a[static_cast<std::size_t>(index)] = a;
    vector_.b[static_cast<std::size_t>(index)] = b;
    return *this;
  }
  Builder& c_power(int exponent, bool negative = false, std::uint32_t fraction = 0) {
    const auto bits = encode(instruction_->accumulator, exponent, fraction);
    if (!bits) return fail();
    return c_bits(*bits | (negative ? sign_of(instruction_->accumulator) : 0u));
  }
  Builder& c_bits(std::uint32_t bits) {
    vector_.c = bits;
    return *this;
  }
  bool complete() const { return complete_; }
  void add_to(std::vector<Vector>& vectors) const {
    if (complete_) vectors.push_back(vector_);
  }

 private:
  Builder& fail() {
    complete_ = false;
    return *this;
  }

  const Instruction* instruction_;
  Vector vector_;
  bool complete_ = true;
};

}  // namespace fftprec::probe
