/// The FFT of this example: radix 3, decimation in frequency, n = 3^k.
#pragma once

#include <algorithm>
#include <fftprec/fftprec.hpp>
#include <string>
#include <vector>

/// Stages L = 1, 3, 9, ...: the data are an array (3, M, L), M = n / (3 L). A stage
/// 1. replaces the three elements over the first axis by their DFT, a matrix product;
/// 2. multiplies element (k, m, l) by exp(-+2 pi i k m / (3 M));
/// 3. moves (3, M, L) to (M, 3, L), which is the next stage's array.
/// The result is in natural order. The inverse conjugates the tables and ends with a product by
/// fl(1/n).
template <fftprec::ArrayArithmetic Arithmetic>
class Radix3 {
 public:
  using Real = typename Arithmetic::Real;
  using Predictor = fftprec::Predictor;
  using ErrorModel = fftprec::ErrorModel;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n) {
    std::size_t power = 3;
    while (power < n) power *= 3;
    return power == n ? "" : "radix3 needs n = 3^k, k >= 1, got " + std::to_string(n);
  }

  /// The stages in words: bound, expected error and cost follow. Without this function there are
  /// none, and everything else works.
  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
    ErrorModel result{.theorem = "radix3-stages"};
    std::size_t number = 0;
    for (std::size_t m = n / 3; m > 0; m /= 3) {
      const auto mark = predictor.stage("stage #", ++number);
      result = result.compose(predictor.stage_begun(3, n / (3 * m), batch * n))
                   .compose(predictor.gemm(dft3(), 3, batch * (n / 3)));
      if (m > 1) {
        result = predictor.stored_product(result).compose(
            predictor.product(twiddles(m), 2.0 / 3, batch * (2 * n / 3)));
        result = predictor.stage_ended(result, number);
      }
      result = result.compose(predictor.reorder());
    }
    const auto mark = predictor.stage("scaling", number + 1);
    return result.compose(predictor.scale_product(n, batch * n));
  }

  Radix3(const Arithmetic& arithmetic, std::size_t n, fftprec::Dft dft,
         const fftprec::RootFunction& roots)
      : n_(n), dft_(dft), matrix_(arithmetic.matrix(dft3(), 3, dft, roots)) {
    for (std::size_t m = n / 3; m > 1; m /= 3)
      twiddles_.push_back(arithmetic.factors(twiddles(m), dft, roots));
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, fftprec::ComplexArray<Real>& x) const {
    fftprec::ComplexArray<Real> work(n_);
    for (std::size_t first = 0; first < x.size(); first += n_) {
      const View now{x.re.data() + first, x.im.data() + first, 3, n_ / 3, n_ / 3};
      const View next{work.re.data(), work.im.data(), 3, n_ / 3, n_ / 3};
      std::size_t number = 0;
      for (std::size_t m = n_ / 3, done = 1; m > 0; m /= 3, done *= 3) {
        const auto mark = arithmetic.stage("stage #", ++number);
        arithmetic.begin_stage(now, 3, done);
        arithmetic.gemm_columns(next, matrix_, now);
        if (m > 1) {
          arithmetic.store_product(next);
          for (std::size_t k = 1; k < 3; ++k)
            arithmetic.multiply(row(next, k, m, done),
                                twiddles_[number - 1].view((k - 1) * m, 1, 0));
          arithmetic.end_stage(next, number);
        }
        for (std::size_t k = 0; k < 3; ++k) move(row(next, k, m, done), now, k);
        mark.leaves(now, [&](std::size_t r, std::size_t c) { return first + r * (n_ / 3) + c; });
      }
    }
    arithmetic.scale_product(fftprec::view_of(x, x.size() / n_, n_), dft_, n_);
  }

 private:
  using View = fftprec::View<Real>;

  /// W(k, j) = exp(-2 pi i kj / 3), row-major: entry i has row k = i / 3 and column j = i mod 3.
  static fftprec::TableSpec dft3() {
    return {9,
            [](std::size_t i) {
              return fftprec::RootIndex{i / 3, i % 3, 3, fftprec::AngleOrder::product};
            },
            {4.0 / 3, 2}};
  }

  /// exp(-2 pi i k m' / (3 m)) for k = 1, 2 and m' < m.
  static fftprec::TableSpec twiddles(std::size_t m) {
    const std::size_t largest = 2 * (m - 1);
    return {2 * m,
            [m](std::size_t i) {
              return fftprec::RootIndex{(i / m + 1) * (i % m), 3 * m};
            },
            {static_cast<double>(largest) / static_cast<double>(3 * m), largest}};
  }

  /// Row k of an array (3, m, done), as m x done.
  static View row(View x, std::size_t k, std::size_t m, std::size_t done) {
    return {x.re + k * x.stride, x.im + k * x.stride, m, done, done};
  }

  /// (k, m, l) of an array (3, m, done) becomes (m, k, l) of `out`.
  static void move(View from, View out, std::size_t k) {
    for (std::size_t m = 0; m < from.rows; ++m) {
      std::copy_n(from.re + m * from.cols, from.cols, out.re + (3 * m + k) * from.cols);
      std::copy_n(from.im + m * from.cols, from.cols, out.im + (3 * m + k) * from.cols);
    }
  }

  std::size_t n_;
  fftprec::Dft dft_;
  typename Arithmetic::Table matrix_;
  std::vector<typename Arithmetic::Table> twiddles_;
};
