/// Windows of framing.hpp in MPFR, each value rounded once.
#pragma once

#include "arith/support/framing.hpp"
#include "arith/truth/bound.hpp"
#include "arith/truth/fourier.hpp"

namespace fftprec::truth {

/// The window as it stands in a frame: w_j at (n - m)/2 + j, zeros around it; im = 0.
/// Error: each value within window_error(precision) of the formula, and 0 <= value <= 1.
/// Rounds: once, after an evaluation with 32 more bits.
/// Requires: 1 <= window_length <= n.
ComplexReals frame_window(const Framing& framing, mpfr_prec_t precision);

/// u (1 + 2^-20): half a last place of a value up to 1, and what came before it was rounded.
inline Bound window_error(mpfr_prec_t precision) {
  return Bound(1 + 0x1p-20) * unit_roundoff(precision);
}

}  // namespace fftprec::truth
