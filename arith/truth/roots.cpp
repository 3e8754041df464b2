#include "arith/truth/roots.hpp"

#include <numeric>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/expansion_roots.hpp"
#include "arith/truth/unit_rounding.hpp"

namespace fftprec::truth {
namespace {

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

/// Of PairRoots (expansion_roots.hpp).
constexpr double pair_error = 5 * 0x1p-106;

bool round_if_sure(const DoubleDouble& x, const Format& format, double& rounded) {
  return round_unit_if_sure(x.hi, x.lo, pair_error, format, rounded);
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

/// rounded_cos_sin of the numerators i * step, i = 0 .. size-1.
std::vector<CosSin> rounded_octant(std::size_t n, std::size_t step, const Format& format) {
  constexpr std::size_t fewest_for_pairs = 1024;  // making PairRoots asks MPFR for as many angles
  std::vector<CosSin> octant(n / 2 / step + 1);
  if (octant.size() < fewest_for_pairs) {
    for (std::size_t i = 0; i < octant.size(); ++i)
      octant[i] = rounded_cos_sin(i * step, n, format);
    return octant;
  }
  const PairRoots roots(4 / step * n);
  octant[0] = {1, 0};
  for (std::size_t i = 1; i < octant.size(); ++i) {
    const ComplexDoubleDouble root = roots(i);
    if (!round_if_sure(root.re, format, octant[i].cos) ||
        !round_if_sure(-root.im, format, octant[i].sin))
      octant[i] = rounded_cos_sin(i * step, n, format);
  }
  return octant;
}

}  // namespace

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
  const std::vector<CosSin> octant = rounded_octant(n, step, format);
  ComplexArray<double> roots(n);
  OctantWalk walk(n);
  for (std::size_t k = 0; k < n; ++k, walk.step()) {
    const OctantAngle angle = walk.here();
    const CosSin& value = octant[angle.numerator / step];
    const auto [re, im] = unfold(angle, value.cos, value.sin);
    roots.re[k] = re;
    roots.im[k] = im;
  }
  return roots;
}

}  // namespace fftprec::truth
