/// bluestein and rader: the DFT as a convolution, bit for bit as documented.
#include "algorithms/fft/bluestein.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/rader.hpp"
#include "algorithms/fft/radix2.hpp"
#include "tests/algorithms/around.hpp"
#include "tests/algorithms/transform_checks.hpp"

namespace fftprec::testing {

namespace {

template <class Arithmetic>
using PlainBluestein = Around<Bluestein, Radix2Dit>::Fft<Arithmetic>;
template <class Arithmetic>
using PlainRader = Around<Rader, Radix2Dit>::Fft<Arithmetic>;

/// (spectrum of a, its convolution with h), lengths a power of two.
template <class Scalars>
std::pair<Values<Scalars>, Values<Scalars>> convolve(const Values<Scalars>& a,
                                                     const Values<Scalars>& h,
                                                     const RootFunction& roots) {
  using T = typename Scalars::Scalar;
  const Values<Scalars> spectrum = radix2<Scalars>(a, roots, Direction::forward);
  const Values<Scalars> response = radix2<Scalars>(h, roots, Direction::forward);
  Values<Scalars> z(a.size());
  for (std::size_t k = 0; k < z.size(); ++k) z[k] = Scalars::product(response[k], spectrum[k]);
  z = radix2<Scalars>(z, roots, Direction::inverse);
  const T scale(static_cast<float>(1.0 / static_cast<double>(z.size())));
  for (auto& value : z) value = {scale * value.re, scale * value.im};
  return {spectrum, z};
}

template <class Scalars>
Values<Scalars> textbook_bluestein(const Values<Scalars>& x, const RootFunction& roots,
                                   Direction direction) {
  const std::size_t n = x.size();
  std::size_t length = 1;
  while (length < 2 * n - 1) length *= 2;
  const auto chirp = [&](std::size_t j, Direction sign) {
    return factor_of<Scalars>(roots, j * j, 2 * n, sign);
  };
  const Direction opposite =
      direction == Direction::forward ? Direction::inverse : Direction::forward;
  using T = typename Scalars::Scalar;
  Values<Scalars> a(length, {T(0.0F), T(0.0F)}), h = a;
  for (std::size_t j = 0; j < n; ++j) {
    a[j] = Scalars::product(chirp(j, direction), x[j]);
    h[j] = chirp(j, opposite);
    if (j > 0) h[length - j] = h[j];
  }
  Values<Scalars> y = convolve<Scalars>(a, h, roots).second;
  y.resize(n);
  for (std::size_t k = 0; k < n; ++k) y[k] = Scalars::product(chirp(k, direction), y[k]);
  return y;
}

/// By multiplication tables alone: the powers of g and of its inverse found by trial.
template <class Scalars>
Values<Scalars> textbook_rader(const Values<Scalars>& x, const RootFunction& roots,
                               Direction direction, std::size_t g) {
  const std::size_t n = x.size();
  const std::size_t period = n - 1;
  std::size_t length = 1;
  while (length < period) length *= 2;
  if (length != period)
    while (length < 2 * period - 1) length *= 2;
  std::vector<std::size_t> power{1};
  while (power.size() < period) power.push_back(power.back() * g % n);
  const auto inverse_power = [&](std::size_t q) { return power[(period - q) % period]; };
  using T = typename Scalars::Scalar;
  Values<Scalars> a(length, {T(0.0F), T(0.0F)}), h = a;
  for (std::size_t q = 0; q < period; ++q) {
    a[q] = x[power[q]];
    h[q] = factor_of<Scalars>(roots, inverse_power(q), n, direction);
  }
  for (std::size_t q = 1; q < period; ++q) h[length - q] = h[period - q];
  const auto [spectrum, z] = convolve<Scalars>(a, h, roots);
  Values<Scalars> y(n);
  y[0] = x[0] + spectrum[0];
  for (std::size_t q = 0; q < period; ++q) y[inverse_power(q)] = x[0] + z[q];
  return y;
}

}  // namespace

TEST(Convolution, RoundsWhatMatrixProductsDeliver) {
  using Arithmetic = MachineArithmetic<float>;
  const Arithmetic arithmetic(resolve(mode_named("bf16"), machine_named("trn")));
  const Convolution<Arithmetic> convolution(arithmetic, arithmetic.stored(normal_values(16, 7)),
                                            exact_roots(), make_fft<DftGemm, Arithmetic>());
  ComplexArray<float> x = arithmetic.stored(normal_values(32, 8));

  convolution.to_spectrum(arithmetic, x);
  EXPECT_TRUE(is_stored_in(bf16, x)) << "X_0 = " << x.re[0] << ", seed 8";
  convolution.from_spectrum(arithmetic, x);
  EXPECT_TRUE(is_stored_in(bf16, x)) << "z_0 = " << x.re[0] << ", seed 8";
}

TEST(Bluestein, HasTheBitsOfTheTextbook) {
  for (const std::size_t n : {1u, 2u, 3u, 6u, 16u, 100u, 129u}) {
    expect_bits_of<PlainBluestein, FastScalars>(n, textbook_bluestein<FastScalars>);
    expect_bits_of<PlainBluestein, KahanScalars>(n, textbook_bluestein<KahanScalars>);
    expect_bits_of<PlainBluestein, Bf16Scalars>(n, textbook_bluestein<Bf16Scalars>);
  }
}

TEST(Bluestein, AsksTheTablesForUnreducedSquares) {
  std::uint64_t largest = 0;
  const RootFunction watching = [&](std::uint64_t exponent, std::uint64_t order, const Format&) {
    if (order == 200) largest = std::max(largest, exponent);
    return std::complex<double>(1, 0);
  };
  const MachineArithmetic<float> arithmetic(resolve(mode_named("fp32"), machine_named("trn")));

  PlainBluestein<MachineArithmetic<float>>(arithmetic, 100, Direction::forward, watching);

  EXPECT_EQ(largest, 99u * 99u);
}

TEST(Bluestein, NamesTheInnerLengthThatIsRefused) {
  FftModel inner;
  inner.unsupported = [](std::size_t n) {
    return n == 1024 ? "" : "inner takes 1024, got " + std::to_string(n);
  };
  using Any = Bluestein<MachineArithmetic<float>>;
  EXPECT_EQ(Any::unsupported(500, inner), "");
  EXPECT_EQ(Any::unsupported(512, inner), "");
  EXPECT_EQ(Any::unsupported(513, inner),
            "bluestein of n = 513 convolves in 2048 points: inner takes 1024, got 2048");
  EXPECT_EQ(Any::unsupported(0, inner), "bluestein needs n >= 1");
}

TEST(Rader, HasTheBitsOfTheTextbook) {
  const auto expect_bits = [](std::size_t n, std::size_t g) {
    const auto with = [g](auto textbook) {
      return [g, textbook](const auto& x, const RootFunction& roots, Direction direction) {
        return textbook(x, roots, direction, g);
      };
    };
    expect_bits_of<PlainRader, FastScalars>(n, with(textbook_rader<FastScalars>));
    expect_bits_of<PlainRader, KahanScalars>(n, with(textbook_rader<KahanScalars>));
    expect_bits_of<PlainRader, Bf16Scalars>(n, with(textbook_rader<Bf16Scalars>));
  };
  expect_bits(3, 2);
  expect_bits(5, 2);
  expect_bits(7, 3);
  expect_bits(17, 3);
  expect_bits(41, 6);
  expect_bits(257, 3);
}

TEST(Rader, RefusesWhatIsNoOddPrime) {
  const FftModel any{[](std::size_t) { return std::string(); }, {}};
  const MachineArithmetic<float> arithmetic(resolve(mode_named("fp32"), machine_named("trn")));
  for (const std::size_t n : {0u, 1u, 2u, 4u, 9u, 91u, 1001u}) {
    EXPECT_EQ(Rader<MachineArithmetic<float>>::unsupported(n, any),
              "rader needs a prime n, 3 <= n < 2^32, got " + std::to_string(n));
    EXPECT_THROW((PlainRader<MachineArithmetic<float>>(arithmetic, n, Direction::forward,
                                                       rational_factors())),
                 InputError)
        << n;
  }
}

}  // namespace fftprec::testing
