/// From MPFR to double-double.
#pragma once

#include "arith/truth/double_double.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// The double nearest to x, and that nearest to what is left, which stands in `rest` afterwards
/// less the second: x = hi + lo + rest. Error: |rest| <= u^2 |x|, u = 2^-53, barring underflow.
/// Requires: `rest` has the precision of x, at which both differences are exact: multiples of x's
/// last bit that are not above x.
inline DoubleDouble nearest_pair(mpfr_srcptr x, mpfr_ptr rest) {
  const double hi = mpfr_get_d(x, MPFR_RNDN);
  mpfr_sub_d(rest, x, hi, MPFR_RNDN);
  const double lo = mpfr_get_d(rest, MPFR_RNDN);
  mpfr_sub_d(rest, rest, lo, MPFR_RNDN);
  return {hi, lo};
}

}  // namespace fftprec::truth
