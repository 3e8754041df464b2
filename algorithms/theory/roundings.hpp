/// What one rounding to a format does: worst case, variance and bias.
///
/// The RMS model of an algorithm takes errors as independent, so that their variances add. It says
/// how large the error of a random signal is, to 10 or 20 per cent. One rounding to nearest of a
/// value x adds variance ulp(x)^2 / 12.
#pragma once

#include "algorithms/theory/error_bound.hpp"
#include "arith/formats/format.hpp"

namespace fftprec {

/// |rounded x - x| <= e |x|: the unit roundoff to nearest, twice that in any other rounding. Random
/// to nearest even, where that is an assumption, and stochastically, but for a bias of
/// 2^-random_bits of a unit.
ErrorBound rounding_error(const Format& format, Rounding rounding, int random_bits = 53);

/// The largest eta in fl(x) = x (1 + delta) + eta (Higham, ASNA 2nd ed., section 2.1), delta as in
/// rounding_error: if x is below the smallest normal number, half the smallest positive number to
/// nearest, else all of it, also without subnormals.
/// Requires: a format that is not fixed point.
double small_error(const Format& format, Rounding rounding);

/// |w^ - w| for a correctly rounded table entry, |w| = 1: both parts are at most 1 in magnitude, so
/// each is off by at most u/2; together u/sqrt(2). In fixed point u stands for the quantum, and
/// where values below 1 are subnormal; where 1 is beyond the range, the part next to it is off by a
/// whole quantum: together sqrt(5)/2.
double rounded_table_error(const Format& format);

/// The error that one rounding to fixed-point data adds to a real result of any size, short of an
/// overflow. Of floats only `largest` is set, to the error of values below the normal numbers.
struct AbsoluteErrors {
  double largest = 0;   ///< worst case: half a quantum to nearest, else a whole one
  double variance = 0;  ///< expected square, less the squares of `mean` and `outwards`
  double mean = 0;      ///< shift of every result; up is positive
  double outwards = 0;  ///< shift of every result away from zero
};

/// Of results with `bits` bits below the quantum q, all equally likely, s = 2^-bits: to nearest
/// even the variance is q^2 (1/12 + s^2/6), at random q^2 (1 - s^2)/6, to odd q^2 (1/3 - s/2 +
/// s^2/6). The others have q^2 (1 - s^2)/12: cuts move by q (1 - s)/2, down, up or to zero, ties by
/// q s/2, up or away from zero. No error without bits below the quantum. Sources: Welch, IEEE
/// Trans. Audio Electroacoust. 17, 1969; Oppenheim, Weinstein, Proc. IEEE 60, 1972.
AbsoluteErrors fixed_errors(const Format& format, Rounding rounding, int bits = 40);

/// Variance of one rounding to nearest, in u^2: of a normal value relative to its own variance (the
/// mean of ulp^2 over the normal density), of the sum of two like terms, of the sum of two
/// products. Where a sum loses only one or two bits, the error is not uniform but mostly 0 or half
/// a unit, and larger in the mean.
inline constexpr double variance_of_value = 0.181;
inline constexpr double variance_of_sum = 0.213;
inline constexpr double variance_of_products = 0.199;

/// One rounding to nearest of normal data with unit roundoff u: 0.181 u^2.
constexpr double value_variance(double u) { return variance_of_value * square(u); }

/// Variance of one rounding of the low word of fp32 pairs, which is uniform: 1/7 of value_variance.
inline constexpr double word_pair_variance = variance_of_value / 7 * 0x1p-96;

/// Mean relative loss by one truncation, in u: half of a last place of 2u 2^e, and the mean of
/// 2^e/|x| over a logarithmic density is 1/(2 ln 2).
inline constexpr double truncation_loss = 0.72;

/// Mean relative loss of a value of `source` bits cut to `bits`: 0.72 u, as for every truncation,
/// or less where few bits are cut: of d bits half a unit less 2^-d of that.
double cut_loss(int bits, int source);

/// An expected error relative to the result: the variance about its mean, and the bias, a loss of
/// size.
struct ExpectedError {
  double variance = 0;
  double bias = 0;
};

/// One rounding of a result of variance 1. To odd: uniform to a whole unit on either side, four
/// times the variance of half a unit; stochastic: twice. Toward zero: uniform around its bias.
/// Toward an infinity a rounding moves all results one way, and how that adds up is unknown.
/// Requires: a format that is not fixed point.
ExpectedError expected_rounding(const Format& format, Rounding rounding);

}  // namespace fftprec
