/// Non-negative numbers that every operation rounds upward, over MPFR's range of exponents.
#pragma once

#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// An upper bound of a size or an error. What a formula over exact numbers gives is at most what
/// the same formula over bounds gives, as long as it rises in each of them.
class Bound {
 public:
  explicit Bound(double value = 0) : value_(value, precision) {}
  /// Rounds: upward.
  explicit Bound(mpfr_srcptr value) : value_(precision) { mpfr_set(value_, value, MPFR_RNDU); }

  friend Bound operator+(const Bound& a, const Bound& b) { return {mpfr_add, a, b}; }
  friend Bound operator*(const Bound& a, const Bound& b) { return {mpfr_mul, a, b}; }
  /// Requires: b > 0, and not above the divisor it stands for.
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

  static constexpr mpfr_prec_t precision = 53;

 private:
  template <class Operation>
  Bound(Operation operation, const Bound& a, const Bound& b) : value_(precision) {
    operation(value_, a.value_, b.value_, MPFR_RNDU);
  }

  Real value_;
};

/// Whether all operations of MPFR in this thread, since it was made, were exact: then the bound of
/// their rounding is 0, which tells results that cancel to zero from small ones.
class ExactSinceHere {
 public:
  ExactSinceHere() { mpfr_clear_inexflag(); }
  explicit operator bool() const { return mpfr_inexflag_p() == 0; }
};

/// u = 2^-precision: what one rounding to nearest changes is at most u times the result, and at
/// most u times what was rounded.
inline Bound unit_roundoff(mpfr_prec_t precision) {
  Real u(Bound::precision);
  mpfr_set_ui_2exp(u, 1, -precision, MPFR_RNDN);
  return Bound(u);
}

/// What a plain complex product errs by, relative to it: sqrt(5) u (Brent, Percival, Zimmermann
/// 2007, Thm 1).
inline Bound product_rounding(mpfr_prec_t precision) {
  return sqrt(Bound(5)) * unit_roundoff(precision);
}

/// 2 count u >= (1+u)^count - 1, while count u <= 1: what `count` roundings one after the other
/// change.
inline Bound repeated_rounding(std::size_t count, mpfr_prec_t precision) {
  return Bound(2.0 * static_cast<double>(count)) * unit_roundoff(precision);
}

}  // namespace fftprec::truth
