/// rader-brenner against the DFT, against its definition, and how fast its error grows.
#include "algorithms/fft/rader_brenner.hpp"

#include <cmath>

#include "algorithms/fft/radix2.hpp"
#include "tests/algorithms/transform_checks.hpp"

namespace fftprec::testing {

namespace {

template <class Scalars>
auto textbook(const std::vector<Complex<typename Scalars::Scalar>>& x, const RootFunction& roots,
              Direction direction) {
  using T = typename Scalars::Scalar;
  const std::size_t n = x.size(), h = n / 2;
  if (n == 1) return x;
  std::vector<Complex<T>> even(h), c(h), result(n);
  Complex<T> sum = x[1];
  for (std::size_t j = 1; j < h; ++j) sum = sum + x[2 * j + 1];
  const T share(1 / static_cast<float>(h));
  for (std::size_t j = 0; j < h; ++j) {
    even[j] = x[2 * j];
    const Complex<T> mean{share * sum.re, share * sum.im};
    c[j] = h == 1 ? x[1] : (x[2 * j + 1] - x[(2 * j + n - 1) % n]) + mean;
  }
  even = textbook<Scalars>(even, roots, direction);
  c = textbook<Scalars>(c, roots, direction);
  for (std::size_t k = 0; k < h; ++k) {
    Complex<T> t = c[k];
    if (k > 0) {
      const double sine = -roots(k, n, {50, -450, 450}).imag();
      const T r(static_cast<float>(
          round(1 / (2 * sine), storage_format(mode_named(Scalars::mode)), Rounding::rne)));
      const Complex<T> scaled{r * t.re, r * t.im};
      t = direction == Direction::forward ? Complex<T>{scaled.im, -scaled.re}
                                          : Complex<T>{-scaled.im, scaled.re};
    }
    result[k] = even[k] + t;
    result[k + h] = even[k] - t;
  }
  return result;
}

template <template <class> class Algorithm>
double error(std::size_t n, const char* mode) {
  const Subject<Algorithm, float> subject{resolve(mode_named(mode), machine_named("ieee"))};
  const ComplexArray<double> x = in_double(subject.arithmetic.stored(normal_values(n, 1)));
  const ComplexArray<double> y = in_double(subject.transform(x, n, Direction::forward));
  return truth::measure(y, truth::dft(x, n, Direction::forward), fp32).l2_rel;
}

}  // namespace

/// In fp64, where what it loses still leaves eight digits.
TEST(RaderBrenner, IsTheDft) {
  const auto subject = in_mode_double<RaderBrenner>();
  for (std::size_t n = 1; n <= 256; n *= 2)
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const ComplexArray<double> x = normal_values(3 * n, 1);
      const ComplexArray<double> y = subject.transform(x, n, direction);
      EXPECT_LT(truth::measure(y, truth::dft(x, n, direction), fp64).l2_rel, 1e-8) << n;
    }
}

TEST(RaderBrenner, HasTheBitsOfItsDefinition) {
  for (const std::size_t n : {1u, 2u, 4u, 8u, 64u, 1024u})
    expect_bits_of<RaderBrenner, FastScalars>(n, textbook<FastScalars>);
  for (const std::size_t n : {2u, 8u, 64u})
    expect_bits_of<RaderBrenner, Bf16Scalars>(n, textbook<Bf16Scalars>);
}

/// Radix 2 errs by about the square root of log n; this by more than n.
TEST(RaderBrenner, LosesABitAndMoreWithEveryDoubling) {
  const double first = error<RaderBrenner>(64, "fp32"), last = error<RaderBrenner>(4096, "fp32");
  EXPECT_GT(last, 64 * first);
  EXPECT_LT(error<Radix2Dit>(4096, "fp32"), 2 * error<Radix2Dit>(64, "fp32"));
}

}  // namespace fftprec::testing
