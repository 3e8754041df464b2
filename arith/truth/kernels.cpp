#include "arith/truth/kernels.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <vector>

#include "arith/error.hpp"
#include "arith/truth/multiplier.hpp"

namespace fftprec::truth {
namespace {

bool is_real(const ComplexArray<double>& x) {
  return std::all_of(x.im.begin(), x.im.end(), [](double part) { return part == 0; });
}

void check_size(const std::string& name, const ComplexArray<double>& x, std::size_t size) {
  require(x.size() == size,
          name + " of " + std::to_string(x.size()) + " elements, not of " + std::to_string(size));
}

auto all_values(const ComplexArray<double>& x) {
  return once_per_precision(
      [&x](mpfr_prec_t precision) { return exact_values(x, 0, x.size(), precision); });
}

/// y_j = sum_l x_l w_jl.
/// Error: sqrt(2) ((1+u)^(k+1) - 1) ||x|| ||w||_F: each part of y_j is a sum of products, each with
/// its own rounding, that of the complex product's sum and k - 1 later ones, so it errs by at most
/// (1+u)^(k+1) - 1 times sum_l (|re x_l re w_jl| + |im x_l im w_jl|) <= ||x|| ||w_j||; likewise the
/// other part. 0 where every operation was exact.
Chain matrix_times(const ComplexReals& w, const Chain& x, std::size_t n) {
  const std::size_t k = x.size();
  const mpfr_prec_t precision = x.precision();
  Chain y{ComplexReals(n, precision)};
  Multiplier multiply(precision);
  Real re(precision);
  Real im(precision);
  const ExactSinceHere exact;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t l = 0; l < k; ++l) {
      multiply(re, im, x.values.re[l], x.values.im[l], w.re[j * k + l], w.im[j * k + l]);
      mpfr_add(y.values.re[j], y.values.re[j], re, MPFR_RNDN);
      mpfr_add(y.values.im[j], y.values.im[j], im, MPFR_RNDN);
    }
  if (exact) return y;
  y.error = sqrt(Bound(2)) * repeated_rounding(k + 1, precision) * norm(x.values) * norm(w);
  return y;
}

/// The first `count` elements, followed by zeros up to `size`.
Chain resized(const Chain& x, std::size_t count, std::size_t size) {
  std::vector<std::size_t> sources(size, nothing);
  std::iota(sources.begin(), sources.begin() + static_cast<std::ptrdiff_t>(count), std::size_t{0});
  return gathered(x, sources);
}

/// One element of cmodrelu, and what it adds to the square of the bound.
///
/// Error: with h~ the rounded modulus and s~ = fl(h~ + b), |s~ - s| <= d = u h~ + u |s~|, each term
/// only where its operation was inexact. max(s, 0) moves by no more than d and z/|z| has modulus 1;
/// h~, quotient and product change y by (1+u)^3 - 1 <= 4u of max(s~, 0). Where s~ + d < 0, y = 0
/// without error.
class ModRelu {
 public:
  explicit ModRelu(mpfr_prec_t precision)
      : u_(unit_roundoff(precision)), modulus_(precision), sum_(precision) {}

  void operator()(mpfr_ptr re, mpfr_ptr im, double b) {
    if (mpfr_zero_p(re) && mpfr_zero_p(im)) return;
    const bool modulus_inexact = mpfr_hypot(modulus_, re, im, MPFR_RNDN) != 0;
    const bool sum_inexact = mpfr_add_d(sum_, modulus_, b, MPFR_RNDN) != 0;
    Bound error = share(modulus_inexact, modulus_) + share(sum_inexact, sum_);
    const bool dead = mpfr_sgn(mpfr_srcptr(sum_)) <= 0;
    if (dead) {
      if (mpfr_cmpabs(sum_, error.get()) > 0) error = Bound();
      mpfr_set_zero(re, 1);
      mpfr_set_zero(im, 1);
    } else {
      error = error + Bound(4) * share(true, sum_);
      mpfr_div(sum_, sum_, modulus_, MPFR_RNDN);
      mpfr_mul(re, re, sum_, MPFR_RNDN);
      mpfr_mul(im, im, sum_, MPFR_RNDN);
    }
    squares_ = squares_ + error * error;
  }

  Bound error() const { return sqrt(squares_); }

 private:
  /// u |x|, or nothing.
  Bound share(bool inexact, const Real& x) const {
    if (!inexact) return Bound();
    Real size(Bound::precision);
    mpfr_abs(size, x, MPFR_RNDU);
    return u_ * Bound(size);
  }

  Bound u_;
  Real modulus_;
  Real sum_;
  Bound squares_;
};

}  // namespace

namespace evaluation {

Evaluation cgemm(const ComplexArray<double>& x, const ComplexArray<double>& w, std::size_t batch,
                 std::size_t k, std::size_t n) {
  require(n >= 1, "cgemm: n = 0");
  check_items("cgemm: x", x, k);
  check_items("cgemm: w", w, k);
  check_size("cgemm: x", x, batch * k);
  check_size("cgemm: w", w, n * k);
  return {"sums of products", batch, n,
          [&x, k, n, matrix = all_values(w)](std::size_t item, mpfr_prec_t precision) {
            return matrix_times(matrix(precision).values, exact_values(x, item * k, k, precision),
                                n);
          }};
}

Evaluation cmul(const ComplexArray<double>& x, const ComplexArray<double>& m, std::size_t n) {
  check_items("cmul: x", x, n);
  check_items("cmul: m", m, n);
  if (m.size() != n) check_size("cmul: m", m, x.size());
  return {"products", x.size() / n, n, [&x, &m, n](std::size_t item, mpfr_prec_t precision) {
            Chain y = exact_values(x, item * n, n, precision);
            const Chain factors = exact_values(m, m.size() == n ? 0 : item * n, n, precision);
            multiply(y, factors.values, factors.error);
            return y;
          }};
}

/// As the circular convolution of a length that holds all of y: the spectra are multiplied, each
/// value of the one within its own 2-norm bound, and the transform is undone.
Evaluation cconv1d(const ComplexArray<double>& x, const ComplexArray<double>& h, std::size_t n,
                   std::size_t taps) {
  check_items("cconv1d: x", x, n);
  check_items("cconv1d: h", h, taps);
  check_size("cconv1d: h", h, taps);
  const std::size_t full = n + taps - 1;
  const std::size_t length = std::bit_ceil(full);
  const bool real = is_real(x) && is_real(h);
  const auto spectrum = once_per_precision([&h, taps, length](mpfr_prec_t precision) {
    Chain values = resized(exact_values(h, 0, taps, precision), taps, length);
    transform(values, length, 1, Direction::forward);
    return values;
  });
  return {"product of spectra over " + std::to_string(length), x.size() / n, full,
          [&x, n, full, length, real, spectrum](std::size_t item, mpfr_prec_t precision) {
            Chain z = resized(exact_values(x, item * n, n, precision), n, length);
            transform(z, length, 1, Direction::forward);
            multiply(z, spectrum(precision).values, spectrum(precision).error);
            transform(z, length, 1, Direction::inverse);
            divide(z, length);
            Chain y = resized(z, full, full);
            if (real) drop_imaginary(y);
            return y;
          }};
}

Evaluation cmodrelu(const ComplexArray<double>& z, const ComplexArray<double>& b) {
  const std::size_t n = b.size();
  check_items("cmodrelu: b", b, n);
  check_real("cmodrelu: b", b);
  check_items("cmodrelu: z", z, n);
  return {"modrelu by elements", z.size() / n, n,
          [&z, &b, n](std::size_t item, mpfr_prec_t precision) {
            Chain y = exact_values(z, item * n, n, precision);
            ModRelu relu(precision);
            for (std::size_t j = 0; j < n; ++j) relu(y.values.re[j], y.values.im[j], b.re[j]);
            y.error = relu.error();
            return y;
          }};
}

}  // namespace evaluation

Truth cgemm(const ComplexArray<double>& x, const ComplexArray<double>& w, std::size_t batch,
            std::size_t k, std::size_t n, int precision_bits) {
  return certify(evaluation::cgemm(x, w, batch, k, n), precision_bits);
}

Truth cmul(const ComplexArray<double>& x, const ComplexArray<double>& m, std::size_t n,
           int precision_bits) {
  return certify(evaluation::cmul(x, m, n), precision_bits);
}

Truth cconv1d(const ComplexArray<double>& x, const ComplexArray<double>& h, std::size_t n,
              std::size_t taps, int precision_bits) {
  return certify(evaluation::cconv1d(x, h, n, taps), precision_bits);
}

Truth cmodrelu(const ComplexArray<double>& z, const ComplexArray<double>& b, int precision_bits) {
  return certify(evaluation::cmodrelu(z, b), precision_bits);
}

}  // namespace fftprec::truth
