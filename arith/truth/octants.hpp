/// Angles k/n of a turn brought into the first octant, in integers, and their cosine and sine.
#pragma once

#include <cstdint>
#include <utility>

#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// Where k/n of a turn lies: the angle 2 pi k/n is the angle phi in [0, pi/2) plus `quadrant` right
/// angles, phi = (pi/2) numerator/n, or pi/2 minus that if `mirrored`. All in integers, exact.
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

/// cos and sin of (pi/2) numerator/n, for 0 <= numerator <= n/2.
/// Error: each relative error at most 2^(2-p), p the precision of `cos` and `sin` (equal): the
/// argument carries at most 3 roundings, tan and its inverse factor are at most 1 there, and MPFR
/// rounds each result once.
void octant_cos_sin(mpfr_ptr cos, mpfr_ptr sin, std::uint64_t numerator, std::uint64_t n);

}  // namespace fftprec::truth
