/// Roots of unity exp(-2 pi i k/n): rounded correctly to a format, in MPFR and in double-double.
///
/// All angles are reduced to the first octant, in integers. The rounding to binary formats is
/// independent of the rounding under test; number systems use that of arith/formats/round.hpp.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// The angle 2 pi k/n, exact in integers: phi in [0, pi/2) plus `quadrant` right angles, with
/// phi = (pi/2) numerator/n, or pi/2 minus that if `mirrored`.
struct OctantAngle {
  std::uint64_t numerator;  ///< at most n/2
  bool mirrored;
  int quadrant;
};

/// Requires: n >= 1. k is any integer; it is reduced modulo n first.
OctantAngle octant_angle(std::uint64_t k, std::uint64_t n);

/// The angles k/n for k = 0, 1, 2, ..., without a division.
class OctantWalk {
 public:
  /// Requires: 1 <= n <= 2^62.
  explicit OctantWalk(std::uint64_t n) : n_(n) {}

  OctantAngle here() const {
    const bool mirrored = rest_ > n_ - rest_;
    return {mirrored ? n_ - rest_ : rest_, mirrored, quadrant_};
  }
  void step() {
    for (rest_ += 4; rest_ >= n_; rest_ -= n_) quadrant_ = (quadrant_ + 1) % 4;
  }

 private:
  std::uint64_t n_;
  std::uint64_t rest_ = 0;  ///< 4k mod n
  int quadrant_ = 0;
};

/// Real and imaginary part of exp(-2 pi i k/n) from the cosine and sine of (pi/2) numerator/n:
/// swaps and signs only. T is a number, or a signed label of one.
template <class T>
std::pair<T, T> unfold(const OctantAngle& angle, T cos, T sin) {
  const T c = angle.mirrored ? sin : cos;
  const T s = angle.mirrored ? cos : sin;
  switch (angle.quadrant) {  // 0 - x: no zero of a table is negative
    case 0:
      return {c, 0 - s};
    case 1:
      return {0 - s, 0 - c};
    case 2:
      return {0 - c, s};
    default:
      return {s, c};
  }
}

/// As above, for MPFR numbers, whose precision may differ from that of `re` and `im`.
void unfold(mpfr_ptr re, mpfr_ptr im, const OctantAngle& angle, mpfr_srcptr cos, mpfr_srcptr sin);

/// cos and sin of (pi/2) numerator/n, for 0 <= numerator <= n/2.
/// Error: each relative error at most 2^(2-p), p the precision of `cos` and `sin` (equal): the
/// argument carries at most 3 roundings, tan and its inverse factor are at most 1 there, and MPFR
/// rounds each result once.
void octant_cos_sin(mpfr_ptr cos, mpfr_ptr sin, std::uint64_t numerator, std::uint64_t n);

/// exp(-2 pi i k/order), k < count, each part rounded once after an evaluation with 24 more bits:
/// |error| <= u/sqrt(2) (1 + 2^-20) < 0.7072 u.
ComplexReals table_of_roots(std::size_t count, std::size_t order, mpfr_prec_t precision);

/// Roots of unity in double-double for any exponent, each at the cost of one product:
/// exp(-2 pi i e/order) = coarse_h (1 + fine_l), e = h 2^b + l, with two short tables from MPFR.
/// Each part is rounded to the nearest double, and the rest to the nearest double again.
///
/// Error: |value - root| <= 5 u^2, u = 2^-53; 0 if l = 0 and the root is 1, -1, i or -i.
/// Proof: the error of coarse is u^2; that of fine, at most 2 pi/511 in modulus or 0, is u^2 of
/// itself. In c + c d the error of the product is 14 sqrt(2) u^2 (1 + 20u) |c d| and that of the
/// sum is 3 u^2 (1 + 4u) (|c| + |c d|) (double_double.hpp): (1 + 3) u^2 + (1 + 19.8 + 3) u^2 |d| <
/// 4.3 u^2.
class PairRoots {
 public:
  /// Requires: 1 <= order <= 2^40.
  explicit PairRoots(std::uint64_t order);

  /// Requires: exponent < order.
  ComplexDoubleDouble operator()(std::uint64_t exponent) const {
    const ComplexDoubleDouble c = coarse_.at(exponent >> fine_bits_);
    return c + c * fine_.at(exponent & ((std::uint64_t{1} << fine_bits_) - 1));
  }

  std::uint64_t order() const { return order_; }
  int fine_bits() const { return fine_bits_; }
  const ComplexPairs& coarse() const { return coarse_; }  ///< exp(-2 pi i h 2^b/order)
  const ComplexPairs& fine() const { return fine_; }      ///< exp(-2 pi i l/order) - 1, l < 2^b

 private:
  std::uint64_t order_;
  int fine_bits_;
  ComplexPairs coarse_;
  ComplexPairs fine_;
};

inline PairRootsView view(const PairRoots& roots) {
  return {view(roots.coarse()), view(roots.fine()), roots.fine_bits()};
}

/// All `order` roots, exponent by exponent.
ComplexPairs all_roots(const PairRoots& roots);

/// Throws InputError unless the format reaches 1, and double holds the format.
void require_table_format(const Format& format);

/// The value of `format` nearest to x, ties to even; zeros become +0.
/// Requires: |x| < 3/2 (inexact tables may have values above 1), require_table_format(format).
/// Rounds: once, also where the format is subnormal. Below the smallest normal number of a format
/// without subnormals the candidates are 0 and that number.
double round_unit(mpfr_srcptr x, const Format& format);
double round_unit(double x, const Format& format);

/// Whether every number within `error` of hi + lo is known to round to one value of `format`; if
/// so, sets `rounded`. Always false if hi is a power of two, since the grid below it is finer.
/// Requires: 2^-900 < hi < 3/2, |lo| at most half an ulp of hi, require_table_format(format).
bool round_unit_if_sure(double hi, double lo, double error, const Format& format, double& rounded);

/// exp(-2 pi i k/n), each part rounded once to `format` (rne).
/// Rounds: correctly. Only 0, +-1/2 and +-1 are rational (Niven 1956, Cor. 3.12). No other value
/// can be a tie, so repeating the evaluation with more bits terminates (Ziv 1991).
/// Throws InputError for n = 0 or a format that double does not hold.
std::complex<double> root_of_unity(std::uint64_t k, std::uint64_t n, const Format& format);

/// As above, rounded to multiples of 2^-fraction, fraction <= 100. Each part is the exact sum of
/// two doubles. Takes about 10 microseconds.
ComplexDoubleDouble root_of_unity(std::uint64_t k, std::uint64_t n, int fraction);

/// The cosines (re) and sines (im) of (pi/2) i step/n for i step <= n/2, step = gcd(n, 4), each
/// part rounded as root_of_unity rounds it. root_of_octant takes any root of order n from them:
/// where 4 divides n, they take an eighth of the memory of all roots. About 60 ns each: both parts
/// are rounded from double-double roots (PairRoots); MPFR decides if their proven error leaves a
/// rounding open. Throws as root_of_unity.
ComplexArray<double> octant_roots(std::uint64_t n, const Format& format);

/// root_of_unity(k, n, format), with equal bits, from octant = octant_roots(n, format).
/// Requires: k < n.
inline std::complex<double> root_of_octant(const ComplexArray<double>& octant, std::uint64_t k,
                                           std::uint64_t n) {
  const OctantAngle angle = octant_angle(k, n);
  const std::uint64_t i = angle.numerator / (n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 1);
  const auto [re, im] = unfold(angle, octant.re[i], octant.im[i]);
  return {re, im};
}

/// root_of_unity(k, n, format) for k = 0 .. n-1, with equal bits, in about 10 ns each.
ComplexArray<double> roots_of_unity(std::size_t n, const Format& format);

}  // namespace fftprec::truth
