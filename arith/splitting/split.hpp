/// Cutting a value into words that narrower multipliers can take.
#pragma once

#include "arith/formats/complex.hpp"
#include "arith/formats/round_grid.hpp"

namespace fftprec {

/// The leading bf16 word of x, for any x.
[[gnu::always_inline]] inline constexpr float leading_bf16(float x) { return round_any_to_bf16(x); }

/// x rounded (rne) to the format of a word.
template <Format word>
[[gnu::always_inline]] inline constexpr float leading_word(float x) {
  return round_to_grid<Rounding::rne, is_flat<float>(word)>(x, rounding_grid<float>(word));
}

/// The first `words` words of x: x0 = fl(x), x1 = fl((x - x0) 2^scale), ... rounded to `word`, each
/// held times 2^(i scale); the residual is that of fp32 data, and exact.
/// Error, p = word.precision: |x - sum of words| <= 2^(e - (p + 1) words + 1) for 2^e <= |x| <
/// 2^(e+1): rounding to nearest leaves half a unit in the last place, and the residual then lies
/// in a binade one below that again, so each word settles p + 1 bits; three words of bf16 or tf32
/// hold any fp32 value from 2^-100 on exactly.
/// Requires: residuals in the words' normal range. Two words of fp16 with scale = 11: the error
/// holds for 2^-13 <= |x| < 65520; below, it is at most 2^-36, where word 1 is subnormal; from
/// 65520 on word 0 is infinite. An infinite word 0 leaves residuals that are infinite or NaN.
/// Source: Henry, Tang, Heinecke, ARITH 2019, section III; the scale: Ootomo, Yokota, IJHPCA 36
/// (2022), section 3.
template <Format word, std::size_t words, int scale, Scalar T>
[[gnu::always_inline]] inline constexpr Factor<T, words> split_words(Complex<T> x) {
  Factor<T, words> parts;
  for (std::size_t i = 0; i < words; ++i) {
    if (i > 0) x = x - parts.word[i - 1];
    if (scale != 0 && i > 0) {
      const T up = T(power_of_two(scale));
      x = {up * x.re, up * x.im};
    }
    parts.word[i] = {leading_word<word>(x.re), leading_word<word>(x.im)};
  }
  return parts;
}

/// The 12 leading significant bits of an fp32 value, the others cleared: what is left, x - this,
/// has 12 bits as well, so all four products of such slices are exact in fp32.
[[gnu::always_inline]] inline constexpr float leading_slice12(float x) {
  return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) & 0xfffff000u);
}

}  // namespace fftprec
