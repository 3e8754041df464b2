/// Roots of unity exp(-2 pi i k/n), each part rounded once, correctly, to a format.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "arith/complex_array.hpp"
#include "arith/format.hpp"
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

/// exp(-2 pi i k/n), each part rounded once to `format` (rne).
/// Rounds: correctly. Only 0, +-1/2 and +-1 are rational (Niven 1956, Cor. 3.12), and they lie on
/// the grid; no other value can be a tie, so evaluating again with more bits ends (Ziv 1991).
/// Throws InputError for n = 0 or a format that double does not hold.
std::complex<double> root_of_unity(std::uint64_t k, std::uint64_t n, const Format& format);

/// root_of_unity(k, n, format) for k = 0 .. n-1. Computes one cosine and sine per distinct octant
/// angle: n/8 of them where 4 divides n.
ComplexArray<double> roots_of_unity(std::size_t n, const Format& format);

}  // namespace fftprec::truth
