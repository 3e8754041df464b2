/// radix2-dit against the textbook's three loops: the order in which it visits butterflies, its
/// blocks and its padding must not show in any bit.
#include <gtest/gtest.h>

#include <bit>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/radix2.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::testing {

namespace {

/// Bit reversal, then for each stage, group and place one butterfly on single floats.
void textbook_fft(ComplexArray<float>& x, const RootFunction& roots) {
  const std::size_t n = x.size();
  for (std::size_t i = 0, j = 0; i < n; ++i) {
    if (i < j) {
      std::swap(x.re[i], x.re[j]);
      std::swap(x.im[i], x.im[j]);
    }
    std::size_t bit = n >> 1;
    while (bit > 0 && (j & bit) != 0) {
      j ^= bit;
      bit >>= 1;
    }
    j |= bit;
  }
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t place = 0; place < half; ++place) {
      const std::complex<double> w = roots(place, 2 * half, fp32);
      const Complex<float> factor{static_cast<float>(w.real()), static_cast<float>(w.imag())};
      for (std::size_t top = place; top < n; top += 2 * half) {
        const std::size_t bottom = top + half;
        const Complex<float> e{x.re[top], x.im[top]};
        const Complex<float> t = multiply(factor, Complex<float>{x.re[bottom], x.im[bottom]});
        x.re[top] = e.re + t.re;
        x.im[top] = e.im + t.im;
        x.re[bottom] = e.re - t.re;
        x.im[bottom] = e.im - t.im;
      }
    }
}

}  // namespace

class Radix2DitOfLength : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Radix2DitOfLength, HasTheBitsOfTheTextbookLoops) {
  using Arithmetic = MachineArithmetic<float>;
  const std::size_t n = GetParam();
  const RootFunction roots = table_source("exact");
  const Arithmetic arithmetic(resolve(mode_named("fast"), machine_named("trn")));
  ComplexArray<float> y = arithmetic.stored(make_input("gaussian", n, 1, /*seed=*/1));
  ComplexArray<float> expected = y;

  Radix2Dit<Arithmetic>(arithmetic, n, Direction::forward, roots).transform(arithmetic, y);
  textbook_fft(expected, roots);

  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(y.re[i], expected.re[i]) << "n = " << n << ", output " << i << ", seed 1";
    ASSERT_EQ(y.im[i], expected.im[i]) << "n = " << n << ", output " << i << ", seed 1";
  }
}

INSTANTIATE_TEST_SUITE_P(Lengths, Radix2DitOfLength,
                         ::testing::Values(1, 2, 4, 8, 32, 1024, 8192, 1 << 17, 1 << 18, 1 << 19),
                         ::testing::PrintToStringParamName());

}  // namespace fftprec::testing
