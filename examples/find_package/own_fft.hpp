/// The FFT of this example: radix 2, in float.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#ifndef OWN_FFT_SIGN
#define OWN_FFT_SIGN -1
#endif

/// sum over j of x_j exp(-2 pi i jk/n), n a power of two.
inline std::vector<std::complex<float>> own_fft(std::vector<std::complex<float>> x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t k = 0; k < half; ++k) {
      const double angle =
          OWN_FFT_SIGN * std::numbers::pi * static_cast<double>(k) / static_cast<double>(half);
      const std::complex<float> w(std::polar(1.0, angle));
      for (std::size_t first = k; first < n; first += 2 * half) {
        const std::complex<float> moved = w * x[first + half];
        x[first + half] = x[first] - moved;
        x[first] += moved;
      }
    }
  return x;
}
