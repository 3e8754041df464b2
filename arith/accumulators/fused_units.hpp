/// Units for processors that fuse a product and an addition and take the rounding with the
/// instruction: AVX-512. They are the definition itself, for all operands and at both ends of the
/// range, and no state of the thread is touched.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>

#include "arith/accumulators/ordered_units.hpp"

namespace fftprec {

/// fp32 rne chains of exact products: one fused instruction each.
struct FusedNearest {
  static constexpr std::size_t steps = 8;
  static constexpr bool trusts_infinity = true;
  static constexpr bool chains_only = true;
  static constexpr bool by_rows = false;
  [[gnu::always_inline]] static float operand(float x) { return x; }
  [[gnu::always_inline]] static float add(float a, float b) { return a + b; }
  [[gnu::always_inline]] static float add_product(float c, float a, float b) {
    return __builtin_fmaf(a, b, c);
  }
};

/// Rows of 16 columns, the last one masked.
struct TowardZeroRows {
  static constexpr std::size_t lanes = 16;
  static constexpr int toward_zero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

  [[gnu::always_inline]] static __mmask16 columns(std::size_t left) {
    return static_cast<__mmask16>(left < lanes ? (1u << left) - 1 : 0xffffu);
  }
  /// out(x) <- a(x) + b(x).
  static void add_rows(float* out, const float* a, const float* b, std::size_t cols) {
    for (std::size_t x = 0; x < cols; x += lanes) {
      const __mmask16 mask = columns(cols - x);
      const __m512 sum = _mm512_maskz_add_round_ps(mask, _mm512_maskz_loadu_ps(mask, a + x),
                                                   _mm512_maskz_loadu_ps(mask, b + x), toward_zero);
      _mm512_mask_storeu_ps(out + x, mask, sum);
    }
  }
};

/// fp32 rz chains of exact products.
struct FusedTowardZero : TowardZeroRows {
  static constexpr std::size_t steps = 8;
  static constexpr bool trusts_infinity = true;
  static constexpr bool chains_only = true;
  static constexpr bool by_rows = true;
  [[gnu::always_inline]] static float operand(float x) { return x; }

  /// at(x) <- at(x) + factor[s] * moving[s](x), s = 0 .. count-1 in turn.
  template <std::size_t count>
  static void chain(float* at, const float* factor, const float* const* moving, std::size_t cols) {
    for (std::size_t x = 0; x < cols; x += lanes) {
      const __mmask16 mask = columns(cols - x);
      __m512 sum = _mm512_maskz_loadu_ps(mask, at + x);
      for (std::size_t s = 0; s < count; ++s)
        sum = _mm512_fmadd_round_ps(_mm512_set1_ps(factor[s]),
                                    _mm512_maskz_loadu_ps(mask, moving[s] + x), sum, toward_zero);
      _mm512_mask_storeu_ps(at + x, mask, sum);
    }
  }
};

/// fp32 rz chains of rounded products: a few rows of products first, then their additions.
template <class Product>
struct RoundedTowardZero : TowardZeroRows {
  static constexpr std::size_t steps = 8;
  static constexpr bool trusts_infinity = true;
  static constexpr bool chains_only = true;
  static constexpr bool by_rows = true;
  Product products;

  [[gnu::always_inline]] static float operand(float x) { return x; }

  template <std::size_t count>
  void chain(float* at, const float* factor, const float* const* moving, std::size_t cols) const {
    constexpr std::size_t width = 4 * lanes;
    alignas(64) float row[count][width];
    const Product rounding = products;
    for (std::size_t first = 0; first < cols; first += width) {
      const std::size_t some = cols - first < width ? cols - first : width;
      for (std::size_t s = 0; s < count; ++s)
        for (std::size_t x = 0; x < some; ++x)
          row[s][x] = rounding.product(factor[s], moving[s][first + x]);
      for (std::size_t x = 0; x < some; x += lanes) {
        const __mmask16 mask = columns(some - x);
        __m512 sum = _mm512_maskz_loadu_ps(mask, at + first + x);
        for (std::size_t s = 0; s < count; ++s)
          sum = _mm512_maskz_add_round_ps(mask, sum, _mm512_maskz_loadu_ps(mask, row[s] + x),
                                          toward_zero);
        _mm512_mask_storeu_ps(at + first + x, mask, sum);
      }
    }
  }
};

}  // namespace fftprec
#endif
