/// Correctly rounded fp32 elementary functions, equal on every computer. Inputs and tables use them
/// in place of libm, whose last bit is not specified.
///
/// Method: an evaluation in double with a proven relative error below 2^-50 and a rounding test
/// (loops/elementary.hpp). If the test is not conclusive (about once in 2^25 arguments), MPFR
/// decides, with as many bits as necessary. Only + - * / of double, each rounded once; no fma, no
/// table, no rounding mode.
#pragma once

#include <span>

#include "arith/support/isa.hpp"
#include "arith/truth/loops/elementary.hpp"

namespace fftprec::truth {

/// Each rounds once, correctly (rne), for every float: zeros keep their sign in sin, infinities and
/// NaN give NaN. Beyond |x| = 2^17 every call goes to MPFR.
SinCos sin_cos_rounded(float x);

/// Natural logarithm, rounded once, correctly. -inf at +-0, NaN below, +inf at +inf.
float log_rounded(float x);

/// Exponential, rounded once, correctly, also where the result is subnormal.
float exp_rounded(float x);

/// As above, for every element of x, in a few nanoseconds each.
/// Requires: no array overlaps another.
/// Throws InputError if the sizes differ.
void sin_cos_rounded(std::span<const float> x, std::span<float> sin, std::span<float> cos,
                     Isa isa = best_isa());
void log_rounded(std::span<const float> x, std::span<float> log, Isa isa = best_isa());
void exp_rounded(std::span<const float> x, std::span<float> exp, Isa isa = best_isa());

}  // namespace fftprec::truth
