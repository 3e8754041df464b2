/// A tensor engine's matmul into PSUM: an accumulator model, how tiles are accumulated and the
/// format of PSUM, with the loops chosen once.
#pragma once

#include <cstdint>

#include "arith/accumulators/model.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// Which phases a multiplier runs that takes fewer bits than operands have. Each phase forms one of
/// the four products of operand parts: high high, low table, low data, both low. The data
/// (Tenstorrent's SrcB) have a high part of the first 7 significant bits and a low part of the next
/// 4, the table (SrcA) of 5 and 5; no phase takes further bits.
enum class Fidelity {
  whole,  ///< no phases: whole operands are multiplied
  lofi,   ///< only the first phase
  hifi2,
  hifi3,
  hifi4,
};

/// Phases of a matmul.
constexpr std::size_t phases(Fidelity fidelity) {
  return fidelity == Fidelity::whole ? 1 : static_cast<std::size_t>(fidelity);
}

/// |sum of the phases - ab| <= fidelity_error |ab| for operands of `precision` bits, and all phases
/// have the sign of ab. Proof: cutting a value to n bits loses less than 2^(1-n) of it, and nothing
/// if it has no more bits. LoFi loses the bits after both high parts; HiFi2 the bits after the
/// data's high part and after both parts of the table; HiFi3 the bits after all parts, and the
/// product of the low parts; HiFi4 the bits after all parts.
double fidelity_error(Fidelity fidelity, int precision);

/// Digits of both operands of `precision` bits together, down to the last digit of phase i; 0 if
/// one operand has no digit in the phase.
int phase_digits(std::size_t i, int precision);

struct TensorUnit;
using TensorLoops = void (*)(const TensorUnit& unit, const Matmul<float>& call);

/// One fp64 matmul.
using HostMatmul = void (*)(const Matmul<double>&);

/// psum(i, j) (+)= sum_k stationary(k, i) moving(k, j), bit for bit by the rules of `model` and of
/// the machine. A value type: cheap to copy, safe to share.
struct TensorUnit {
  AccumulatorModel model{};
  AcrossTiles across_tiles = AcrossTiles::tile_then_add;
  Format psum = fp32;                      ///< of PSUM between matmuls
  Rounding psum_rounding = Rounding::rne;  ///< rne, rna or sr
  Format psum_via = fp32;                  ///< format to which a sum is rounded before `psum`
  int stochastic_bits = 32;
  std::uint64_t stochastic_seed = 0;
  Stochastic stochastic_variant = Stochastic::a;
  Fidelity fidelity = Fidelity::whole;
  TensorLoops loops = nullptr;  ///< of an instruction set: tensor_loops of kernels/dispatch.hpp

  /// Rounds: by the model, from c = psum (accumulate and through) or 0; with tile_then_add and
  /// `accumulate` once more by psum_adder. A PSUM narrower than fp32 rounds once more on write, to
  /// psum_via and then to psum, or stochastically with the counter (stochastic_seed; call.step;
  /// call.element + i * psum_stride + j), so that bits do not depend on the order of writes. Each
  /// phase of a fidelity does all of this in turn. Operands are flushed before they are cut into
  /// parts. With phases, infinities and NaNs become NaN. Requires: data on the grid of
  /// model.operands, the table on the grid of operands_of_b, PSUM on the grid of `psum` and, with
  /// through, of model.format.
  void matmul(const Matmul<float>& call) const {
    if (model.interleave != 0) return interleaved(call);
    return is_direct(call) ? loops(*this, call) : indirectly(call, loops);
  }

  /// As matmul, element by element by the definitions of the model and of each rounding.
  void matmul_by_definition(const Matmul<float>& call) const;

 private:
  /// Whether there are no phases and the stationary operand is a of the model.
  bool is_direct(const Matmul<float>& call) const {
    return fidelity == Fidelity::whole && !(model.operands_of_b && call.data_moves);
  }
  /// Calls `run` with the parts of each phase, or with a and b exchanged.
  void indirectly(const Matmul<float>& call, TensorLoops run) const;
  /// Reorders k as the segments take products, so that loops need no `interleave`.
  void interleaved(const Matmul<float>& call) const;
};

}  // namespace fftprec
