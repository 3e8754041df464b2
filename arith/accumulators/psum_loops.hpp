/// A whole matmul of a tensor engine: an accumulator model's sums and the way into PSUM.
#pragma once

#include "arith/accumulators/tile_loops.hpp"
#include "arith/formats/round_grid.hpp"
#include "arith/formats/stochastic.hpp"
#include "arith/machines/tensor_unit.hpp"

namespace fftprec {

/// TensorUnit::matmul for one instruction set. What does not go straight into PSUM goes through a
/// small tile on the stack, a block of PSUM at a time.
template <class Tag>
struct PsumLoops {
  using Products = typename ModelLoops<Tag>::Products;

  static void matmul(const TensorUnit& unit, const Matmul<float>& call) {
    const bool adds = call.accumulate && unit.across_tiles == AcrossTiles::tile_then_add;
    if (!adds && same_format(unit.psum, fp32)) return ModelLoops<Tag>::matmul(unit.model, call);
    const AccumulatorModel adder = psum_adder(unit.model);
    const PsumLoops loops{unit, adder, FinalRounding::of(adder), adds};
    const Products products = ModelLoops<Tag>::products_of(unit.model, call);
    for (std::size_t j = 0; j < call.n; j += block_cols)
      for (std::size_t i = 0; i < call.m; i += block_rows) loops.block(call, i, j, products);
  }

  const TensorUnit& unit;
  const AccumulatorModel& adder;
  FinalRounding adder_rounding;
  bool adds;

 private:
  static constexpr std::size_t block_rows = 32;
  static constexpr std::size_t block_cols = 256;

  void block(const Matmul<float>& call, std::size_t i, std::size_t j,
             const Products& products) const {
    alignas(64) float tile[block_rows * block_cols];
    Matmul<float> inner = call;
    inner.stationary += i * call.stationary_m;
    inner.moving += j;
    inner.psum = tile;
    inner.psum_stride = block_cols;
    inner.m = call.m - i < block_rows ? call.m - i : block_rows;
    inner.n = call.n - j < block_cols ? call.n - j : block_cols;
    inner.accumulate = call.accumulate && !adds;
    float* psum = call.psum + i * call.psum_stride + j;
    if (inner.accumulate)
      for (std::size_t r = 0; r < inner.m; ++r)
        for (std::size_t x = 0; x < inner.n; ++x)
          tile[r * block_cols + x] = psum[r * call.psum_stride + x];
    ModelLoops<Tag>::matmul(unit.model, inner, products);
    for (std::size_t r = 0; r < inner.m; ++r) {
      float* sums = tile + r * block_cols;
      float* to = psum + r * call.psum_stride;
      if (adds) add(sums, to, inner.n);
      if (!same_format(unit.psum, fp32))
        narrow(sums, inner.n, call.step, call.element + (i + r) * call.psum_stride + j);
      for (std::size_t x = 0; x < inner.n; ++x) to[x] = sums[x];
    }
  }

  /// sums(x) <- psum(x) + sums(x), as psum_adder says.
  void add(float* __restrict sums, const float* __restrict psum, std::size_t cols) const {
    const bool plain = !adder.flush_outputs && !adder.flush_inputs;
    if (plain && adder.rounding == Rounding::rne)
      for (std::size_t x = 0; x < cols; ++x) sums[x] = psum[x] + sums[x];
    else if (plain && adder.rounding == Rounding::rz && !adder.overflow_to_infinity)
      for (std::size_t x = 0; x < cols; ++x) sums[x] = add_toward_zero(psum[x], sums[x]);
    else if (adder.rounding == Rounding::rne)
      add_wide<Rounding::rne>(sums, psum, cols);
    else if (adder.rounding == Rounding::rz)
      add_wide<Rounding::rz>(sums, psum, cols);
    else
      add_wide<Rounding::odd>(sums, psum, cols);
  }

  template <Rounding R>
  void add_wide(float* __restrict sums, const float* __restrict psum, std::size_t cols) const {
    const WideUnit<R, WideExactProduct> wide{
        {}, adder.flush_inputs ? 0x1p-126f : 0.0f, __builtin_inf(), adder_rounding};
    for (std::size_t x = 0; x < cols; ++x)
      sums[x] = wide.add(wide.operand(psum[x]), wide.operand(sums[x]));
  }

  /// x rounded to PSUM's format, stochastically with the counters from `first` on.
  void narrow(float* x, std::size_t cols, std::uint64_t step, std::uint64_t first) const {
    if (unit.psum_rounding == Rounding::sr) {
      const RoundingGrid<double> grid = rounding_grid<double>(unit.psum);
      const StochasticRounding random{unit.stochastic_bits, unit.stochastic_seed, step};
      for (std::size_t c = 0; c < cols; ++c)
        x[c] = static_cast<float>(
            round_with_bits(static_cast<double>(x[c]), grid, random_bits(random, first + c)));
    } else {
      const RoundingGrid<float> grid = rounding_grid<float>(unit.psum);
      for (std::size_t c = 0; c < cols; ++c) x[c] = round_to_grid<Rounding::rne, false>(x[c], grid);
    }
  }
};

}  // namespace fftprec
