/// The tensor-core instructions that the probe runs, as data: operand format, shape, accumulation.
///
/// Plain C++ that nvcc and the host compilers both take; nothing here needs CUDA.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fftprec::probe {

/// How an operand is stored. Values are (-1)^s * m * 2^(e - fraction_bits).
struct Operand {
  std::string_view name;
  int exponent_bits;
  int fraction_bits;
  int storage_bits;  ///< tf32 comes in a 32-bit word whose low 13 bits are no part of the value
  bool infinities;   ///< false: e4m3, whose only special code is the all-ones NaN

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int smallest_exponent() const { return 1 - bias(); }
  constexpr int ignored_bits() const { return storage_bits - 1 - exponent_bits - fraction_bits; }
};

inline constexpr Operand bf16{"bf16", 8, 7, 16, true};
inline constexpr Operand fp16{"fp16", 5, 10, 16, true};
inline constexpr Operand tf32{"tf32", 8, 10, 32, true};
inline constexpr Operand e4m3{"e4m3", 4, 3, 8, false};
inline constexpr Operand e5m2{"e5m2", 5, 2, 8, true};
inline constexpr Operand fp32{"fp32", 8, 23, 32, true};

/// One fused block: c + sum of `products` products, aligned, truncated and converted once.
/// A zero term has the exponent `lowest_exponent`, so no block aligns below it.
struct Block {
  int products;              ///< L: products that share one alignment with c
  int fraction_bits;         ///< F: bits kept below the largest exponent, the rest truncated
  int lowest_exponent;       ///< no alignment below this exponent
  int output_fraction_bits;  ///< 23 and 13: toward zero into fp32; 10: nearest even into fp16
};

enum class Path { mma_sync, wgmma };

/// What the machine code of the instruction is.
enum class Lowering {
  native,
  /// fp8 mma.sync has no unit of its own on sm_90: ptxas widens the operands to fp16, chains two
  /// fp16 instructions from zero (first k mod 4 < 2, then the others) and adds c by an fp32 FADD.
  fp16_halves_then_add,
};

struct Instruction {
  std::string_view name;
  Path path;
  Operand operand;
  int k;  ///< products of one instruction
  Operand accumulator;
  Block block;
  Lowering lowering = Lowering::native;
};

/// Hopper's instructions with the parameters of published models, which the probe puts to the test.
/// Source: Xie et al., arXiv:2511.10909 (2025), Table 4; Khattak and Mikaitis, arXiv:2512.07004
/// (2025); the lowering of the fp8 mma.sync read from the sm_90a code of ptxas 13.0.
inline constexpr std::array hopper_instructions{
    Instruction{"mma_m16n8k16_bf16", Path::mma_sync, bf16, 16, fp32, {16, 25, -133, 23}},
    Instruction{"mma_m16n8k8_bf16", Path::mma_sync, bf16, 8, fp32, {16, 25, -133, 23}},
    Instruction{"mma_m16n8k16_fp16", Path::mma_sync, fp16, 16, fp32, {16, 25, -133, 23}},
    Instruction{"mma_m16n8k8_fp16", Path::mma_sync, fp16, 8, fp32, {16, 25, -133, 23}},
    Instruction{"mma_m16n8k16_fp16_into_fp16", Path::mma_sync, fp16, 16, fp16, {16, 25, -22, 10}},
    Instruction{"mma_m16n8k8_tf32", Path::mma_sync, tf32, 8, fp32, {8, 25, -133, 23}},
    Instruction{"mma_m16n8k32_e4m3",
                Path::mma_sync,
                e4m3,
                32,
                fp32,
                {16, 25, -133, 23},
                Lowering::fp16_halves_then_add},
    Instruction{"mma_m16n8k32_e5m2",
                Path::mma_sync,
                e5m2,
                32,
                fp32,
                {16, 25, -133, 23},
                Lowering::fp16_halves_then_add},
    Instruction{"wgmma_m64n8k16_bf16", Path::wgmma, bf16, 16, fp32, {16, 25, -133, 23}},
    Instruction{"wgmma_m64n8k16_fp16", Path::wgmma, fp16, 16, fp32, {16, 25, -133, 23}},
    Instruction{"wgmma_m64n8k16_fp16_into_fp16", Path::wgmma, fp16, 16, fp16, {16, 25, -133, 10}},
    Instruction{"wgmma_m64n8k8_tf32", Path::wgmma, tf32, 8, fp32, {8, 25, -133, 23}},
    Instruction{"wgmma_m64n8k32_e4m3", Path::wgmma, e4m3, 32, fp32, {32, 13, -133, 13}},
    Instruction{"wgmma_m64n8k32_e5m2", Path::wgmma, e5m2, 32, fp32, {32, 13, -133, 13}},
};

/// The instruction of that name, or nullptr.
constexpr const Instruction* find_instruction(std::string_view name) {
  for (const Instruction& instruction : hopper_instructions)
    if (instruction.name == name) return &instruction;
  return nullptr;
}

}  // namespace fftprec::probe
