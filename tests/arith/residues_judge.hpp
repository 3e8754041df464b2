/// Integers times powers of two, rounded by MPFR: the judge of products by residues.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

using Integer = boost::multiprecision::cpp_int;

/// integer * 2^exponent rounded once by MPFR.
inline double rounded(const Integer& integer, int exponent) {
  Wide number(2000);
  mpfr_set_str(number.get(), integer.str().c_str(), 10, MPFR_RNDN);
  mpfr_mul_2si(number.get(), number.get(), exponent, MPFR_RNDN);
  Wide result(53);
  const int ternary = mpfr_set(result.get(), number.get(), MPFR_RNDN);
  const MpfrRange range(-1073, 1024);
  mpfr_subnormalize(result.get(), mpfr_check_range(result.get(), ternary, MPFR_RNDN), MPFR_RNDN);
  return mpfr_get_d(result.get(), MPFR_RNDN);
}

}  // namespace fftprec::testing
