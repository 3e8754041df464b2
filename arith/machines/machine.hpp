/// The hardware model as plain data: how a tensor engine multiplies, accumulates and delivers
/// results, and how a vector engine computes.
///
/// Every field is a run-time value. It is read once per matrix product and never inside an inner
/// loop. Confidence of a preset's values: D documented by the vendor, M measured by others,
/// I inferred, U unknown and therefore a parameter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arith/accumulators/model.hpp"
#include "arith/accumulators/tensor_unit.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/vector_engine.hpp"
#include "arith/splitting/split.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// How the tensor engine multiplies fp32 operands, which are wider than most multipliers. All
/// passes accumulate into the same PSUM.
enum class Fp32Matmul {
  native,        ///< one pass through the unit for fp32 operands
  split_12_12,   ///< four passes hi*hi, hi*lo, lo*hi, lo*lo of 12-bit slices, all products exact
  three_of_12,   ///< three passes: split_12_12 without lo*lo
  split_11_13,   ///< four passes of the first 11 bits and the other 13, exact
  split_11_11,   ///< four passes of tf32 words: 11 bits and the next 11, both cut
  one_bf16,      ///< one pass of operands rounded to bf16: a compiler's automatic cast
  one_tf32,      ///< one pass of operands rounded to tf32
  one_tf32_cut,  ///< one pass of operands cut to tf32
  two_bf16,      ///< two bf16 words each, three passes
  three_bf16,    ///< three bf16 words each, six passes
};

/// How fp64 matrices are multiplied, in one chain of ascending k.
enum class Fp64Matmul {
  host,  ///< a product, then a sum
  fma,   ///< a unit's chain of fused multiply-adds
};

/// How an integer unit handles a result beyond the range of its format.
enum class OverflowMode {
  saturate,  ///< the nearest value
  wrap,      ///< the low bits
  error,     ///< it stops, and the case has no result
};

/// When an integer unit rounds: sums of products, or every product.
enum class RoundedResults { sums, products };

/// Hardware as its arithmetic: tensor engine, vector engine, casts.
struct Machine {
  std::string name;     ///< canonical: see parameters.hpp
  std::string summary;  ///< one sentence; names the source and the confidence of the values
  /// How the tensor engine adds products: one model for each format of operands.
  std::vector<AccumulatorModel> units{};
  AcrossTiles across_tiles = AcrossTiles::tile_then_add;
  Fp32Matmul fp32_matmul = Fp32Matmul::split_12_12;
  Fp64Matmul fp64_matmul = Fp64Matmul::host;
  Fidelity fidelity = Fidelity::whole;
  std::size_t k_tile = 128;  ///< contraction length of one matmul: partitions of the array
  std::size_t m_tile = 128;  ///< stationary free dimension: rows of a PSUM tile
  std::size_t n_tile = 512;  ///< moving free dimension: columns of a PSUM tile (one bank)
  /// Format of PSUM between matmuls. A format narrower than fp32 is widened, added to in fp32 and
  /// rounded on write.
  Format psum = fp32;
  Rounding psum_rounding = Rounding::rne;  ///< rne, rna or sr, of that write
  Format psum_via = fp32;                  ///< format to which a sum is rounded before that write
  Format eviction = fp32;                  ///< PSUM leaves rounded to this format
  Rounding casts = Rounding::rne;          ///< eviction, stores and inputs in narrower formats
  int stochastic_bits = 32;                ///< random bits of sr, 1..53
  std::uint64_t stochastic_seed = 0;
  Stochastic stochastic_variant = Stochastic::a;
  VectorEngine vector{};
  bool flush_inputs = false;   ///< subnormal operands of the tensor engine count as zero
  bool flush_outputs = false;  ///< its subnormal results become zero (not the vector engine's)
  int integer_bits = 0;        ///< of an integer accumulator for 8-bit operands: 0 (none) or 32
  // Of fixed point:
  OverflowMode fixed_overflow = OverflowMode::saturate;
  RoundedResults fixed_rounds = RoundedResults::sums;
  int fixed_accumulator = 0;  ///< bits of sums of products; 0: as many as needed

  friend bool operator==(const Machine&, const Machine&) = default;
};

/// fp32's exponents with 12 significand bits: half of an fp32 operand. With 13 bits, the longer
/// half of an operand that is cut after 11.
inline constexpr Format half_fp32{12, -126, 127};
inline constexpr Format longer_half_fp32{13, -126, 127};
constexpr bool is_half_fp32(const Format& format) {
  return format == half_fp32 || format == longer_half_fp32;
}

/// The format of the unit that multiplies `operands`: halves of fp32 use the unit for fp32.
constexpr Format unit_operands(const Format& operands) {
  return is_half_fp32(operands) ? fp32 : operands;
}

/// How the machine adds products of operands of a format, including flush rules. Halves of fp32 use
/// the unit for fp32. Throws NotApplicable, listing the formats with a unit, if the format has
/// none.
AccumulatorModel accumulator_for(const Machine& machine, const Format& operands);

/// As above, for data and a table in two formats of at most 8 bits whose units differ only in the
/// format. (D: PTX ISA 9.0, mma with .f8type and .f8f6f4type; AMD CDNA3 ISA, V_MFMA_*_BF8_FP8; the
/// Neuron Kernel Interface, nc_matmul.) Wider formats are not mixed here, although Trainium
/// multiplies 8-bit by 16-bit operands.
AccumulatorModel accumulator_for(const Machine& machine, const Format& data, const Format& table);

/// The unit of `machine` for operands of a format. Throws NotApplicable as accumulator_for does.
TensorUnit tensor_unit(const Machine& machine, const Format& operands, Isa isa = best_isa());

/// The unit of `machine` with another model.
TensorUnit tensor_unit(const Machine& machine, const AccumulatorModel& model, Isa isa);

/// The passes of an Fp32Matmul. Both operands are cut into `words` words: the value rounded to
/// `operands`, or to `leading` bits, then the rounded residuals. Each term is one pass; all
/// accumulate into the same PSUM, in order.
struct Fp32Passes {
  Format operands = fp32;
  Rounding rounding = Rounding::rne;  ///< rne, or rz for words that are cut
  std::size_t words = 1;
  std::vector<SplitTerm> terms{{0, 0}};
  int leading = 0;  ///< bits of the first word; 0: as many as in the others
};

Fp32Passes fp32_passes(Fp32Matmul matmul);

/// All presets, the default `trn` first.
const std::vector<Machine>& machines();

/// The machine of that name: a preset, or a preset with parameters, as in
/// "trn{accumulate.rounding=rz,psum=bf16}"; see parameters.hpp. The name of the result is
/// canonical.
/// Throws InputError for unknown names and parameters, listing the known ones, for values that are
/// out of range and for parameters that contradict each other.
Machine machine_named(std::string_view text);

}  // namespace fftprec
