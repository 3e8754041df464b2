/// Error measures of a computed transform against its truth.
#pragma once

#include "arith/complex_array.hpp"
#include "arith/format.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// With t = hi + lo the truth and e = (y - hi) - lo, formed with a relative error of at most 2^-52
/// (metrics.cpp), |.| complex magnitudes, and sums over all elements of the batch:
struct Errors {
  double l2_rel;      ///< sqrt(sum |e|^2) / sqrt(sum |t|^2)
  double linf_rel;    ///< max |e| / max |t|
  double l1_rel;      ///< sum |e| / sum |t|
  double re_max_rel;  ///< max over elements of |re e| / |re t|
  double im_max_rel;  ///< max over elements of |im e| / |im t|
  double max_ulp;     ///< max over both parts of all elements of |part of e| / ulp
  double rms_ulp;     ///< sqrt of the mean of its square
  double bits_l2;     ///< -log2(l2_rel)
};

/// ||x||_2 over all elements. Error: a few 2^-52 relative.
double l2_norm(const ComplexArray<double>& x);

/// Measures y against t.
/// A quotient 0/0 is 0 (nothing was wrong where nothing was), nonzero/0 is inf.
/// ulp: the step of `output` at the true value, not at y: 2^(e - precision + 1) for |part of t| in
/// [2^e, 2^(e+1)), so a part just below a power of two is measured by the smaller step even if y
/// lies at or above it; the step of emin for zero and every part below 2^emin, whether or not the
/// format has subnormals; 2^(e - precision + 1) also beyond the format's largest value. The sign of
/// a zero does not count.
/// Any NaN in y: every measure is NaN. Otherwise an infinity in y: every measure over both parts is
/// inf, bits_l2 is -inf, and re_max_rel or im_max_rel is inf where that part has the infinity.
/// bits_l2 is inf where l2_rel = 0; it is rounded once, so that it is the same on every machine.
/// Error: a few 2^-52 relative, over the whole range of double: norms are scaled by powers of two
/// and summed with compensation. A quotient beyond the range of double is inf.
/// Throws InputError if the sizes differ.
Errors measure(const ComplexArray<double>& y, const Truth& t, const Format& output);

}  // namespace fftprec::truth
