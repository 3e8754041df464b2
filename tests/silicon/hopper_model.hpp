/// A scalar model of the Hopper tensor core in integers: what its presets are compared with.
///
/// Written for reading, not for speed: one block is one loop over its products. It shares no code
/// with the arithmetic of the library, so that each can be checked against the other.
#pragma once

#include <cstdint>
#include <span>

#include "scripts/probe/instructions.hpp"

namespace fftprec::hopper {

using probe::fp16;
using probe::fp32;
using probe::Operand;

/// One fused block: c + sum of `products` products, aligned, truncated and converted once.
/// A zero term has the exponent `lowest_exponent`, so no block aligns below it.
struct Block {
  int products;              ///< L: products that share one alignment with c
  int fraction_bits;         ///< F: bits kept below the largest exponent, the rest truncated
  int lowest_exponent;       ///< no alignment below this exponent
  int output_fraction_bits;  ///< 23 and 13: toward zero into fp32; 10: nearest even into fp16
};

/// An instruction with the parameters of published models.
/// Source: Xie et al., arXiv:2511.10909 (2025), Table 4; Khattak and Mikaitis, arXiv:2512.07004
/// (2025); the lowering of the fp8 mma.sync read from the sm_90a code of ptxas 13.0.
struct Instruction : probe::Instruction {
  Block block;
  /// fp8 mma.sync has no unit of its own on sm_90: ptxas widens the operands to fp16, chains two
  /// fp16 instructions from zero (first k mod 4 < 2, then the others) and adds c by an addition in
  /// the accumulator's format.
  bool fp16_halves_then_add;

  constexpr explicit Instruction(const probe::Instruction& what) : probe::Instruction(what) {
    const bool wgmma = path == probe::Path::wgmma;
    const bool fp8 = a.storage_bits == 8;
    block = {16, 25, -133, 23};
    if (a.name == "tf32") block.products = 8;
    if (fp8 && wgmma) block = {32, 13, -133, 13};
    if (accumulator.name == "fp16") {
      block.output_fraction_bits = 10;
      if (!fp8) block.lowest_exponent = -21;
    }
    fp16_halves_then_add = fp8 && !wgmma;
  }
};

enum class Kind { zero, finite, infinity, nan };

/// (-1)^negative * significand * 2^unit; `exponent` is the one the alignment sees.
/// A subnormal keeps the smallest exponent: operands are not normalised before the product.
struct Decoded {
  Kind kind = Kind::zero;
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;
  int unit = 0;
};

inline Decoded decode(const Operand& format, std::uint32_t bits) {
  // The ignored bits go first: a tf32 NaN whose payload lies only there is an infinity.
  bits >>= format.ignored_bits();
  const std::uint32_t fraction = bits & ((1u << format.fraction_bits) - 1);
  const std::uint32_t top = (1u << format.exponent_bits) - 1;
  const std::uint32_t field = (bits >> format.fraction_bits) & top;
  const bool negative = (bits >> (format.exponent_bits + format.fraction_bits)) & 1u;
  const bool all_ones = fraction == (1u << format.fraction_bits) - 1;
  if (field == top && format.infinities)
    return {fraction == 0 ? Kind::infinity : Kind::nan, negative};
  if (field == top && all_ones) return {Kind::nan, negative};
  if (field == 0 && fraction == 0) return {Kind::zero, negative};
  const int exponent =
      field == 0 ? format.smallest_exponent() : static_cast<int>(field) - format.bias();
  const std::uint64_t leading = field == 0 ? 0 : std::uint64_t{1} << format.fraction_bits;
  return {Kind::finite, negative, leading + fraction, exponent, exponent - format.fraction_bits};
}

/// The exact product; its significand may reach 4, and it is not normalised.
inline Decoded multiply(const Decoded& a, const Decoded& b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return {Kind::nan};
  if (a.kind == Kind::infinity || b.kind == Kind::infinity)
    return {a.kind == Kind::zero || b.kind == Kind::zero ? Kind::nan : Kind::infinity, negative};
  if (a.kind == Kind::zero || b.kind == Kind::zero) return {Kind::zero, negative};
  return {Kind::finite, negative, a.significand * b.significand, a.exponent + b.exponent,
          a.unit + b.unit};
}

/// magnitude * 2^unit in the accumulator's format, by the block's conversion: bits without sign.
/// Beyond the largest finite value both roundings give infinity, toward zero too.
inline std::uint32_t convert(const Instruction& instruction, std::uint64_t magnitude, int unit) {
  const Operand& format = instruction.accumulator;
  const int kept = instruction.block.output_fraction_bits;
  const std::uint32_t infinity = ((1u << format.exponent_bits) - 1) << format.fraction_bits;
  if (magnitude == 0) return 0;
  int exponent = unit + 63 - __builtin_clzll(magnitude);
  if (exponent < format.smallest_exponent()) exponent = format.smallest_exponent();
  const int grid = exponent - kept;
  const int drop = grid - unit;
  std::uint64_t rounded = 0;
  if (drop <= 0) {
    rounded = magnitude << -drop;
  } else if (drop < 64) {
    rounded = magnitude >> drop;
    const std::uint64_t rest = magnitude - (rounded << drop);
    const std::uint64_t half = std::uint64_t{1} << (drop - 1);
    const bool nearest = kept == fp16.fraction_bits;
    if (nearest && (rest > half || (rest == half && rounded % 2 == 1))) ++rounded;
  }
  // Adding the fraction to the field carries into the exponent where rounding reached a power of 2.
  const int field = exponent - format.smallest_exponent();
  if (field >= (1 << format.exponent_bits) - 2) return infinity;
  const std::uint64_t bits = (static_cast<std::uint64_t>(field) << format.fraction_bits) +
                             (rounded << (format.fraction_bits - kept));
  return bits >= infinity ? infinity : static_cast<std::uint32_t>(bits);
}

/// One block: c + sum a[i] b[i]. Every term is truncated toward zero to `fraction_bits` below the
/// largest exponent, the truncated terms are summed exactly, the sum is converted once.
/// Requires: a.size() = b.size() <= 62 and no more than `block.products`.
inline std::uint32_t fused_block(const Instruction& instruction, const Operand& of_a,
                                 const Operand& of_b, std::span<const std::uint32_t> a,
                                 std::span<const std::uint32_t> b, std::uint32_t c) {
  const Operand& accumulator = instruction.accumulator;
  const std::uint32_t infinity = ((1u << accumulator.exponent_bits) - 1)
                                 << accumulator.fraction_bits;
  const std::uint32_t sign_bit = 1u << (accumulator.storage_bits - 1);
  Decoded terms[64];
  std::size_t count = 0;
  terms[count++] = decode(accumulator, c);
  for (std::size_t i = 0; i < a.size(); ++i)
    terms[count++] = multiply(decode(of_a, a[i]), decode(of_b, b[i]));

  bool nan = false;
  bool infinite[2] = {false, false};
  int largest = instruction.block.lowest_exponent;
  for (std::size_t i = 0; i < count; ++i) {
    if (terms[i].kind == Kind::nan) nan = true;
    if (terms[i].kind == Kind::infinity) infinite[terms[i].negative ? 1 : 0] = true;
    if (terms[i].kind == Kind::finite && terms[i].exponent > largest) largest = terms[i].exponent;
  }
  if (nan || (infinite[0] && infinite[1])) return sign_bit - 1;
  if (infinite[0]) return infinity;
  if (infinite[1]) return infinity | sign_bit;

  const int grid = largest - instruction.block.fraction_bits;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (terms[i].kind != Kind::finite) continue;
    const int shift = terms[i].unit - grid;
    const std::uint64_t magnitude = shift >= 0     ? terms[i].significand << shift
                                    : shift <= -64 ? 0
                                                   : terms[i].significand >> -shift;
    sum += terms[i].negative ? -static_cast<std::int64_t>(magnitude)
                             : static_cast<std::int64_t>(magnitude);
  }
  const std::uint64_t magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const std::uint32_t result = convert(instruction, magnitude, grid);
  return result | (sum < 0 && result != 0 ? sign_bit : 0u);  // what underflows is +0
}

/// An fp8 operand as fp16, exact: what F2FP.UNPACK gives. Subnormals of e4m3 become normal.
inline std::uint32_t widen_to_fp16(const Operand& operand, std::uint32_t bits) {
  const Decoded value = decode(operand, bits);
  const std::uint32_t sign = value.negative ? 0x8000u : 0u;
  if (value.kind == Kind::nan) return 0x7fffu;
  if (value.kind == Kind::infinity) return sign | 0x7c00u;
  if (value.kind == Kind::zero) return sign;
  const int top = 63 - __builtin_clzll(value.significand);
  const int exponent = value.unit + top;
  if (exponent < fp16.smallest_exponent())
    return sign | static_cast<std::uint32_t>(value.significand << (value.unit + 24));
  const std::uint64_t fraction = (value.significand << (fp16.fraction_bits - top)) & 0x3ffu;
  const auto field = static_cast<std::uint32_t>(exponent + fp16.bias());
  return sign | (field << fp16.fraction_bits) | static_cast<std::uint32_t>(fraction);
}

/// a + b as the FADD of the device: fp32, nearest even, subnormals kept, one NaN.
inline std::uint32_t add_fp32(std::uint32_t a, std::uint32_t b) {
  const float sum = __builtin_bit_cast(float, a) + __builtin_bit_cast(float, b);
  return sum != sum ? 0x7fffffffu : __builtin_bit_cast(std::uint32_t, sum);
}

/// a + b as its HADD: fp16 likewise. Both are terms that no alignment cuts: a block of c and one
/// product by 1.
inline std::uint32_t add_fp16(const Instruction& instruction, std::uint32_t a, std::uint32_t b) {
  Instruction adder = instruction;
  adder.block = {1, 40, -133, fp16.fraction_bits};
  const std::uint32_t one = static_cast<std::uint32_t>(fp16.bias()) << fp16.fraction_bits;
  return fused_block(adder, fp16, fp16, {&b, 1}, {&one, 1}, a);
}

/// One instruction on one output element: d = c + sum a[i] b[i], bits in and bits out.
/// Requires: a.size() = b.size() = instruction.k.
inline std::uint32_t run_model(const Instruction& instruction, std::span<const std::uint32_t> a,
                               std::span<const std::uint32_t> b, std::uint32_t c) {
  if (instruction.fp16_halves_then_add) {
    std::uint32_t sum = 0;
    for (std::size_t half = 0; half < 2; ++half) {
      std::uint32_t wide_a[16];
      std::uint32_t wide_b[16];
      std::size_t count = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        if ((i % 4) / 2 != half) continue;
        wide_a[count] = widen_to_fp16(instruction.a, a[i]);
        wide_b[count++] = widen_to_fp16(instruction.b, b[i]);
      }
      sum = fused_block(instruction, fp16, fp16, {wide_a, count}, {wide_b, count}, sum);
    }
    return instruction.accumulator.name == "fp16" ? add_fp16(instruction, c, sum)
                                                  : add_fp32(c, sum);
  }
  const auto length = static_cast<std::size_t>(instruction.block.products);
  for (std::size_t first = 0; first < a.size(); first += length) {
    const std::size_t count = a.size() - first < length ? a.size() - first : length;
    c = fused_block(instruction, instruction.a, instruction.b, a.subspan(first, count),
                    b.subspan(first, count), c);
  }
  return c;
}

/// Several instructions chained through the accumulator: a and b hold `a.size() / k` of them.
inline std::uint32_t run_chain(const Instruction& instruction, std::span<const std::uint32_t> a,
                               std::span<const std::uint32_t> b, std::uint32_t c) {
  const auto k = static_cast<std::size_t>(instruction.k);
  for (std::size_t first = 0; first < a.size(); first += k)
    c = run_model(instruction, a.subspan(first, k), b.subspan(first, k), c);
  return c;
}

}  // namespace fftprec::hopper
