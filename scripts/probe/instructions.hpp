/// The tensor-core instructions that the probe runs, as data: operand format, shape, accumulator.
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

enum class Path { mma_sync, wgmma };

struct Instruction {
  std::string_view name;
  Path path;
  Operand a;  ///< of as many bits as b
  Operand b;
  int k;  ///< products of one instruction
  Operand accumulator;
  int capability;  ///< 10 * major + minor of the first GPUs that have it; wgmma is theirs alone

  constexpr int rows() const { return path == Path::wgmma ? 64 : 16; }
  /// 32-bit words of a row of A, or of a column of B.
  constexpr int words() const { return k * a.storage_bits / 32; }
};

/// Columns of an instruction's tile of B, C and D.
inline constexpr int tile_columns = 8;

inline constexpr std::array instructions{
    Instruction{"mma_m16n8k16_bf16", Path::mma_sync, bf16, bf16, 16, fp32, 80},
    Instruction{"mma_m16n8k8_bf16", Path::mma_sync, bf16, bf16, 8, fp32, 80},
    Instruction{"mma_m16n8k16_fp16", Path::mma_sync, fp16, fp16, 16, fp32, 80},
    Instruction{"mma_m16n8k8_fp16", Path::mma_sync, fp16, fp16, 8, fp32, 75},
    Instruction{"mma_m16n8k16_fp16_into_fp16", Path::mma_sync, fp16, fp16, 16, fp16, 80},
    Instruction{"mma_m16n8k8_tf32", Path::mma_sync, tf32, tf32, 8, fp32, 80},
    Instruction{"mma_m16n8k32_e4m3", Path::mma_sync, e4m3, e4m3, 32, fp32, 89},
    Instruction{"mma_m16n8k32_e4m3_e5m2", Path::mma_sync, e4m3, e5m2, 32, fp32, 89},
    Instruction{"mma_m16n8k32_e5m2_e4m3", Path::mma_sync, e5m2, e4m3, 32, fp32, 89},
    Instruction{"mma_m16n8k32_e5m2", Path::mma_sync, e5m2, e5m2, 32, fp32, 89},
    Instruction{"mma_m16n8k32_e4m3_into_fp16", Path::mma_sync, e4m3, e4m3, 32, fp16, 89},
    Instruction{"mma_m16n8k32_e5m2_into_fp16", Path::mma_sync, e5m2, e5m2, 32, fp16, 89},
    Instruction{"wgmma_m64n8k16_bf16", Path::wgmma, bf16, bf16, 16, fp32, 90},
    Instruction{"wgmma_m64n8k16_fp16", Path::wgmma, fp16, fp16, 16, fp32, 90},
    Instruction{"wgmma_m64n8k16_fp16_into_fp16", Path::wgmma, fp16, fp16, 16, fp16, 90},
    Instruction{"wgmma_m64n8k8_tf32", Path::wgmma, tf32, tf32, 8, fp32, 90},
    Instruction{"wgmma_m64n8k32_e4m3", Path::wgmma, e4m3, e4m3, 32, fp32, 90},
    Instruction{"wgmma_m64n8k32_e4m3_e5m2", Path::wgmma, e4m3, e5m2, 32, fp32, 90},
    Instruction{"wgmma_m64n8k32_e5m2_e4m3", Path::wgmma, e5m2, e4m3, 32, fp32, 90},
    Instruction{"wgmma_m64n8k32_e5m2", Path::wgmma, e5m2, e5m2, 32, fp32, 90},
    Instruction{"wgmma_m64n8k32_e4m3_into_fp16", Path::wgmma, e4m3, e4m3, 32, fp16, 90},
    Instruction{"wgmma_m64n8k32_e5m2_into_fp16", Path::wgmma, e5m2, e5m2, 32, fp16, 90},
};

/// The instruction of that name, or nullptr.
constexpr const Instruction* find_instruction(std::string_view name) {
  for (const Instruction& instruction : instructions)
    if (instruction.name == name) return &instruction;
  return nullptr;
}

}  // namespace fftprec::probe
