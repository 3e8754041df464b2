/// recursive: radix2-dit in another order, which must not show in any bit.
#include "algorithms/fft/recursive.hpp"

#include "algorithms/fft/radix2.hpp"
#include "tests/algorithms/transform_checks.hpp"
#include "tests/support/classic_machines.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

/// The definition: even places, odd places, butterflies.
template <class Scalars>
auto textbook_recursive(const std::vector<Complex<typename Scalars::Scalar>>& x,
                        const RootFunction& roots, Direction direction) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::vector<Complex<typename Scalars::Scalar>> even, odd, result(n);
  for (std::size_t i = 0; i < n; i += 2) {
    even.push_back(x[i]);
    odd.push_back(x[i + 1]);
  }
  even = textbook_recursive<Scalars>(even, roots, direction);
  odd = textbook_recursive<Scalars>(odd, roots, direction);
  for (std::size_t j = 0; j < n / 2; ++j) {
    const auto t = Scalars::product(factor_of<Scalars>(roots, j, n, direction), odd[j]);
    result[j] = even[j] + t;
    result[j + n / 2] = even[j] - t;
  }
  return result;
}

template <class Real>
void expect_bits_of_dit(const ResolvedArithmetic& resolved, std::size_t n, std::size_t batch) {
  const ComplexArray<double> x = normal_values(n * batch, 5);
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const Subject<Recursive, Real> recursive{resolved};
    const Subject<Radix2Dit, Real> dit{resolved};
    EXPECT_EQ(recursive.transform(x, n, direction, rational_factors()),
              dit.transform(x, n, direction, rational_factors()))
        << resolved.mode << " on " << resolved.machine.name << ", n = " << n << ", seed 5";
  }
}

}  // namespace

TEST(Recursive, HasTheBitsOfRadix2DitInEveryModeOnEveryMachine) {
  for (const Mode& mode : trnfft_modes())
    for (const NamedMachine& machine : classic_machines())
      for (const std::size_t n : {1u, 2u, 4u, 8u, 64u, 512u})
        if (on_host(mode))
          expect_bits_of_dit<double>(resolve(mode, machine), n, 2);
        else
          expect_bits_of_dit<float>(resolve(mode, machine), n, 2);
}

/// From 2^10 on leaves have 32 elements, from 2^14 on their columns have gaps between them.
TEST(Recursive, HasTheBitsOfRadix2DitWhereItRecursDeeply) {
  for (const char* mode : {"fast", "kahan", "bf16", "ozaki", "ozaki_hq"})
    for (const std::size_t n : {1u << 10, 1u << 13, 1u << 14})
      expect_bits_of_dit<float>(resolve(mode_named(mode), machine_named("trn")), n, 1);
  expect_bits_of_dit<float>(resolve(mode_named("fast"), machine_named("trn")), 1u << 18, 1);
  expect_bits_of_dit<double>(resolve(mode_named("double"), machine_named("trn")), 1u << 15, 1);
}

TEST(Recursive, HasTheBitsOfTheDefinition) {
  for (const std::size_t n : {1u, 2u, 8u, 128u, 2048u, 1u << 14})
    expect_bits_of<Recursive, FastScalars>(n, textbook_recursive<FastScalars>);
  for (const std::size_t n : {4u, 256u}) {
    expect_bits_of<Recursive, Bf16Scalars>(n, textbook_recursive<Bf16Scalars>);
    expect_bits_of<Recursive, KahanScalars>(n, textbook_recursive<KahanScalars>);
  }
}

}  // namespace fftprec::testing
