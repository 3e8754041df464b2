/// The true transform of a given input: computed in MPFR, stored as pairs of doubles, with a radius
/// that is proven before the run and rounded upward.
#pragma once

#include <cstddef>

#include "arith/complex_array.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// y_k = sum_j x_j exp(-+2 pi i jk/n) for each of the x.size()/n transforms in x; for inverse the
/// upper sign is plus and y is divided by n.
/// Method: radix-2 for powers of two, the definition for other n <= 32, Bluestein above, in MPFR
/// with at least `precision_bits`, and as many more as bring the bound of the transform to 2^-110,
/// so that the pair of doubles decides: radius_rel is then about 2^-106.
/// Error: ||stored - exact||_2 <= radius_rel ||stored||_2 in each transform; formulas, proofs and
/// sources in radius.hpp. Where results are so small that `lo` is subnormal, the radius says so; it
/// is infinite where everything underflowed.
/// Zero input: zero, exactly; radius_rel = 0 and bits = exact_bits where every transform is zero.
/// Throws InputError if n = 0, x.size() is no multiple of n, re and im differ in size, x holds an
/// infinity or a NaN, a result is beyond the range of double, or precision_bits is not in 53..512.
Truth dft(const ComplexArray<double>& x, std::size_t n, Direction direction,
          int precision_bits = 128);

/// Truth::bits of a truth without error.
inline constexpr int exact_bits = 1074;

/// floor(-log2(radius_rel)), between 0 and exact_bits.
int bits_of_radius(double radius_rel);

}  // namespace fftprec::truth
