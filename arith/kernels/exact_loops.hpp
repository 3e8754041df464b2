/// The inner loops of the accumulator models that sum a block exactly and round it once.
///
/// Products of floats are exact in a double, and their sums nearly always are. Every addition is an
/// error-free transform; a column with an inexact addition is computed again by the definition.
#pragma once

#include <cstdint>

#include "arith/accumulators/definition.hpp"
#include "arith/formats/eft.hpp"
#include "arith/formats/views.hpp"
#include "arith/kernels/units.hpp"

namespace fftprec {

/// psum(i, j) (+)= the model's sum over k of stationary(k, i) * moving(k, j), where the old psum is
/// c, or 0 without accumulate.
/// Requires: a model that `covers` accepts.
template <class Tag, Rounding R>
struct ExactLoops {
  static bool covers(const AccumulatorModel& model) {
    return model.sum == BlockSum::exact && model.rounding == R && model.product.exact;
  }

  static void matmul(const AccumulatorModel& model, const Matmul<float>& call) {
    const ExactLoops loops{
        model, call, FinalRounding::of(model),
        model.flush_inputs ? static_cast<float>(min_normal(model.operands)) : 0.0f,
        R == Rounding::rne && same_format(model.format, fp32) && !model.flush_outputs};
    for (std::size_t j = 0; j < call.n; j += block_cols)
      for (std::size_t i = 0; i < call.m; ++i)
        loops.row(i, j, call.n - j < block_cols ? call.n - j : block_cols);
  }

  const AccumulatorModel& model;
  const Matmul<float>& call;
  FinalRounding rounding;
  float flush_operands_below;
  bool is_a_cast;  ///< rounding by the model is converting to float

 private:
  static constexpr std::size_t block_cols = 64;
  static constexpr std::size_t steps = 4;

  struct Columns {
    alignas(64) double c[block_cols];
    alignas(64) double sum[block_cols];
    alignas(64) std::uint64_t lost[block_cols];  ///< not 0: an addition was inexact
  };

  void row(std::size_t i, std::size_t j, std::size_t cols) const {
    Columns at;
    float* psum = call.psum + i * call.psum_stride + j;
    for (std::size_t x = 0; x < cols; ++x) {
      at.c[x] = call.accumulate ? static_cast<double>(psum[x]) : 0.0;
      at.lost[x] = 0;
    }
    const std::size_t length = block_length(model, call.k);
    for (std::size_t first = 0; first < call.k; first += length) {
      start(at, cols);
      const std::size_t end = call.k - first < length ? call.k : first + length;
      if (model.flush_inputs || model.product_overflow)
        add_all<true>(at, i, j, first, end, cols);
      else
        add_all<false>(at, i, j, first, end, cols);
      finish(at, cols);
    }
    for (std::size_t x = 0; x < cols; ++x)
      if (at.lost[x] == 0)
        psum[x] = static_cast<float>(at.c[x]);
      else
        sum_by_definition(model, call.part(i, 1, j + x, 1, 0, call.k));
  }

  /// The sum of a block begins with an early c or with +0, so that an empty sum is never -0.
  void start(Columns& at, std::size_t cols) const {
    const double least = model.flush_inputs ? min_normal(model.format) : 0.0;
    const bool early = model.addend == AddendPosition::early;
    for (std::size_t x = 0; x < cols; ++x) {
      const double c = at.c[x];
      at.c[x] = flushed_below(least, c);
      at.sum[x] = 0.0 + (early ? at.c[x] : 0.0);
    }
  }

  void finish(Columns& at, std::size_t cols) const {
    const FinalRounding to = rounding;
    for (std::size_t x = 0; x < cols; ++x) {
      // Infinities and NaNs are for the definition: x - x is not +0.
      at.lost[x] |= __builtin_bit_cast(std::uint64_t, at.sum[x] - at.sum[x]);
      at.lost[x] |= __builtin_bit_cast(std::uint64_t, at.c[x] - at.c[x]);
    }
    const bool early = model.addend == AddendPosition::early;
    if (is_a_cast) {
      // Two floats add in double without harm: 53 >= 2 * 24 + 2.
      for (std::size_t x = 0; x < cols; ++x)
        at.c[x] = to_float(early ? at.sum[x] : at.c[x] + to_float(at.sum[x]));
    } else {
      for (std::size_t x = 0; x < cols; ++x) at.sum[x] = to.rounded<R>(at.sum[x]);
      for (std::size_t x = 0; x < cols; ++x)
        at.c[x] = early ? at.sum[x] : to.rounded<R>(sum_to_odd(at.c[x], at.sum[x]));
    }
  }

  [[gnu::always_inline]] static double to_float(double x) {
    return static_cast<double>(static_cast<float>(x));
  }

  template <bool has_limits>
  void add_all(Columns& at, std::size_t i, std::size_t j, std::size_t k, std::size_t end,
               std::size_t cols) const {
    for (; k + steps <= end; k += steps) add_products<steps, has_limits>(at, i, j, k, cols);
    for (; k + 2 <= end; k += 2) add_products<2, has_limits>(at, i, j, k, cols);
    for (; k < end; ++k) add_products<1, has_limits>(at, i, j, k, cols);
  }

  /// `has_limits`: small operands are flushed, or large products infinite.
  template <std::size_t count, bool has_limits>
  void add_products(Columns& at, std::size_t i, std::size_t j, std::size_t k,
                    std::size_t cols) const {
    double factor[count];
    const float* moving[count];
    for (std::size_t s = 0; s < count; ++s) {
      const float element =
          flushed_below(flush_operands_below,
                        call.stationary[(k + s) * call.stationary_k + i * call.stationary_m]);
      factor[s] = static_cast<double>(call.negate ? -element : element);
      moving[s] = call.moving + (k + s) * call.moving_stride + j;
    }
    const double infinite_from = model.product_overflow ? 0x1p128 : __builtin_inf();
    const float least = flush_operands_below;
    double* __restrict sum = at.sum;
    std::uint64_t* __restrict lost = at.lost;
    for (std::size_t x = 0; x < cols; ++x) {
      double value = sum[x];
      std::uint64_t inexact = lost[x];
#pragma GCC unroll 8
      for (std::size_t s = 0; s < count; ++s) {
        const float b = has_limits ? flushed_below(least, moving[s][x]) : moving[s][x];
        const double product = factor[s] * static_cast<double>(b);
        const Pair<double> next = two_sum(value, product);
        value = next.high;
        inexact |= __builtin_bit_cast(std::uint64_t, next.low);
        if constexpr (has_limits) inexact |= __builtin_fabs(product) >= infinite_from ? 1u : 0u;
      }
      sum[x] = value;
      lost[x] = inexact;
    }
  }
};

}  // namespace fftprec
