#include "arith/truth/kernels.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "arith/support/error.hpp"
#include "arith/support/isa_tables.hpp"

namespace fftprec::truth {
namespace {

bool is_real(const ComplexArray<double>& x) {
  return std::all_of(x.im.begin(), x.im.end(), [](double part) { return part == 0; });
}

void check_size(const std::string& name, const ComplexArray<double>& x, std::size_t size) {
  require(x.size() == size, name, " of ", x.size(), " elements, not of ", size);
}

/// y_j = sum_l x_l w_jl.
/// Error: sqrt(2) ((1+u)^(k+1) - 1) ||x|| ||w||_F: each part of y_j is a sum of products, each with
/// its own rounding, that of the complex product's sum and k - 1 later ones, so it errs by at most
/// (1+u)^(k+1) - 1 times sum_l (|re x_l re w_jl| + |im x_l im w_jl|) <= ||x|| ||w_j||; likewise the
/// other part. 0 where every operation was exact.
Chain matrix_times(const Chain& matrix, const Chain& x, std::size_t n) {
  const ComplexReals& w = matrix.values;
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

/// As matrix_times takes it.
Chain matrix_values(const MpfrBench& bench, const ComplexArray<double>& w, std::size_t) {
  return exact_values(bench, w, 0, w.size(), 1);
}

/// Transposed: the elements that one x_l is multiplied by stand side by side.
PairChain matrix_values(const PairBench& bench, const ComplexArray<double>& w, std::size_t k) {
  const std::size_t n = w.size() / k;
  ComplexArray<double> transposed(w.size());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t l = 0; l < k; ++l) {
      transposed.re[l * n + j] = w.re[j * k + l];
      transposed.im[l * n + j] = w.im[j * k + l];
    }
  return exact_values(bench, transposed, 0, w.size(), 1);
}

/// The same for each item.
/// Error: (||w|| + e_w) e + e_w ||x|| + (20 + 3k) u^2 (1 + 2^-20) ||x|| ||w||_F, u = 2^-53, and
/// k sqrt(2n) 2^-1000 for products that underflow: of |x_l w_jl| a product loses 20 u^2 at most,
/// and each sum 3 u^2 (1 + 4u) times what it has reached, which is no more than their sum over l.
PairChain matrix_times(const PairChain& w, const PairChain& x, std::size_t n) {
  const std::size_t k = x.item_size();
  PairChain y{ComplexPairs(x.items() * n), norms(x), x.scale, x.loops, x.probed};
  const Bound matrix = norms(w)[0];
  const auto terms = static_cast<double>(k);
  const Bound rounding = Bound((20 + 3 * terms) * 0x1p-106 * (1 + 0x1p-20)) * matrix;
  const Bound lost = Bound(terms * 0x1p-1000) * sqrt(Bound(2 * static_cast<double>(n)));
  for (std::size_t item = 0; item < x.items(); ++item) {
    const PairView row = from(view(y.values), item * n);
    with_tables<PairTables>(x.loops.isa, [&](auto tables) {
      for (std::size_t l = 0; l < k; ++l) {
        const ComplexDoubleDouble c = x.values.at(item * k + l);
        const double factor[] = {c.re.hi, c.re.lo, c.im.hi, c.im.lo};
        tables.accumulate(row, from(view(w.values), l * n), factor, n);
      }
    });
    y.scale[item] += w.scale[0];
    const Bound size = y.error[item];
    y.error[item] = (matrix + w.error[0]) * x.error[item] + w.error[0] * size + rounding * size;
    if (!size.is_zero() && !matrix.is_zero()) y.error[item] = y.error[item] + lost;
  }
  return y;
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
  const OncePerBench matrix([&w, k](const auto& bench) { return matrix_values(bench, w, k); });
  return evaluation_of("sums of products", batch, n,
                       [&x, k, n, matrix](const auto& bench, std::size_t first, std::size_t items) {
                         return matrix_times(matrix(bench),
                                             exact_values(bench, x, first * k, k, items), n);
                       });
}

Evaluation cmul(const ComplexArray<double>& x, const ComplexArray<double>& m, std::size_t n) {
  check_items("cmul: x", x, n);
  check_items("cmul: m", m, n);
  if (m.size() != n) check_size("cmul: m", m, x.size());
  return evaluation_of("products", x.size() / n, n,
                       [&x, &m, n](const auto& bench, std::size_t first, std::size_t items) {
                         auto y = exact_values(bench, x, first * n, n, items);
                         const bool one = m.size() == n;
                         multiply(y,
                                  exact_values(bench, m, one ? 0 : first * n, n, one ? 1 : items));
                         return y;
                       });
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
  const OncePerBench spectrum([&h, taps, length](const auto& bench) {
    auto values = resized(exact_values(bench, h, 0, taps, 1), taps, length);
    transform(values, length, 1, Direction::forward, *bench.plans);
    return values;
  });
  return evaluation_of("product of spectra over " + std::to_string(length), x.size() / n, full,
                       [&x, n, full, length, real, spectrum](const auto& bench, std::size_t first,
                                                             std::size_t items) {
                         auto z = resized(exact_values(bench, x, first * n, n, items), n, length);
                         transform(z, length, 1, Direction::forward, *bench.plans);
                         multiply(z, spectrum(bench));
                         transform(z, length, 1, Direction::inverse, *bench.plans);
                         divide(z, length);
                         auto y = resized(z, full, full);
                         if (real) drop_imaginary(y);
                         return y;
                       });
}

Evaluation cmodrelu(const ComplexArray<double>& z, const ComplexArray<double>& b) {
  const std::size_t n = b.size();
  check_items("cmodrelu: b", b, n);
  check_real("cmodrelu: b", b);
  check_items("cmodrelu: z", z, n);
  return {"modrelu by elements", z.size() / n, n,
          [&z, &b, n](const MpfrBench& bench, std::size_t item) {
            Chain y = exact_values(z, item * n, n, bench.precision);
            ModRelu relu(bench.precision);
            for (std::size_t j = 0; j < n; ++j) relu(y.values.re[j], y.values.im[j], b.re[j]);
            y.error = relu.error();
            return y;
          }};
}

}  // namespace evaluation

}  // namespace fftprec::truth
