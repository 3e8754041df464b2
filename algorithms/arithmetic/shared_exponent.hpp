/// Block floating point outside of fixed point: data that are stored together, or that a matrix
/// product takes together, share an exponent that follows from the largest of them.
#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/arithmetic/cast.hpp"
#include "algorithms/arithmetic/resolved_arithmetic.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// The largest finite magnitude of a real or an imaginary part; 0 of pairs and quads, which share
/// no exponent.
template <class Real>
double largest_part(View<const Real> x);

/// Values of a tapered system in [2^e, 2^(e+1)); 0 outside of its range.
double codes_in_binade(const NumberSystem& system, int e);

/// Binades of a tapered system around 1 with as many significant bits at least, as a format of as
/// many. Below it values have fewer bits, but lie no farther apart: roundings err by the larger of
/// u of the value and u of the zone's lowest one, u^ of the format.
std::optional<Format> golden_zone(const NumberSystem& system, int precision);

/// Where the largest part of a block ends, in units of the shared exponent: at the largest value of
/// a format, of a list at the smaller of the largest values of both signs; of posits and takums,
/// whose digits are most around 1, at the end of the binades from 1 on that have as many values as
/// [1, 2): 16 and 2.
double block_top(const Format& format);

/// The least e with largest <= 2^e top; 0 for nothing but zeros.
/// Requires: both are finite, and top is positive.
int block_exponent(double largest, double top);

/// x <- 2^e fl(2^-e x), e the block_exponent of its largest part and the format's top, fl a
/// rounding to the format as round_rows has it: no finite value overflows, short of Real itself.
/// What is not finite stays as it is.
template <class Real>
void round_block(View<Real> x, const Format& format, const Cast& cast, Isa isa);

/// Parts that are infinite or no numbers.
template <class Real>
std::uint64_t parts_not_finite(View<const Real> x);

/// Whether a matrix product takes data that share an exponent: on a tensor engine, with
/// scale=block.
bool operands_share_exponent(const ResolvedArithmetic& arithmetic);

/// That of operands, of sums of `depth` products with factors of 1 at most: the largest part is a
/// value of the operands' format, and no sum overflows a narrow accumulator.
/// Requires: operands_share_exponent(arithmetic).
int operand_exponent(const ResolvedArithmetic& arithmetic, double largest, std::size_t depth);

/// That of a matrix of factors: the largest is 1 at most. 0 of a DFT's.
int factor_exponent(double largest);

/// x <- 2^exponent x, rounded to nearest where Real does not hold it.
template <class Real>
void scale_by_power(View<Real> x, int exponent);

}  // namespace fftprec
