/// Overlap-add: frames laid over each other, and the division by their squared windows.
#pragma once

#include <cstddef>

#include "arith/support/framing.hpp"
#include "arith/truth/chain.hpp"
#include "arith/truth/workbench.hpp"

namespace fftprec::truth {

/// Below it torch.istft refuses to divide.
inline constexpr double least_window_sum = 1e-11;

/// The sums of squared windows over each sample; zero where no frame reaches.
struct WindowSums {
  RealArray values;
  Bound error;  ///< of each
  Real least;   ///< no exact sum that is not zero is smaller
};

/// In 64 more bits than `precision`, so that the error stays far below the least sum.
/// Error: with c overlaps, mu = window_error and w <= 1: a square is off by mu (2 + mu) at most, c
/// of them by c times that, and the roundings change a sum of at most c by (1+u)^(c+1) - 1 of
/// itself.
/// Throws InputError where a frame reaches and the sum is below least_window_sum.
WindowSums window_sums(const Framing& framing, mpfr_prec_t precision);

/// Their reciprocals as a table of pairs, zero where the sum is; the 64 bits more are not needed.
/// Error, of each: (a / min s + u) / min s in MPFR with a of the sums, and that of
/// rounding_to_pairs.
PairChain reciprocals(const WindowSums& sums, const Loops& loops);

/// What divide_by takes on each workbench.
inline WindowSums divisors(const MpfrBench& bench, const Framing& framing) {
  return window_sums(framing, bench.precision);
}
inline PairChain divisors(const PairBench& bench, const Framing& framing) {
  return reciprocals(window_sums(framing, 128), bench.loops);
}

/// y_i = sum of the frames' real elements that lie on sample i. Requires: v.im = 0.
/// Error: sqrt(c) (e + ((1+u)^c - 1) ||v~||), c overlaps at most: by Cauchy and Schwarz a sum of c
/// elements is at most sqrt(c) times their norm, with or without absolute values.
Chain overlap_added(const Chain& v, const Framing& framing);
/// Error: sqrt(c) (e + 3 c u^2 (1 + 2^-20) ||v~||), u = 2^-53: each of c - 1 sums errs by
/// 3 u^2 (1 + 4u) times the magnitudes that it has reached.
PairChain overlap_added(const PairChain& v, const Framing& framing);

/// y_i <- y_i / s_i, where s_i is not zero. Requires: y_i = 0 without error where it is.
/// Error: (e + a q) / min s + u q, a the error of the sums s~, q = (1 + 2u) ||new y~||: the exact
/// quotient differs from y~/s~ by |y - y~| / s + |y~/s~| |s~ - s| / s, its rounding by u of it, and
/// 1 + 2u makes up for a norm of rounded quotients.
void divide_by(Chain& y, const WindowSums& sums);
inline void divide_by(PairChain& y, const PairChain& reciprocals) { multiply(y, reciprocals); }

}  // namespace fftprec::truth
