/// Error measures of a computed transform against its truth, and the uncertainty of each.
#pragma once

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/support/isa.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// The uncertainty of each measure: |measure - exact measure| <= radius, where the exact measure is
/// against the exact transform x instead of the stored t, without rounding. It includes what is
/// certified of t (radius_rel and, if known, element_radius) and the rounding_radius of the
/// measure. ulps are those at t, which are those at x unless a power of two lies between.
/// Infinite if there is no bound: for the elementwise quotients if a part of t is zero or not
/// larger than its radius, and this radius is not zero. Equal to the measure if that is not finite.
///
/// Proof: with |t - x| <= d in a norm | |y - x| - |y - t| | <= d and | |x| - |t| | <= d, so with
/// D = d / |t| < 1 the quotients q = |y - t| / |t| and |y - x| / |x| differ by at most
/// D (1 + q) / (1 - D).
///   l2: D = radius_rel, as it holds for every item.
///   linf: D = a / max |t|, a the largest element_radius, or radius_rel ||t||_2 if smaller.
///   l1: D = d / sum |t|, d the sum of all element radii, or radius_rel sqrt(N) ||t||_2.
///   re, im: D = a / min |part of t|, the worst of all elements.
///   ulp: the parts differ by at most a / (smallest step), so do their maximum and their mean in
///   the 2-norm.
///   linf_abs: a.
///   mean_rel: D = a / min |t| in every element, so in their mean.
///   without_gain_rel is the tangent of the angle between y and t; between t and x it is at most
///   arcsin radius_rel =: b, so the tangents differ by at most tan b (1 + q^2) / (1 - q tan b).
///   gain: with v/|v|^2 in place of both slopes' vectors, |x/|x|^2 - t/|t|^2| = |x - t| / (|x|
///   |t|), so the slopes differ by at most |y| D / ((1 - D) |t|), and |y| <= (1 + q) |t|: as l2.
struct ErrorRadius {
  double l2_rel;
  double linf_rel;
  double l1_rel;
  double re_max_rel;
  double im_max_rel;
  double max_ulp;
  double rms_ulp;
  double gain;
  double linf_abs;
  double mean_rel;
  double without_gain_rel;
};

/// With t = hi + lo the truth and e = (y - hi) - lo, formed with a relative error of at most 2^-52
/// (metrics.cpp), |.| complex magnitudes, e . t = re e re t + im e im t, and sums over all elements
/// of the batch:
struct Errors {
  double l2_rel;            ///< sqrt(sum |e|^2) / sqrt(sum |t|^2)
  double linf_rel;          ///< max |e| / max |t|
  double l1_rel;            ///< sum |e| / sum |t|
  double re_max_rel;        ///< max over elements of |re e| / |re t|
  double im_max_rel;        ///< max over elements of |im e| / |im t|
  double max_ulp;           ///< max over both parts of all elements of |part of e| / ulp
  double rms_ulp;           ///< sqrt of the mean of (|part of e| / ulp)^2
  double gain;              ///< 1 + sum (e . t) / sum |t|^2: slope of y = gain t by least squares
  double bits_l2;           ///< -log2(l2_rel)
  double snr_db;            ///< -20 log10(l2_rel)
  ErrorRadius radius;       ///< of all measures that are no logarithms
  double linf_abs;          ///< max |e|
  double mean_rel;          ///< mean over all elements of |e| / |t|
  double without_gain_rel;  ///< sqrt(sum |y - gain t|^2) / sqrt(sum |gain t|^2)
  double snr_no_gain_db;    ///< -20 log10(without_gain_rel)
};

/// Bound on the relative rounding error of a measure that is not subnormal, for up to 2^28
/// elements; proof in metrics.cpp. For the gain it is 16 2^-53 l2_rel + 2^-53 |gain|; for
/// without_gain_rel rounding_radius plus rest_radius(gain), in metrics.cpp.
inline constexpr double rounding_radius = 12 * 0x1p-53;

/// ||x||_2 over all elements. Error: at most 3 2^-53 relative if the norm is not subnormal.
/// NaN if x has a NaN, else inf if x has an infinity or the norm is beyond the range of double.
double l2_norm(const ComplexArray<double>& x, Isa isa = best_isa());

/// Measures y against t.
/// A quotient 0/0 is 0, since a zero result is right; nonzero/0 is inf. without_gain_rel is inf if
/// y = 0 and t is not zero.
/// ulp: the step of `output` at the true value, not at y: 2^(e - precision + 1) for |part of t| in
/// [2^e, 2^(e+1)). So a part just below a power of two has the smaller step even if y lies at or
/// above it. Zero and every part below 2^emin have the step of emin, with or without subnormals.
/// Beyond the largest value of the format the step is also 2^(e - precision + 1). The sign of a
/// zero does not count.
/// With a NaN in y, every measure is NaN. Otherwise, with an infinity in y, every measure over both
/// parts is inf, the logarithms are -inf, gain is NaN, and of re_max_rel and im_max_rel those are
/// inf whose part has the infinity. gain is 1 if y = t, also for zeros, and NaN if only t is zero.
/// |gain - 1| <= l2_rel. bits_l2 and snr_db are inf if l2_rel = 0. All logarithms come from MPFR
/// and are equal on every machine. All `isa` give equal bits. Error: rounding_radius over the whole
/// range of double. A quotient beyond that range is inf. Requires: t finite, |lo| <= 2^-53 |hi| in
/// each part.
/// Throws InputError if the sizes differ.
Errors measure(const ComplexArray<double>& y, const Truth& t, const Format& output,
               Isa isa = best_isa());

}  // namespace fftprec::truth
