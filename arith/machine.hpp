/// The hardware model: how a tensor engine multiplies, accumulates and delivers, as plain data.
///
/// Every field is a run-time value that is looked at once per matrix product and never inside an
/// inner loop. Confidence of a preset's values: D documented by the vendor, M measured by others,
/// I inferred, U unknown and therefore a parameter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "arith/format.hpp"

namespace fftprec {

/// What becomes of the product of two operands before it is added.
enum class ProductRounding {
  none,      ///< exact where the operands' precisions sum to at most 24 bits (bf16, fp16, tf32)
  fp32_rne,  ///< one rounding to fp32: the same as `none` for such operands, a rounding for fp32
  bf16_rne,  ///< rounded to bf16, nearest even
  bf16_rz,   ///< rounded to bf16, toward zero
};

/// How each addition into the fp32 accumulator rounds.
enum class AccumulatorRounding { rne, rz };

/// Where the old PSUM value enters when a matmul accumulates.
enum class AcrossTiles {
  tile_then_add,  ///< psum := fl(psum + tile), the tile summed from zero by itself
  through,        ///< the sum starts from psum: one chain over all tiles
};

/// How the tensor engine multiplies fp32 operands, which are wider than its multipliers.
enum class Fp32Matmul {
  native,       ///< one pass; each product rounded to fp32
  split_12_12,  ///< four passes hi*hi, hi*lo, lo*hi, lo*lo of 12-bit slices, all products exact
};

struct Machine {
  std::string_view name;
  std::string_view summary;  ///< one sentence; names the source and the confidence of the values
  ProductRounding product = ProductRounding::none;
  AccumulatorRounding accumulator = AccumulatorRounding::rne;
  AcrossTiles across_tiles = AcrossTiles::tile_then_add;
  Fp32Matmul fp32_matmul = Fp32Matmul::split_12_12;
  std::size_t k_tile = 128;  ///< contraction length of one matmul: partitions of the array
  std::size_t m_tile = 128;  ///< stationary free dimension: rows of a PSUM tile
  std::size_t n_tile = 512;  ///< moving free dimension: columns of a PSUM tile (one bank)
  Format eviction = fp32;    ///< PSUM leaves rounded (rne) to this format
};

/// Passes of one fp32 matmul: 1 or 4.
std::size_t fp32_passes(const Machine& machine);

/// Unit roundoff of one accumulation: 2^-24, doubled for a truncating accumulator.
double accumulator_roundoff(const Machine& machine);

/// All presets, the default `trn` first.
const std::vector<Machine>& machines();

/// The preset of that name. Throws InputError, listing the known ones.
const Machine& machine_named(std::string_view name);

}  // namespace fftprec
