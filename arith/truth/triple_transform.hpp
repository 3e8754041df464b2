/// Double-double data transformed in triple-double arithmetic: nearly all bits that a pair holds.
#pragma once

#include <cstddef>

#include "arith/truth/expansion_fourier.hpp"

namespace fftprec::truth {

/// Each line <- its forward transform, rounded to pairs. Shapes and requirements as
/// ExpansionFourier (expansion_fourier.hpp).
/// Error: (2 r + 1.01 u^2) sqrt(n) ||x||_2 for each line that has a part of at least 2^-400, r the
/// radius of `fourier`, u = 2^-53.
/// Proof: with (p, q) = TwoSum(hi, mid) a pair is p + fl(q + lo), and |q + lo| is at most
/// u |p| + 1.01 u^2 M (triple_double.hpp), so rounding it loses u^2 |p| + 1.01 u^3 M; the second
/// terms of all outputs together are below r sqrt(n) ||x||_2.
void transform_in_triples(const TripleFourier& fourier, ComplexPairs& x, std::size_t stride,
                          const Loops& loops);

}  // namespace fftprec::truth
