/// Complex matrix products as tests make and judge them: data, both forms of the product, exact
/// sums.
#pragma once

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <random>
#include <vector>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

inline constexpr double u = unit_roundoff(fp32);

/// x (b x k) times w (k x n).
struct ProductShape {
  std::size_t b, k, n;
};

/// An exact sum of products of doubles whose exponents are not far apart.
class ExactSum {
 public:
  ExactSum& add(double a, double b) {
    mpfr_set_d(factor_.get(), a, MPFR_RNDN);
    mpfr_mul_d(factor_.get(), factor_.get(), b, MPFR_RNDN);
    mpfr_add(sum_.get(), sum_.get(), factor_.get(), MPFR_RNDN);
    return *this;
  }
  /// Rounded once (rne) to double, or to fp32.
  double value() const { return mpfr_get_d(sum_.get(), MPFR_RNDN); }
  float in_fp32() const { return mpfr_get_flt(sum_.get(), MPFR_RNDN); }
  /// |this - (high + low)|.
  double distance(double high, double low = 0) const {
    Wide rest(sum_);
    mpfr_sub_d(rest.get(), rest.get(), high, MPFR_RNDN);
    mpfr_sub_d(rest.get(), rest.get(), low, MPFR_RNDN);
    mpfr_abs(rest.get(), rest.get(), MPFR_RNDN);
    return mpfr_get_d(rest.get(), MPFR_RNDU);
  }

 private:
  static constexpr mpfr_prec_t bits = 700;
  Wide sum_{bits};
  Wide factor_{bits};
};

/// The exact parts of element (i, j) of x w, or of the sum of the magnitudes of their products.
template <class Real>
ExactSum exact_part(const ComplexArray<Real>& x, const ComplexArray<Real>& w, ProductShape shape,
                    std::size_t i, std::size_t j, bool imaginary, bool of_magnitudes = false) {
  ExactSum sum;
  const auto add = [&](Real a, Real b, bool negate) {
    const double product_sign = negate ? -1 : 1;
    const double left = static_cast<double>(a), right = static_cast<double>(b);
    if (of_magnitudes)
      sum.add(std::fabs(left), std::fabs(right));
    else
      sum.add(product_sign * left, right);
  };
  for (std::size_t k = 0; k < shape.k; ++k) {
    const std::size_t at = i * shape.k + k, of = k * shape.n + j;
    add(x.re[at], imaginary ? w.im[of] : w.re[of], false);
    add(x.im[at], imaginary ? w.re[of] : w.im[of], !imaginary);
  }
  return sum;
}

/// Normal values of many sizes, rounded to the format.
template <class Real>
ComplexArray<Real> scattered(std::size_t size, const Format& format, std::uint32_t seed,
                             int binades = 3) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> exponent(-binades, binades);
  Judge judge(format, 64);
  ComplexArray<Real> x(size);
  for (auto* part : {&x.re, &x.im})
    for (Real& value : *part) {
      const double wide = normal(random) * power_of_two(exponent(random));
      value = static_cast<Real>(judge(Operation::identity, Rounding::rne, wide));
    }
  return x;
}

template <class Real>
ComplexArray<Real> transposed(const ComplexArray<Real>& x, std::size_t rows, std::size_t cols) {
  ComplexArray<Real> result(x.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      result.re[j * rows + i] = x.re[i * cols + j];
      result.im[j * rows + i] = x.im[i * cols + j];
    }
  return result;
}

/// rows x cols elements in rows that are `gap` longer, the gaps and all else full of garbage.
template <class Real>
class Padded {
 public:
  Padded(std::size_t rows, std::size_t cols)
      : array_(rows * (cols + gap)), rows_(rows), cols_(cols) {
    for (auto* part : {&array_.re, &array_.im})
      for (Real& value : *part) value = static_cast<Real>(1e30);
  }
  Padded(const ComplexArray<Real>& x, std::size_t rows, std::size_t cols) : Padded(rows, cols) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      array_.re[i / cols * (cols + gap) + i % cols] = x.re[i];
      array_.im[i / cols * (cols + gap) + i % cols] = x.im[i];
    }
  }
  View<Real> view() { return {array_.re.data(), array_.im.data(), rows_, cols_, cols_ + gap}; }

 private:
  static constexpr std::size_t gap = 3;
  ComplexArray<Real> array_;
  std::size_t rows_, cols_;
};

/// x w by the arithmetic's gemm, or by its gemm_columns of the transposed data.
template <class Real>
ComplexArray<Real> product_by(const MachineArithmetic<Real>& arithmetic,
                              const ComplexArray<Real>& x, const ComplexArray<Real>& w,
                              ProductShape shape, bool by_columns) {
  const auto table = arithmetic.matrix_of(w, shape.k);
  if (!by_columns) {
    Padded<Real> data(x, shape.b, shape.k), out(shape.b, shape.n);
    arithmetic.gemm(out.view(), data.view(), table);
    return packed(out.view());
  }
  Padded<Real> data(transposed(x, shape.b, shape.k), shape.k, shape.b), out(shape.n, shape.b);
  arithmetic.gemm_columns(out.view(), table, data.view());
  return transposed(packed(out.view()), shape.n, shape.b);
}

/// Two series of roundings, up or not, of values with the same discarded share 1/2: both are fair
/// and they agree as often as not, within 4 sigma.
inline void expect_independent(const std::vector<bool>& a, const std::vector<bool>& b,
                               const char* what) {
  const double half = static_cast<double>(a.size()) / 2, sigma = std::sqrt(half / 2);
  double ups = 0, agree = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ups += a[i] ? 1 : 0;
    agree += a[i] == b[i] ? 1 : 0;
  }
  EXPECT_NEAR(ups, half, 4 * sigma) << what << ": ups of " << a.size();
  EXPECT_NEAR(agree, half, 4 * sigma) << what << ": equal of " << a.size();
}

/// Which of the values lie above `value`.
inline std::vector<bool> ups(const AlignedVector<float>& values, float value) {
  std::vector<bool> result;
  for (const float each : values) result.push_back(each > value);
  return result;
}

/// The parts of x, and neighbours of each part, were rounded with random bits of their own.
inline void expect_own_bits(const ComplexArray<float>& x, float value, const char* what) {
  const std::vector<bool> re = ups(x.re, value), im = ups(x.im, value);
  expect_independent(re, im, what);
  expect_independent({re.begin(), re.end() - 1}, {re.begin() + 1, re.end()}, what);
  expect_independent({im.begin(), im.end() - 1}, {im.begin() + 1, im.end()}, what);
}

/// E of the smallest power of two that no entry of a line exceeds.
inline int line_exponent(const ComplexArray<double>& x, std::size_t first, std::size_t step,
                         std::size_t count) {
  double largest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t at = first + k * step;
    largest = std::max({largest, std::fabs(x.re[at]), std::fabs(x.im[at])});
  }
  int exponent = 0;
  return std::frexp(largest, &exponent) == 0.5 ? exponent - 1 : exponent;
}

}  // namespace fftprec::testing
