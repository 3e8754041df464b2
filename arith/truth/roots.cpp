#include "arith/truth/roots.hpp"

#include <numeric>

#include "arith/error.hpp"
#include "arith/truth/unit_rounding.hpp"

namespace fftprec::truth {
namespace {

__extension__ using Wide = unsigned __int128;

/// Whether every number within the error of octant_cos_sin around x rounds to the same value.
bool round_if_sure(mpfr_srcptr x, const Format& format, double& rounded) {
  const mpfr_prec_t precision = mpfr_get_prec(x);
  Real error(precision);
  Real end(precision + 4);
  mpfr_mul_2si(error, x, 3 - static_cast<long>(precision), MPFR_RNDA);
  mpfr_sub(end, x, error, MPFR_RNDD);
  rounded = round_unit(end, format);
  mpfr_add(end, x, error, MPFR_RNDU);
  if (mpfr_cmp_ui(end, 1) > 0) mpfr_set_ui(end, 1, MPFR_RNDN);  // a cosine is at most 1
  return rounded == round_unit(end, format);
}

struct CosSin {
  double cos;
  double sin;
};

/// Both parts at (pi/2) numerator/n, 0 <= numerator <= n/2, correctly rounded.
CosSin rounded_cos_sin(std::uint64_t numerator, std::uint64_t n, const Format& format) {
  if (numerator == 0) return {1, 0};
  CosSin rounded{};
  for (mpfr_prec_t precision = 2 * format.precision + 20;; precision *= 2) {
    Real cos(precision);
    Real sin(precision);
    octant_cos_sin(cos, sin, numerator, n);
    if (round_if_sure(cos, format, rounded.cos) && round_if_sure(sin, format, rounded.sin))
      return rounded;
  }
}

}  // namespace

OctantAngle octant_angle(std::uint64_t k, std::uint64_t n) {
  const Wide quarters = Wide{4} * (k % n);
  const auto quadrant = static_cast<int>(quarters / n);
  const auto rest = static_cast<std::uint64_t>(quarters % n);
  const bool mirrored = rest > n - rest;
  return {mirrored ? n - rest : rest, mirrored, quadrant};
}

void octant_cos_sin(mpfr_ptr cos, mpfr_ptr sin, std::uint64_t numerator, std::uint64_t n) {
  Real angle(mpfr_get_prec(cos));
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul_ui(angle, angle, numerator, MPFR_RNDN);
  mpfr_div_ui(angle, angle, n, MPFR_RNDN);
  mpfr_div_2ui(angle, angle, 1, MPFR_RNDN);
  mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
}

std::complex<double> root_of_unity(std::uint64_t k, std::uint64_t n, const Format& format) {
  require(n >= 1, "root_of_unity: n = 0");
  require_table_format(format);
  const MpfrCacheScope scope;
  const OctantAngle angle = octant_angle(k, n);
  const CosSin value = rounded_cos_sin(angle.numerator, n, format);
  const auto [re, im] = unfold(angle, value.cos, value.sin);
  return {re, im};
}

ComplexArray<double> roots_of_unity(std::size_t n, const Format& format) {
  require(n >= 1, "roots_of_unity: n = 0");
  require_table_format(format);
  const MpfrCacheScope scope;
  // 4k mod n is a multiple of this step, so are the numerators that occur.
  const std::size_t step = std::gcd(n, std::size_t{4});
  std::vector<CosSin> octant(n / 2 / step + 1);
  for (std::size_t i = 0; i < octant.size(); ++i) octant[i] = rounded_cos_sin(i * step, n, format);
  ComplexArray<double> roots(n);
  for (std::size_t k = 0; k < n; ++k) {
    const OctantAngle angle = octant_angle(k, n);
    const CosSin& value = octant[angle.numerator / step];
    const auto [re, im] = unfold(angle, value.cos, value.sin);
    roots.re[k] = re;
    roots.im[k] = im;
  }
  return roots;
}

}  // namespace fftprec::truth
