/// The true transform of a given input, with a radius that is proven before the run and rounded
/// upward.
#pragma once

#include <cstddef>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// y_k = sum_j x_j exp(-+2 pi i jk/n) for each of the x.size()/n transforms in x; for inverse the
/// upper sign is plus and y is divided by n.
/// Method: in MPFR, radix-2 for powers of two, the definition for other n <= 32, Bluestein above;
/// in double-double Stockham's radix-4 and Bluestein.
/// Error: ||stored - exact||_2 <= radius_rel ||stored||_2 in each transform (certify.hpp);
/// formulas, proofs and sources in radius.hpp. Where results are so small that `lo` is subnormal,
/// the radius says so; it is infinite where everything underflowed. Zero input: zero, exactly;
/// radius_rel = 0 and bits = exact_bits where every transform is zero. Throws InputError if n = 0,
/// x.size() is no multiple of n, re and im differ in size, x holds an infinity or a NaN, and as
/// certify.
Truth dft(const ComplexArray<double>& x, std::size_t n, Direction direction,
          const TruthOptions& options = {});

}  // namespace fftprec::truth
