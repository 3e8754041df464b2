#include "arith/formats/rounding.hpp"

#include <string>

#include "arith/support/named.hpp"

namespace fftprec {

const std::vector<NamedRounding>& named_roundings() {
  static const std::vector<NamedRounding> roundings = {
      {"rne", "to nearest, ties to even", Rounding::rne},
      {"rna", "to nearest, ties away from zero", Rounding::rna},
      {"rz", "toward zero (truncation)", Rounding::rz},
      {"ru", "toward +infinity", Rounding::ru},
      {"rd", "toward -infinity", Rounding::rd},
      {"odd", "to odd: inexact results get an odd significand", Rounding::odd},
      {"sr", "stochastic, counter-based, with a given number of random bits", Rounding::sr},
  };
  return roundings;
}

Rounding rounding_named(std::string_view name) {
  return item_named(named_roundings(), "rounding", name).rounding;
}

std::string_view name_of(Rounding rounding) {
  return named_roundings()[static_cast<std::size_t>(rounding)].name;
}

}  // namespace fftprec
