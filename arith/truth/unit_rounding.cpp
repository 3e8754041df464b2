#include "arith/truth/unit_rounding.hpp"

#include <algorithm>
#include <cmath>

#include "arith/error.hpp"

namespace fftprec::truth {
namespace {

/// Exponent of the grid's step at a value in [2^exponent, 2^(exponent+1)).
int step_exponent(long exponent, const Format& format) {
  if (exponent >= format.emin) return static_cast<int>(exponent) - format.precision + 1;
  return format.subnormals ? format.emin - format.precision + 1 : format.emin;
}

}  // namespace

void require_table_format(const Format& format) {
  require(format.precision >= 1 && format.precision <= 53 && format.emin >= -1022 &&
              format.emin < 0 && format.emax >= 0 && format.emax <= 1023,
          "tables: the format must hold 1/2 and 1, and double must hold the format");
}

double round_unit(mpfr_srcptr x, const Format& format) {
  if (mpfr_zero_p(x)) return 0;
  const int step = step_exponent(static_cast<long>(mpfr_get_exp(x)) - 1, format);
  Real rounded(mpfr_get_prec(x));
  mpfr_mul_2si(rounded, x, -step, MPFR_RNDN);
  mpfr_roundeven(rounded, rounded);
  mpfr_mul_2si(rounded, rounded, step, MPFR_RNDN);
  return mpfr_get_d(rounded, MPFR_RNDN) + 0.0;  // exact; -0 + 0 = +0
}

double round_unit(double x, const Format& format) {
  if (x == 0) return 0;
  const int step = step_exponent(std::ilogb(x), format);
  // Exact: scaled down |x| < 2^53; nearbyint rounds ties to even in the default rounding mode.
  return std::ldexp(std::nearbyint(std::ldexp(x, -step)), step) + 0.0;
}

}  // namespace fftprec::truth
