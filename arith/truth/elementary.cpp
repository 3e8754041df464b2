#include "arith/truth/elementary.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "arith/truth/real.hpp"

namespace fftprec::truth {
namespace {

constexpr double nearest_integer_shift = 0x1.8p52;  // x + shift - shift = nearest integer to x

/// pi/2 in 33 + 33 + 53 bits; what is missing is below 2^-122.
constexpr double half_pi_high = 0x1.921fb544p+0;
constexpr double half_pi_middle = 0x1.0b4611a6p-34;
constexpr double half_pi_low = 0x1.3198a2e037073p-69;
constexpr double two_over_pi = 0x1.45f306dc9c883p-1;

/// log 2 in 40 + 53 bits.
constexpr double log2_high = 0x1.62e42fefa2p-1;
constexpr double log2_low = 0x1.9ef35793c7673p-41;
constexpr double one_over_log2 = 0x1.71547652b82fep+0;

constexpr double relative_error = 0x1p-50;

template <std::size_t N>
double horner(const std::array<double, N>& coefficients, double x) {
  double sum = coefficients[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

/// Eight Taylor coefficients sign / first!, -sign / (first + 2)!, ...
constexpr std::array<double, 8> alternating_factorials(int first, double sign) {
  std::array<double, 8> result{};
  double factorial = 1;
  int m = 0;
  for (double& coefficient : result) {
    while (m < first) factorial *= ++m;  // exact up to 18!
    coefficient = sign / factorial;
    sign = -sign;
    first += 2;
  }
  return result;
}
constexpr auto sin_terms = alternating_factorials(3, -1);  // x^3 .. x^17
constexpr auto cos_terms = alternating_factorials(4, 1);   // x^4 .. x^18

constexpr std::array<double, 13> exp_terms = [] {
  std::array<double, 13> result{};  // x^2 .. x^14
  double factorial = 1;
  for (std::size_t i = 0; i < result.size(); ++i) {
    factorial *= static_cast<double>(i + 2);
    result[i] = 1 / factorial;
  }
  return result;
}();

constexpr std::array<double, 11> log_terms = [] {
  std::array<double, 11> result{};  // s^3 .. s^23 of 2 atanh(s)
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = 2 / static_cast<double>(2 * i + 3);
  return result;
}();

/// Whether every number within `error` of x rounds to the same float, which is then `rounded`.
bool round_if_sure(double x, double error, float& rounded) {
  rounded = static_cast<float>(x - error);
  return rounded == static_cast<float>(x + error);
}

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

/// x = quadrant * pi/2 + high + low, |high + low| < 0.7855.
struct Reduced {
  double high;
  double low;
  double absolute_error;
  unsigned quadrant;
};

/// Requires: |x| <= 2^17. With k < 2^17: k*half_pi_high and k*half_pi_middle are exact (17 + 33
/// bits); x - k*half_pi_high is exact, because both are multiples of 2^-32 and the difference is
/// below 1; TwoSum is exact; then |low| < 2^-50, and 2^-98 covers its two roundings and the bits of
/// pi/2 that are missing.
Reduced reduce(double x) {
  const double k = (x * two_over_pi + nearest_integer_shift) - nearest_integer_shift;
  const double first = x - k * half_pi_high;
  const double second = -(k * half_pi_middle);
  const double high = first + second;
  const double moved = high - first;
  const double rest = (first - (high - moved)) + (second - moved);
  const double low = rest - k * half_pi_low;
  return {high, low, k == 0 ? 0 : 0x1p-98, static_cast<unsigned>(static_cast<std::int64_t>(k)) & 3};
}

/// sin(high + low). Relative error below 2^-50, beside that of the reduction: Taylor's remainder
/// 2^-63; low*high^4/24 left out, below 2^-55 of the result; the last sum 2^-53; the roundings of
/// the correction, at most 0.11 of the result with fewer than 4 effective ones.
double sin_of(const Reduced& r) {
  const double square = r.high * r.high;
  const double correction = r.high * square * horner(sin_terms, square);
  return r.high + (correction + r.low * (1 - 0.5 * square));
}

/// cos(high + low) >= 0.7. Error below 2^-51: 1 - square/2 and the last sum 2^-54 each, square
/// 2^-55, the terms below 2^-56, low*high^3/6 left out below 2^-53, Taylor's remainder 2^-67.
double cos_of(const Reduced& r) {
  const double square = r.high * r.high;
  const double correction = square * square * horner(cos_terms, square);
  return (1 - 0.5 * square) + (correction - r.high * r.low);
}

constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float fast_limit = 0x1p17F;

/// sin(x + shift * pi/2), shift 0 or 1.
float shifted_sin(const Reduced& r, unsigned shift, float x) {
  const unsigned quadrant = (r.quadrant + shift) & 3;
  const double magnitude = quadrant % 2 == 0 ? sin_of(r) : cos_of(r);
  const double value = quadrant < 2 ? magnitude : -magnitude;
  const double error = (value < 0 ? -value : value) * relative_error + r.absolute_error;
  float rounded;
  if (round_if_sure(value, error, rounded)) return rounded;
  return ask_mpfr(shift == 0 ? mpfr_sin : mpfr_cos, x);
}

bool is_finite(float x) { return x - x == 0; }

}  // namespace

SinCos sin_cos_rounded(float x) {
  if (!is_finite(x)) return {quiet_nan, quiet_nan};
  if (x == 0) return {x, 1};
  if (x > fast_limit || x < -fast_limit) return {ask_mpfr(mpfr_sin, x), ask_mpfr(mpfr_cos, x)};
  const Reduced r = reduce(static_cast<double>(x));
  return {shifted_sin(r, 0, x), shifted_sin(r, 1, x)};
}

float sin_rounded(float x) { return sin_cos_rounded(x).sin; }

float cos_rounded(float x) { return sin_cos_rounded(x).cos; }

float log_rounded(float x) {
  if (x != x || x < 0) return quiet_nan;
  if (x == 0) return -infinity;
  if (x == infinity) return infinity;
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(x));
  // x = 2^exponent * m with m in [sqrt(1/2), sqrt(2)).
  constexpr std::uint64_t sqrt_half = std::bit_cast<std::uint64_t>(0x1.6a09e667f3bcdp-1);
  const auto exponent = static_cast<std::int64_t>(bits - sqrt_half) >> 52;
  const auto m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
  // log m = 2 atanh(s), |s| < 0.1716; m - 1 and m + 1 are exact, so log m has a relative error
  // below 2^-51. The term exponent*log2 dominates log m by a factor 2 where it is not zero, and its
  // leading part is exact (8 + 40 bits): the sum's relative error stays below 2^-50.
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  const double log_m = 2 * s + s * square * horner(log_terms, square);
  const auto count = static_cast<double>(exponent);
  const double value = count * log2_high + (log_m + count * log2_low);
  float rounded;
  const double error = (value < 0 ? -value : value) * relative_error;
  return round_if_sure(value, error, rounded) ? rounded : ask_mpfr(mpfr_log, x);
}

float exp_rounded(float x) {
  if (x != x) return quiet_nan;
  if (x > 89) return infinity;  // above log(2^128)
  if (x < -104) return 0;       // below log(2^-150), half of the smallest float
  const auto wide = static_cast<double>(x);
  const double k = (wide * one_over_log2 + nearest_integer_shift) - nearest_integer_shift;
  // The product by log2_high and the difference are exact (8 + 40 bits); r has an absolute error
  // below 2^-54, and Taylor's remainder at |r| < 0.3467 is below 2^-60.
  const double r = (wide - k * log2_high) - k * log2_low;
  const double fraction = 1 + (r + r * r * horner(exp_terms, r));
  const auto scale =
      std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023) << 52);
  const double value = fraction * scale;
  float rounded;
  return round_if_sure(value, value * relative_error, rounded) ? rounded : ask_mpfr(mpfr_exp, x);
}

}  // namespace fftprec::truth
