/// Chains of products rounded to p bits: a multiplication and an addition more than plain ones, or
/// three fused operations each.
///
/// Let a = s A and b = t B with powers of two s and t, the signs in them, and A, B in [1, 2). With
/// C = (2^(25-p) - 2) t the sum A b + C has a magnitude in [2^(24-p), 2^(25-p)) |t| as long as A B
/// is below 2, and in the next binade from there on: floats there are 2^(1-p) |t| apart, then twice
/// that, and so are numbers of p bits around A b. So one addition rounds A b to p bits, ties to
/// even too, for C is an even number of steps in both binades; taking C off again is exact, and so
/// is the product with s. A processor with fused operations needs three: A b + C, - C, and
/// s (.) + sum, which rounds the sum once, whatever its rounding.
///
/// Only the sign of a product that is zero gets lost, which no sum shows that begins with another
/// number than -0.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/fused_units.hpp"
#include "arith/formats/rounding.hpp"
#include "arith/kernels/views.hpp"

namespace fftprec {

/// psum(i, j) (+)= sum over k of P(stationary(k, i) * moving(k, j)), k ascending, where P rounds to
/// `precision` bits and every sum is rounded by R.
/// Requires: `exists`; precision >= 2; products that are zero or normal floats, exact in one;
/// moving below 2^(102 + precision); no psum of -0 with accumulate.
template <class Tag, Rounding P, Rounding R>
struct RoundedChainLoops {
#if defined(__AVX512F__)
  static constexpr bool exists = P != Rounding::odd && R != Rounding::odd;
  static constexpr std::size_t most_rows = 4;  ///< side by side
#else
  static constexpr bool exists = P == Rounding::rne && R == Rounding::rne;
  static constexpr std::size_t most_rows = 1;
#endif

  static void matmul(int precision, const Matmul<float>& call) {
    const RoundedChainLoops loops{call, static_cast<float>((1 << (25 - precision)) - 2)};
    Panel panel;
    for (std::size_t j = 0; j < call.n; j += block_cols)
      for (std::size_t k = 0; k < call.k; k += block_depth) {
        const Block block{.j = j,
                          .cols = call.n - j < block_cols ? call.n - j : block_cols,
                          .k = k,
                          .depth = call.k - k < block_depth ? call.k - k : block_depth};
        loops.split(panel, block);
        std::size_t i = 0;
        for (; i + most_rows <= call.m; i += most_rows) loops.rows<most_rows>(panel, block, i);
        for (; i < call.m; ++i) loops.rows<1>(panel, block, i);
      }
  }

  const Matmul<float>& call;
  float lift;  ///< C / t

 private:
  static constexpr std::size_t block_cols = 128;
  static constexpr std::size_t block_depth = 32;
  static constexpr std::uint32_t power_bits = 0xff800000u;

  struct Block {
    std::size_t j, cols, k, depth;
  };

  /// 32 KiB, which the first-level cache holds for all rows. Columns beyond the last are 0.
  struct Panel {
    alignas(64) float moving[block_depth][block_cols];
    alignas(64) float lifted[block_depth][block_cols];  ///< C
  };

  template <std::size_t count>
  struct Factors {
    float significand[block_depth][count];
    float power[block_depth][count];
  };

  void split(Panel& panel, const Block& block) const {
    for (std::size_t l = 0; l < block.depth; ++l) {
      const float* from = call.moving + (block.k + l) * call.moving_stride + block.j;
      float* __restrict moving = panel.moving[l];
      float* __restrict lifted = panel.lifted[l];
      for (std::size_t x = 0; x < block.cols; ++x) {
        const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, from[x]);
        moving[x] = from[x];
        lifted[x] = __builtin_bit_cast(float, bits& power_bits) * lift;
      }
      for (std::size_t x = block.cols; x < block_cols; ++x) moving[x] = lifted[x] = 0;
    }
  }

  template <std::size_t count>
  void rows(const Panel& panel, const Block& block, std::size_t i) const {
    Factors<count> factors;
    const std::uint32_t sign = call.negate ? 0x80000000u : 0u;
    for (std::size_t l = 0; l < block.depth; ++l)
      for (std::size_t r = 0; r < count; ++r) {
        const float a =
            call.stationary[(block.k + l) * call.stationary_k + (i + r) * call.stationary_m];
        const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, a) ^ sign;
        factors.significand[l][r] = __builtin_bit_cast(float, (bits & 0x007fffffu) | 0x3f800000u);
        factors.power[l][r] = __builtin_bit_cast(float, bits& power_bits);
      }
    const bool from_zero = block.k == 0 && !call.accumulate;
    float* psum = call.psum + i * call.psum_stride + block.j;
#if defined(__AVX512F__)
    constexpr std::size_t vectors = 4;
    std::size_t x = 0;
    for (; x + vectors * lanes <= block.cols; x += vectors * lanes)
      chains<count, vectors>(panel, block, factors, psum, x, from_zero);
    for (; x < block.cols; x += lanes) chains<count, 1>(panel, block, factors, psum, x, from_zero);
#else
    if (from_zero)
      for (std::size_t x = 0; x < block.cols; ++x) psum[x] = 0;
    std::size_t l = 0;
    for (; l + steps <= block.depth; l += steps)
      add_products<steps>(panel, factors, psum, l, block.cols);
    for (; l < block.depth; ++l) add_products<1>(panel, factors, psum, l, block.cols);
#endif
  }

#if defined(__AVX512F__)
  static constexpr std::size_t lanes = TowardZeroRows::lanes;

  template <std::size_t count, std::size_t vectors>
  void chains(const Panel& panel, const Block& block, const Factors<count>& factors, float* psum,
              std::size_t x, bool from_zero) const {
    const __mmask16 mask = TowardZeroRows::columns(block.cols - x);
    __m512 sum[count][vectors];
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        sum[r][v] = from_zero
                        ? _mm512_setzero_ps()
                        : _mm512_maskz_loadu_ps(mask, psum + r * call.psum_stride + x + v * lanes);
    for (std::size_t l = 0; l < block.depth; ++l)
      for (std::size_t v = 0; v < vectors; ++v) {
        const __m512 moving = _mm512_load_ps(panel.moving[l] + x + v * lanes);
        const __m512 lifted = _mm512_load_ps(panel.lifted[l] + x + v * lanes);
        for (std::size_t r = 0; r < count; ++r) {
          const __m512 high = fused<P>(_mm512_set1_ps(factors.significand[l][r]), moving, lifted);
          sum[r][v] =
              fused<R>(_mm512_set1_ps(factors.power[l][r]), _mm512_sub_ps(high, lifted), sum[r][v]);
        }
      }
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        _mm512_mask_storeu_ps(psum + r * call.psum_stride + x + v * lanes, mask, sum[r][v]);
  }

  template <Rounding To>
  [[gnu::always_inline]] static __m512 fused(__m512 a, __m512 b, __m512 c) {
    if constexpr (To == Rounding::rz)
      return _mm512_fmadd_round_ps(a, b, c, TowardZeroRows::toward_zero);
    else
      return _mm512_fmadd_ps(a, b, c);
  }
#else
  static constexpr std::size_t steps = 4;

  template <std::size_t count>
  static void add_products(const Panel& panel, const Factors<1>& factors, float* __restrict psum,
                           std::size_t l, std::size_t cols) {
    float significand[count];
    float power[count];
    for (std::size_t s = 0; s < count; ++s) {
      significand[s] = factors.significand[l + s][0];
      power[s] = factors.power[l + s][0];
    }
    for (std::size_t x = 0; x < cols; ++x) {
      float sum = psum[x];
      for (std::size_t s = 0; s < count; ++s) {
        const float lifted = panel.lifted[l + s][x];
        const float high = significand[s] * panel.moving[l + s][x] + lifted;
        sum += power[s] * (high - lifted);
      }
      psum[x] = sum;
    }
  }
#endif
};

}  // namespace fftprec
