/// The roundings, as values that are passed to whoever rounds: never the thread's state.
#pragma once

#include <string_view>
#include <vector>

namespace fftprec {

enum class Rounding {
  rne,  ///< to nearest, ties to the even significand
  rna,  ///< to nearest, ties away from zero
  rz,   ///< toward zero
  ru,   ///< toward +infinity
  rd,   ///< toward -infinity
  odd,  ///< an inexact result becomes the neighbour with the odd significand (sticky last bit)
  sr,   ///< stochastic: up with the probability of the discarded part (stochastic.hpp)
};

/// A rounding's name and what it does.
struct NamedRounding {
  std::string_view name;
  std::string_view summary;
  Rounding rounding;
};

/// All of them, in the order of the enumeration.
const std::vector<NamedRounding>& named_roundings();

/// The rounding of that name.
/// Throws InputError for an unknown name, listing the known.
Rounding rounding_named(std::string_view name);

/// "rne", "rna", "rz", "ru", "rd", "odd" or "sr".
std::string_view name_of(Rounding rounding);

}  // namespace fftprec
