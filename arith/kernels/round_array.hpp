/// Rounds whole arrays by the scalar definition of round.hpp, at the speed of memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// out[i] = in[i] rounded once to the format; fp64 is the identity. Rounding::sr:
/// round_stochastic(in[i], format, *random, first_counter + i). Other roundings ignore `random` and
/// `first_counter`.
/// Shapes: in and out have one size, and are the same array or do not overlap.
/// Throws InputError if the sizes differ, for Rounding::sr without `random`, or if random->bits is
/// not in 1..53, or 1..52 in other variants than a; and for a format that validate() rejects or, in
/// the float form, that exceeds float in precision or exponent range.
void round_array(std::span<const float> in, std::span<float> out, const Format& format,
                 Rounding rounding, Isa isa = best_isa(),
                 const std::optional<StochasticRounding>& random = {},
                 std::uint64_t first_counter = 0);
void round_array(std::span<const double> in, std::span<double> out, const Format& format,
                 Rounding rounding, Isa isa = best_isa(),
                 const std::optional<StochasticRounding>& random = {},
                 std::uint64_t first_counter = 0);

/// x[i] <- x[i] rounded once to the format. Throws as round_array.
inline void round(std::span<float> x, const Format& format, Rounding rounding = Rounding::rne) {
  round_array(x, x, format, rounding);
}
inline void round(std::span<double> x, const Format& format, Rounding rounding = Rounding::rne) {
  round_array(x, x, format, rounding);
}

}  // namespace fftprec
