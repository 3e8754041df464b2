/// The probe vectors at the edges: subnormals, the lowest alignment, overflow, NaN, zeros, chains.
#pragma once

#include <string>
#include <vector>

#include "scripts/probe/probes.hpp"

namespace fftprec::probe {

/// Subnormal operands, accumulators and results: kept or flushed, in each place by itself.
inline void probe_subnormals(const Instruction& instruction, std::vector<Vector>& vectors) {
  const Operand& operand = instruction.operand;
  const Operand& accumulator = instruction.accumulator;
  const int smallest = operand.smallest_exponent() - operand.fraction_bits;
  for (const int scale : {0, 1, 4, 8}) {
    const auto b = encode(operand, scale);
    if (!b) continue;
    Builder(instruction, "subnormal_a_times_2^" + std::to_string(scale))
        .operands(0, *encode(operand, smallest), *b)
        .add_to(vectors);
    Builder(instruction, "subnormal_b_times_2^" + std::to_string(scale))
        .operands(0, *b, *encode(operand, smallest) | sign_of(operand))
        .add_to(vectors);
  }
  const int least = accumulator.smallest_exponent() - accumulator.fraction_bits;
  for (const int above : {0, 1, 5, 9, 10}) {
    Builder(instruction, "subnormal_c_" + std::to_string(above))
        .c_power(least + above)
        .add_to(vectors);
    Builder(instruction, "subnormal_c_negative_" + std::to_string(above))
        .c_power(least + above, true)
        .add_to(vectors);
  }
  for (int exponent = least - 4; exponent <= least + 12; ++exponent)
    for (const bool negative : {false, true})
      Builder(instruction,
              "subnormal_d_2^" + std::to_string(exponent) + (negative ? "_neg" : "_pos"))
          .product(0, exponent, negative)
          .add_to(vectors);
}

/// Terms below the smallest result, c zero: 2^e - 2^(e-j) shows whether the smaller term still
/// reaches the sum. It does while it lies above 2^(lowest alignment exponent - F).
inline void probe_lowest_alignment(const Instruction& instruction, std::vector<Vector>& vectors) {
  const Operand& accumulator = instruction.accumulator;
  const int least = accumulator.smallest_exponent() - accumulator.fraction_bits;
  const bool nearest = accumulator.name == "fp16";
  for (int j = 1; j <= 30; ++j) {
    // Toward zero, the least result loses a bit to any negative rest; to nearest even, half of it
    // gains one from any positive rest.
    Builder(instruction, "lowest_j" + std::to_string(j))
        .product(0, nearest ? least - 1 : least)
        .product(1, least - j - (nearest ? 1 : 0), !nearest)
        .add_to(vectors);
  }
}

/// Overflow, infinities and NaN: what comes out, with which payload and sign.
inline void probe_specials(const Instruction& instruction, std::vector<Vector>& vectors) {
  const Operand& operand = instruction.operand;
  const Operand& accumulator = instruction.accumulator;
  const std::uint32_t one = *encode(operand, 0);
  const std::uint32_t minus = sign_of(operand);
  const std::uint32_t c_minus = sign_of(accumulator);
  const std::uint32_t c_infinity = top_field(accumulator);
  const auto add = [&](const char* name, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Builder(instruction, name).operands(1, a, b).c_bits(c).add_to(vectors);
  };
  add("nan_in_a", nan_of(operand), one, 0);
  add("nan_in_a_negative", nan_of(operand) | minus, one, 0);
  add("nan_times_zero", nan_of(operand), 0, 0);
  add("nan_in_c", one, one, nan_of(accumulator));
  add("nan_in_c_payload", one, one, c_infinity | 5u);
  add("nan_in_c_negative", one, one, c_infinity | c_minus | 5u);
  add("c_infinity", one, one, c_infinity);
  add("c_minus_infinity", one, one, c_infinity | c_minus);
  if (operand.infinities) {
    const std::uint32_t infinity = top_field(operand);
    add("infinity_times_one", infinity, one, 0);
    add("infinity_times_minus_one", infinity, one | minus, 0);
    add("infinity_times_zero", infinity, 0, 0);
    add("infinity_minus_c_infinity", infinity, one, c_infinity | c_minus);
    add("infinity_plus_c_infinity", infinity, one, c_infinity);
    // The lowest set bit alone: for tf32 it lies in the ignored part, and a NaN may turn infinite.
    add("nan_lowest_payload", infinity | 1u, one, 0);
    Builder(instruction, "infinity_minus_infinity")
        .operands(0, infinity, one)
        .operands(instruction.k - 1, infinity | minus, one)
        .add_to(vectors);
  }
  const int top = (1 << (accumulator.exponent_bits - 1)) - 1;
  for (const bool negative : {false, true}) {
    const std::string tail = negative ? "_neg" : "_pos";
    for (const int exponent : {top - 12, top - 11, top - 24, top - 23, top - 1, top, top + 1}) {
      Builder(instruction, "overflow_c_plus_2^" + std::to_string(exponent) + tail)
          .c_bits(largest(accumulator) | (negative ? c_minus : 0u))
          .product(0, exponent, negative)
          .add_to(vectors);
      Builder(instruction, "overflow_and_back_2^" + std::to_string(exponent) + tail)
          .c_bits(largest(accumulator) | (negative ? c_minus : 0u))
          .product(0, exponent, negative)
          .product(instruction.k - 1, exponent, !negative)
          .add_to(vectors);
    }
  }
}

/// The sign of zero results: of negative zeros, of a cancellation, of an underflow.
inline void probe_zeros(const Instruction& instruction, std::vector<Vector>& vectors) {
  const std::uint32_t one = *encode(instruction.operand, 0);
  const std::uint32_t minus = sign_of(instruction.operand);
  const std::uint32_t c_minus = sign_of(instruction.accumulator);
  Builder(instruction, "zero_all_positive").add_to(vectors);
  Builder(instruction, "zero_c_negative").c_bits(c_minus).add_to(vectors);
  Builder all(instruction, "zero_all_negative");
  for (int i = 0; i < instruction.k; ++i) all.operands(i, minus, one);
  all.c_bits(c_minus).add_to(vectors);
  Builder(instruction, "zero_by_cancelling")
      .operands(0, one, one)
      .operands(1, one | minus, one)
      .add_to(vectors);
  Builder(instruction, "zero_by_cancelling_c")
      .c_power(0, true)
      .operands(0, one, one)
      .add_to(vectors);
}

/// fp32 words whose low 13 bits are set: cut off, rounded, or a reason for NaN.
inline void probe_ignored_bits(const Instruction& instruction, std::vector<Vector>& vectors) {
  if (instruction.operand.ignored_bits() == 0) return;
  const std::uint32_t one = *encode(instruction.operand, 0);
  for (const std::uint32_t low : {0x1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu, 0x3000u, 0x3fffu})
    for (const std::uint32_t high : {one, one | sign_of(instruction.operand), 0u}) {
      Builder(instruction, "low_bits_" + std::to_string(low) + "_on_" + std::to_string(high))
          .operands(0, high | low, one)
          .add_to(vectors);
      Builder(instruction, "low_bits_b_" + std::to_string(low) + "_on_" + std::to_string(high))
          .operands(0, one, high | low)
          .add_to(vectors);
    }
}

/// Two instructions through one accumulator: whether d is converted in between. 2^s + 2^(s-24) in
/// the first, -2^s in the second: 0 if converted to fp32, 2^(s-24) if the wide sum went on.
inline void probe_chains(const Instruction& instruction, std::vector<Vector>& vectors) {
  const int base = base_exponent(instruction);
  for (const int bits : {11, 12, 13, 14, 15, 23, 24, 25})
    Builder(instruction, "chain_j" + std::to_string(bits), 2)
        .product(0, base)
        .product(1, base - bits)
        .product(instruction.k, base, true)
        .add_to(vectors);
}

/// All probes of an instruction.
inline std::vector<Vector> probe_vectors(const Instruction& instruction) {
  std::vector<Vector> vectors;
  probe_products(instruction, vectors);
  probe_output_rounding(instruction, vectors);
  probe_alignment(instruction, vectors);
  probe_normalisation(instruction, vectors);
  probe_blocks(instruction, vectors);
  probe_order(instruction, vectors);
  probe_carries(instruction, vectors);
  probe_subnormals(instruction, vectors);
  probe_lowest_alignment(instruction, vectors);
  probe_specials(instruction, vectors);
  probe_zeros(instruction, vectors);
  probe_ignored_bits(instruction, vectors);
  probe_chains(instruction, vectors);
  return vectors;
}

}  // namespace fftprec::probe
