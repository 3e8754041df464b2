/// Rounding whole arrays: the scalar definition of round.hpp, element by element, at the speed of
/// memory.
#pragma once

#include <cstdint>
#include <span>

#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// out[i] = in[i] rounded once to the format; fp64 is the identity.
/// Shapes: in and out have one size, and are the same array or do not overlap.
/// Throws InputError if the sizes differ, for Rounding::sr, and for a format that validate()
/// rejects or, in the float form, that exceeds float in precision or exponent range.
void round_array(std::span<const float> in, std::span<float> out, const Format& format,
                 Rounding rounding, Isa isa = best_isa());
void round_array(std::span<const double> in, std::span<double> out, const Format& format,
                 Rounding rounding, Isa isa = best_isa());

/// x[i] <- x[i] rounded once to the format. Throws as round_array.
inline void round(std::span<float> x, const Format& format, Rounding rounding = Rounding::rne) {
  round_array(x, x, format, rounding);
}
inline void round(std::span<double> x, const Format& format, Rounding rounding = Rounding::rne) {
  round_array(x, x, format, rounding);
}

/// out[i] = round_stochastic(in[i], format, stochastic, first_counter + i).
/// Shapes and Throws: as round_array; also if stochastic.bits is not in 1..53, or 1..52 in
/// other variants than a.
void round_array(std::span<const float> in, std::span<float> out, const Format& format,
                 const StochasticRounding& stochastic, std::uint64_t first_counter,
                 Isa isa = best_isa());
void round_array(std::span<const double> in, std::span<double> out, const Format& format,
                 const StochasticRounding& stochastic, std::uint64_t first_counter,
                 Isa isa = best_isa());

/// The one or the other: by `stochastic`, counted from 0, if `rounding` is sr. Throws as they do.
template <class Real>
void round_array(std::span<const Real> in, std::span<Real> out, const Format& format,
                 Rounding rounding, const StochasticRounding& stochastic) {
  if (rounding == Rounding::sr)
    round_array(in, out, format, stochastic, 0);
  else
    round_array(in, out, format, rounding);
}

}  // namespace fftprec
