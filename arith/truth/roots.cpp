#include "arith/truth/roots.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"

namespace fftprec::truth {
namespace {

__extension__ using Wide = unsigned __int128;

/// What unfold() places, for numbers that have no operators.
constexpr int cos_label = 1;
constexpr int sin_label = 2;

/// part <- the number of that label, with its sign.
void place(mpfr_ptr part, int label, mpfr_srcptr cos, mpfr_srcptr sin) {
  const mpfr_srcptr value = label * label == 1 ? cos : sin;
  if (label > 0)
    mpfr_set(part, value, MPFR_RNDN);
  else
    mpfr_neg(part, value, MPFR_RNDN);
}

constexpr mpfr_prec_t coarse_precision = 208;
constexpr mpfr_prec_t fine_precision = 320;   // 1 - cos of an angle above 2^-38 cancels 77 bits
constexpr std::uint64_t fewest_coarse = 512;  // so that |fine| <= 2 pi/511

std::uint64_t coarse_count(std::uint64_t order, int fine_bits) {
  return ((order - 1) >> fine_bits) + 1;
}

/// Whether every octant of the circle has the same coarse angles.
bool has_octants(std::uint64_t order, int fine_bits) {
  return order % (std::uint64_t{8} << fine_bits) == 0;
}

/// The split of exponents that asks MPFR for the fewest angles.
int best_fine_bits(std::uint64_t order) {
  int best = 0;
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (int bits = 0; bits == 0 || coarse_count(order, bits) >= fewest_coarse; ++bits) {
    const std::uint64_t coarse = coarse_count(order, bits);
    const std::uint64_t angles =
        (has_octants(order, bits) ? coarse / 8 + 1 : coarse) + (std::uint64_t{1} << bits);
    if (angles >= fewest) continue;
    fewest = angles;
    best = bits;
  }
  return best;
}

/// Cosine and sine of octant angles, as nearest pairs.
class OctantPairs {
 public:
  explicit OctantPairs(std::uint64_t order) : order_(order) {}

  ComplexDoubleDouble operator()(std::uint64_t numerator) {
    if (numerator == 0) return {{1, 0}, {0, 0}};
    octant_cos_sin(cos_, sin_, numerator, order_);
    return {nearest_pair(cos_, rest_), nearest_pair(sin_, rest_)};
  }

 private:
  std::uint64_t order_;
  Real cos_{coarse_precision};
  Real sin_{coarse_precision};
  Real rest_{coarse_precision};
};

ComplexDoubleDouble unfolded(const OctantAngle& angle, const ComplexDoubleDouble& cos_sin) {
  const auto part = [&cos_sin](int label) {
    const DoubleDouble value = label * label == 1 ? cos_sin.re : cos_sin.im;
    return label > 0 || value.hi == 0 ? value : -value;
  };
  const auto [re, im] = unfold(angle, cos_label, sin_label);
  return {part(re), part(im)};
}

ComplexPairs coarse_roots(std::uint64_t order, int fine_bits) {
  ComplexPairs roots(coarse_count(order, fine_bits));
  OctantPairs cos_sin(order);
  if (!has_octants(order, fine_bits)) {
    for (std::uint64_t h = 0; h < roots.size(); ++h) {
      const OctantAngle angle = octant_angle(h << fine_bits, order);
      roots.set(h, unfolded(angle, cos_sin(angle.numerator)));
    }
    return roots;
  }
  const std::uint64_t step = std::uint64_t{4} << fine_bits;  // of the numerators that occur
  ComplexPairs octant(order / (2 * step) + 1);
  for (std::uint64_t i = 0; i < octant.size(); ++i) octant.set(i, cos_sin(i * step));
  for (std::uint64_t h = 0; h < roots.size(); ++h) {
    const OctantAngle angle = octant_angle(h << fine_bits, order);
    roots.set(h, unfolded(angle, octant.at(angle.numerator / step)));
  }
  return roots;
}

/// Angles below a quarter turn, so that cos > 0 and -sin <= 0.
ComplexPairs fine_roots(std::uint64_t order, int fine_bits) {
  ComplexPairs roots(std::size_t{1} << fine_bits);
  Real cos(fine_precision);
  Real sin(fine_precision);
  Real rest(fine_precision);
  for (std::uint64_t l = 1; l < roots.size(); ++l) {
    octant_cos_sin(cos, sin, 4 * l, order);
    mpfr_sub_ui(cos, cos, 1, MPFR_RNDN);
    mpfr_neg(sin, sin, MPFR_RNDN);
    roots.set(l, {nearest_pair(cos, rest), nearest_pair(sin, rest)});
  }
  return roots;
}

/// Exponent of the grid's step at a value in [2^exponent, 2^(exponent+1)).
int step_exponent(long exponent, const Format& format) {
  if (exponent >= format.emin) return static_cast<int>(exponent) - format.precision + 1;
  return format.subnormals ? format.emin - format.precision + 1 : format.emin;
}

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

/// The same to multiples of 2^-fraction, of which `rounded` is then a whole number.
bool round_if_sure(mpfr_srcptr x, int fraction, mpfr_ptr rounded) {
  const mpfr_prec_t precision = mpfr_get_prec(x);
  Real error(precision);
  Real end(precision + 4);
  mpfr_mul_2si(error, x, 3 - static_cast<long>(precision), MPFR_RNDA);
  const auto round_end = [&](mpfr_ptr to) {
    mpfr_mul_2si(to, end, fraction, MPFR_RNDN);
    mpfr_roundeven(to, to);
  };
  mpfr_sub(end, x, error, MPFR_RNDD);
  round_end(rounded);
  mpfr_add(end, x, error, MPFR_RNDU);
  round_end(end);
  return mpfr_equal_p(rounded, end) != 0;
}

/// Of PairRoots.
constexpr double pair_error = 5 * 0x1p-106;

bool round_if_sure(const DoubleDouble& x, const Format& format, double& rounded) {
  return round_unit_if_sure(x.hi, x.lo, pair_error, format, rounded);
}

/// Both parts at (pi/2) numerator/n, 0 <= numerator <= n/2, correctly rounded. But for 1 and the
/// sine of pi/6 no value is rational (Niven 1956, Cor. 3.12), and none of these can be a tie.
std::pair<double, double> rounded_cos_sin(std::uint64_t numerator, std::uint64_t n,
                                          const Format& format) {
  if (numerator == 0) return {round_unit(1.0, format), 0};
  double rounded_cos = 0;
  double rounded_sin = round_unit(0.5, format);
  for (mpfr_prec_t precision = 2 * format.precision + 20;; precision *= 2) {
    Real cos(precision);
    Real sin(precision);
    octant_cos_sin(cos, sin, numerator, n);
    if (round_if_sure(cos, format, rounded_cos) &&
        (3 * numerator == n || round_if_sure(sin, format, rounded_sin)))
      return {rounded_cos, rounded_sin};
  }
}

}  // namespace

OctantAngle octant_angle(std::uint64_t k, std::uint64_t n) {
  if (k >= n) k %= n;
  const Wide quarters = Wide{4} * k;  // a division by n would take longer than all the rest
  const int quadrant = (quarters >= n) + (quarters >= Wide{2} * n) + (quarters >= Wide{3} * n);
  const auto rest = static_cast<std::uint64_t>(quarters - static_cast<Wide>(quadrant) * n);
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

void unfold(mpfr_ptr re, mpfr_ptr im, const OctantAngle& angle, mpfr_srcptr cos, mpfr_srcptr sin) {
  const auto [re_label, im_label] = unfold(angle, cos_label, sin_label);
  place(re, re_label, cos, sin);
  place(im, im_label, cos, sin);
}

ComplexReals table_of_roots(std::size_t count, std::size_t order, mpfr_prec_t precision) {
  constexpr mpfr_prec_t guard_bits = 24;
  const MpfrCacheScope scope;
  const std::size_t step = std::gcd(order, std::size_t{4});  // of the numerators that occur
  ComplexReals octant(order / 2 / step + 1, precision);
  Real cos(precision + guard_bits);
  Real sin(precision + guard_bits);
  for (std::size_t i = 0; i < octant.size(); ++i) {
    octant_cos_sin(cos, sin, i * step, order);
    mpfr_set(octant.re[i], cos, MPFR_RNDN);
    mpfr_set(octant.im[i], sin, MPFR_RNDN);
  }
  ComplexReals table(count, precision);
  for (std::size_t k = 0; k < count; ++k) {
    const OctantAngle angle = octant_angle(k, order);
    const std::size_t i = angle.numerator / step;
    unfold(table.re[k], table.im[k], angle, octant.re[i], octant.im[i]);
  }
  return table;
}

PairRoots::PairRoots(std::uint64_t order) : order_(order), fine_bits_(best_fine_bits(order)) {
  const MpfrCacheScope scope;
  coarse_ = coarse_roots(order, fine_bits_);
  fine_ = fine_roots(order, fine_bits_);
}

ComplexPairs all_roots(const PairRoots& roots) {
  ComplexPairs all(roots.order());
  for (std::uint64_t e = 0; e < roots.order(); ++e) all.set(e, roots(e));
  return all;
}

void require_table_format(const Format& format) {
  require(format.precision >= 1 && format.precision <= 53 && format.emin >= -1022 &&
              format.emax >= 0 && format.emax <= 1023,
          "tables: the format must reach 1, and double must hold the format");
}

double round_unit(mpfr_srcptr x, const Format& format) {
  if (mpfr_zero_p(x)) return 0;
  if (format.system) {
    const double down = mpfr_get_d(x, MPFR_RNDZ);
    const double rest = mpfr_cmp_d(x, down);
    return round(to_odd(down, rest), format, Rounding::rne);
  }
  const int step = step_exponent(static_cast<long>(mpfr_get_exp(x)) - 1, format);
  Real rounded(mpfr_get_prec(x));
  mpfr_mul_2si(rounded, x, -step, MPFR_RNDN);
  mpfr_roundeven(rounded, rounded);
  mpfr_mul_2si(rounded, rounded, step, MPFR_RNDN);
  return mpfr_get_d(rounded, MPFR_RNDN) + 0.0;  // exact; -0 + 0 = +0
}

double round_unit(double x, const Format& format) {
  if (x == 0) return 0;
  if (format.system) return round(x, format, Rounding::rne);
  const double size = std::fabs(x);
  if (format.precision <= 52 && size >= power_of_two(format.emin)) {
    // size plus 2^52 steps has the step as its last place, so the sum rounds size to whole steps.
    const double first = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) >> 52 << 52);
    const double steps = first * power_of_two(53 - format.precision);
    return std::copysign((size + steps) - steps, x);
  }
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
  if (format.system) {
    rounded = round(hi * (1 - 0x1p-52), format, Rounding::rne);
    return rounded == round(hi * (1 + 0x1p-52), format, Rounding::rne) && error < 0x1p-53 * hi;
  }
  const double step = power_of_two(step_exponent(static_cast<int>(bits >> 52) - 1023, format));
  const double shift = 0x1p52 * step;
  rounded = (hi + shift) - shift;
  double rest = (hi - rounded) + lo;
  const double direction = rest > step / 2 ? 1 : rest < -step / 2 ? -1 : 0;
  rounded += direction * step;
  rest -= direction * step;
  return std::fabs(rest) + (error + 0x1p-52 * step) < step / 2;
}

std::complex<double> root_of_unity(std::uint64_t k, std::uint64_t n, const Format& format) {
  require(n >= 1, "root_of_unity: n = 0");
  require_table_format(format);
  const MpfrCacheScope scope;
  const OctantAngle angle = octant_angle(k, n);
  const auto [cos, sin] = rounded_cos_sin(angle.numerator, n, format);
  const auto [re, im] = unfold(angle, cos, sin);
  return {re, im};
}

ComplexDoubleDouble root_of_unity(std::uint64_t k, std::uint64_t n, int fraction) {
  require(n >= 1, "root_of_unity: n = 0");
  require(fraction >= 1 && fraction <= 100, "root_of_unity: ", fraction, " bits of fraction");
  const MpfrCacheScope scope;
  const OctantAngle angle = octant_angle(k, n);
  if (angle.numerator == 0) return unfolded(angle, {{1, 0}, {0, 0}});
  for (mpfr_prec_t precision = 2 * fraction + 20;; precision *= 2) {
    Real cos(precision);
    Real sin(precision);
    Real rounded_cos(precision + 4);
    Real rounded_sin(precision + 4);
    octant_cos_sin(cos, sin, angle.numerator, n);
    if (!round_if_sure(cos, fraction, rounded_cos) || !round_if_sure(sin, fraction, rounded_sin))
      continue;
    mpfr_div_2si(rounded_cos, rounded_cos, fraction, MPFR_RNDN);
    mpfr_div_2si(rounded_sin, rounded_sin, fraction, MPFR_RNDN);
    Real rest(precision + 4);
    return unfolded(angle, {nearest_pair(rounded_cos, rest), nearest_pair(rounded_sin, rest)});
  }
}

ComplexArray<double> octant_roots(std::uint64_t n, const Format& format) {
  constexpr std::size_t fewest_for_pairs = 1024;  // making PairRoots asks MPFR for as many angles
  require(n >= 1, "roots_of_unity: n = 0");
  require_table_format(format);
  const MpfrCacheScope scope;
  const std::uint64_t step = std::gcd(n, std::uint64_t{4});
  ComplexArray<double> octant(n / 2 / step + 1);
  std::optional<PairRoots> pairs;
  if (octant.size() >= fewest_for_pairs) pairs.emplace(4 / step * n);
  for (std::size_t i = 0; i < octant.size(); ++i) {
    if (pairs && i > 0) {
      const ComplexDoubleDouble root = (*pairs)(i);
      if (round_if_sure(root.re, format, octant.re[i]) &&
          round_if_sure(-root.im, format, octant.im[i]))
        continue;
    }
    std::tie(octant.re[i], octant.im[i]) = rounded_cos_sin(i * step, n, format);
  }
  return octant;
}

ComplexArray<double> roots_of_unity(std::size_t n, const Format& format) {
  const ComplexArray<double> octant = octant_roots(n, format);
  const std::size_t step = std::gcd(n, std::size_t{4});
  ComplexArray<double> roots(n);
  OctantWalk walk(n);
  for (std::size_t k = 0; k < n; ++k, walk.step()) {
    const OctantAngle angle = walk.here();
    const std::size_t i = angle.numerator / step;
    const auto [re, im] = unfold(angle, octant.re[i], octant.im[i]);
    roots.re[k] = re;
    roots.im[k] = im;
  }
  return roots;
}

}  // namespace fftprec::truth
