/// rader-brenner: radix 2 with real factors, n = 2^t; the textbook example of an unstable FFT.
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/fft/transpose.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// F_n of x, h = n/2, w = exp(-+2 pi i/n). Instead of the odd elements b_j = x_{2j+1}, their
/// differences are transformed:
///   q = (1/h) (b_0 + b_1 + ...), from the left;
///   c_j = (b_j - b_{j-1}) + q, j = 0..h-1, b_{-1} = b_{h-1};
///   E = F_h of the even elements, C = F_h(c);
///   X_k, X_{k+h} = E_k +- t_k, t_0 = C_0, t_k = -+i r_k C_k, r_k = 1/(2 sin(2 pi k/n)),
/// since C_k = (1 - w^(2k)) w^(-k) (w^k B_k) for k > 0 and C_0 = B_0. F_1 does nothing.
///
/// Rounds: each sum, and one product of each part with r_k. The product with 1/h, a power of two,
/// is exact except on underflow. r is a quotient of the source's roots (parts_of_quotients),
/// divided in fp64 and rounded to the format of tables.
///
/// No bound is stated. r_1 is about n/(4 pi) and multiplies the error of C_1, which is as large as
/// the errors of the other C_k. The stages above multiply it again.
///
/// Source: Rader, Brenner, IEEE Trans. ASSP 24, 1976, 264-266.
template <ArrayArithmetic Arithmetic>
class RaderBrenner {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n) {
    return std::has_single_bit(n) ? "" : "rader-brenner needs n = 2^k, got " + std::to_string(n);
  }

  /// Throws InputError unless n is a power of two.
  RaderBrenner(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots)
      : n_(n), dft_(dft) {
    require(unsupported(n).empty(), unsupported(n));
    reciprocals_ = arithmetic.real_factors([n, roots](const Format& format) {
      std::vector<double> values(n, 0.0);
      for (std::size_t half = 2; half < n; half *= 2)
        for (std::size_t k = 1; k < half; ++k)
          values[half + k] = round(-0.5 / roots(k, 2 * half, parts_of_quotients(format)).imag(),
                                   format, Rounding::rne);
      return values;
    });
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    ComplexArray<Real> work(x.size()), other(x.size());
    const View<Real> data = view_of(work, n_, batch);
    transpose(view_of(x, batch, n_), data);
    transform_part(arithmetic, data, view_of(other, n_, batch));
    transpose(data, view_of(x, batch, n_));
    const auto mark = arithmetic.stage(norm_scaling, 2 * stages() + 1);
    arithmetic.scale(view_of(x, batch, n_), dft_, n_);
  }

 private:
  /// t = log2 n. Stages 1 .. t take differences, from the whole to its parts; stages t + 1 .. 2 t
  /// are butterflies, from the parts to the whole.
  static std::size_t stages(std::size_t size) {
    return static_cast<std::size_t>(std::countr_zero(size));
  }
  std::size_t stages() const { return stages(n_); }

  static void negate(View<Real> x) {
    turn(x, Direction::forward);
    turn(x, Direction::forward);
  }

  /// Transforms the rows of x. `work` has as many rows.
  void transform_part(const Arithmetic& arithmetic, View<Real> x, View<Real> work) const {
    if (x.rows == 1) return;
    const std::size_t half = x.rows / 2;
    copy(x, work);
    for (std::size_t j = 0; j < half; ++j) {
      copy(work.middle_rows(2 * j, 1), x.middle_rows(j, 1));
      copy(work.middle_rows(2 * j + 1, 1), x.middle_rows(half + j, 1));
    }
    const View<Real> even = x.middle_rows(0, half);
    const View<Real> odd = x.middle_rows(half, half);
    {
      const auto mark = arithmetic.stage("differences, stage #", stages() - stages(x.rows) + 1);
      take_differences(arithmetic, odd, work.middle_rows(0, half), work.middle_rows(half, 1));
    }
    transform_part(arithmetic, even, work.middle_rows(0, half));
    transform_part(arithmetic, odd, work.middle_rows(0, half));
    const auto mark = arithmetic.stage("butterflies, stage #", stages() + stages(x.rows));
    if (half > 1) {
      const View<Real> turned = odd.middle_rows(1, half - 1);
      arithmetic.multiply(turned, reciprocals_.view(half + 1, 1, 0));
      turn(turned, dft_);
    }
    arithmetic.sum_difference(even, odd);
  }

  /// b <- c. `before`, of as many rows, and the row `mean` are work space.
  void take_differences(const Arithmetic& arithmetic, View<Real> b, View<Real> before,
                        View<Real> mean) const {
    const std::size_t half = b.rows;
    if (half == 1) return;  // b_0 - b_0 + b_0
    copy(b.middle_rows(0, 1), mean);
    for (std::size_t j = 1; j < half; ++j) arithmetic.add(mean, mean, b.middle_rows(j, 1));
    arithmetic.scale_by(mean, 1 / static_cast<double>(half));
    copy(b.middle_rows(half - 1, 1), before.middle_rows(0, 1));
    copy(b.middle_rows(0, half - 1), before.middle_rows(1, half - 1));
    negate(before);
    arithmetic.add(b, b, before);
    for (std::size_t j = 0; j < half; ++j)
      arithmetic.add(b.middle_rows(j, 1), b.middle_rows(j, 1), mean);
  }

  std::size_t n_;
  Dft dft_;
  typename Arithmetic::Table reciprocals_;  ///< r_k of a part of 2 h elements at h + k
};

}  // namespace fftprec
