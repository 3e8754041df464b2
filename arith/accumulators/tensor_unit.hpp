/// A tensor engine's matmul into PSUM: an accumulator model, the way across tiles and the format of
/// PSUM, with the loops chosen once.
#pragma once

#include <cstdint>

#include "arith/accumulators/model.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// How a finished tile joins PSUM: one fp32 addition by the rounding, the overflow and the flush
/// rules of the model that summed the tile.
[[gnu::always_inline]] inline constexpr AccumulatorModel psum_adder(const AccumulatorModel& model) {
  return {.name = "psum-adder",
          .operands = fp32,
          .rounding = model.rounding,
          .overflow_to_infinity = model.overflow_to_infinity,
          .flush_inputs = model.flush_inputs,
          .flush_outputs = model.flush_outputs};
}

struct TensorUnit;
using TensorLoops = void (*)(const TensorUnit& unit, const Matmul<float>& call);

/// psum(i, j) (+)= sum_k stationary(k, i) moving(k, j), bit for bit as `model` and the machine do
/// it. A value: cheap to copy, safe to share.
struct TensorUnit {
  AccumulatorModel model{};
  AcrossTiles across_tiles = AcrossTiles::tile_then_add;
  Format psum = fp32;                      ///< of PSUM between matmuls
  Rounding psum_rounding = Rounding::rne;  ///< rne or sr
  int stochastic_bits = 32;
  std::uint64_t stochastic_seed = 0;
  TensorLoops loops = nullptr;  ///< of an instruction set: tensor_loops of kernels/dispatch.hpp

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

}  // namespace fftprec
