/// The truth of short-time Fourier transforms, as torch.stft and torch.istft define them.
///
/// Inputs, errors and precision as in transforms.hpp. An item is a signal of framing.length real
/// samples, or all its frames. The window is the formula of framing.hpp, not a rounded table.
/// Throws InputError as in transforms.hpp, and if n, hop, length or window_length is 0, the window
/// is longer than n, no frame fits, or the padding needs more samples than the signal has: reflect
/// needs margin < length, circular margin <= length.
#pragma once

#include <cstddef>

#include "arith/formats/complex_array.hpp"
#include "arith/support/framing.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/chain.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// The evaluations of the truths below, in any arithmetic. Each refers to x.
namespace evaluation {
Evaluation stft(const ComplexArray<double>& x, const Framing& framing);
Evaluation istft(const ComplexArray<double>& x, const Framing& framing);
}  // namespace evaluation

/// y[f][k] = sum_j w_j x_(f hop + j - margin) exp(-2 pi i jk/n), with x extended by the padding.
/// One-sided and not normalised. The order of the result is [f][k]; in torch it is [k][f].
/// Shapes: length in, frames x bins out. y[f][0] and, for even n, y[f][n/2] have im = 0 exactly.
inline constexpr Certified<evaluation::stft> stft{};

/// Its least-squares inverse: with v[f] the inverse real transform of frame f (as irfft: divided by
/// n, no imaginary part at 0 and n/2),
///   y_i = sum_f w_j v[f]_j / sum_f w_j^2,   j = i + margin - f hop in 0 .. n-1.
/// Samples at the end that no frame reaches are 0, as in torch. The kind of padding does not
/// matter.
/// Shapes: frames x bins in, length out, im = 0.
/// Throws InputError if the sum of squares is below 1e-11 at a sample that a frame reaches.
inline constexpr Certified<evaluation::istft> istft{};

/// The window in a frame: w_j at (n - m)/2 + j, zeros around it; im = 0.
/// Error: each value within window_error(precision) of the formula, and 0 <= value <= 1.
/// Rounds: once, after an evaluation with 32 more bits.
/// Requires: 1 <= window_length <= n.
ComplexReals frame_window(const Framing& framing, mpfr_prec_t precision);

/// u (1 + 2^-20): half a last place of a value up to 1, plus the error before it was rounded.
inline Bound window_error(mpfr_prec_t precision) {
  return Bound(1 + 0x1p-20) * unit_roundoff(precision);
}

/// The smallest sum of squared windows that torch.istft divides by.
inline constexpr double least_window_sum = 1e-11;

/// The sums of squared windows over each sample; zero where no frame reaches.
struct WindowSums {
  RealArray values;
  Bound error;  ///< of each
  Real least;   ///< a lower bound of all exact sums that are not zero
};

/// Computed with 64 more bits than `precision`, so that the error stays far below the least sum.
/// Error: with c overlaps, mu = window_error and w <= 1, a square is off by at most mu (2 + mu), c
/// of them by c times that, and the roundings change a sum of at most c by (1+u)^(c+1) - 1 of
/// itself.
/// Throws InputError if the sum is below least_window_sum at a sample that a frame reaches.
WindowSums window_sums(const Framing& framing, mpfr_prec_t precision);

/// The reciprocals of the sums as a table of pairs, zero if the sum is zero. The 64 extra bits are
/// not needed here.
/// Error of each: (a / min s + u) / min s in MPFR, with a the error of the sums, plus the error of
/// rounded_to_pairs.
PairChain reciprocals(const WindowSums& sums, const Loops& loops);

/// y_i = sum of the real elements of all frames at sample i. Requires: v.im = 0.
/// Error: sqrt(c) (e + ((1+u)^c - 1) ||v~||), c overlaps at most: by Cauchy and Schwarz a sum of c
/// elements is at most sqrt(c) times their norm, with or without absolute values.
Chain overlap_added(const Chain& v, const Framing& framing);
/// Error: sqrt(c) (e + 3 c u^2 (1 + 2^-20) ||v~||), u = 2^-53: the error of each of c - 1 sums is
/// 3 u^2 (1 + 4u) times the magnitudes summed so far.
PairChain overlap_added(const PairChain& v, const Framing& framing);

/// y_i <- y_i / s_i if s_i is not zero. Requires: y_i = 0 without error if s_i = 0.
/// Error: (e + a q) / min s + u q, with a the error of the sums s~ and q = (1 + 2u) ||new y~||. The
/// exact quotient differs from y~/s~ by |y - y~| / s + |y~/s~| |s~ - s| / s, the rounding is u of
/// it, and 1 + 2u accounts for the norm of rounded quotients.
void divide_by(Chain& y, const WindowSums& sums);

}  // namespace fftprec::truth
