/// The complex product of MPFR numbers.
#pragma once

#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// (re, im) = a * b by four products and two sums, each rounded once.
/// Error: sqrt(5) u |ab| (Brent, Percival, Zimmermann 2007, Thm 1).
class Multiplier {
 public:
  explicit Multiplier(mpfr_prec_t precision) : first_(precision), second_(precision) {}

  /// Requires: re and im are none of the operands.
  void operator()(mpfr_ptr re, mpfr_ptr im, mpfr_srcptr a_re, mpfr_srcptr a_im, mpfr_srcptr b_re,
                  mpfr_srcptr b_im) {
    mpfr_mul(first_, a_re, b_re, MPFR_RNDN);
    mpfr_mul(second_, a_im, b_im, MPFR_RNDN);
    mpfr_sub(re, first_, second_, MPFR_RNDN);
    mpfr_mul(first_, a_re, b_im, MPFR_RNDN);
    mpfr_mul(second_, a_im, b_re, MPFR_RNDN);
    mpfr_add(im, first_, second_, MPFR_RNDN);
  }

 private:
  Real first_;
  Real second_;
};

}  // namespace fftprec::truth
