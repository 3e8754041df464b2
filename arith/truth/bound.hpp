/// Error bounds: numbers that every operation rounds upward, and the errors of transforms.
#pragma once

#include <cstddef>

#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// An upper bound of a size or an error, with MPFR's range of exponents. For a formula that
/// increases in each number, the result on bounds is a bound of the result on exact numbers.
class Bound {
 public:
  static constexpr mpfr_prec_t precision = 53;

  explicit Bound(double value = 0) { mpfr_set_d(value_, value, MPFR_RNDU); }  // exact
  /// Rounds: upward.
  explicit Bound(mpfr_srcptr value) { mpfr_set(value_, value, MPFR_RNDU); }

  friend Bound operator+(const Bound& a, const Bound& b) { return {mpfr_add, a, b}; }
  friend Bound operator*(const Bound& a, const Bound& b) { return {mpfr_mul, a, b}; }
  /// Requires: b > 0, and b is at most the exact divisor.
  friend Bound operator/(const Bound& a, const Bound& b) { return {mpfr_div, a, b}; }
  friend Bound sqrt(const Bound& a) {
    Bound root;
    mpfr_sqrt(root.value_, a.value_, MPFR_RNDU);
    return root;
  }
  friend bool operator<=(const Bound& a, const Bound& b) {
    return mpfr_lessequal_p(a.value_, b.value_) != 0;
  }

  bool is_zero() const { return mpfr_zero_p(mpfr_srcptr(value_)) != 0; }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDU); }
  mpfr_srcptr get() const { return value_; }

 private:
  template <class Operation>
  Bound(Operation operation, const Bound& a, const Bound& b) {
    operation(value_, a.value_, b.value_, MPFR_RNDU);
  }

  FixedReal<precision> value_;
};

/// Whether all operations of MPFR in this thread since its construction were exact. Then their
/// rounding error is 0, which separates results that cancel to zero from small ones.
class ExactSinceHere {
 public:
  ExactSinceHere() { mpfr_clear_inexflag(); }
  explicit operator bool() const { return mpfr_inexflag_p() == 0; }
};

/// u = 2^-precision: one rounding to nearest changes a value by at most u times the result, and by
/// at most u times the rounded value.
inline Bound unit_roundoff(mpfr_prec_t precision) {
  Real u(Bound::precision);
  mpfr_set_ui_2exp(u, 1, -precision, MPFR_RNDN);
  return Bound(u);
}

/// The relative error of a plain complex product: sqrt(5) u (Brent, Percival, Zimmermann 2007, Thm
/// 1).
inline Bound product_rounding(mpfr_prec_t precision) {
  return sqrt(Bound(5)) * unit_roundoff(precision);
}

/// The relative error of `count` roundings in sequence: 2 count u >= (1+u)^count - 1, for
/// count u <= 1.
inline Bound repeated_rounding(std::size_t count, mpfr_prec_t precision) {
  return Bound(2.0 * static_cast<double>(count)) * unit_roundoff(precision);
}

/// A-priori error bounds of the transforms behind the truth, rounded upward.
///
/// All are relative to the exact result in the 2-norm, with u = 2^-precision, and hold without
/// further conditions: MPFR's exponents have 62 bits, so no value overflows or underflows. `mu`
/// bounds the error of a table entry of modulus 1, `rho` = sqrt(5) u the error of a plain complex
/// product (Brent, Percival, Zimmermann 2007, Thm 1), and g = (1+mu)(1+rho) - 1 the error of a
/// product with a table.
///
/// Radix-2 transform of length 2^stages: (1+u)^t (1+g)^max(t-2, 0) - 1.
/// Proof: a stage is sqrt(2) times a unitary map. The products change its odd inputs by at most g
/// times their norm, the sums each part by at most u of itself. So the relative error of a stage is
/// at most (1+u)(1+g) - 1, and (1+u) - 1 for the first two stages, whose twiddles 1 and -i are
/// exact.
/// Stages compose: prod(1 + b_i) - 1. Source: Brisebarre, Joldes, Muller, Nanes, Picot (2020).
double radix2_radius(int stages, int precision);

/// Transform by definition, n terms added in sequence: sqrt(n) ((1+g) (1+u)^(n-1) - 1).
/// Proof: the error of output k is at most ((1+g)(1+u)^(n-1) - 1) ||x||_1 <= (...) sqrt(n) ||x||_2,
/// of all n outputs sqrt(n) times that. The exact result has the norm sqrt(n) ||x||_2.
double direct_radius(std::size_t n, int precision);

/// Chirp transform of length n by three radix-2 transforms of length m >= 2n-1 with bound B:
///   (1 + sqrt(2n-1) (e + (1+e) B sqrt(m/n))) (1+g) - 1,   1+e = (1+B)^2 (1+g) (1+mu) (1+rho).
/// Proof: let a = x chirp and h the conjugate chirp, ||h||_2 = sqrt(2n-1). The errors of the
/// computed spectra are (1+B)(1+g) - 1 and (1+B)(1+mu) - 1 of their norms. By Cauchy and Schwarz,
/// the error of their product P is e m ||a||_2 ||h||_2 in the 1-norm. After the inverse transform
/// this is at most e ||a|| ||h|| per output, and sqrt(n) times that in the 2-norm over n outputs.
/// Its own rounding adds B ||P||_2 / sqrt(m) <= B (1+e) sqrt(m) ||a|| ||h||. Divide by sqrt(n)
/// ||x||_2, and append the last product.
double bluestein_radius(std::size_t n, std::size_t m, int precision);

/// Double-double transform of length n = 2^levels with `products` products by table entries on the
/// path to an output, u = 2^-53: (1+a)^levels (1+g)^products - 1, a = 3 sqrt(2) u^2 (1 + 4u) and
/// 1+g = (1 + 5 u^2)(1 + 14 sqrt(2) u^2 (1 + 20u)).
/// Proof: the error of each part of the sum and the difference of two values is
/// 3 u^2 (1 + 4u) (|x| + |y|) (double_double.hpp), together 6 u^2 (1 + 4u) (x^2 + y^2)^(1/2). Their
/// exact norm is sqrt(2) times this root. The error of table entries is 5 u^2 (PairRoots in
/// roots.hpp). Underflow adds 2^-500.
/// Requires: data with a part of at least 2^-400, none above 2^800.
double pair_radius(int levels, int products);

/// The chirp transform of bluestein_radius in double-double, `fft` the radius of its transforms.
double pair_bluestein_radius(std::size_t n, std::size_t m, double fft);

}  // namespace fftprec::truth
