/// Rounding: the core of every rounding, as arithmetic without branches on the bits of a float or a
/// double, and the definition for one value, which every other form matches bit for bit.
///
/// From min_normal up, rounding removes a fixed number of low bits, so it is an addition and a mask
/// on the bits. Below, values are multiples of a quantum, and the native addition of a suitable
/// power of two rounds to them. Neither needs a shift by a variable count, which SSE2 vectors do
/// not have.
#pragma once

#include <cstdint>
#include <type_traits>

#include "arith/formats/format.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// Calls what(R) with the rounding as a compile-time constant.
template <class What>
[[gnu::always_inline]] inline constexpr auto with_rounding(Rounding rounding, What what) {
  switch (rounding) {
    case Rounding::rne:
      break;
    case Rounding::rna:
      return what(std::integral_constant<Rounding, Rounding::rna>{});
    case Rounding::rz:
      return what(std::integral_constant<Rounding, Rounding::rz>{});
    case Rounding::ru:
      return what(std::integral_constant<Rounding, Rounding::ru>{});
    case Rounding::rd:
      return what(std::integral_constant<Rounding, Rounding::rd>{});
    case Rounding::odd:
      return what(std::integral_constant<Rounding, Rounding::odd>{});
    case Rounding::sr:
      return what(std::integral_constant<Rounding, Rounding::sr>{});
    case Rounding::rnu:
      return what(std::integral_constant<Rounding, Rounding::rnu>{});
  }
  return what(std::integral_constant<Rounding, Rounding::rne>{});
}

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

/// The constants for rounding to a format, computed once, outside the loop.
template <class Real>
struct RoundingGrid {
  using Bits = typename Layout<Real>::Bits;
  Bits unit;              ///< the last place of a normal number, as a bit
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
          .nan_kept = static_cast<Bits>(format.system ? ~Bits{0} : ~(unit - 1))};
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

/// Whether the format's subnormals are subnormals of Real, so that rounding removes an equal number
/// of bits everywhere.
template <class Real>
[[gnu::always_inline]] inline constexpr bool is_flat(const Format& format) {
  return format.emin == Layout<Real>::format.emin && format.subnormals;
}

/// x rounded to a multiple of the quantum. The native addition of the aligner, whose last place is
/// the quantum, rounds to nearest even; its exact error, or the parity of the result, corrects it
/// for the other roundings. The result of a magnitude is a magnitude.
/// Requires: the aligner is an even multiple of the quantum, and x + aligner is in its binade.
template <Rounding R, bool is_magnitude, class Real>
[[gnu::always_inline]] inline constexpr Real round_to_multiple(Real x, bool negative, Real quantum,
                                                               Real aligner) {
  const Real aligned = x + aligner;
  const Real nearest = aligned - aligner;
  const Real error = x - nearest;
  const Real up = nearest + quantum;
  const Real down = nearest - quantum;
  const Real floor = error < 0 ? down : nearest;
  const Real ceiling = error > 0 ? up : nearest;
  const Real tie_up = error * 2 == quantum ? up : nearest;
  const Real tie_down = error * -2 == quantum ? down : nearest;
  const bool mirrored = is_magnitude && negative;  // toward -infinity is up
  const bool zero_is_up = !is_magnitude && negative;
  if constexpr (R == Rounding::rd) return mirrored ? ceiling : floor;
  if constexpr (R == Rounding::ru) return mirrored ? floor : ceiling;
  if constexpr (R == Rounding::rnu) return mirrored ? tie_down : tie_up;
  if constexpr (R == Rounding::rz) return zero_is_up ? ceiling : floor;
  if constexpr (R == Rounding::rna) return zero_is_up ? tie_down : tie_up;
  if constexpr (R == Rounding::odd) {
    const bool odd = (__builtin_bit_cast(typename Layout<Real>::Bits, aligned) & 1) != 0;
    return odd ? nearest : error > 0 ? up : floor;
  }
  return nearest;
}

/// The bits of |x| rounded to the last place of a normal number: adds a number, then clears the
/// bits below. A carry increases the exponent.
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
  if constexpr (R == Rounding::rnu) added = negative ? half : unit >> 1;
  if constexpr (R == Rounding::ru) added = negative ? 0 : discarded;
  if constexpr (R == Rounding::rd) added = negative ? discarded : 0;
  return (magnitude + added) & ~discarded;
}

/// The last step of every rounding. Returns, with the sign of x, `rounded` (the bits of |x| rounded
/// without a limit at the top), or the result of an overflow, an infinity or a NaN.
template <Rounding R, class Real>
[[gnu::always_inline]] inline constexpr Real finish_rounding(typename Layout<Real>::Bits rounded,
                                                             Real x,
                                                             const RoundingGrid<Real>& grid) {
  using L = Layout<Real>;
  using Bits = typename L::Bits;
  constexpr Bits sign_bit = Bits{1} << (8 * sizeof(Bits) - 1);
  constexpr Bits infinity = static_cast<Bits>(2 * L::bias + 1) << L::fraction_bits;
  constexpr Bits quiet_bit = Bits{1} << (L::fraction_bits - 1);
  constexpr bool goes_away =
      R == Rounding::rne || R == Rounding::rna || R == Rounding::sr || R == Rounding::rnu;
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
/// the format can hold and the quiet bit set. Zeros keep their sign, as do values that become zero.
/// Beyond max_finite, roundings away from zero give infinity_becomes, the others max_finite.
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
    const Real below = round_to_multiple<R, true>(__builtin_bit_cast(Real, magnitude), negative,
                                                  grid.quantum, grid.aligner);
    rounded = magnitude < grid.min_normal ? __builtin_bit_cast(Bits, below) : rounded;
  }
  return finish_rounding<R>(rounded, x, grid);
}

/// The constants for rounding to a fixed-point format.
template <class Real>
struct FixedGrid {
  Real low;      ///< the least value
  Real high;     ///< the largest
  Real span;     ///< high - low + quantum; 0 if the format saturates
  Real quantum;  ///< distance of neighbours
  Real aligner;  ///< aligner + x has its last place at the quantum, for x in the range
};

/// Requires: the format's values and two bits more are values of Real (fits_fixed).
template <class Real>
[[gnu::always_inline]] inline constexpr FixedGrid<Real> fixed_grid(const Format& format) {
  const auto low = static_cast<Real>(min_finite(format));
  const auto high = static_cast<Real>(max_finite(format));
  const auto quantum = static_cast<Real>(power_of_two(quantum_exponent(format)));
  const Real places = static_cast<Real>(power_of_two(Layout<Real>::fraction_bits));
  return {.low = low,
          .high = high,
          .span = format.overflow == Overflow::wrap ? high - low + quantum : Real(0),
          .quantum = quantum,
          .aligner = Real(1.5) * places * quantum};
}

/// Whether Real holds exactly the sum of two values of a fixed-point format.
template <class Real>
[[gnu::always_inline]] inline constexpr bool fits_fixed(const Format& format) {
  return format.precision + 2 <= Layout<Real>::fraction_bits;
}

/// x, clamped to the range.
template <class Real>
[[gnu::always_inline]] inline constexpr Real saturated(Real x, const FixedGrid<Real>& grid) {
  const Real not_above = x > grid.high ? grid.high : x;
  return not_above < grid.low ? grid.low : not_above;
}

/// Where an overflow begins: half a quantum beyond the range for roundings to nearest, else a whole
/// one. Below that, saturation costs no more than a rounding.
template <class Real>
struct Edges {
  Real bottom;
  Real top;

  [[gnu::always_inline]] constexpr bool passed_by(Real x) const {
    return (x >= top) | (x <= bottom);
  }
};
template <class Real>
[[gnu::always_inline]] inline constexpr Edges<Real> edges_of(const FixedGrid<Real>& grid,
                                                             Rounding rounding) {
  const Real margin = is_nearest(rounding) ? grid.quantum / 2 : grid.quantum;
  return {grid.low - margin, grid.high + margin};
}

/// x prepared for rounding: clamped if the format saturates; if it wraps, without whole spans,
/// exactly and with unchanged sign. Infinities that wrap are NaNs.
template <class Real>
[[gnu::always_inline]] inline constexpr Real before_rounding(Real x, const FixedGrid<Real>& grid) {
  if (grid.span == 0) return saturated(x, grid);
  if constexpr (sizeof(Real) == sizeof(float))
    return x - grid.span * __builtin_truncf(x / grid.span);
  else
    return x - grid.span * __builtin_trunc(x / grid.span);
}

/// x, a multiple of the quantum less than a span from the range, moved into the range.
template <class Real>
[[gnu::always_inline]] inline constexpr Real after_rounding(Real x, const FixedGrid<Real>& grid) {
  if (grid.span == 0) return x;
  const Real below = x > grid.high ? x - grid.span : x;
  return below < grid.low ? below + grid.span : below;
}

/// x, from before_rounding, rounded to a multiple of the quantum. Zero has no sign.
template <Rounding R, class Real>
[[gnu::always_inline]] inline constexpr Real round_to_quantum(Real x, const FixedGrid<Real>& grid) {
  return round_to_multiple<R, false>(x, x < 0, grid.quantum, grid.aligner);
}

/// x rounded once to a fixed-point format, then moved into its range. Zero has no sign; a NaN stays
/// a NaN.
template <Rounding R, class Real>
[[gnu::always_inline]] inline constexpr Real round_to_fixed(Real x, const FixedGrid<Real>& grid) {
  return after_rounding(round_to_quantum<R>(before_rounding(x, grid), grid), grid);
}

/// The place of a value of magnitude m among the codes of a number system. The low bits of a float
/// are zeros in the double.
struct SystemPlace {
  double place;
  double low;
  double step;

  [[gnu::always_inline]] constexpr SystemPlace(std::uint64_t magnitude,
                                               const NumberSystem::Binades& by, bool is_float)
      : place(0), low(0), step(0) {
    constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
    const std::uint64_t field = magnitude >> 52;
    const std::uint64_t lost = is_float ? 0 : by.sticky[field];
    const std::uint64_t kept = (magnitude & ~lost) | ((magnitude & lost) != 0 ? lost + 1 : 0);
    const double from = __builtin_bit_cast(double, magnitude & ~fraction);
    place = (__builtin_bit_cast(double, kept) - from) * by.scale[field] + by.first[field];
    low = by.low[field];
    step = by.step[field];
  }
  [[gnu::always_inline]] constexpr double value_at(double whole) const {
    return low + whole * step;
  }
};

/// The place among the listed values of one sign: linear from a value to its border and on to the
/// next. A value near a border or a listed value has another place than that.
struct ListedPlace {
  double place;
  double below;
  double above;
  double first;

  [[gnu::always_inline]] constexpr ListedPlace(double magnitude, const NumberSystem::Side& side)
      : place(0), below(0), above(0), first(0) {
    const double* const values = side.values.data();
    std::size_t at = 0;
    for (std::size_t size = side.values.size() - 1; size > 1;) {
      const std::size_t half = size / 2;
      at += values[at + half] <= magnitude ? half : 0;
      size -= half;
    }
    constexpr double least = 0x1p-52;
    const double border = side.borders.data()[at + 1];
    below = values[at];
    above = values[at + 1];
    first = (at & 1) != (side.odd ? 1 : 0) ? 1 : 0;
    double part = 0.5;
    if (magnitude < border) {
      const double before = (magnitude - below) / (border - below) / 2;
      part = before < least ? least : before > 0.5 - least ? 0.5 - least : before;
    } else if (magnitude > border) {
      const double after = 0.5 + (magnitude - border) / (above - border) / 2;
      part = after < 0.5 + least ? 0.5 + least : after > 1 - least ? 1 - least : after;
    }
    place = first + (magnitude > below ? part : 0);
  }
  [[gnu::always_inline]] constexpr double value_at(double whole) const {
    return whole > first ? above : below;
  }
};

/// The last step of a rounding to a number system. Returns, with the sign of x, `rounded` (the
/// magnitude rounded without limits at the ends), or `beyond` if it is above the largest value. A
/// NaN stays a quiet NaN.
[[gnu::always_inline]] inline constexpr double finish_rounding(double rounded, double x,
                                                               const NumberSystem::Ends& ends,
                                                               double beyond) {
  const double size = __builtin_fabs(x);
  double result = rounded > ends.largest ? beyond : rounded;
  result = result < ends.least ? ends.least : result;
  result = size > 0 ? result : 0;
  result = size == __builtin_inf() ? ends.infinity_becomes : result;
  result = x < 0 && !ends.is_signed ? 0 : result;
  constexpr std::uint64_t quiet_bit = std::uint64_t{1} << (Layout<double>::fraction_bits - 1);
  constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
  const auto bits = __builtin_bit_cast(std::uint64_t, x);
  const auto rounded_bits = (bits & sign_bit) | __builtin_bit_cast(std::uint64_t, result);
  return __builtin_bit_cast(double, size >= 0 ? rounded_bits : bits | quiet_bit);
}

/// Whether a number system rounds between its ends as a binary format of its precision does, except
/// for ties of one significant bit.
template <Rounding R>
[[gnu::always_inline]] inline constexpr bool has_binary_steps(const NumberSystem& system) {
  return !system.tapers && !system.is_listed && R != Rounding::odd;
}

/// As above, also at its ends.
template <Rounding R>
[[gnu::always_inline]] inline constexpr bool rounds_as_binary(const NumberSystem& system) {
  return has_binary_steps<R>(system) && system.precision > 1 && system.ends.is_signed &&
         system.ends.overflow_becomes == system.ends.infinity_becomes;
}

/// x, whose place is `at`, rounded once to a value of a number system: R, which is a direction for
/// values, rounds the place to a whole number. See NumberSystem for the ends.
template <Rounding R, class Place>
[[gnu::always_inline]] inline constexpr double round_to_place(double x, const Place& at,
                                                              const NumberSystem::Ends& ends) {
  const bool negative = x < 0;
  const double whole = round_to_multiple<R, true>(at.place, negative, 1.0, 0x1p52);
  const bool toward_zero =
      R == Rounding::rz || (R == Rounding::ru && negative) || (R == Rounding::rd && !negative);
  const double beyond = R == Rounding::odd ? ends.odd_overflow_becomes
                        : toward_zero      ? ends.largest
                                           : ends.overflow_becomes;
  return finish_rounding(at.value_at(whole), x, ends, beyond);
}

template <Rounding R>
[[gnu::always_inline]] inline constexpr double round_to_system(double x,
                                                               const NumberSystem::Binades& binades,
                                                               const NumberSystem::Ends& ends,
                                                               bool is_float = false) {
  const SystemPlace at(__builtin_bit_cast(std::uint64_t, __builtin_fabs(x)), binades, is_float);
  return round_to_place<R>(x, at, ends);
}

template <Rounding R>
[[gnu::always_inline]] inline constexpr double round_to_system(
    double x, const std::array<NumberSystem::Side, 2>& sides) {
  const NumberSystem::Side& side = sides[x < 0 ? 1 : 0];
  return round_to_place<R>(x, ListedPlace(__builtin_fabs(x), side), side.ends);
}

/// Whether fraction + 2^-64 `random` >= 1. The lowest bit of `random` represents a number below all
/// bits of the fraction.
[[gnu::always_inline]] inline constexpr bool rounds_up_at_random(double fraction,
                                                                 std::uint64_t random) {
  const std::uint64_t lowest = random & 1;
  const double missing = 1 - static_cast<double>((random + lowest) >> 11) * 0x1p-53;
  return lowest != 0 ? fraction > missing : fraction >= missing;
}

/// Stochastic rounding: the place plus the fraction `random`, rounded toward zero.
template <class Place>
[[gnu::always_inline]] inline constexpr double round_to_place(double x, const Place& at,
                                                              const NumberSystem::Ends& ends,
                                                              std::uint64_t random) {
  const double down = round_to_multiple<Rounding::rz, true>(at.place, false, 1.0, 0x1p52);
  const bool up = rounds_up_at_random(at.place - down, random);
  return finish_rounding(at.value_at(up ? down + 1 : down), x, ends, ends.overflow_becomes);
}

[[gnu::always_inline]] inline constexpr double round_to_system(double x, const NumberSystem& system,
                                                               std::uint64_t random) {
  const double size = __builtin_fabs(x);
  const NumberSystem::Side& side = system.sides[x < 0 ? 1 : 0];
  if (system.is_listed) return round_to_place(x, ListedPlace(size, side), side.ends, random);
  const SystemPlace at(__builtin_bit_cast(std::uint64_t, size), system.binades, false);
  return round_to_place(x, at, system.ends, random);
}

/// Stochastic rounding: x / quantum plus the fraction `random`, rounded toward -infinity.
[[gnu::always_inline]] inline constexpr double round_to_fixed(double x,
                                                              const FixedGrid<double>& grid,
                                                              std::uint64_t random) {
  const double inside = before_rounding(x, grid);
  const double down = round_to_quantum<Rounding::rd>(inside, grid);
  const double part = (inside - down) / grid.quantum;
  return after_rounding(rounds_up_at_random(part, random) ? down + grid.quantum : down, grid);
}

/// x rounded stochastically: adds `random` below the last place, its leading bits first, then cuts
/// the bits below.
/// Requires: the low 11 bits of `random` are equal.
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

  // In units of 2^(exponent - 1075), in which `significand` is a whole number, the last place is
  // 2^shift. Far below the smallest value the significand is shifted instead: its lowest bits are
  // added to equal bits.
  const std::uint64_t quantum_field =
      __builtin_bit_cast(std::uint64_t, grid.aligner) >> fraction_bits;
  const auto normal_shift = static_cast<std::uint64_t>(__builtin_ctzll(grid.unit));
  std::uint64_t shift = magnitude < grid.min_normal ? quantum_field - exponent : normal_shift;
  const std::uint64_t excess = shift > largest_shift ? shift - largest_shift : 0;
  const std::uint64_t gone = excess < 63 ? excess : 63;
  const bool inexact = (significand & ((std::uint64_t{1} << gone) - 1)) != 0;
  significand = (significand >> gone) | (inexact ? 1 : 0);
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

/// x rounded to bf16, rne. Requires: a NaN has zeros in the low 16 bits, as in results of one
/// native operation on bf16 values.
[[gnu::always_inline]] inline constexpr float round_to_bf16(float x) {
  return round_float_dropping<16>(x);
}

/// x rounded (rne) to the format of a word.
template <Format word>
[[gnu::always_inline]] inline constexpr float leading_word(float x) {
  return round_to_grid<Rounding::rne, is_flat<float>(word)>(x, rounding_grid<float>(word));
}

// Random bits for stochastic rounding come from a counter, so they do not depend on order or
// threads. Philox 4x32-10 is a pure function of (key, counter) made of 32-bit products, which every
// instruction set has.
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

/// Counter and key of Philox 4x32, the generator of stochastic rounding.
struct PhiloxCounter {
  std::uint32_t word[4];

  friend constexpr bool operator==(const PhiloxCounter&, const PhiloxCounter&) = default;
};

/// See PhiloxCounter.
struct PhiloxKey {
  std::uint32_t word[2];
};

/// Ten rounds of Philox 4x32: a bijection of the counter for every key.
[[gnu::always_inline]] inline constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  std::uint32_t x0 = counter.word[0];
  std::uint32_t x1 = counter.word[1];
  std::uint32_t x2 = counter.word[2];
  std::uint32_t x3 = counter.word[3];
  std::uint32_t k0 = key.word[0];
  std::uint32_t k1 = key.word[1];
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53} * x0;
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57} * x2;
    x0 = static_cast<std::uint32_t>(product1 >> 32) ^ x1 ^ k0;
    x1 = static_cast<std::uint32_t>(product1);
    x2 = static_cast<std::uint32_t>(product0 >> 32) ^ x3 ^ k1;
    x3 = static_cast<std::uint32_t>(product0);
    k0 += 0x9E3779B9;  // the golden ratio
    k1 += 0xBB67AE85;  // sqrt(3) - 1
  }
  return {{x0, x1, x2, x3}};
}

/// How to round stochastically: how many random bits, and which.
struct StochasticRounding {
  int bits = 32;             ///< random bits below the last kept place, 1 to 53
  std::uint64_t seed = 0;    ///< the key
  std::uint64_t stream = 0;  ///< separates uses of one seed: a step, a row, a stage
  Stochastic variant = Stochastic::a;
};

/// The fraction to add below the last place before truncation. The first `bits` bits of the word
/// are random, R, a function of (seed, stream, counter). The other bits are zero in variant a; half
/// of R's last place in b; in c also half, or a little less if R is odd, so that a tie does not
/// suffice.
/// Requires: 1 <= stochastic.bits <= 53, in variants b and c <= 52.
[[gnu::always_inline]] inline constexpr std::uint64_t random_bits(
    const StochasticRounding& stochastic, std::uint64_t counter) {
  const PhiloxCounter block =
      philox({{static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
               static_cast<std::uint32_t>(stochastic.stream),
               static_cast<std::uint32_t>(stochastic.stream >> 32)}},
             {{static_cast<std::uint32_t>(stochastic.seed),
               static_cast<std::uint32_t>(stochastic.seed >> 32)}});
  const std::uint64_t word = (std::uint64_t{block.word[0]} << 32) | block.word[1];
  const std::uint64_t unit = std::uint64_t{1} << (64 - stochastic.bits);
  const std::uint64_t random = word & ~(unit - 1);
  if (stochastic.variant == Stochastic::a) return random;
  const bool less = stochastic.variant == Stochastic::c && (random & unit) != 0;
  return random | (less ? unit / 2 - 1 : unit / 2);
}

/// x rounded once to the format, with R known at compile time. See round_to_grid for NaN,
/// infinities and zeros.
template <Rounding R>
[[gnu::always_inline]] inline constexpr double round_as(double x, const Format& format) {
  static_assert(R != Rounding::sr, "stochastic rounding needs random bits: round_stochastic");
  if (format.system && format.system->is_listed) return round_to_system<R>(x, format.system->sides);
  if (format.system) return round_to_system<R>(x, format.system->binades, format.system->ends);
  if (format.is_fixed()) return round_to_fixed<R>(x, fixed_grid<double>(format));
  return format == fp64 ? x : round_to_grid<R, false>(x, rounding_grid<double>(format));
}

/// x rounded once to the format; fp64 is the identity.
/// Requires: a format that validate() accepts.
/// Throws InputError for Rounding::sr, which needs a seed and a counter: see round_stochastic.
constexpr double round(double x, const Format& format, Rounding rounding) {
  return with_rounding(
      rounding, [&](auto as) __attribute__((always_inline))->double {
        if constexpr (as == Rounding::sr)
          throw InputError("round: sr needs random bits, use round_stochastic");
        else
          return round_as<as()>(x, format);
      });
}

/// x rounded stochastically: |x| plus `stochastic.bits` random bits below the last place,
/// truncated. P(away from zero) = floor(2^bits f)/2^bits with f the discarded fraction of a last
/// place; in variants b and c rounded to nearest instead of floor (Stochastic). Values of the
/// format stay. The bits depend only on seed, stream and counter. A result beyond max_finite
/// becomes infinity, NaN or max_finite by the format's overflow rule.
/// Requires: bits as random_bits takes them; a format that validate() accepts.
[[gnu::always_inline]] inline constexpr double round_stochastic(
    double x, const Format& format, const StochasticRounding& stochastic, std::uint64_t counter) {
  const std::uint64_t random = random_bits(stochastic, counter);
  if (format.system) return round_to_system(x, *format.system, random);
  if (format.is_fixed()) return round_to_fixed(x, fixed_grid<double>(format), random);
  return format == fp64 ? x : round_with_bits(x, rounding_grid<double>(format), random);
}

}  // namespace fftprec
