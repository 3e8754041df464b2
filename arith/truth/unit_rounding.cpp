#include "arith/truth/unit_rounding.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "arith/support/error.hpp"

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

/// hi and shift sum to less than 2^54 steps, so (hi + shift) - shift is hi rounded to a multiple of
/// step, or of two steps: at most a step away. hi - rounded is exact and |lo| at most half a step,
/// so `rest` is wrong by less than 2^-52 steps; moving it by one step is exact. So ties in hi are
/// decided by lo.
bool round_unit_if_sure(double hi, double lo, double error, const Format& format, double& rounded) {
  const auto bits = std::bit_cast<std::uint64_t>(hi);
  if (bits << 12 == 0) return false;
  const double step = power_of_two(step_exponent(static_cast<int>(bits >> 52) - 1023, format));
  const double shift = 0x1p52 * step;
  rounded = (hi + shift) - shift;
  double rest = (hi - rounded) + lo;
  const double direction = rest > step / 2 ? 1 : rest < -step / 2 ? -1 : 0;
  rounded += direction * step;
  rest -= direction * step;
  return std::fabs(rest) + (error + 0x1p-52 * step) < step / 2;
}

}  // namespace fftprec::truth
