/// radix2-dif against the textbook's three loops.
#include "algorithms/fft/radix2.hpp"
#include "tests/algorithms/transform_checks.hpp"

namespace fftprec::testing {

namespace {

/// Stages with falling distance, then a swap of every element with the one of reversed bits.
template <class Scalars>
auto textbook_dif(std::vector<Complex<typename Scalars::Scalar>> x, const RootFunction& roots,
                  Direction direction) {
  const std::size_t n = x.size();
  for (std::size_t half = n / 2; half >= 1; half /= 2)
    for (std::size_t place = 0; place < half; ++place) {
      const auto w = factor_of<Scalars>(roots, place, 2 * half, direction);
      for (std::size_t top = place; top < n; top += 2 * half) {
        const auto a = x[top];
        const auto b = x[top + half];
        x[top] = a + b;
        x[top + half] = Scalars::product(w, a - b);
      }
    }
  for (std::size_t i = 0, j = 0; i < n; ++i) {
    if (i < j) std::swap(x[i], x[j]);
    std::size_t bit = n >> 1;
    for (; bit > 0 && (j & bit) != 0; bit >>= 1) j ^= bit;
    j |= bit;
  }
  return x;
}

}  // namespace

/// From 2^14 on stages take several blocks of columns, from 2^18 on rows have gaps.
TEST(Radix2Dif, HasTheBitsOfTheTextbookLoops) {
  for (const std::size_t n : {1u, 2u, 4u, 8u, 32u, 1024u, 1u << 15, 1u << 18})
    expect_bits_of<Radix2Dif, FastScalars>(n, textbook_dif<FastScalars>);
  for (const std::size_t n : {2u, 16u, 128u, 1024u}) {
    expect_bits_of<Radix2Dif, Bf16Scalars>(n, textbook_dif<Bf16Scalars>);
    expect_bits_of<Radix2Dif, KahanScalars>(n, textbook_dif<KahanScalars>);
  }
}

}  // namespace fftprec::testing
