/// Roots of unity exp(-2 pi i k/n), each part rounded once, correctly, to a format.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/truth/octants.hpp"

namespace fftprec::truth {

/// exp(-2 pi i k/n), each part rounded once to `format` (rne).
/// Rounds: correctly. Only 0, +-1/2 and +-1 are rational (Niven 1956, Cor. 3.12), and they lie on
/// the grid; no other value can be a tie, so evaluating again with more bits ends (Ziv 1991).
/// Throws InputError for n = 0 or a format that double does not hold.
std::complex<double> root_of_unity(std::uint64_t k, std::uint64_t n, const Format& format);

/// root_of_unity(k, n, format) for k = 0 .. n-1, the same bits, at some 10 ns each: long tables
/// come from double-double roots (expansion_roots.hpp), and MPFR decides where their proven error
/// leaves the rounding open.
ComplexArray<double> roots_of_unity(std::size_t n, const Format& format);

}  // namespace fftprec::truth
