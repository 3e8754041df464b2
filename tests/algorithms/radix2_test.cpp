/// radix2-dit and radix2-dif against their definitions, and recursive, the former in another order,
/// which must not show in any bit.
#include "algorithms/fft/radix2.hpp"

#include "algorithms/fft/recursive.hpp"
#include "tests/algorithms/around.hpp"
#include "tests/algorithms/transform_checks.hpp"
#include "tests/support/classic_machines.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

template <class Real>
void expect_bits_of_dit(const ArithmeticSpec& resolved, std::size_t n, std::size_t batch) {
  const ComplexArray<double> x = normal_values(n * batch, 5);
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const Subject<Recursive, Real> recursive{resolved};
    const Subject<Radix2Dit, Real> dit{resolved};
    EXPECT_EQ(recursive.transform(x, n, direction, rational_factors()),
              dit.transform(x, n, direction, rational_factors()))
        << resolved.mode() << " on " << resolved.machine().name << ", n = " << n << ", seed 5";
  }
}

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

TEST(Recursive, HasTheBitsOfRadix2DitInEveryModeOnEveryMachine) {
  for (const Mode& mode : trnfft_modes())
    for (const Machine& machine : classic_machines())
      for (const std::size_t n : {1u, 2u, 4u, 8u, 64u, 512u})
        if (on_host(mode))
          expect_bits_of_dit<double>(resolve(mode, machine), n, 2);
        else
          expect_bits_of_dit<float>(resolve(mode, machine), n, 2);
}

/// From 2^10 on leaves have 32 elements, from 2^14 on their columns have gaps between them.
TEST(Recursive, HasTheBitsOfRadix2DitWhereItRecursDeeply) {
  for (const char* mode : {"fp32", "kahan", "bf16", "ozaki", "ozaki_hq"})
    for (const std::size_t n : {1u << 10, 1u << 13, 1u << 14})
      expect_bits_of_dit<float>(resolve(mode_named(mode), machine_named("trn")), n, 1);
  expect_bits_of_dit<float>(resolve(mode_named("fp32"), machine_named("trn")), 1u << 18, 1);
  expect_bits_of_dit<double>(resolve(mode_named("fp64"), machine_named("trn")), 1u << 15, 1);
}

/// The order in which it visits butterflies, its blocks and its padding must not show.
TEST(Radix2Dit, HasTheBitsOfTheDefinition) {
  for (std::size_t n = 1; n <= 8192; n *= 2)
    expect_bits_of<Radix2Dit, FastScalars>(n, radix2<FastScalars>);
  for (const std::size_t n : {1u << 17, 1u << 18, 1u << 19})
    expect_bits_of<Radix2Dit, FastScalars>(n, radix2<FastScalars>);
}

TEST(Recursive, HasTheBitsOfTheDefinition) {
  for (const std::size_t n : {1u, 2u, 8u, 128u, 2048u, 1u << 14})
    expect_bits_of<Recursive, FastScalars>(n, radix2<FastScalars>);
  for (const std::size_t n : {4u, 256u}) {
    expect_bits_of<Recursive, Bf16Scalars>(n, radix2<Bf16Scalars>);
    expect_bits_of<Recursive, KahanScalars>(n, radix2<KahanScalars>);
  }
}

}  // namespace fftprec::testing
