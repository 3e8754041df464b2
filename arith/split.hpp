/// Cutting a value into words that narrower multipliers can take.
#pragma once

#include "arith/complex.hpp"
#include "arith/round_grid.hpp"

namespace fftprec {

/// The leading bf16 word of x, for any x.
[[gnu::always_inline]] inline constexpr float leading_bf16(float x) { return round_any_to_bf16(x); }

/// The first `words` bf16 words of x: x0 = bf16(x), x1 = bf16(fl(x - x0)), ... Both the residual
/// and the rounding are those of fp32 data on their way to bf16 operands. Error: |x - sum of words|
/// <= 2^(e + 1 - 9 words) for 2^e <= |x| < 2^(e+1): rounding to nearest leaves half a unit in the
/// 8th place, and the residual then lies in a binade one below that again, so each word settles 9
/// bits; three words hold any normal fp32 value exactly. An infinite x gives NaN residuals. Source:
/// Henry, Tang, Heinecke, ARITH 2019, section III.
template <std::size_t words, Scalar T>
[[gnu::always_inline]] inline constexpr Factor<T, words> split_bf16(Complex<T> x) {
  Factor<T, words> parts;
  for (std::size_t i = 0; i < words; ++i) {
    if (i > 0) x = x - parts.word[i - 1];
    parts.word[i] = {leading_bf16(x.re), leading_bf16(x.im)};
  }
  return parts;
}

/// The 12 leading significant bits of an fp32 value, the others cleared: what is left, x - this,
/// has 12 bits as well, so all four products of such slices are exact in fp32.
[[gnu::always_inline]] inline constexpr float leading_slice12(float x) {
  return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) & 0xfffff000u);
}

}  // namespace fftprec
