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

/// Of one part of all elements: max |e| / |hi|, where 0/0 does not count, and min |hi|.
struct PartExtremes {
  double largest_relative;
  double smallest_truth;
};

/// With e = (y - hi) - lo: `error` over e and `truth` over hi; over both parts of all elements the
/// largest |e| / binade and the sum of its squares, binade the power of two at or below
/// |hi + lo| but at least 2^emin.
/// `along` is the sum of fl(fl(part of e * part of hi) + that of the other part).
/// A NaN in y makes error.squares NaN and is left out of the extremes.
struct MetricSums {
  NormSums error;
  NormSums truth;
  PartExtremes re;
  PartExtremes im;
  double largest_binades;
  double binades_squares;
  double along;
  double relative;            ///< sum |e| / |hi| of complex magnitudes, where 0/0 does not count
  double least_error_square;  ///< smallest |e|^2 of a nonzero e; inf if there is none
  double least_truth_square;  ///< the same of hi
};

/// Over r = y - g (hi + lo), formed with an error of at most 2u |r| + 4u^2 |g hi|: sum |r|^2, and
/// the sum of fl(fl(part of r * part of hi) + that of the other part).
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

/// Element j goes to partial result j mod 8, the last size mod 8 to one more, whatever the
/// instruction set: same bits for all of them.
/// Requires: |hi| < 2^1023 where the sums over binades are to be used.
/// Error: a sum of n terms errs by at most u relative to itself and (n u)^2 relative to the sum of
/// the terms' magnitudes, apart from the terms' own: rest adds up at most n roundings, each at most
/// u times that sum, and loses at most n u of that (Ogita, Rump, Oishi 2005, prop. 4.5).
template <class Tag>
struct MetricTables {
  static void measure(const MeasuredPart& re, const MeasuredPart& im, std::size_t size,
                      double smallest_binade, MetricSums& sums);
  /// g is `factor`. Requires: |g hi|, |y| < 2^900.
  static void rest(const MeasuredPart& re, const MeasuredPart& im, std::size_t size, double factor,
                   RestSums& sums);
  /// Of scale times re + i im.
  static void norms(const double* re, const double* im, std::size_t size, double scale,
                    NormSums& sums);
};

}  // namespace fftprec::truth
