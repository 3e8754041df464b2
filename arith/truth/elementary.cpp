#include "arith/truth/elementary.hpp"

#include <cstddef>
#include <limits>

#include "arith/support/error.hpp"
#include "arith/support/isa_tables.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {
namespace {

/// The exact value of `function` at x, rounded once. Requires: that it is no midpoint of two floats
/// (Lindemann-Weierstrass: it is transcendental at every x that comes here).
float ask_mpfr(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), float x) {
  const MpfrCacheScope scope;
  const Real argument(static_cast<double>(x), 53);
  for (mpfr_prec_t precision = 96;; precision *= 2) {
    Real below(precision);
    Real above(precision);
    function(below, argument, MPFR_RNDD);
    function(above, argument, MPFR_RNDU);
    const float rounded = mpfr_get_flt(below, MPFR_RNDN);
    if (rounded == mpfr_get_flt(above, MPFR_RNDN)) return rounded;
  }
}

constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float fp32_infinity = std::numeric_limits<float>::infinity();

bool is_nan(float x) { return x != x; }

void require_sizes(std::size_t in, std::size_t out) {
  require(in == out, "elementary functions: ", in, " arguments, ", out, " results");
}

}  // namespace

SinCos sin_cos_rounded(float x) {
  const SinCos found = sin_cos_if_sure(x);
  if (!is_nan(found.sin) && !is_nan(found.cos)) return found;
  if (is_nan(x - x)) return {quiet_nan, quiet_nan};
  if (x == 0) return {x, 1};
  return {is_nan(found.sin) ? ask_mpfr(mpfr_sin, x) : found.sin,
          is_nan(found.cos) ? ask_mpfr(mpfr_cos, x) : found.cos};
}

float log_rounded(float x) {
  const float found = log_if_sure(x);
  if (!is_nan(found)) return found;
  if (is_nan(x) || x < 0) return quiet_nan;
  if (x == 0) return -fp32_infinity;
  if (x == fp32_infinity) return fp32_infinity;
  return ask_mpfr(mpfr_log, x);
}

float exp_rounded(float x) {
  const float found = exp_if_sure(x);
  if (!is_nan(found)) return found;
  if (is_nan(x)) return quiet_nan;
  if (x > 89) return fp32_infinity;  // above log(2^128)
  if (x < -104) return 0;            // below log(2^-150), half of the smallest float
  return ask_mpfr(mpfr_exp, x);
}

void sin_cos_rounded(std::span<const float> x, std::span<float> sin, std::span<float> cos,
                     Isa isa) {
  require_sizes(x.size(), sin.size());
  require_sizes(x.size(), cos.size());
  with_tables<ElementaryTables>(
      isa, [&](auto tables) { tables.sin_cos(x.data(), sin.data(), cos.data(), x.size()); });
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!is_nan(sin[i]) && !is_nan(cos[i])) continue;
    const SinCos found = sin_cos_rounded(x[i]);
    sin[i] = found.sin;
    cos[i] = found.cos;
  }
}

void log_rounded(std::span<const float> x, std::span<float> log, Isa isa) {
  require_sizes(x.size(), log.size());
  with_tables<ElementaryTables>(isa,
                                [&](auto tables) { tables.log(x.data(), log.data(), x.size()); });
  for (std::size_t i = 0; i < x.size(); ++i)
    if (is_nan(log[i])) log[i] = log_rounded(x[i]);
}

void exp_rounded(std::span<const float> x, std::span<float> exp, Isa isa) {
  require_sizes(x.size(), exp.size());
  with_tables<ElementaryTables>(isa,
                                [&](auto tables) { tables.exp(x.data(), exp.data(), x.size()); });
  for (std::size_t i = 0; i < x.size(); ++i)
    if (is_nan(exp[i])) exp[i] = exp_rounded(x[i]);
}

}  // namespace fftprec::truth
