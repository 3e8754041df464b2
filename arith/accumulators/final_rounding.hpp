/// The last rounding of a sum that a double holds, exactly or rounded to odd, as a vector loop does
/// it.
#pragma once

#include <cstdint>

#include "arith/accumulators/model.hpp"
#include "arith/formats/round_grid.hpp"

namespace fftprec {

/// a == b, forced inline: the implicit operator would be shared between instruction sets.
[[gnu::always_inline]] inline constexpr bool same_format(const Format& a, const Format& b) {
  return a.precision == b.precision && a.emin == b.emin && a.emax == b.emax &&
         a.subnormals == b.subnormals && a.overflow == b.overflow;
}

/// Rounds to a model's format with its rules for both ends of the range.
struct FinalRounding {
  RoundingGrid<double> grid;
  double least;    ///< smaller results become zero
  double largest;  ///< larger ones infinite

  [[gnu::always_inline]] static FinalRounding of(const AccumulatorModel& model) {
    Format format = model.format;
    if (model.flush_outputs) format.emin = -900;
    if (model.overflow_to_infinity) format.emax = 900;
    return {.grid = rounding_grid<double>(format),
            .least = model.flush_outputs ? min_normal(model.format) : 0.0,
            .largest = model.overflow_to_infinity ? max_finite(model.format) : 0x1p1000};
  }

  template <Rounding R>
  [[gnu::always_inline]] double rounded(double value) const {
    constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
    const std::uint64_t sign = __builtin_bit_cast(std::uint64_t, value) & sign_bit;
    const double magnitude = __builtin_fabs(round_to_grid<R, false>(value, grid));
    double result = magnitude > largest ? __builtin_inf() : magnitude;
    result = magnitude < least ? 0.0 : result;
    return __builtin_bit_cast(double, sign | __builtin_bit_cast(std::uint64_t, result));
  }

  /// The same for a value that is zero or, rounded, a finite normal number of the format.
  template <Rounding R>
  [[gnu::always_inline]] double rounded_normal(double value) const {
    constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
    const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, value);
    const std::uint64_t sign = bits & sign_bit;
    return __builtin_bit_cast(double,
                              sign | round_normal<R>(bits & ~sign_bit, sign != 0, grid.unit));
  }
};

}  // namespace fftprec
