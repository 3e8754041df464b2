/// Rounding one value to a format: the definition that every other form agrees with, bit for bit.
#pragma once

#include "arith/formats/round_grid.hpp"
#include "arith/formats/stochastic.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// x rounded once to the format, with R known at compile time. See round_to_grid for NaN,
/// infinities and zeros.
template <Rounding R>
[[gnu::always_inline]] inline constexpr double round_as(double x, const Format& format) {
  static_assert(R != Rounding::sr, "stochastic rounding needs random bits: round_stochastic");
  return format == fp64 ? x : round_to_grid<R, false>(x, rounding_grid<double>(format));
}

/// x rounded once to the format; fp64 is the identity.
/// Requires: a format that validate() accepts.
/// Throws InputError for Rounding::sr, which needs a seed and a counter: see round_stochastic.
constexpr double round(double x, const Format& format, Rounding rounding) {
  switch (rounding) {
    case Rounding::rne:
      return round_as<Rounding::rne>(x, format);
    case Rounding::rna:
      return round_as<Rounding::rna>(x, format);
    case Rounding::rz:
      return round_as<Rounding::rz>(x, format);
    case Rounding::ru:
      return round_as<Rounding::ru>(x, format);
    case Rounding::rd:
      return round_as<Rounding::rd>(x, format);
    case Rounding::odd:
      return round_as<Rounding::odd>(x, format);
    case Rounding::sr:
      break;
  }
  throw InputError("round: sr needs random bits, use round_stochastic");
}

/// x rounded stochastically: |x| plus `stochastic.bits` random bits below the last kept place,
/// truncated. P(away from zero) = floor(2^bits f)/2^bits with f the discarded fraction of a unit in
/// the last kept place; values of the format stay. The bits depend on seed, stream and counter
/// alone. Beyond max_finite: what truncation leaves there becomes infinity, NaN or max_finite by
/// the format's overflow rule.
/// Requires: 1 <= stochastic.bits <= 53; a format that validate() accepts.
[[gnu::always_inline]] inline constexpr double round_stochastic(
    double x, const Format& format, const StochasticRounding& stochastic, std::uint64_t counter) {
  const std::uint64_t random = random_bits(stochastic, counter);
  return format == fp64 ? x : round_with_bits(x, rounding_grid<double>(format), random);
}

}  // namespace fftprec
