/// A PSUM tile: what one bank of a tensor engine's accumulator holds, and the matmuls into it.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "arith/machines/machine.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// M x N fp32 accumulators. A new tile holds zeros.
class PsumTile {
 public:
  /// Throws InputError if rows or cols exceed the machine's tile (m_tile, n_tile), or are 0.
  PsumTile(Eigen::Index rows, Eigen::Index cols, const Machine& machine, Isa isa = best_isa());

  /// psum (+)= stationary^T * moving, as one matmul instruction does it.
  /// Shapes: stationary K x M, moving K x N, K <= k_tile.
  /// Requires: operands on the grid of `operands`; for a format wider than 12 bits the operands are
  /// cut into the machine's words and its fp32 passes are made, each like a matmul of its own, the
  /// later words of moving first.
  /// Rounds: as TensorUnit::matmul does; the n-th pass into a tile is the step n of stochastic
  /// rounding.
  /// accumulate = false overwrites what the tile held.
  /// Throws InputError if shapes disagree with each other or with the tile, NotApplicable if the
  /// machine does not take the operands.
  void matmul(const Eigen::Ref<const RowMatrix>& stationary,
              const Eigen::Ref<const RowMatrix>& moving, const Format& operands, bool accumulate);

  const RowMatrix& values() const { return values_; }

  /// The values rounded once (rne) to `format`; the machine's own eviction format if none is given.
  RowMatrix evicted(const Format& format) const;
  RowMatrix evicted() const { return evicted(machine_.eviction); }

 private:
  Machine machine_;
  Isa isa_;
  RowMatrix values_;
  std::uint64_t step_ = 0;
};

}  // namespace fftprec
