/// The Stockham FFT as its definition reads, one complex number at a time.
#pragma once

#include <vector>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/fft/radix_plan.hpp"
#include "arith/formats/complex.hpp"
#include "arith/formats/complex_array.hpp"

namespace fftprec::testing {

/// How gemm adds up the products of one output in the machine at hand.
enum class GemmSums {
  one_chain,     ///< Xr Wr for all k, then Xi (-Wi) onto the same sum
  tile_by_tile,  ///< each of the two from zero, then their sum (length <= 128)
};

/// Forward transform of x by `plan` in T, with product(w, x) for complex products; a matrix product
/// of T's values is summed in Wide, which holds products exactly or rounds them as the machine
/// does.
template <class Wide, class T, class Product>
std::vector<Complex<T>> textbook_stockham(std::vector<Complex<T>> x, const RadixPlan& plan,
                                          const RootFunction& roots, const Format& table,
                                          GemmSums sums, Product product) {
  const std::size_t n = x.size();
  const auto root = [&](std::size_t exponent, std::size_t order) {
    const std::complex<double> w = roots(exponent, order, table);
    return Complex<T>{T(w.real()), T(w.imag())};
  };
  const auto minus_i = [](Complex<T> a) { return Complex<T>{a.im, -a.re}; };

  const auto matrix_product = [&](const std::vector<Complex<T>>& a) {
    const std::size_t r = a.size();
    const auto wide = [](T value) { return Wide(static_cast<double>(value)); };
    std::vector<Complex<T>> out(r);
    for (std::size_t j = 0; j < r; ++j) {
      Wide re[2] = {Wide(0.0), Wide(0.0)};
      Wide im[2] = {Wide(0.0), Wide(0.0)};
      for (std::size_t k = 0; k < r; ++k) {
        const Complex<T> w = root(k * j, r);
        re[0] = re[0] + wide(a[k].re) * wide(w.re);
        im[0] = im[0] + wide(a[k].re) * wide(w.im);
      }
      const std::size_t second = sums == GemmSums::one_chain ? 0 : 1;
      for (std::size_t k = 0; k < r; ++k) {
        const Complex<T> w = root(k * j, r);
        re[second] = re[second] + wide(a[k].im) * wide(-w.im);
        im[second] = im[second] + wide(a[k].im) * wide(w.re);
      }
      if (second == 1) {
        re[0] = re[0] + re[1];
        im[0] = im[0] + im[1];
      }
      out[j] = {T(static_cast<double>(re[0])), T(static_cast<double>(im[0]))};
    }
    return out;
  };
  const auto vector_product = [&](const std::vector<Complex<T>>& a) {
    std::vector<Complex<T>> out(a.size(), a[0]);
    for (std::size_t j = 0; j < a.size(); ++j)
      for (std::size_t k = 1; k < a.size(); ++k)
        out[j] = out[j] + (j == 0 ? a[k] : product(root(j * k, a.size()), a[k]));
    return out;
  };
  const auto by_sums = [&](const std::vector<Complex<T>>& a) {
    if (a.size() == 2) return std::vector<Complex<T>>{a[0] + a[1], a[0] - a[1]};
    const Complex<T> even = a[0] + a[2];
    const Complex<T> odd = a[1] + a[3];
    const Complex<T> apart = a[0] - a[2];
    const Complex<T> turned = minus_i(a[1] - a[3]);
    return std::vector<Complex<T>>{even + odd, apart + turned, even - odd, apart - turned};
  };

  std::size_t done = 1;
  for (const RadixStage& stage : plan.stages) {
    const std::size_t r = stage.radix;
    const std::size_t rest = n / (done * r);
    std::vector<Complex<T>> next(n);
    for (std::size_t l = 0; l < done; ++l)
      for (std::size_t m = 0; m < rest; ++m) {
        std::vector<Complex<T>> a(r);
        for (std::size_t k = 0; k < r; ++k) {
          a[k] = x[(l * r + k) * rest + m];
          if (done > 1 && k > 0) a[k] = product(root(l * k, done * r), a[k]);
        }
        if (stage.dft == SmallDft::sums) a = by_sums(a);
        if (stage.dft == SmallDft::matrix_product) a = matrix_product(a);
        if (stage.dft == SmallDft::vector_product) a = vector_product(a);
        for (std::size_t j = 0; j < r; ++j) next[(j * done + l) * rest + m] = a[j];
      }
    x = std::move(next);
    done *= r;
  }
  return x;
}

}  // namespace fftprec::testing
