#include "algorithms/fft/trnfft_choice.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fftprec {

namespace {

constexpr std::size_t largest_gemm = 256;

/// Stages of 8^a 4^b = 2^k with the largest a.
std::size_t mixed_stages(std::size_t k) {
  std::size_t eights = k / 3;
  if ((k - 3 * eights) % 2 == 1) --eights;
  return eights + (k - 3 * eights) / 2;
}

}  // namespace

TrnfftChoice trnfft_choice(std::size_t n, ProductScheme product) {
  const bool kahan = product == ProductScheme::two_prod;
  if (n <= largest_gemm && !kahan) return TrnfftChoice::dft_gemm;
  if (!std::has_single_bit(n)) return TrnfftChoice::bluestein;
  if (kahan) return TrnfftChoice::radix2_dit;
  const auto k = static_cast<std::size_t>(std::countr_zero(n));
  const std::size_t never = k + 1;
  const std::pair<std::size_t, TrnfftChoice> stages[] = {
      {k % 3 == 0 ? k / 3 : never, TrnfftChoice::stockham_r8},
      {k % 2 == 0 ? k / 2 : never, TrnfftChoice::stockham_r4},
      {k, TrnfftChoice::radix2_dit},
      {mixed_stages(k), TrnfftChoice::stockham_mixed}};
  return std::min_element(std::begin(stages), std::end(stages),
                          [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

}  // namespace fftprec
