/// Block floating point outside of fixed point: data that are stored together, and operands of one
/// matrix product, share an exponent that follows from the largest value.
#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/arithmetic/cast.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// The largest finite magnitude of a real or an imaginary part; 0 of pairs, which share no
/// exponent.
template <class Real>
double largest_part(View<const Real> x);

/// Number of values of a tapered system in [2^e, 2^(e+1)); 0 outside of its range.
double codes_in_binade(const NumberSystem& system, int e);

/// The binades around 1 in which a tapered system has at least `precision` significant bits, as a
/// format with that precision. Values below the zone have fewer bits, but lie no farther apart, so
/// a rounding errs by at most u times the larger of the value and the zone's lowest value.
std::optional<Format> golden_zone(const NumberSystem& system, int precision);

/// The upper limit of a block's largest part, in units of the shared exponent: the largest value
/// of a format; of a list, the smaller one of both signs. Posits and takums have most digits around
/// 1: for them it ends the binades from 1 on that have as many values as [1, 2), at 16 and 2.
double block_top(const Format& format);

/// The least e with largest <= 2^e top; 0 for nothing but zeros.
/// Requires: both are finite, and top is positive.
int block_exponent(double largest, double top);

/// x <- 2^e fl(2^-e x), e the block_exponent of its largest part and the format's top, fl a
/// rounding to the format as round_rows has it: no finite value overflows, short of Real itself.
/// What is not finite stays as it is.
template <class Real>
void round_block(View<Real> x, const Format& format, const Cast& cast, Isa isa);

/// Number of parts that are infinite or NaN.
template <class Real>
std::uint64_t parts_not_finite(View<const Real> x);

/// Whether the data of a matrix product share an exponent: on a tensor engine, with scale=block.
bool operands_share_exponent(const ArithmeticSpec& arithmetic);

/// The largest part that operands of sums of `depth` products may have, with factors of at most 1:
/// it fits the operands' format, and no sum overflows a narrow accumulator.
/// Requires: operands_share_exponent(arithmetic).
double operand_top(const ArithmeticSpec& arithmetic, std::size_t depth);

/// The shared exponent of operands: block_exponent of the largest part and operand_top.
int operand_exponent(const ArithmeticSpec& arithmetic, double largest, std::size_t depth);

/// Shared exponent of a matrix of factors: scales the largest to at most 1. 0 for a DFT's.
int factor_exponent(double largest);

/// x <- 2^exponent x, rounded to nearest where Real does not hold it.
template <class Real>
void scale_by_power(View<Real> x, int exponent);

}  // namespace fftprec
