/// The number systems that tests of every family loop over: a family is tested once it is listed.
#pragma once

#include <string>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/formats/number_families.hpp"

namespace fftprec::testing {

/// The examples of every family that an FFT can compute in: signed, with products in fp64.
inline std::vector<std::string> systems_for_ffts() {
  std::vector<std::string> names;
  for (const NumberFamily& family : number_families())
    for (const std::string_view example : family.examples) {
      const NumberSystem& system = *number_system_named(example);
      if (system.ends.is_signed && !system.beyond_fp64) names.emplace_back(example);
    }
  return names;
}

/// Those whose precision depends on the size of a value.
inline std::vector<std::string> tapered_systems() {
  std::vector<std::string> names = systems_for_ffts();
  std::erase_if(names, [](const std::string& name) { return !format_named(name).tapers(); });
  return names;
}

}  // namespace fftprec::testing
