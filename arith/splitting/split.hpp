/// Cuts values into words for narrower multipliers: which words, which products of words are kept,
/// and the cut itself.
#pragma once

#include <cstddef>
#include <span>

#include "arith/formats/complex.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"

namespace fftprec {

/// One kept product of a split scheme: table word `factor` times data word `data`.
struct SplitTerm {
  std::size_t factor;
  std::size_t data;

  friend constexpr bool operator==(const SplitTerm&, const SplitTerm&) = default;
};

/// A residual split. Word 0 of x is x rounded (rne) to `word`; word i is the rounded residual of
/// the words before, computed in fp32 and stored times 2^(i * scale). The term of words i and j is
/// their product times 2^(-(i + j) * scale), scaled exactly on eviction. Terms are summed in fp32
/// in order. Source: Henry, Tang, Heinecke, ARITH 2019; with scale = 11 Ootomo,
/// Yokota, IJHPCA 36 (2022).
struct SplitSpec {
  Format word = bf16;
  std::size_t factor_words = 1;
  std::size_t data_words = 1;
  int scale = 0;
  std::size_t count = 1;  ///< of terms
  SplitTerm term[9] = {{0, 0}};

  [[gnu::always_inline]] constexpr std::span<const SplitTerm> terms() const {
    return {term, count};
  }
  friend constexpr bool operator==(const SplitSpec&, const SplitSpec&) = default;
};

/// trnfft's "ozaki": two bf16 words each, Wh xh + Wl xh + Wh xl.
inline constexpr SplitSpec ozaki_split{bf16, 2, 2, 0, 3, {{0, 0}, {1, 0}, {0, 1}}};

/// trnfft's "ozaki_hq": W in two bf16 words, x in three, all six products, the leading table word
/// first.
inline constexpr SplitSpec ozaki_hq_split{
    bf16, 2, 3, 0, 6, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}};

/// P words each and the `count` largest products: first the products with i + j < P, by i + j, then
/// the others.
constexpr SplitSpec residual_split(const Format& word, std::size_t words, std::size_t count,
                                   int scale = 0) {
  SplitSpec spec{word, words, words, scale, count, {}};
  std::size_t next = 0;
  for (std::size_t order = 0; order <= 2 * (words - 1); ++order)
    for (std::size_t data = 0; data <= order; ++data)
      if (data < words && order - data < words && next < count)
        spec.term[next++] = {order - data, data};
  return spec;
}
static_assert(residual_split(bf16, 2, 3) == ozaki_split);

/// The splits that have loops: P words of a format, Q products kept.
inline constexpr SplitSpec splits[] = {
    ozaki_split,
    ozaki_hq_split,
    residual_split(bf16, 2, 4),
    residual_split(bf16, 3, 6),
    residual_split(bf16, 3, 9),
    residual_split(fp16, 2, 3, 11),
    residual_split(fp16, 2, 4, 11),
    residual_split(tf32, 2, 3),
    residual_split(tf32, 2, 4),
    residual_split(tf32, 3, 6),
    residual_split(tf32, 3, 9),
};

/// The first `words` words of x: x0 = fl(x), x1 = fl((x - x0) 2^scale), ... rounded to `word`, each
/// stored times 2^(i scale); the residual of fp32 data is exact.
/// Error, p = word.precision: |x - sum of words| <= 2^(e - (p + 1) words + 1) for 2^e <= |x| <
/// 2^(e+1). Rounding to nearest leaves half a unit in the last place, so each word accounts for p +
/// 1 bits. Three words of bf16 or tf32 are exact for any fp32 value of at least 2^-100.
/// Requires: residuals in the normal range of the words. Two words of fp16 with scale = 11: the
/// error holds for 2^-13 <= |x| < 65520; below, word 1 is subnormal and the error is at most 2^-36;
/// from 65520 on, word 0 is infinite. An infinite word 0 leaves residuals that are infinite or NaN.
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

}  // namespace fftprec
