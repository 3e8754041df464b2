/// Random operands and PSUM of one matmul, and the unit that makes it.
#pragma once

#include <string>
#include <vector>

#include "arith/accumulators/tensor_unit.hpp"
#include "arith/kernels/dispatch.hpp"
#include "tests/arith/accumulators_samples.hpp"

namespace fftprec::testing {

struct Tile {
  std::size_t m, n, k;
  std::vector<float> stationary, moving, psum;
  bool transposed = false;  ///< stationary is m x k instead of k x m

  Matmul<float> call(bool negate, bool accumulate) {
    Matmul<float> view{};
    view.stationary = stationary.data();
    view.stationary_k = transposed ? 1 : m;
    view.stationary_m = transposed ? k : 1;
    view.moving = moving.data();
    view.moving_stride = n;
    view.psum = psum.data();
    view.psum_stride = n;
    view.m = m;
    view.n = n;
    view.k = k;
    view.negate = negate;
    view.accumulate = accumulate;
    return view;
  }

  /// The operands of element (i, j).
  std::vector<float> row(std::size_t i, bool negate) const {
    std::vector<float> values(k);
    for (std::size_t x = 0; x < k; ++x) {
      values[x] = stationary[transposed ? i * k + x : x * m + i];
      if (negate) values[x] = -values[x];
    }
    return values;
  }
  std::vector<float> column(std::size_t j) const {
    std::vector<float> values(k);
    for (std::size_t x = 0; x < k; ++x) values[x] = moving[x * n + j];
    return values;
  }
};

inline Tile random_tile(const AccumulatorModel& model, Sample sample, std::size_t m, std::size_t n,
                        std::size_t k, Sampler& sampler) {
  Tile tile{
      m, n, k, std::vector<float>(m * k), std::vector<float>(k * n), std::vector<float>(m * n)};
  std::vector<float> a(k), b(k);
  for (std::size_t j = 0; j < std::max(m, n); ++j) {
    sampler.column(model, sample, a, b);
    for (std::size_t x = 0; x < k; ++x) {
      if (j < m) tile.stationary[x * m + j] = a[x];
      if (j < n) tile.moving[x * n + j] = b[x];
    }
  }
  for (float& c : tile.psum) c = sampler.accumulator(model, sample);
  return tile;
}

/// One chain from PSUM through the whole column, the model and nothing else, or tile_then_add.
inline TensorUnit unit_of(const AccumulatorModel& model, Isa isa,
                          AcrossTiles across = AcrossTiles::through) {
  return {.model = model, .across_tiles = across, .loops = tensor_loops(isa)};
}

}  // namespace fftprec::testing
