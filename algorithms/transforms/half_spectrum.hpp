/// One-sided spectra of real data: the part of a spectrum that determines the rest. Nothing here
/// rounds.
#pragma once

#include <algorithm>
#include <cstddef>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// Bins of the one-sided spectrum of n real values.
constexpr std::size_t half_length(std::size_t n) { return n / 2 + 1; }

/// The first n/2 + 1 elements of each row of n.
template <class Real>
ComplexArray<Real> one_sided(const ComplexArray<Real>& x, std::size_t n) {
  const std::size_t half = half_length(n);
  const std::size_t rows = x.size() / n;
  ComplexArray<Real> result(rows * half);
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(x.re.data() + row * n, half, result.re.data() + row * half);
    std::copy_n(x.im.data() + row * n, half, result.im.data() + row * half);
  }
  return result;
}

/// Rows of n from rows of n/2 + 1: x_0 ... x_(n/2), then conj(x_(n-k)). The imaginary parts at 0
/// and, for even n, at n/2 are dropped: a Hermitian row has none there.
template <class Real>
ComplexArray<Real> two_sided(const ComplexArray<Real>& x, std::size_t n) {
  const std::size_t half = half_length(n);
  const std::size_t rows = x.size() / half;
  ComplexArray<Real> result(rows * n);
  for (std::size_t row = 0; row < rows; ++row) {
    const Real* from_re = x.re.data() + row * half;
    const Real* from_im = x.im.data() + row * half;
    Real* re = result.re.data() + row * n;
    Real* im = result.im.data() + row * n;
    for (std::size_t k = 0; k < half; ++k) {
      const std::size_t mirror = (n - k) % n;
      re[k] = re[mirror] = from_re[k];
      im[mirror] = -from_im[k];
      im[k] = mirror == k ? Real(0) : from_im[k];
    }
  }
  return result;
}

/// im x <- 0.
template <class Real>
void drop_imaginary(ComplexArray<Real>& x) {
  std::fill(x.im.begin(), x.im.end(), Real(0));
}

}  // namespace fftprec
