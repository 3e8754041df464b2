/// The core of every rounding: arithmetic on the bits of a float or a double, without branches, the
/// same for compile-time and run-time formats.
///
/// From min_normal up, the same number of low bits goes everywhere, so rounding is an addition and
/// a mask on the bits. Below, the grid is a fixed point: a native addition of a suitable power of
/// two aligns to it. Neither needs a shift by a variable count, which SSE2 vectors do not have.
#pragma once

#include <cstdint>

#include "arith/formats/format.hpp"
#include "arith/formats/rounding.hpp"

namespace fftprec {

/// The layout of a native type that carries emulated values.
template <class Real>
struct Layout;

template <>
struct Layout<float> {
  using Bits = std::uint32_t;
  static constexpr Format format = fp32;
  static constexpr int fraction_bits = 23;
  static constexpr int bias = 127;
};

template <>
struct Layout<double> {
  using Bits = std::uint64_t;
  static constexpr Format format = fp64;
  static constexpr int fraction_bits = 52;
  static constexpr int bias = 1023;
};

/// What rounding to a format needs to know about it, worked out once, outside the loop.
template <class Real>
struct RoundingGrid {
  using Bits = typename Layout<Real>::Bits;
  Bits unit;              ///< the last kept place of a normal number, as a bit
  Bits min_normal;        ///< as bits
  Real quantum;           ///< distance of neighbours below min_normal
  Real aligner;           ///< aligner + x has its last place at quantum, for 0 <= x < min_normal
  Bits max_finite;        ///< as bits
  Bits infinity_becomes;  ///< the bits of infinity, max_finite or NaN
  Bits nan_kept;          ///< the payload bits that the format can hold
};

/// Requires: the format's values are values of Real (see fits).
template <class Real>
[[gnu::always_inline]] inline constexpr RoundingGrid<Real> rounding_grid(const Format& format) {
  using L = Layout<Real>;
  using Bits = typename L::Bits;
  const Bits unit = Bits{1} << (L::format.precision - format.precision);
  const int quantum = format.subnormals ? quantum_exponent(format) : format.emin;
  const Bits infinity = static_cast<Bits>(2 * L::bias + 1) << L::fraction_bits;
  const Bits quiet_nan = infinity | (Bits{1} << (L::fraction_bits - 1));
  const Bits max = __builtin_bit_cast(Bits, static_cast<Real>(max_finite(format)));
  return {.unit = unit,
          .min_normal = __builtin_bit_cast(Bits, static_cast<Real>(min_normal(format))),
          .quantum = static_cast<Real>(power_of_two(quantum)),
          .aligner = static_cast<Real>(power_of_two(quantum + L::fraction_bits)),
          .max_finite = max,
          .infinity_becomes = format.overflow == Overflow::infinity   ? infinity
                              : format.overflow == Overflow::saturate ? max
                                                                      : quiet_nan,
          .nan_kept = static_cast<Bits>(~(unit - 1))};
}

/// Whether Real can carry the format: its precision and exponent range lie within Real's, and its
/// aligner is a value of Real.
template <class Real>
[[gnu::always_inline]] inline constexpr bool fits(const Format& format) {
  const Format& carrier = Layout<Real>::format;
  return format.precision <= carrier.precision && format.emax <= carrier.emax &&
         format.emin >= carrier.emin && quantum_exponent(format) >= quantum_exponent(carrier) &&
         format.emin <= carrier.emax - carrier.precision;
}

/// Whether the format's subnormals are the leading bits of Real's own: then the same number of bits
/// goes everywhere.
template <class Real>
[[gnu::always_inline]] inline constexpr bool is_flat(const Format& format) {
  return format.emin == Layout<Real>::format.emin && format.subnormals;
}

/// |x| rounded to a multiple of grid.quantum. The native addition rounds to nearest even; its
/// exact error, or the parity of the result, corrects that for the other roundings.
/// Requires: 0 <= x < min_normal.
template <Rounding R, class Real>
[[gnu::always_inline]] inline constexpr Real round_below_normal(Real x, bool negative,
                                                                const RoundingGrid<Real>& grid) {
  const Real aligned = x + grid.aligner;
  const Real nearest = aligned - grid.aligner;
  const Real error = x - nearest;
  const Real up = nearest + grid.quantum;
  const Real down = nearest - grid.quantum;
  const Real floor = error < 0 ? down : nearest;
  const Real ceiling = error > 0 ? up : nearest;
  if constexpr (R == Rounding::rna) return error * 2 == grid.quantum ? up : nearest;
  if constexpr (R == Rounding::rz) return floor;
  if constexpr (R == Rounding::ru) return negative ? floor : ceiling;
  if constexpr (R == Rounding::rd) return negative ? ceiling : floor;
  if constexpr (R == Rounding::odd) {
    const bool odd = (__builtin_bit_cast(typename Layout<Real>::Bits, aligned) & 1) != 0;
    const Real other = error > 0 ? up : error < 0 ? down : nearest;
    return odd ? nearest : other;
  }
  return nearest;
}

/// The bits of |x| rounded in the last kept place of a normal number: one number added, then the
/// places below cleared; a carry runs into the exponent by itself.
template <Rounding R, class Bits>
[[gnu::always_inline]] inline constexpr Bits round_normal(Bits magnitude, bool negative,
                                                          Bits unit) {
  const Bits discarded = unit - 1;
  const Bits half = discarded >> 1;
  const Bits sticky = (magnitude & discarded) != 0 ? unit : 0;
  if constexpr (R == Rounding::odd) return (magnitude & ~discarded) | sticky;
  Bits added = 0;
  if constexpr (R == Rounding::rne) added = half + ((magnitude & unit) != 0 ? discarded & 1 : 0);
  if constexpr (R == Rounding::rna) added = unit >> 1;
  if constexpr (R == Rounding::ru) added = negative ? 0 : discarded;
  if constexpr (R == Rounding::rd) added = negative ? discarded : 0;
  return (magnitude + added) & ~discarded;
}

/// The last step of every rounding: `rounded`, the bits of |x| rounded without regard to the top,
/// or what an overflow, an infinity or a NaN becomes, with the sign of x.
template <Rounding R, class Real>
[[gnu::always_inline]] inline constexpr Real finish_rounding(typename Layout<Real>::Bits rounded,
                                                             Real x,
                                                             const RoundingGrid<Real>& grid) {
  using L = Layout<Real>;
  using Bits = typename L::Bits;
  constexpr Bits sign_bit = Bits{1} << (8 * sizeof(Bits) - 1);
  constexpr Bits infinity = static_cast<Bits>(2 * L::bias + 1) << L::fraction_bits;
  constexpr Bits quiet_bit = Bits{1} << (L::fraction_bits - 1);
  constexpr bool goes_away = R == Rounding::rne || R == Rounding::rna || R == Rounding::sr;
  const Bits bits = __builtin_bit_cast(Bits, x);
  const Bits sign = bits & sign_bit;
  const Bits magnitude = bits & ~sign_bit;

  Bits beyond = grid.max_finite;
  if constexpr (goes_away) beyond = grid.infinity_becomes;
  if constexpr (R == Rounding::ru) beyond = sign == 0 ? grid.infinity_becomes : beyond;
  if constexpr (R == Rounding::rd) beyond = sign != 0 ? grid.infinity_becomes : beyond;
  Bits result = rounded > grid.max_finite ? beyond : rounded;
  if constexpr (!goes_away) result = magnitude == infinity ? grid.infinity_becomes : result;
  result = magnitude > infinity ? (magnitude & grid.nan_kept) | quiet_bit : result;
  return __builtin_bit_cast(Real, static_cast<Bits>(sign | result));
}

/// x rounded once to the grid. A NaN stays a NaN of its sign, with the leading payload bits that
/// the format can hold and the quiet bit set; zeros keep their sign, and so do values that become
/// zero. Beyond max_finite: roundings that go away from zero there give infinity_becomes, the
/// others max_finite.
/// Requires: Flat only for a format with is_flat<Real>.
template <Rounding R, bool Flat, class Real>
[[gnu::always_inline]] inline constexpr Real round_to_grid(Real x, const RoundingGrid<Real>& grid) {
  using Bits = typename Layout<Real>::Bits;
  constexpr Bits sign_bit = Bits{1} << (8 * sizeof(Bits) - 1);
  const Bits bits = __builtin_bit_cast(Bits, x);
  const Bits magnitude = bits & ~sign_bit;
  const bool negative = (bits & sign_bit) != 0;
  Bits rounded = round_normal<R>(magnitude, negative, grid.unit);
  if constexpr (!Flat) {
    const Real below = round_below_normal<R>(__builtin_bit_cast(Real, magnitude), negative, grid);
    rounded = magnitude < grid.min_normal ? __builtin_bit_cast(Bits, below) : rounded;
  }
  return finish_rounding<R>(rounded, x, grid);
}

/// x rounded stochastically: `random` is added below the last kept place, and what is below it then
/// goes. Its leading bits are used first.
/// Requires: the low 11 bits of `random` are zero.
[[gnu::always_inline]] inline constexpr double round_with_bits(double x,
                                                               const RoundingGrid<double>& grid,
                                                               std::uint64_t random) {
  constexpr int fraction_bits = Layout<double>::fraction_bits;
  constexpr std::uint64_t largest_shift = fraction_bits + 3;
  const std::uint64_t magnitude = __builtin_bit_cast(std::uint64_t, x) & ~(std::uint64_t{1} << 63);
  const std::uint64_t field = magnitude >> fraction_bits;
  const std::uint64_t exponent = field + (field == 0 ? 1 : 0);
  const std::uint64_t base = (exponent - 1) << fraction_bits;
  std::uint64_t significand = magnitude - base;

  // In units of 2^(exponent - 1075), of which `significand` is a whole number, the last kept place
  // is 2^shift. Far below the smallest value the significand gives way: its lowest bits meet zeros.
  const std::uint64_t quantum_field =
      __builtin_bit_cast(std::uint64_t, grid.aligner) >> fraction_bits;
  const auto normal_shift = static_cast<std::uint64_t>(__builtin_ctzll(grid.unit));
  std::uint64_t shift = magnitude < grid.min_normal ? quantum_field - exponent : normal_shift;
  const std::uint64_t excess = shift > largest_shift ? shift - largest_shift : 0;
  significand >>= excess < 63 ? excess : 63;
  shift -= excess;

  const std::uint64_t discarded = (std::uint64_t{1} << shift) - 1;
  const std::uint64_t rounded = (significand + ((random >> 1) >> (63 - shift))) & ~discarded;
  const std::uint64_t smallest = __builtin_bit_cast(std::uint64_t, grid.quantum);
  const std::uint64_t result =
      shift <= fraction_bits ? base + rounded : (rounded != 0 ? smallest : 0);
  return finish_rounding<Rounding::sr>(result, x, grid);
}

/// x without its `dropped` low significand bits, rne: five integer operations.
/// Requires: a NaN has zeros in those bits (else it may become an infinity or a zero); the target
/// has fp32's exponent range and infinities.
template <int dropped>
[[gnu::always_inline]] inline constexpr float round_float_dropping(float x) {
  constexpr std::uint32_t discarded = (std::uint32_t{1} << dropped) - 1;
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t odd = (bits >> dropped) & 1;
  return __builtin_bit_cast(float, (bits + (discarded >> 1) + odd) & ~discarded);
}

/// x rounded to bf16, rne, for values whose NaNs have zero low 16 bits: results of one native
/// operation on bf16 values are such.
[[gnu::always_inline]] inline constexpr float round_to_bf16(float x) {
  return round_float_dropping<16>(x);
}

/// x rounded to bf16, rne, for every float.
[[gnu::always_inline]] inline constexpr float round_any_to_bf16(float x) {
  return round_to_grid<Rounding::rne, true>(x, rounding_grid<float>(bf16));
}

}  // namespace fftprec
