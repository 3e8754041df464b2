/// A tensor engine's matmul into PSUM: an accumulator model and the way across tiles, with the loop
/// chosen once.
#pragma once

#include <cstdint>

#include "arith/kernels/views.hpp"
#include "arith/machines/machine.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// How a finished tile joins PSUM: one fp32 addition by the rounding, the overflow and the flush
/// rules of the model that summed the tile.
[[gnu::always_inline]] inline constexpr AccumulatorModel psum_adder(const AccumulatorModel& model) {
  return {.name = "psum-adder",
          .summary = "",
          .operands = fp32,
          .rounding = model.rounding,
          .overflow_to_infinity = model.overflow_to_infinity,
          .flush_inputs = model.flush_inputs,
          .flush_outputs = model.flush_outputs};
}

/// psum(i, j) (+)= sum_k stationary(k, i) moving(k, j), bit for bit as `model` and the machine do
/// it. A value: cheap to copy, safe to share.
struct TensorUnit {
  AccumulatorModel model{};
  AcrossTiles across_tiles = AcrossTiles::tile_then_add;
  Format psum = fp32;                      ///< of PSUM between matmuls
  Rounding psum_rounding = Rounding::rne;  ///< rne or sr
  int stochastic_bits = 32;
  std::uint64_t stochastic_seed = 0;
  void (*loops)(const TensorUnit& unit, const Matmul<float>& call) = nullptr;

  /// Rounds: as the model says, from c = psum (accumulate and through) or 0; with tile_then_add and
  /// `accumulate` once more by psum_adder; a PSUM narrower than fp32 once more on write,
  /// stochastically with the counter (stochastic_seed; call.step; call.element + i * psum_stride +
  /// j), so in whatever order elements are written, the bits are the same.
  /// Requires: operands on the grid of model.operands, PSUM on that of `psum` and, with through, of
  /// model.format.
  void matmul(const Matmul<float>& call) const { loops(*this, call); }

  /// The same, one element after the other by the definitions of the model and of each rounding.
  void matmul_by_definition(const Matmul<float>& call) const;
};

/// The unit of `machine` for operands of that format. Throws NotApplicable as accumulator_for does.
TensorUnit tensor_unit(const Machine& machine, const Format& operands, Isa isa);

/// The machine's unit with a model of its own.
TensorUnit tensor_unit(const Machine& machine, const AccumulatorModel& model, Isa isa);

}  // namespace fftprec
