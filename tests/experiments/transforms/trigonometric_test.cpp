/// What cosine, sine, Hartley and lapped transforms do twice, and the MDCT in fixed point, word for
/// word.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/transforms/half_spectrum.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec::testing {

namespace {

/// The result of a case for other data than its own.
ComplexArray<double> transformed(const Case& where, const ComplexArray<double>& x) {
  return run_case(Session().plan(where), x, {.round_trip = false}).values;
}

/// ||y - factor x|| / ||factor x||, over elements first .. end - 1.
double distance_from(const ComplexArray<double>& y, const ComplexArray<double>& x, double factor,
                     std::size_t first, std::size_t end) {
  double error = 0, size = 0;
  for (std::size_t i = first; i < end; ++i) {
    error += std::pow(y.re[i] - factor * x.re[i], 2);
    size += std::pow(factor * x.re[i], 2);
  }
  return std::sqrt(error / size);
}

struct TransformAndInverse {
  const char* first;
  const char* second;
  std::size_t n;
  double factor;
};

/// A signal of `frames` + 1 hops of n samples: cut into frames of 2n, there, back, and added.
ComplexArray<double> there_and_back(Case where, const ComplexArray<double>& signal,
                                    const std::string& window) {
  const std::size_t n = where.n;
  const std::size_t frames = signal.size() / n - 1;
  ComplexArray<double> x(2 * n * frames);
  for (std::size_t i = 0; i < x.size(); ++i) x.re[i] = signal.re[i / (2 * n) * n + i % (2 * n)];
  where.batch = frames;
  where.transform = "mdct" + window;
  const ComplexArray<double> spectra = transformed(where, x);
  where.transform = "imdct" + window;
  const ComplexArray<double> back = transformed(where, spectra);
  ComplexArray<double> sum(signal.size());
  for (std::size_t i = 0; i < back.size(); ++i) sum.re[i / (2 * n) * n + i % (2 * n)] += back.re[i];
  return sum;
}

}  // namespace

TEST(TrigonometricPairs, AreTheSignalTimesTheirFactor) {
  for (const auto& [first, second, n, factor] :
       std::vector<TransformAndInverse>{{"dct1", "dct1", 33, 64},
                                        {"dct4", "dct4", 32, 64},
                                        {"dst1", "dst1", 31, 64},
                                        {"dst2", "dst3", 32, 64},
                                        {"dst3", "dst2", 32, 64},
                                        {"dst4", "dst4", 32, 64},
                                        {"hartley", "hartley", 32, 32}})
    for (const char* algorithm : {"radix2-dit", "dft-gemm", "split-radix"}) {
      Case where{.transform = first, .algorithm = algorithm, .mode = "fp64", .n = n};
      const Row row = evaluate(where);
      const ComplexArray<double> x =
          transform_named(first).make_input(input_named("gaussian"), n, 1, 3);
      const ComplexArray<double> y = transformed(where, x);
      where.transform = second;
      EXPECT_LT(distance_from(transformed(where, y), x, factor, 0, n), 4 * *row.bound_l2_rel)
          << first << ", " << algorithm;
    }
}

TEST(LappedTransforms, CancelTheAliasesOfFramesThatOverlap) {
  constexpr std::size_t n = 32;
  ComplexArray<double> signal = input_named("gaussian")(6 * n, 1, 4);
  drop_imaginary(signal);
  const Case where{.algorithm = "radix2-dit", .mode = "fp64", .n = n};
  EXPECT_LT(distance_from(there_and_back(where, signal, ""), signal, n / 2, n, 5 * n), 0x1p-48);
  EXPECT_LT(distance_from(there_and_back(where, signal, ":window=none"), signal, n, n, 5 * n),
            0x1p-48);
}

/// The words of a signal below 2^-6 in q1.31 and q1.15: stages halve, and nothing leaves the range.
TEST(LappedTransforms, CancelTheAliasesOfFramesInFixedPoint) {
  constexpr std::size_t n = 16;
  ComplexArray<double> signal = input_named("uniform")(6 * n, 1, 5);
  drop_imaginary(signal);
  for (double& value : signal.re) value *= 0x1p-6;
  for (const auto& [mode, unit] : {std::pair{"q1.31", 0x1p-31}, {"q1.15", 0x1p-15}}) {
    const Case where{.algorithm = "radix2-dit", .mode = mode, .n = n};
    const ComplexArray<double> back = there_and_back(where, signal, "");
    double largest = 0;
    for (std::size_t i = n; i < 5 * n; ++i)
      largest = std::max(largest, std::abs(back.re[i] - n / 2.0 * signal.re[i]));
    // Two transforms, each with gain sqrt(n/2), of a few roundings each.
    EXPECT_LT(largest, 64 * unit) << mode;
    EXPECT_GT(largest, 0) << mode;
  }
}

namespace {

/// A complex number of words.
struct Words {
  std::int64_t re, im;
};

/// The MDCT in words of `bits` fraction bits, inputs small enough for 64-bit products.
class MdctOfWords {
 public:
  MdctOfWords(int bits, const Format& format) : bits_(bits), format_(format) {}

  std::int64_t word(double value) const {
    return static_cast<std::int64_t>(std::ldexp(value, bits_));
  }

  std::vector<std::int64_t> operator()(std::vector<std::int64_t> x) const {
    const std::size_t n = x.size() / 2, h = n / 2;
    for (std::size_t j = 0; j < 2 * n; ++j)
      x[j] = rounded(x[j] * std::min(-root(2 * j + 1, 8 * n).im, word(1) - 1));
    std::vector<std::int64_t> u, y(n);
    for (std::size_t i = 0; i < h; ++i) u.push_back(-x[3 * h - 1 - i] - x[3 * h + i]);
    for (std::size_t i = 0; i < h; ++i) u.push_back(x[i] - x[n - 1 - i]);
    std::vector<Words> z;
    for (std::size_t j = 0; j < h; ++j)
      z.push_back(product({u[2 * j], u[n - 1 - 2 * j]}, root(8 * j + 1, 16 * n)));
    z = fft(z);
    for (std::size_t k = 0; k < h; ++k) {
      const Words turned = product(z[k], root(8 * k + 1, 16 * n));
      y[2 * k] = turned.re;
      y[n - 1 - 2 * k] = -turned.im;
    }
    return y;
  }

 private:
  /// Half to even.
  std::int64_t rounded(std::int64_t value) const {
    const std::int64_t floor = value >> bits_;
    const std::int64_t rest = value - (floor << bits_);
    const std::int64_t half = std::int64_t{1} << (bits_ - 1);
    return floor + (rest > half || (rest == half && floor % 2 != 0) ? 1 : 0);
  }
  Words product(Words a, Words b) const {
    return {rounded(a.re * b.re - a.im * b.im), rounded(a.re * b.im + a.im * b.re)};
  }
  Words root(std::size_t exponent, std::size_t order) const {
    const std::complex<double> w = exact_(exponent, order, format_);
    return {word(w.real()), word(w.imag())};
  }
  std::vector<Words> fft(const std::vector<Words>& x) const {
    if (x.size() == 1) return x;
    std::vector<Words> even, odd, y(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) (j % 2 == 0 ? even : odd).push_back(x[j]);
    even = fft(even);
    odd = fft(odd);
    for (std::size_t k = 0; k < even.size(); ++k) {
      const Words t = product(odd[k], root(k, x.size()));
      y[k] = {even[k].re + t.re, even[k].im + t.im};
      y[k + even.size()] = {even[k].re - t.re, even[k].im - t.im};
    }
    return y;
  }

  int bits_;
  Format format_;
  RootFunction exact_ = table_source("exact");
};

}  // namespace

TEST(LappedTransforms, HaveTheWordsOfIntegersInFixedPoint) {
  for (const int bits : {15, 31})
    for (const std::size_t n : {2u, 4u, 8u, 16u, 64u}) {
      const Case where{.transform = "mdct",
                       .algorithm = "radix2-dit",
                       .mode = "q1." + std::to_string(bits),
                       .n = n};
      const CasePlan plan = Session().plan(where);
      const MdctOfWords textbook(bits, plan.resolved().arithmetic.storage_format());
      ComplexArray<double> x = input_named("uniform")(2 * n, 1, 6);
      drop_imaginary(x);
      std::vector<std::int64_t> words;
      for (double& value : x.re) {
        words.push_back(textbook.word(value * 0x1p-8));
        value = std::ldexp(static_cast<double>(words.back()), -bits);
      }

      const ComplexArray<double> y = transformed(where, x);

      const std::vector<std::int64_t> expected = textbook(words);
      for (std::size_t k = 0; k < n; ++k)
        EXPECT_EQ(textbook.word(y.re[k]), expected[k])
            << where.mode << ", n = " << n << ", output " << k << ", seed 6";
    }
}

}  // namespace fftprec::testing
