/// The inner loops of aligned sums over operands so narrow that alignment cuts no product: fp4,
/// fp6.
///
/// A block's products are then summed exactly by plain float additions, whatever their groups, and
/// c joins them in a double, exactly too, if it is neither so large that it would cut them nor so
/// fine that they would cut it.
#pragma once

#include <cstdint>

#include "arith/accumulators/definition.hpp"
#include "arith/accumulators/final_rounding.hpp"
#include "arith/kernels/views.hpp"

namespace fftprec {

/// psum(i, j) (+)= the model's sum over k of stationary(k, i) * moving(k, j), where the old psum is
/// c, or 0 without accumulate. Blocks of a row for whose c the above does not hold go through the
/// definition.
/// Requires: a model that `covers` accepts; k > 0.
template <class Tag, Rounding R>
struct UncutLoops {
  /// Early aligned sums whose products, multiples of 2^lowest below 2^(highest + 2), fit 24 bits
  /// together; and so many fraction bits that c, once the largest, is not cut either.
  static bool covers(const AccumulatorModel& model) {
    if (model.sum != BlockSum::aligned || model.c != Inclusion::early || model.rounding != R ||
        model.block == 0 || model.block > 64 || model.flush_inputs || model.operands.emax > 8 ||
        model.operands.emin < -8 || model.fraction_bits < 23)
      return false;
    const int lowest = 2 * quantum_exponent(model.operands);
    const int highest = 2 * model.operands.emax;
    return highest + 2 + 6 - lowest <= 24 && highest - model.fraction_bits <= lowest &&
           model.lowest_exponent <= highest;
  }

  static void matmul(const AccumulatorModel& model, const Matmul<float>& call) {
    const UncutLoops loops{model, call, FinalRounding::of(model)};
    for (std::size_t j = 0; j < call.n; j += block_cols) {
      const std::size_t cols = call.n - j < block_cols ? call.n - j : block_cols;
      for (std::size_t i = 0; i < call.m; ++i) {
        float* psum = call.psum + i * call.psum_stride + j;
        if (!call.accumulate)
          for (std::size_t x = 0; x < cols; ++x) psum[x] = 0;
        for (std::size_t k = 0; k < call.k; k += model.block)
          loops.block(psum, i, j, cols, k, call.k - k < model.block ? call.k - k : model.block);
      }
    }
  }

  const AccumulatorModel& model;
  const Matmul<float>& call;
  FinalRounding rounding;

 private:
  static constexpr std::size_t block_cols = 128;
  static constexpr std::size_t steps = 8;

  void block(float* __restrict psum, std::size_t i, std::size_t j, std::size_t cols, std::size_t k,
             std::size_t count) const {
    alignas(64) float products[block_cols];
    for (std::size_t x = 0; x < cols; ++x) products[x] = 0;
    std::size_t l = 0;
    for (; l + steps <= count; l += steps) add_products<steps>(products, i, j, k + l, cols);
    for (; l < count; ++l) add_products<1>(products, i, j, k + l, cols);

    // Adding `aligner` keeps the multiples of the unit to which the largest product aligns.
    const int lowest = 2 * quantum_exponent(model.operands);
    const int unit = 2 * model.operands.emax - model.fraction_bits;
    const double aligner = 1.5 * power_of_two(unit + 52);
    const double largest = power_of_two(lowest + model.fraction_bits + 1);
    std::uint32_t exact = 1;
    for (std::size_t x = 0; x < cols; ++x) {
      const double c = static_cast<double>(psum[x]);
      const bool whole = (c + aligner) - aligner == c && __builtin_fabs(c) < largest;
      const bool finite = products[x] - products[x] == 0;
      exact &= whole && finite ? 1u : 0u;
    }
    if (exact == 0) return by_definition(psum, i, j, cols, k, count);
    const FinalRounding to = rounding;
    for (std::size_t x = 0; x < cols; ++x)
      psum[x] = static_cast<float>(
          to.template rounded<R>(static_cast<double>(psum[x]) + static_cast<double>(products[x])));
  }

  template <std::size_t count>
  void add_products(float* __restrict sum, std::size_t i, std::size_t j, std::size_t k,
                    std::size_t cols) const {
    float factor[count];
    const float* moving[count];
    for (std::size_t s = 0; s < count; ++s) {
      const float element = call.stationary[(k + s) * call.stationary_k + i * call.stationary_m];
      factor[s] = call.negate ? -element : element;
      moving[s] = call.moving + (k + s) * call.moving_stride + j;
    }
    for (std::size_t x = 0; x < cols; ++x) {
      float value = sum[x];
      for (std::size_t s = 0; s < count; ++s) value += factor[s] * moving[s][x];
      sum[x] = value;
    }
  }

  void by_definition(float* psum, std::size_t i, std::size_t j, std::size_t cols, std::size_t k,
                     std::size_t count) const {
    const OperandColumn a{call.stationary + k * call.stationary_k + i * call.stationary_m,
                          call.stationary_k, count};
    for (std::size_t x = 0; x < cols; ++x) {
      const OperandColumn b{call.moving + k * call.moving_stride + j + x, call.moving_stride,
                            count};
      psum[x] = dot(model, psum[x], a, b, call.negate);
    }
  }
};

}  // namespace fftprec
