/// The sums and extremes that the error measures are made of.
#pragma once

#include <cstddef>

namespace fftprec::truth {

/// Over complex values z, a sum rounded once from an unevaluated pair of doubles: sum |z|^2,
/// sum |z| and max |z|^2, each |z|^2 = fl(fl(re^2) + fl(im^2)) and |z| its rounded root.
struct NormSums {
  double squares;
  double sizes;
  double largest_square;
};

/// For one part of all elements: max |e| / |hi|, without 0/0, and min |hi|.
struct PartExtremes {
  double largest_relative;
  double smallest_truth;
};

/// With e = (y - hi) - lo: `error` is over e and `truth` over hi. The largest |e| / binade and the
/// sum of its squares are over both parts of all elements, where binade is the power of two at or
/// below |hi + lo|, at least 2^emin. `along` is the sum of fl(fl(re e * re hi) + fl(im e * im hi)).
/// A NaN in y makes error.squares NaN and does not count for the extremes.
struct MetricSums {
  NormSums error;
  NormSums truth;
  PartExtremes re;
  PartExtremes im;
  double largest_binades;
  double binades_squares;
  double along;
  double relative;            ///< sum of |e| / |hi|, complex magnitudes, without 0/0
  double least_error_square;  ///< smallest |e|^2 of a nonzero e; inf if there is none
  double least_truth_square;  ///< smallest |hi|^2 of a nonzero hi; inf if there is none
};

/// Over r = y - g (hi + lo), formed with an error of at most 2u |r| + 4u^2 |g hi|: sum |r|^2, and
/// the sum of fl(fl(re r * re hi) + fl(im r * im hi)).
struct RestSums {
  double squares;
  double along;
};

/// The real or the imaginary parts of the measured numbers.
struct MeasuredPart {
  const double* y;
  const double* hi;
  const double* lo;
};

/// Element j is added to partial result j mod 8, the last size mod 8 elements to a ninth, so that
/// all instruction sets give equal bits.
/// Requires: |hi| < 2^1023 if the sums over binades are used.
/// Error of a sum of n terms, apart from those of the terms: at most u relative to the sum plus
/// (n u)^2 relative to the sum of the magnitudes. The rest adds up at most n roundings, each at
/// most u times that sum, with a relative error of at most n u (Ogita, Rump, Oishi 2005, prop.
/// 4.5).
template <class Tag>
struct MetricTables {
  static void measure(const MeasuredPart& re, const MeasuredPart& im, std::size_t size,
                      double smallest_binade, MetricSums& sums);
  /// g is `factor`. Requires: |g hi|, |y| < 2^900.
  static void rest(const MeasuredPart& re, const MeasuredPart& im, std::size_t size, double factor,
                   RestSums& sums);
  /// The sums over scale * (re + i im).
  static void norms(const double* re, const double* im, std::size_t size, double scale,
                    NormSums& sums);
};

}  // namespace fftprec::truth
