/// Families of number systems: names with parameters, such as positN, each of which means a system.
/// A family is one entry of number_families(): lists, messages, modes and tests are made from it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "arith/formats/number_system.hpp"

namespace fftprec {

struct NumberFamily {
  std::string_view form;     ///< "positN"
  std::string_view meaning;  ///< of the parameters in the form
  /// Names of members, which tests take: widths that a float holds and that it does not, each
  /// overflow rule, with and without signs.
  std::vector<std::string_view> examples;
  std::string_view mode;  ///< the example that the list of modes shows, or empty
  bool has_quire;         ///< matrix products can be summed in a Quire
  /// The system of a name in any spelling; null if the name belongs to another family. Throws
  /// InputError if a parameter is out of range.
  std::unique_ptr<NumberSystem> (*make)(std::string_view name);
};

/// In the order of lists. The source has the definition of each beside its `make`.
const std::vector<NumberFamily>& number_families();

/// The system of that name, made once for as long as the program runs, or null: a member of a
/// family, or file:PATH, a list of values (system_of_values), which `read` reads if it is given.
/// Throws InputError for a name of a family with parameters out of range.
const NumberSystem* number_system_named(std::string_view name, ListReader read = nullptr);

/// The family of a system; null if it is a list of values.
const NumberFamily* family_of(const NumberSystem& system);

}  // namespace fftprec
