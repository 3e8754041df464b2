/// The documented order of operations, written out in plain loops over single floats: the
/// transforms must have the same bits.
#include <cmath>
#include <complex>

#include "arith/formats/complex.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/experiments/transforms/fourier_transforms.hpp"

namespace fftprec::testing {

namespace {

using Line = std::vector<std::complex<float>>;

std::complex<float> product(std::complex<float> a, std::complex<float> b) {
  const float rr = a.real() * b.real(), ii = a.imag() * b.imag();
  const float ri = a.real() * b.imag(), ir = a.imag() * b.real();
  return {rr - ii, ri + ir};
}

std::complex<float> root(std::size_t exponent, std::size_t order, bool inverse) {
  static const RootFunction exact = table_source("exact");  // keeps the circles
  const std::complex<double> w = exact(exponent, order, fp32);
  const double im = inverse ? -w.imag() : w.imag();
  return {static_cast<float>(w.real()), static_cast<float>(im)};
}

/// radix2-dit as a recursion: even and odd elements, then one butterfly per pair.
Line unscaled(const Line& x, bool inverse) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  Line even, odd, y(n);
  for (std::size_t j = 0; j < n; ++j) (j % 2 == 0 ? even : odd).push_back(x[j]);
  even = unscaled(even, inverse);
  odd = unscaled(odd, inverse);
  for (std::size_t k = 0; k < n / 2; ++k) {
    const std::complex<float> t = product(root(k, n, inverse), odd[k]);
    y[k] = {even[k].real() + t.real(), even[k].imag() + t.imag()};
    y[k + n / 2] = {even[k].real() - t.real(), even[k].imag() - t.imag()};
  }
  return y;
}

Line times(Line y, double factor) {
  const auto by = static_cast<float>(factor);
  for (auto& value : y) value = {value.real() * by, value.imag() * by};
  return y;
}

Line fft(const Line& x, bool inverse) {
  const Line y = unscaled(x, inverse);
  return inverse ? times(y, 1 / static_cast<double>(x.size())) : y;
}

Line ortho(const Line& x, bool inverse) {
  return times(unscaled(x, inverse), 1 / std::sqrt(static_cast<double>(x.size())));
}

/// Column c of a matrix with `cols` columns, transformed in place.
void fft_column(Line& x, std::size_t cols, std::size_t c, bool inverse) {
  Line column;
  for (std::size_t i = c; i < x.size(); i += cols) column.push_back(x[i]);
  column = fft(column, inverse);
  for (std::size_t i = 0; i < column.size(); ++i) x[i * cols + c] = column[i];
}

Line rfft2(const Line& x, std::size_t rows, std::size_t cols) {
  Line y;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(row * cols);
    const Line whole = fft(Line(first, first + static_cast<std::ptrdiff_t>(cols)), false);
    y.insert(y.end(), whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cols / 2 + 1));
  }
  for (std::size_t k = 0; k <= cols / 2; ++k) fft_column(y, cols / 2 + 1, k, false);
  return y;
}

Line irfft2(Line x, std::size_t rows, std::size_t cols) {
  for (std::size_t k = 0; k <= cols / 2; ++k) fft_column(x, cols / 2 + 1, k, true);
  Line y;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::complex<float>* half = x.data() + row * (cols / 2 + 1);
    Line whole(cols);
    for (std::size_t k = 0; k < cols; ++k)
      whole[k] = k <= cols / 2 ? half[k] : std::conj(half[cols - k]);
    whole[0] = half[0].real();
    whole[cols / 2] = half[cols / 2].real();
    for (const auto& value : fft(whole, true)) y.push_back(value.real());
  }
  return y;
}

Line fft3(Line x, std::size_t n) {
  for (std::size_t line = 0; line < n * n; ++line) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(line * n);
    const Line y = fft(Line(first, first + static_cast<std::ptrdiff_t>(n)), false);
    std::copy(y.begin(), y.end(), first);
  }
  for (const std::size_t stride : {n, n * n})
    for (std::size_t start = 0; start < n * n * n; ++start) {
      if (start / stride % n != 0) continue;
      Line line;
      for (std::size_t i = 0; i < n; ++i) line.push_back(x[start + i * stride]);
      line = fft(line, false);
      for (std::size_t i = 0; i < n; ++i) x[start + i * stride] = line[i];
    }
  return x;
}

/// `d`: what the FFT is divided by; `weight`: what is multiplied by but in column 0; `twice`: all
/// results are doubled, or all but the first.
enum class Twice { none, others, all };
Line dct2(const Line& x, double d = 1, double weight = 1, Twice twice = Twice::all) {
  const std::size_t n = x.size();
  Line v(n), y(n);
  for (std::size_t j = 0; 2 * j < n; ++j) v[j] = x[2 * j];
  for (std::size_t j = 0; 2 * j + 1 < n; ++j) v[n - 1 - j] = x[2 * j + 1];
  v = times(fft(v, false), 1 / d);
  for (std::size_t k = 0; k < n; ++k) {
    float value = product(root(k, 4 * n, false), v[k]).real();
    if (k > 0) value *= static_cast<float>(weight);
    y[k] = twice == Twice::all || (twice == Twice::others && k > 0) ? 2 * value : value;
  }
  return y;
}

Line dct3(const Line& x, double d = 1, double of_first = 1, double of_others = 1) {
  const std::size_t n = x.size();
  Line a(n), y(n);
  for (std::size_t k = 0; k < n; ++k)
    a[k] = times({product(root(k, 4 * n, false), {x[k].real(), k == 0 ? 0 : x[n - k].real()})},
                 k == 0 ? of_first : of_others)[0];
  a = times(fft(a, false), 1 / d);
  for (std::size_t j = 0; 2 * j < n; ++j) y[2 * j] = a[j].real();
  for (std::size_t j = 0; 2 * j + 1 < n; ++j) y[2 * j + 1] = a[n - 1 - j].real();
  return y;
}

/// Type IV without its factor 2, as (x_2j, x_(n-1-2j)) between two products.
Line half_dct4(const Line& u) {
  const std::size_t n = u.size();
  Line z(n / 2), y(n);
  for (std::size_t j = 0; j < n / 2; ++j)
    z[j] = product(root(8 * j + 1, 16 * n, false), {u[2 * j].real(), u[n - 1 - 2 * j].real()});
  z = fft(z, false);
  for (std::size_t k = 0; k < n / 2; ++k) {
    const std::complex<float> turned = product(root(8 * k + 1, 16 * n, false), z[k]);
    y[2 * k] = turned.real();
    y[n - 1 - 2 * k] = -turned.imag();
  }
  return y;
}
Line dct4(const Line& x) { return times(half_dct4(x), 2); }

Line reversed(const Line& x) { return {x.rbegin(), x.rend()}; }
Line alternating(Line x) {
  for (std::size_t j = 1; j < x.size(); j += 2) x[j] = -x[j].real();
  return x;
}

/// 2n points, x in front of its mirror image, without its ends; `sine`: with zeros between them.
Line type_1(const Line& x, bool sine) {
  const std::size_t n = x.size();
  Line whole, y;
  if (sine) whole.push_back(0);
  for (const auto& value : x) whole.push_back(sine ? -value.real() : value.real());
  if (sine) whole.push_back(0);
  for (std::size_t j = n - (sine ? 0 : 1); j-- > (sine ? 0u : 1u);) whole.push_back(x[j].real());
  whole = fft(whole, false);
  for (std::size_t k = 0; k < n; ++k) y.push_back(sine ? whole[k + 1].imag() : whole[k].real());
  return y;
}

Line hartley(const Line& x) {
  Line y = fft(x, false);
  for (auto& value : y) value = value.real() - value.imag();
  return y;
}

float window_at(std::size_t j, std::size_t n) { return -root(2 * j + 1, 8 * n, false).imag(); }

/// (-c_r - d, a - b_r) of the quarters of a frame.
Line mdct(const Line& x, bool windowed) {
  const std::size_t n = x.size() / 2, h = n / 2;
  std::vector<float> w;
  for (std::size_t j = 0; j < 2 * n; ++j)
    w.push_back(windowed ? window_at(j, n) * x[j].real() : x[j].real());
  Line u;
  for (std::size_t i = 0; i < h; ++i) u.push_back(-w[3 * h - 1 - i] - w[3 * h + i]);
  for (std::size_t i = 0; i < h; ++i) u.push_back(w[i] - w[n - 1 - i]);
  return half_dct4(u);
}

Line imdct(const Line& x, bool windowed) {
  const std::size_t n = x.size(), h = n / 2;
  const Line v = half_dct4(x);
  Line y;
  for (std::size_t i = 0; i < h; ++i) y.push_back(v[h + i]);
  for (std::size_t i = 0; i < h; ++i) y.push_back(-v[n - 1 - i].real());
  for (std::size_t i = 0; i < h; ++i) y.push_back(-v[h - 1 - i].real());
  for (std::size_t i = 0; i < h; ++i) y.push_back(-v[i].real());
  for (std::size_t j = 0; windowed && j < 2 * n; ++j) y[j] = window_at(j, n) * y[j].real();
  return y;
}

void expect_bits(const std::string& name, std::size_t n,
                 Line (*textbook)(const Line&, std::size_t)) {
  using Arithmetic = MachineArithmetic<float>;
  const Arithmetic arithmetic(resolve(mode_named("fp32"), machine_named("trn")));
  const TransformEntry transform = transform_named(name);
  const ComplexArray<float> x =
      arithmetic.stored(transform.make_input(input_named("gaussian"), n, 1, 1));
  Line line;
  for (std::size_t i = 0; i < x.size(); ++i) line.emplace_back(x.re[i], x.im[i]);

  const ComplexArray<float> y = transform.make.in<MachineArithmetic<float>>()(
      arithmetic, algorithm_named("radix2-dit"), n, RootFunction(table_source("exact")))(arithmetic,
                                                                                         x);
  const Line expected = textbook(line, n);

  ASSERT_EQ(y.size(), expected.size()) << name << ", n = " << n;
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_EQ(y.re[i], expected[i].real())
        << name << ", n = " << n << ", output " << i << ", seed 1";
    ASSERT_EQ(y.im[i], expected[i].imag())
        << name << ", n = " << n << ", output " << i << ", seed 1";
  }
}

}  // namespace

class FourierTextbook : public ::testing::TestWithParam<std::size_t> {};

TEST_P(FourierTextbook, HasTheBitsOfPlainLoops) {
  const std::size_t n = GetParam();
  expect_bits("rfft", n, [](const Line& x, std::size_t m) { return rfft2(x, 1, m); });
  expect_bits("irfft", n, [](const Line& x, std::size_t m) { return irfft2(x, 1, m); });
  expect_bits("rfft2:rows=8", n, [](const Line& x, std::size_t m) { return rfft2(x, 8, m); });
  expect_bits("irfft2:rows=8", n, [](const Line& x, std::size_t m) { return irfft2(x, 8, m); });
  expect_bits("fft:norm=ortho", n, [](const Line& x, std::size_t) { return ortho(x, false); });
  expect_bits("ifft:norm=ortho", n, [](const Line& x, std::size_t) { return ortho(x, true); });
  expect_bits("ifft:norm=forward", n, [](const Line& x, std::size_t) { return unscaled(x, true); });
  expect_bits("fft:norm=forward", n, [](const Line& x, std::size_t m) {
    return times(unscaled(x, false), 1 / static_cast<double>(m));
  });
  expect_bits("dct2", n, [](const Line& x, std::size_t) { return dct2(x); });
  expect_bits("dct3", n, [](const Line& x, std::size_t) { return dct3(x); });
  expect_bits("dct2:norm=forward", n, [](const Line& x, std::size_t m) {
    return dct2(x, static_cast<double>(m), 1, Twice::none);
  });
  expect_bits("dct2:norm=ortho", n, [](const Line& x, std::size_t m) {
    return dct2(x, std::sqrt(static_cast<double>(m)), std::sqrt(0.5), Twice::others);
  });
  expect_bits("dct3:norm=forward", n, [](const Line& x, std::size_t m) {
    return dct3(x, static_cast<double>(m), 0.5, 0.5);
  });
  expect_bits("dct3:norm=ortho", n, [](const Line& x, std::size_t m) {
    return dct3(x, std::sqrt(static_cast<double>(m)), 1, std::sqrt(0.5));
  });
  expect_bits("dct4", n, [](const Line& x, std::size_t) { return dct4(x); });
  expect_bits("dst2", n, [](const Line& x, std::size_t) { return reversed(dct2(alternating(x))); });
  expect_bits("dst3", n, [](const Line& x, std::size_t) { return alternating(dct3(reversed(x))); });
  expect_bits("dst4", n, [](const Line& x, std::size_t) { return alternating(dct4(reversed(x))); });
  expect_bits("dct1", n + 1, [](const Line& x, std::size_t) { return type_1(x, false); });
  expect_bits("dst1", n - 1, [](const Line& x, std::size_t) { return type_1(x, true); });
  expect_bits("hartley", n, [](const Line& x, std::size_t) { return hartley(x); });
  expect_bits("mdct", n, [](const Line& x, std::size_t) { return mdct(x, true); });
  expect_bits("mdct:window=none", n, [](const Line& x, std::size_t) { return mdct(x, false); });
  expect_bits("imdct", n, [](const Line& x, std::size_t) { return imdct(x, true); });
  expect_bits("imdct:window=none", n, [](const Line& x, std::size_t) { return imdct(x, false); });
  if (n <= 16) expect_bits("fftn", n, [](const Line& x, std::size_t m) { return fft3(x, m); });
}

INSTANTIATE_TEST_SUITE_P(Lengths, FourierTextbook, ::testing::Values(2, 4, 8, 16, 64, 256),
                         ::testing::PrintToStringParamName());

namespace {

using Arithmetic = MachineArithmetic<float>;
using Array = ComplexArray<float>;

/// to(j, i) = from(i, j) of one matrix.
Array turned(const Array& from, std::size_t cols) {
  Array to(from.size());
  const std::size_t rows = from.size() / cols;
  for (std::size_t i = 0; i < from.size(); ++i) {
    to.re[i % cols * rows + i / cols] = from.re[i];
    to.im[i % cols * rows + i / cols] = from.im[i];
  }
  return to;
}

}  // namespace

/// A matrix product in mode bf16 leaves fp32 values: between two axes they are rounded to bf16, at
/// the end they are not.
TEST(FourierAxes, RoundToTheStorageFormatBetweenThemAndNotAfter) {
  constexpr std::size_t rows = 4, cols = 6, half = cols / 2 + 1;
  const Arithmetic arithmetic(resolve(mode_named("bf16"), machine_named("trn")));
  const AlgorithmEntry gemm = algorithm_named("dft-gemm");
  const RootFunction roots = table_source("exact");
  const auto run = [&](const std::string& name, std::size_t n, const Array& x) {
    return transform_named(name).make.in<MachineArithmetic<float>>()(arithmetic, gemm, n, roots)(
        arithmetic, x);
  };
  const auto input = [&](const std::string& name) {
    return arithmetic.stored(transform_named(name).make_input(input_named("gaussian"), cols, 1, 2));
  };

  const Array x = input("fft2:rows=4");
  Array y = run("fft", cols, x);
  arithmetic.store(y);
  EXPECT_EQ(run("fft2:rows=4", cols, x), turned(run("fft", rows, turned(y, cols)), rows));

  const Array real = input("rfft2:rows=4");
  y = run("rfft", cols, real);
  arithmetic.store(y);
  EXPECT_EQ(run("rfft2:rows=4", cols, real), turned(run("fft", rows, turned(y, half)), rows));

  const Array spectrum = input("irfft2:rows=4");
  y = turned(run("ifft", rows, turned(spectrum, half)), rows);
  arithmetic.store(y);
  EXPECT_EQ(run("irfft2:rows=4", cols, spectrum), run("irfft", cols, y));
}

/// The order in mode bf16, whose products round what they are given: type II multiplies last.
TEST(Cosines, MultiplyByTheirQuarterTurnsInTheStorageFormat) {
  constexpr std::size_t n = 12;
  const Arithmetic arithmetic(resolve(mode_named("bf16"), machine_named("trn")));
  const AlgorithmEntry gemm = algorithm_named("dft-gemm");
  const RootFunction roots = table_source("exact");
  const Array x =
      arithmetic.stored(transform_named("dct2").make_input(input_named("gaussian"), n, 1, 2));
  Array v(n);
  for (std::size_t j = 0; j < n; ++j) v.re[j % 2 == 0 ? j / 2 : n - 1 - j / 2] = x.re[j];
  v = transform_named("fft").make.in<MachineArithmetic<float>>()(arithmetic, gemm, n, roots)(
      arithmetic, v);
  arithmetic.store(v);
  const auto turns = arithmetic.factors({n,
                                         [](std::size_t k) {
                                           return RootIndex{k, 4 * n};
                                         },
                                         {0.25, n}},
                                        Direction::forward, roots);
  arithmetic.multiply(view_of(v, 1, n), turns.view(0, 0, 1));

  const Array y = transform_named("dct2").make.in<MachineArithmetic<float>>()(arithmetic, gemm, n,
                                                                              roots)(arithmetic, x);

  for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(y.re[k], 2 * v.re[k]) << "output " << k;
}

}  // namespace fftprec::testing
