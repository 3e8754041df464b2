/// Double-double numbers as exact MPFR numbers, for tests of their operations.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "arith/truth/loops/double_double.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::testing::exact_pairs {

using truth::DoubleDouble;
using truth::Real;

inline constexpr double u = 0x1p-53;
inline constexpr double lost_below = 0x1p-1013;  ///< by a product below 2^-960
inline constexpr mpfr_prec_t exact_bits =
    3200;  ///< sums and products of pairs, whatever their sizes

inline Real exact(double a) { return Real(a, exact_bits); }

inline Real exact(const DoubleDouble& a) {
  Real value(a.hi, exact_bits);
  mpfr_add_d(value, value, a.lo, MPFR_RNDN);
  return value;
}

inline Real operator+(Real a, const Real& b) {
  mpfr_add(a, a, b, MPFR_RNDN);
  return a;
}

inline Real operator*(Real a, const Real& b) {
  mpfr_mul(a, a, b, MPFR_RNDN);
  return a;
}

inline Real magnitude(Real a) {
  mpfr_abs(a, a, MPFR_RNDN);
  return a;
}

/// |found - value| / size, 0 if both are zero.
inline double relative_to(const DoubleDouble& found, const Real& value, const Real& size) {
  Real error = exact(found);
  mpfr_sub(error, error, value, MPFR_RNDN);
  if (mpfr_zero_p(error)) return 0;
  mpfr_div(error, error, size, MPFR_RNDU);
  return std::fabs(mpfr_get_d(error, MPFR_RNDA));
}

inline std::string text(const std::vector<double>& operands) {
  char buffer[40];
  std::string all;
  for (const double x : operands) {
    std::snprintf(buffer, sizeof buffer, " %a", x);
    all += buffer;
  }
  return all;
}

/// The i-th pair of doubles in a row.
inline DoubleDouble pair_at(const std::vector<double>& operands, std::size_t i) {
  return {operands[2 * i], operands[2 * i + 1]};
}

}  // namespace fftprec::testing::exact_pairs
