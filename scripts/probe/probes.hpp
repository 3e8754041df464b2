/// The probe vectors: each family decides one question about the accumulation.
///
/// A name is the family and its parameters; README.md says how to read the answers.
#pragma once

#include <string>
#include <vector>

#include "scripts/probe/vector.hpp"

namespace fftprec::probe {

/// An exponent for the large terms of a probe, so that products far below it still exist.
inline int base_exponent(const Instruction& instruction) {
  if (instruction.accumulator.name == "fp16") return 0;
  return instruction.operand.name == "e4m3" ? 12 : 0;
}

/// (1 + 2^-m)^2: exact products keep the last bit, 2^-2m, that a rounding to m bits loses.
inline void probe_products(const Instruction& instruction, std::vector<Vector>& vectors) {
  const auto one_more = encode(instruction.operand, 0, 1);
  const auto nearly_two =
      encode(instruction.operand, 0, (1u << instruction.operand.fraction_bits) - 1);
  for (const int index : {0, instruction.k - 1}) {
    const std::string at = "_at" + std::to_string(index);
    Builder(instruction, "product_one_ulp" + at)
        .operands(index, *one_more, *one_more)
        .add_to(vectors);
    Builder(instruction, "product_top_ulp" + at)
        .operands(index, *nearly_two, *nearly_two)
        .add_to(vectors);
  }
}

/// 2^s (1 + f 2^-q) plus a half, then three quarters of a unit 2^(s-q), both signs: tells nearest
/// even, toward zero, up and down apart for an output of q fraction bits (10, 13 or 23).
inline void probe_output_rounding(const Instruction& instruction, std::vector<Vector>& vectors) {
  const int base = base_exponent(instruction);
  const int fraction_bits = instruction.accumulator.fraction_bits;
  for (const int q : {10, 13, 23}) {
    if (q > fraction_bits) continue;
    for (const std::uint32_t odd : {0u, 1u})
      for (const bool negative : {false, true})
        for (const bool below : {false, true})
          for (const bool more : {false, true}) {
            Builder builder(instruction, "round_q" + std::to_string(q) + (odd ? "_odd" : "_even") +
                                             (negative ? "_neg" : "_pos") +
                                             (below ? "_inward" : "_outward") +
                                             (more ? "_3quarters" : "_half"));
            builder.c_power(base, negative, odd << (fraction_bits - q));
            builder.product(0, base - q - 1, negative != below);
            if (more) builder.product(1, base - q - 2, negative != below);
            builder.add_to(vectors);
          }
  }
}

/// 2^s from c, -2^s from one product and +-2^(s-j) from another: what is left is the small term if
/// the alignment keeps j bits. F is the last j kept; the negative answer tells truncation (0) from
/// floor (-2^(s-F)).
inline void probe_alignment(const Instruction& instruction, std::vector<Vector>& vectors) {
  const int base = base_exponent(instruction);
  for (int bits = 8; bits <= 32; ++bits)
    for (const bool negative : {false, true})
      for (const int index : {1, instruction.k - 1}) {
        const std::string tail = "_j" + std::to_string(bits) + (negative ? "_neg" : "_pos") +
                                 "_at" + std::to_string(index);
        Builder(instruction, "align_c" + tail)
            .c_power(base)
            .product(0, base, true)
            .product(index, base - bits, negative)
            .add_to(vectors);
        // The same with the large pair among the products: c is the small term.
        Builder(instruction, "align_p" + tail)
            .c_power(base - bits, negative)
            .product(0, base)
            .product(index, base, true)
            .add_to(vectors);
      }
  for (int bits = 20; bits <= 30; ++bits) {
    Builder many(instruction, "many_tiny_j" + std::to_string(bits));
    many.c_power(base);
    for (int i = 0; i < instruction.k; ++i) many.product(i, base - bits);
    many.add_to(vectors);
  }
}

/// A product pair in [2,4) aligns by its exponent sum, not by its value: products 1.5 * 1.5 and
/// 2.25 would otherwise keep one bit less.
inline void probe_normalisation(const Instruction& instruction, std::vector<Vector>& vectors) {
  const auto half_more =
      encode(instruction.operand, 0, 1u << (instruction.operand.fraction_bits - 1));
  const std::uint32_t sign = sign_of(instruction.operand);
  for (int bits = 8; bits <= 30; ++bits) {
    Builder(instruction, "unnormalised_j" + std::to_string(bits))
        .operands(0, *half_more, *half_more)
        .operands(1, *half_more | sign, *half_more)
        .product(instruction.k - 1, -bits)
        .add_to(vectors);
  }
}

/// Large terms of both signs at i and j, one everywhere else: the answer counts the ones that do
/// not share an alignment with the large pair, so the pairs show the blocks and their order.
inline void probe_blocks(const Instruction& instruction, std::vector<Vector>& vectors) {
  const int k = instruction.k;
  const bool narrow = instruction.operand.name == "e4m3";
  const bool into_fp16 = instruction.accumulator.name == "fp16";
  const int top = narrow ? 14 : into_fp16 ? 15 : 28;
  const int low = narrow ? -16 : into_fp16 ? -12 : -4;
  const auto add = [&](int i, int j) {
    Builder builder(instruction, "blocks_" + std::to_string(i) + "_" + std::to_string(j));
    for (int m = 0; m < k; ++m) {
      if (m == i || m == j)
        builder.product(m, top, m == j);
      else
        builder.product(m, low);
    }
    builder.add_to(vectors);
  };
  for (int j = 1; j < k; ++j) add(0, j);
  for (int i = 1; i < k - 1; ++i) add(i, k - 1);
  for (int i = 1; i < k - 2; ++i) add(i, i + 1);
  // The same with c as one of the large terms: whether c is in the first block, the last or none.
  for (int j = 0; j < k; ++j) {
    Builder builder(instruction, "blocks_c_" + std::to_string(j));
    builder.c_power(top);
    for (int m = 0; m < k; ++m) builder.product(m, m == j ? top : low, m == j);
    builder.add_to(vectors);
  }
}

/// The same products, each time one place further along k: one answer for all if a block covers k
/// and its sum has no order.
inline void probe_order(const Instruction& instruction, std::vector<Vector>& vectors) {
  const Operand& operand = instruction.operand;
  const std::uint32_t mask = (1u << operand.fraction_bits) - 1;
  for (int shift = 0; shift < instruction.k; ++shift) {
    Builder builder(instruction, "rotated_by_" + std::to_string(shift));
    builder.c_power(-3, false, 1);
    for (int i = 0; i < instruction.k; ++i) {
      const auto number = static_cast<std::uint32_t>(i);
      const std::uint32_t a = *encode(operand, -(i % 7), (5 * number + 1) & mask);
      const std::uint32_t b = *encode(operand, -(i % 5), (3 * number + 2) & mask);
      const std::uint32_t sign = i % 3 == 0 ? sign_of(operand) : 0u;
      builder.operands((i + shift) % instruction.k, a | sign, b);
    }
    builder.add_to(vectors);
  }
}

/// Every term at its largest, of one sign: whether the sum has enough carry bits.
inline void probe_carries(const Instruction& instruction, std::vector<Vector>& vectors) {
  const Operand& operand = instruction.operand;
  const std::uint32_t fraction = (1u << operand.fraction_bits) - 1;
  const std::uint32_t c_fraction = (1u << instruction.accumulator.fraction_bits) - 1;
  for (const bool negative : {false, true}) {
    const std::string tail = negative ? "_neg" : "_pos";
    const std::uint32_t sign = negative ? sign_of(operand) : 0u;
    const std::uint32_t c_sign = negative ? sign_of(instruction.accumulator) : 0u;
    Builder moderate(instruction, "carry_moderate" + tail);
    Builder huge(instruction, "carry_largest" + tail);
    Builder huge_c(instruction, "carry_largest_with_c" + tail);
    moderate.c_power(1, negative, c_fraction);
    huge_c.c_bits(largest(instruction.accumulator) | c_sign);
    for (int i = 0; i < instruction.k; ++i) {
      moderate.operands(i, *encode(operand, 0, fraction) | sign, *encode(operand, 0, fraction));
      huge.operands(i, largest(operand) | sign, largest(operand));
      huge_c.operands(i, largest(operand) | sign, largest(operand));
    }
    moderate.add_to(vectors);
    huge.add_to(vectors);
    huge_c.add_to(vectors);
  }
}

}  // namespace fftprec::probe
