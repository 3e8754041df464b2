/// What the tests of this folder need: a tolerance, the exact transform, and an FFT to test.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

/// The largest |error| of an FFT of n values of type T, relative to the largest |result|. c: 0.7
/// for n = 2^k, 1 without prime factors above 13, 1.6 else.
template <class T>
double fft_tolerance(std::size_t n, double c = 0.7) {
  const double u = std::numeric_limits<T>::epsilon() / 2;
  const double count = static_cast<double>(n);
  return 2 * c * u * std::sqrt(std::log2(count) * std::log(1e6 * count)) + u;
}

/// exp(-2 pi i k / n) for k = 0..n-1, in long double.
inline std::vector<std::complex<long double>> roots(std::size_t n) {
  std::vector<std::complex<long double>> w(n);
  for (std::size_t k = 0; k < n; ++k)
    w[k] = std::polar(1.0L, -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                                static_cast<long double>(n));
  return w;
}

/// The largest |y - exact| / the largest |exact|; exact is the definition, in long double.
template <class T>
double fft_error(const std::vector<std::complex<T>>& y, const std::vector<std::complex<T>>& x) {
  const std::size_t n = x.size();
  const auto w = roots(n);
  long double error = 0;
  long double largest = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::complex<long double> exact;
    for (std::size_t j = 0; j < n; ++j)
      exact += w[j * k % n] * std::complex<long double>(x[j].real(), x[j].imag());
    error = std::max(error, std::abs(std::complex<long double>(y[k].real(), y[k].imag()) - exact));
    largest = std::max(largest, std::abs(exact));
  }
  return static_cast<double>(error / largest);
}

/// Noise, and the impulse that every stage of an FFT of radix 2 in time multiplies.
template <class T>
std::vector<std::vector<std::complex<T>>> test_data(std::size_t n) {
  std::vector<std::complex<T>> noise(n);
  std::vector<std::complex<T>> impulse(n);
  unsigned state = 1;
  const auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<T>(state >> 8) / static_cast<T>(1u << 23) - 1;
  };
  for (auto& value : noise) value = {next(), next()};
  impulse[n - 1] = 1;
  return {noise, impulse};
}

/// The FFT under test, in radix 2. With -DSPOILT each factor is the product of the one before and
/// the first.
template <class T>
std::vector<std::complex<T>> my_fft(const std::vector<std::complex<T>>& x) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::vector<std::complex<T>> even(n / 2);
  std::vector<std::complex<T>> odd(n / 2);
  for (std::size_t j = 0; j < n / 2; ++j) {
    even[j] = x[2 * j];
    odd[j] = x[2 * j + 1];
  }
  even = my_fft(even);
  odd = my_fft(odd);
  const auto exact = roots(n);
  std::complex<T> w = 1;
  std::vector<std::complex<T>> y(n);
  for (std::size_t k = 0; k < n / 2; ++k) {
    y[k] = even[k] + w * odd[k];
    y[k + n / 2] = even[k] - w * odd[k];
#ifdef SPOILT
    w *= std::complex<T>(static_cast<T>(exact[1].real()), static_cast<T>(exact[1].imag()));
#else
    w = {static_cast<T>(exact[k + 1].real()), static_cast<T>(exact[k + 1].imag())};
#endif
  }
  return y;
}
