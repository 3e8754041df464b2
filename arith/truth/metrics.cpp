/// Data of ordinary size take one vectorised pass. Where squares could leave the range of double
/// (beyond 2^+-400, about), every element has a scale of its own and norms are taken of scaled
/// copies.
///
/// Proof of rounding_radius, u = 2^-53, terms in u^2 summed up at the end: a part of e errs by 2u
/// (`difference`), one of t, taken to be hi, by u. Relative to itself
///   a square of a magnitude errs by 4u + 2u in e, 2u + 2u in t (a square and a sum),
///   a magnitude by half of that and u: 4u in e, 3u in t,
///   a sum by u more, and by (n u)^2 = u/8 with n = 2^25 terms in each partial sum,
///   a root by half of what is under it and u more, a quotient by u more. So
///   l2: (6 + 1)/2 + 1 in e, (4 + 1)/2 + 1 in t, 1:  9u
///   linf: 4 in e, 3 in t, 1:                        8u
///   l1: 4 + 1 in e, 3 + 1 in t, 1:                 10u
///   elementwise: 2 in e, 1 in t, 1; ulp: 2:         4u
///   rms: (4 + 2 + 1 + 1)/2 + 1:                     5u
///   mean_rel: 4 in e, 3 in t, 1, the sum 1, the mean 1, and 1 where a quotient is subnormal: 11u.
/// A term e . t of the gain errs by (2 + 1 + 2)u |e| |t|, and their sum by u more and by u/8 of all
/// |e| |t|, together at most |e|_2 |t|_2 (Cauchy, Schwarz); with (4 + 1)u in the sum of |t|^2 and 1
/// in the quotient gain - 1 errs by 12u l2_rel, two eighths and terms in u^2, and 1 added rounds.
/// Without the gain: r = y - g t for a double g near the gain errs by 2u |r|, and by 4u^2 |g t|.
/// What r has along t, s = sum (r . t) / sum |t|^2, errs by 8u |r|_2 / |t|_2, so |r|^2 - s^2 |t|^2
/// errs by 2 (8u) + 6u + 4u of |r|^2: 32u cover it. If it is no more than that, it is taken for 0.
/// Powers of two scale without error. What underflows is below 2^-137 of the largest magnitude,
/// over 2^28 elements below 2^-109 of any norm. 2u remain for that, the eighths and terms in u^2.
#include "arith/truth/metrics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "arith/support/error.hpp"
#include "arith/support/isa_tables.hpp"
#include "arith/truth/loops/double_double.hpp"
#include "arith/truth/loops/metrics.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// (y - hi) - lo, relative error at most 2u (and terms in u^2): if y is within a factor 2 of hi,
/// y - hi is exact (Sterbenz) and one rounding follows; else it is at least |hi|/2, has one
/// rounding, and lo, at most u |hi|, cancels nothing of it. As a double-double it would cost five
/// times as much and spare 2u of 9u.
double difference(double y, double hi, double lo) { return (y - hi) - lo; }

/// Differences are taken of values times 2^-60 where one of them is so large that they overflow.
constexpr int huge_shift = 60;
constexpr double huge_size = 0x1p1020;
bool is_huge(double x) { return std::fabs(x) >= huge_size; }
double shrink_for(bool huge) { return huge ? std::ldexp(1.0, -huge_shift) : 1.0; }

double quotient(double part, double whole) { return part == 0 ? 0 : part / whole; }

double largest_of(const AlignedVector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}
double largest_of(const ComplexArray<double>& values) {
  return std::max(largest_of(values.re), largest_of(values.im));
}

/// Whether squares up to this one lost nothing that counts.
bool is_ordinary(double largest_square) {
  return largest_square >= 0x1p-800 && largest_square <= 0x1p800;
}

/// Sums over values divided by 2^exponent.
struct Norms : NormSums {
  int exponent = 0;
};

Norms norms_of(const ComplexArray<double>& x, Isa isa) {
  Norms norms{};
  const auto scaled_by = [&](double scale) {
    with_tables<MetricTables>(
        isa, [&](auto tables) { tables.norms(x.re.data(), x.im.data(), x.size(), scale, norms); });
  };
  scaled_by(1);
  if (is_ordinary(norms.largest_square) || std::isnan(norms.squares)) return norms;
  const double largest = largest_of(x);
  if (largest == 0 || largest == infinity) return {{largest, largest, largest}, 0};
  norms.exponent = std::max(std::ilogb(largest), -1022);
  scaled_by(std::ldexp(1.0, -norms.exponent));
  return norms;
}

/// The exponent of the power of two at or below |hi + lo|, but at least emin.
int binade_exponent(double hi, double lo, const Format& output) {
  if (hi == 0) return output.emin;
  int exponent = std::ilogb(hi);
  const bool power_of_two = std::fabs(hi) == std::ldexp(1.0, exponent);
  if (power_of_two && lo != 0 && std::signbit(hi) != std::signbit(lo)) --exponent;
  return std::max(exponent, output.emin);
}

/// What all measures are made of.
struct Parts {
  Norms error;
  Norms truth;
  PartExtremes re;
  PartExtremes im;
  double max_ulp;
  double rms_ulp;
  double along;  ///< sum of e . t, in the scales of both
  double mean_rel;
  bool ordinary = false;  ///< of a size that one pass serves
};

/// |re + i im| = size * 2^exponent, whatever their size: without overflow, and with the relative
/// error of a square, a sum and a root.
struct Magnitude {
  double size = 0;
  int exponent = 0;
};
Magnitude magnitude(double re, double im) {
  const double largest = std::max(std::fabs(re), std::fabs(im));
  if (largest == 0 || largest == infinity) return {largest, 0};
  const int exponent = std::ilogb(largest);
  const double a = std::ldexp(re, -exponent);
  const double b = std::ldexp(im, -exponent);
  return {std::sqrt(a * a + b * b), exponent};
}

/// The mean of |e| / |t| for data of any size without a NaN.
double mean_relative(const ComplexArray<double>& y, const Truth& t) {
  DoubleDouble sum;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool huge = std::max({std::fabs(y.re[i]), std::fabs(y.im[i]), std::fabs(t.hi.re[i]),
                                std::fabs(t.hi.im[i])}) >= huge_size;
    const double scale = shrink_for(huge);
    const double re = t.hi.re[i] * scale;
    const double im = t.hi.im[i] * scale;
    const Magnitude error = magnitude(difference(y.re[i] * scale, re, t.lo.re[i] * scale),
                                      difference(y.im[i] * scale, im, t.lo.im[i] * scale));
    const Magnitude truth = magnitude(re, im);
    if (error.size == 0) continue;
    const double relative = std::ldexp(error.size / truth.size, error.exponent - truth.exponent);
    if (relative == infinity) return infinity;
    sum = sum + DoubleDouble{relative, 0};
  }
  return quotient(sum.hi, static_cast<double>(y.size()));
}

/// The one pass; false if something is of a size that it does not serve.
bool measure_ordinary(const ComplexArray<double>& y, const Truth& t, const Format& output, Isa isa,
                      Parts& parts) {
  MetricSums sums;
  with_tables<MetricTables>(isa, [&](auto tables) {
    tables.measure({y.re.data(), t.hi.re.data(), t.lo.re.data()},
                   {y.im.data(), t.hi.im.data(), t.lo.im.data()}, y.size(), min_normal(output),
                   sums);
  });
  const double steps = std::ldexp(1.0, output.precision - 1);  // in a binade
  const double rms = std::sqrt(sums.binades_squares / (2 * static_cast<double>(y.size()))) * steps;
  // Below, squares lose digits that count if the quotient of their element does.
  constexpr double least_square = 0x1p-960;
  const bool squares_hold =
      sums.least_error_square >= least_square && sums.least_truth_square >= least_square;
  const double mean_rel = squares_hold || std::isnan(sums.error.squares)
                              ? quotient(sums.relative, static_cast<double>(y.size()))
                              : mean_relative(y, t);
  parts = {{sums.error, 0}, {sums.truth, 0}, sums.re, sums.im, sums.largest_binades * steps, rms,
           sums.along,      mean_rel,        true};
  // A nonzero e with no quotient above zero is below 2^-1074 of t in every part: all quotients are.
  const bool exact = sums.error.squares == 0 && sums.re.largest_relative == 0 &&
                     sums.im.largest_relative == 0 && sums.largest_binades == 0;
  const double binades_square = sums.largest_binades * sums.largest_binades;
  return is_ordinary(sums.truth.largest_square) &&
         (exact || (is_ordinary(sums.error.largest_square) && is_ordinary(binades_square)));
}

/// Largest relative error of one part and its smallest truth; errors in ulp go to `ulps`.
PartExtremes measure_part(const AlignedVector<double>& y, const AlignedVector<double>& hi,
                          const AlignedVector<double>& lo, const Format& output,
                          AlignedVector<double>& ulps) {
  PartExtremes part{0, infinity};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool huge = is_huge(y[i]) || is_huge(hi[i]);
    const double scale = shrink_for(huge);
    const double error = std::fabs(difference(y[i] * scale, hi[i] * scale, lo[i] * scale));
    const double relative = quotient(error, std::fabs(hi[i] * scale));
    part.largest_relative = std::max(part.largest_relative, relative);
    part.smallest_truth = std::min(part.smallest_truth, std::fabs(hi[i]));
    const int step = binade_exponent(hi[i], lo[i], output) - output.precision + 1;
    ulps[i] = std::ldexp(error, huge ? huge_shift - step : -step);
  }
  return part;
}

/// Sum of a . b over all elements, each of a times `a_scale`, of b times `b_scale`.
double inner_product(const ComplexArray<double>& a, double a_scale, const ComplexArray<double>& b,
                     double b_scale) {
  DoubleDouble sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double re = a.re[i] * a_scale * (b.re[i] * b_scale);
    sum = sum + DoubleDouble{re + a.im[i] * a_scale * (b.im[i] * b_scale), 0};
  }
  return sum.hi;
}

/// Data of any size without a NaN.
Parts measure_any(const ComplexArray<double>& y, const Truth& t, const Format& output, Isa isa) {
  const double largest = largest_of(y);
  const double shrink = shrink_for(is_huge(largest) || is_huge(largest_of(t.hi)));
  ComplexArray<double> e(y.size());
  ComplexArray<double> whole(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    whole.re[i] = t.hi.re[i] * shrink;
    whole.im[i] = t.hi.im[i] * shrink;
    e.re[i] = difference(y.re[i] * shrink, whole.re[i], t.lo.re[i] * shrink);
    e.im[i] = difference(y.im[i] * shrink, whole.im[i], t.lo.im[i] * shrink);
  }
  Parts parts{norms_of(e, isa), norms_of(whole, isa), {}, {}, 0, 0, 0, mean_relative(y, t)};
  parts.along = inner_product(e, std::ldexp(1.0, -parts.error.exponent), whole,
                              std::ldexp(1.0, -parts.truth.exponent));
  ComplexArray<double>& ulps = e;
  parts.re = measure_part(y.re, t.hi.re, t.lo.re, output, ulps.re);
  parts.im = measure_part(y.im, t.hi.im, t.lo.im, output, ulps.im);
  parts.max_ulp = largest_of(ulps);
  const Norms norms = norms_of(ulps, isa);
  const double count = 2 * static_cast<double>(y.size());
  if (norms.squares != 0)
    parts.rms_ulp = std::ldexp(std::sqrt(norms.squares / count), norms.exponent);
  // The radius sees t as it is; e and t keep the same scale.
  const int shift = shrink == 1 ? 0 : huge_shift;
  parts.error.exponent += shift;
  parts.truth.exponent += shift;
  return parts;
}

/// What of y is no multiple of t, relative to what is.
struct Rest {
  double relative;
  double rounding;  ///< how far it may be off beside rounding_radius
};

/// With t of ordinary size and y of about that of `gain` times t.
Rest ordinary_rest(const ComplexArray<double>& y, const Truth& t, double gain, double squares,
                   Isa isa) {
  constexpr double resolved = 32 * 0x1p-53;
  RestSums sums{};
  with_tables<MetricTables>(isa, [&](auto tables) {
    tables.rest({y.re.data(), t.hi.re.data(), t.lo.re.data()},
                {y.im.data(), t.hi.im.data(), t.lo.im.data()}, y.size(), gain, sums);
  });
  const double slope = sums.along / squares;
  const double across = sums.squares - slope * sums.along;
  const double whole = std::fabs(gain + slope) * std::sqrt(squares);
  const auto relative = [&](double square) { return quotient(std::sqrt(square), whole); };
  if (!(across > resolved * sums.squares))
    return {whole > 0 ? 0 : infinity, relative(2 * resolved * sums.squares) + 0x1p-104};
  const double rest = relative(across);
  return {rest, rest * resolved * (sums.squares / across) + 0x1p-104};
}

/// x / 2^exponent_of(x), in two steps where one factor is beyond double.
int exponent_of(const ComplexArray<double>& x) {
  const double largest = largest_of(x);
  return largest > 0 ? std::ilogb(largest) : 0;
}
ComplexArray<double> scaled(ComplexArray<double> x, int exponent) {
  for (auto* part : {&x.re, &x.im})
    for (double& value : *part) value = std::ldexp(value, -exponent);
  return x;
}

Rest rest_of(const ComplexArray<double>& y, const Truth& t, const Parts& parts, double gain,
             Isa isa) {
  if (parts.error.squares == 0) return {0, 0};
  if (parts.error.squares == infinity || parts.truth.squares == 0) return {infinity, 0};
  const double size = std::fabs(gain);
  if (parts.ordinary && size >= 0x1p-100 && size <= 0x1p100 && parts.truth.squares >= 0x1p-200 &&
      parts.truth.squares <= 0x1p200)
    return ordinary_rest(y, t, gain, parts.truth.squares, isa);
  const int exponent = exponent_of(t.hi);
  const ComplexArray<double> near_one = scaled(y, exponent_of(y));
  const Truth truth{scaled(t.hi, exponent), scaled(t.lo, exponent), t.n};
  const double squares = inner_product(truth.hi, 1, truth.hi, 1);
  return ordinary_rest(near_one, truth, inner_product(near_one, 1, truth.hi, 1) / squares, squares,
                       isa);
}

/// x with room for a few roundings and underflows.
double roomy(double x) { return x * (1 + 0x1p-48) + 0x1p-1070; }
double rounded_up(double x) { return x == 0 ? 0 : roomy(x); }

/// See ErrorRadius. `relative` is D.
double quotient_radius(double measure, double relative) {
  if (!(relative < 1) || measure == infinity) return infinity;
  return roomy(measure * rounding_radius + relative * (1 + measure) / (1 - relative));
}

/// See ErrorRadius: of the tangent of an angle that is off by up to arcsin(relative).
double rest_radius(const Rest& rest, double relative) {
  const double q = rest.relative;
  const double tangent = relative / std::sqrt((1 - relative) * (1 + relative));
  if (!(relative < 1 && q * tangent < 1) || q == infinity) return infinity;
  return roomy(q * rounding_radius + rest.rounding + tangent * (1 + q * q) / (1 - q * tangent));
}

ErrorRadius radius_of(const Errors& errors, const Parts& parts, const Rest& rest, const Truth& t,
                      const Format& output) {
  const double count = static_cast<double>(t.hi.size());
  const double l2 = std::sqrt(parts.truth.squares);
  const double linf = std::sqrt(parts.truth.largest_square);
  const double l1 = parts.truth.sizes;
  // In the scale of the norms: the worst distance of an element and the sum of all distances.
  double worst = rounded_up(t.radius_rel * l2);
  double sum = rounded_up(worst * std::sqrt(count));
  if (!t.element_radius.empty()) {
    double radii = 0;
    double largest = 0;
    for (const double radius : t.element_radius) {
      radii += radius;
      largest = std::max(largest, radius);
    }
    const double elements = count / static_cast<double>(t.element_radius.size());
    const double slack = 1 + count * 0x1p-53;
    const auto scaled = [&](double x) {
      return rounded_up(std::ldexp(rounded_up(x), -parts.truth.exponent));
    };
    worst = std::min(worst, scaled(largest));
    sum = std::min(sum, scaled(radii * elements * slack));
  }
  const double element = rounded_up(std::ldexp(worst, parts.truth.exponent));
  const auto of = [](double distance, double whole) {
    return rounded_up(quotient(distance, whole));
  };
  const double smallest = std::min(parts.re.smallest_truth, parts.im.smallest_truth);
  const int exponent = binade_exponent(smallest, -smallest, output) - output.precision + 1;
  const double steps = rounded_up(std::ldexp(element, -exponent));
  const auto ulp_radius = [&](double measure) { return roomy(measure * rounding_radius + steps); };
  const double l2_radius = quotient_radius(errors.l2_rel, t.radius_rel);
  return {l2_radius,
          quotient_radius(errors.linf_rel, of(worst, linf)),
          quotient_radius(errors.l1_rel, of(sum, l1)),
          quotient_radius(errors.re_max_rel, of(element, parts.re.smallest_truth)),
          quotient_radius(errors.im_max_rel, of(element, parts.im.smallest_truth)),
          ulp_radius(errors.max_ulp),
          ulp_radius(errors.rms_ulp),
          std::isnan(errors.gain) ? nan : roomy(l2_radius + 0x1p-53 * (1 + 5 * errors.l2_rel)),
          roomy(errors.linf_abs * rounding_radius + element),
          quotient_radius(errors.mean_rel,
                          of(element, std::max(parts.re.smallest_truth, parts.im.smallest_truth))),
          rest_radius(rest, t.radius_rel)};
}

/// 1 + along / sum |t|^2; the quotient is scaled by 2^shift.
double gain_of(const Parts& parts, int shift) {
  if (parts.error.squares == 0) return 1;
  if (parts.truth.squares == 0 || parts.error.squares == infinity) return nan;
  return 1 + std::ldexp(parts.along / parts.truth.squares, shift);
}

/// x = 2^exponent m with m in [sqrt(1/2), sqrt(2)), and log m.
struct Logarithm {
  double exponent;
  DoubleDouble of_fraction;
};

/// log m = 2s (1 + t/3 + t^2/5 + ...), s = (m - 1)/(m + 1), t = s^2 < 0.0295. Error: 2^-68 |log m|:
/// terms from t^3/7 on, below 2^-18, are computed in double, and those from t^16/33 on left out.
/// Requires: x is a positive normal number.
Logarithm log_in_pairs(double x) {
  constexpr DoubleDouble third{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  constexpr DoubleDouble fifth{0x1.999999999999ap-3, -0x1.999999999999ap-57};
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --exponent;
  }
  const DoubleDouble sum = two_sum(m, 1.0);
  const double first = (m - 1) / sum.hi;
  const DoubleDouble taken = two_product(first, sum.hi);
  const double left = (((m - 1) - taken.hi) - taken.lo) - first * sum.lo;
  const DoubleDouble s = two_sum(first, left / sum.hi);
  const DoubleDouble t = s * s;
  double rest = 0;
  for (int odd = 31; odd >= 7; odd -= 2) rest = rest * t.hi + 1.0 / odd;
  const DoubleDouble correction =
      t * (third + t * fifth) + DoubleDouble{t.hi * t.hi * t.hi * rest, 0};
  return {static_cast<double>(exponent), (s + s) + (s + s) * correction};
}

/// `value` rounded to double, if all that is within `relative` of it rounds to the same; else what
/// ask_mpfr() gives.
template <class Ask>
double rounded_if_sure(DoubleDouble value, double relative, Ask ask_mpfr) {
  const double error = relative * std::fabs(value.hi);
  const double below = value.hi + (value.lo - error);
  return below == value.hi + (value.lo + error) ? below : ask_mpfr();
}

bool has_logarithm(double x) { return std::isnormal(x) && x > 0; }

double bits_of(double relative) {
  const auto ask_mpfr = [relative] {
    Real bits(relative, 53);
    mpfr_log2(bits, bits, MPFR_RNDN);
    return mpfr_get_d(bits, MPFR_RNDN);
  };
  if (!has_logarithm(relative)) return 0 - ask_mpfr();
  constexpr DoubleDouble log2_e{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
  const auto [exponent, of_fraction] = log_in_pairs(relative);
  return 0 - rounded_if_sure(DoubleDouble{exponent, 0} + of_fraction * log2_e, 0x1p-65, ask_mpfr);
}

/// The logarithm has digits to spare, 64 in all, so that only the last rounding shows.
double decibels_of(double relative) {
  const auto ask_mpfr = [relative] {
    Real decibels(relative, 64);
    mpfr_log10(decibels, decibels, MPFR_RNDN);
    mpfr_mul_si(decibels, decibels, -20, MPFR_RNDN);
    return mpfr_get_d(decibels, MPFR_RNDN);
  };
  if (!has_logarithm(relative)) return 0 + ask_mpfr();
  constexpr DoubleDouble log10_2{0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};
  constexpr DoubleDouble log10_e{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  const auto [exponent, of_fraction] = log_in_pairs(relative);
  const DoubleDouble log10 = DoubleDouble{exponent, 0} * log10_2 + of_fraction * log10_e;
  return 0 + rounded_if_sure(DoubleDouble{-20, 0} * log10, 0x1p-61, ask_mpfr);
}

}  // namespace

double l2_norm(const ComplexArray<double>& x, Isa isa) {
  const Norms norms = norms_of(x, isa);
  return std::ldexp(std::sqrt(norms.squares), norms.exponent);
}

Errors measure(const ComplexArray<double>& y, const Truth& t, const Format& output, Isa isa) {
  require(y.re.size() == t.hi.size() && y.im.size() == t.hi.size(),
          "measure: output and truth differ in size");
  Parts parts{};
  const bool ordinary = measure_ordinary(y, t, output, isa, parts);
  // Sums keep a NaN, extremes drop it: they drop the 0/0 of exact zeros.
  if (std::isnan(parts.error.squares)) {
    std::array<double, sizeof(Errors) / sizeof(double)> all;
    all.fill(nan);
    return std::bit_cast<Errors>(all);
  }
  if (!ordinary) parts = measure_any(y, t, output, isa);
  const int shift = parts.error.exponent - parts.truth.exponent;
  const auto ratio = [&](double error, double truth) {
    return std::ldexp(quotient(error, truth), shift);
  };
  Errors errors{};
  errors.l2_rel = ratio(std::sqrt(parts.error.squares), std::sqrt(parts.truth.squares));
  errors.linf_rel =
      ratio(std::sqrt(parts.error.largest_square), std::sqrt(parts.truth.largest_square));
  errors.l1_rel = ratio(parts.error.sizes, parts.truth.sizes);
  errors.re_max_rel = parts.re.largest_relative;
  errors.im_max_rel = parts.im.largest_relative;
  errors.max_ulp = parts.max_ulp;
  errors.rms_ulp = parts.rms_ulp;
  errors.gain = gain_of(parts, shift);
  errors.bits_l2 = bits_of(errors.l2_rel);
  errors.snr_db = decibels_of(errors.l2_rel);
  errors.linf_abs = std::ldexp(std::sqrt(parts.error.largest_square), parts.error.exponent);
  errors.mean_rel = parts.mean_rel;
  const Rest rest = rest_of(y, t, parts, errors.gain, isa);
  errors.without_gain_rel = rest.relative;
  errors.snr_no_gain_db = decibels_of(rest.relative);
  errors.radius = radius_of(errors, parts, rest, t, output);
  return errors;
}

}  // namespace fftprec::truth
