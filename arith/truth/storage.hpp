/// Stores numbers of MPFR as pairs of doubles and bounds what that costs.
#pragma once

#include <cmath>
#include <limits>

#include "arith/support/error.hpp"
#include "arith/truth/bound.hpp"
#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// Stores the values of one item, each computed within `error` (the 2-norm over the item).
class Storage {
 public:
  /// Requires: no value has more bits than `precision`.
  Storage(const Bound& error, mpfr_prec_t precision) : error_(error), rest_(precision) {}

  /// The double hi nearest to x and the double lo nearest to x - hi; zeros if x is not above the
  /// error. Throws InputError if hi is beyond the range of double.
  void store(mpfr_srcptr x, double& hi, double& lo) {
    if (mpfr_cmpabs(x, error_.get()) <= 0) {
      mpfr_set(rest_, x, MPFR_RNDN);
      hi = lo = 0;
    } else {
      const DoubleDouble pair = nearest_pair(x, rest_);
      hi = pair.hi;
      lo = pair.lo;
      require(std::isfinite(hi), "truth: a result is beyond the range of double");
    }
    mpfr_sqr(square_, rest_, MPFR_RNDU);
    mpfr_add(lost_, lost_, square_, MPFR_RNDU);
    mpfr_max(most_lost_, most_lost_, square_, MPFR_RNDU);
    mpfr_set_d(square_, std::fabs(hi), MPFR_RNDD);
    mpfr_add_d(square_, square_, std::copysign(lo, hi * lo), MPFR_RNDD);
    mpfr_sqr(square_, square_, MPFR_RNDD);
    mpfr_add(stored_, stored_, square_, MPFR_RNDD);
  }

  /// (error + ||lost||) / ||stored||, rounded upward.
  double radius() {
    const Bound whole = error_ + sqrt(Bound(lost_));
    if (whole.is_zero()) return 0;
    mpfr_sqrt(stored_, stored_, MPFR_RNDD);
    if (mpfr_zero_p(mpfr_srcptr(stored_))) return std::numeric_limits<double>::infinity();
    return (whole / Bound(stored_)).to_double();
  }

  /// Error and what one element lost in both parts.
  double of_element() const { return (error_ + sqrt(Bound(2) * Bound(most_lost_))).to_double(); }

 private:
  Bound error_;
  Real rest_;
  Real square_{Bound::precision};
  Real lost_{Bound::precision};
  Real most_lost_{Bound::precision};
  Real stored_{Bound::precision};
};

}  // namespace fftprec::truth
