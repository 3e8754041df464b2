/// The inner loop of a PSUM tile, for one accumulator model.
#pragma once

#include "arith/accumulators/accumulator.hpp"
#include "arith/accumulators/across_tiles.hpp"
#include "arith/kernels/loops.hpp"

namespace fftprec {

/// psum(i, j) (+)= sum over k of stationary(k, i) * moving(k, j), k ascending for every element.
///
/// The vector direction is j. A row of sums is loaded once for every `steps` values of k, and the
/// panel of `moving` that a block of columns needs (128 x 64 floats) stays in the first-level cache
/// for all rows i.
/// Rounds: each product and each sum as `Model` says; with tile_then_add the tile is summed from
/// zero and added to PSUM by one more rounding.
template <class Tag, Scalar T, class Model, AcrossTiles across>
struct TileLoops {
  using Real = typename Carrier<T>::type;

  static void matmul(const Matmul<Real>& call) {
    for (std::size_t j = 0; j < call.n; j += block_cols) {
      const std::size_t cols = call.n - j < block_cols ? call.n - j : block_cols;
      for (std::size_t i = 0; i < call.m; ++i) block(call, i, j, cols);
    }
  }

 private:
  static constexpr std::size_t block_cols = 256 / sizeof(Real);
  static constexpr std::size_t steps = 8;

  /// The sums of row i, columns [j, j + cols), over all k.
  static void block(const Matmul<Real>& call, std::size_t i, std::size_t j, std::size_t cols) {
    Real* psum = call.psum + i * call.psum_stride + j;
    const Real* moving = call.moving + j;
    Real sum[block_cols];
    const bool chained = call.accumulate && across == AcrossTiles::through;
    for (std::size_t c = 0; c < cols; ++c) sum[c] = chained ? psum[c] : Real(0);
    std::size_t k = 0;
    for (; k + steps <= call.k; k += steps)
      add_products<steps>(sum, moving + k * call.moving_stride, call, i, k, cols);
    for (; k < call.k; ++k) add_products<1>(sum, moving + k * call.moving_stride, call, i, k, cols);
    const bool added = call.accumulate && across == AcrossTiles::tile_then_add;
    for (std::size_t c = 0; c < cols; ++c)
      psum[c] = added ? store(Model::add(load(psum[c]), load(sum[c]))) : sum[c];
  }

  /// sum(j) <- sum(j) + stationary(k + s, i) * moving(k + s, j) for s = 0 .. count-1 in turn.
  template <std::size_t count>
  static void add_products(Real* __restrict sum, const Real* __restrict moving,
                           const Matmul<Real>& call, std::size_t i, std::size_t k,
                           std::size_t cols) {
    T factor[count];
    for (std::size_t s = 0; s < count; ++s) {
      const T element = load(call.stationary[(k + s) * call.stationary_k + i * call.stationary_m]);
      factor[s] = call.negate ? -element : element;
    }
    const std::size_t stride = call.moving_stride;
    for (std::size_t j = 0; j < cols; ++j) {
      T value = load(sum[j]);
      for (std::size_t s = 0; s < count; ++s)
        value = Model::add_product(value, factor[s], load(moving[s * stride + j]));
      sum[j] = store(value);
    }
  }

  [[gnu::always_inline]] static T load(Real x) { return Carrier<T>::load(x); }
  [[gnu::always_inline]] static Real store(T x) { return Carrier<T>::store(x); }
};

}  // namespace fftprec
