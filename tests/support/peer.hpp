/// An algorithm whose steps are not known, as a program's are not: it has no model.
#pragma once

#include <string>

#include "experiments/algorithms/programs.hpp"

namespace fftprec::testing {

/// Makes it known and returns its name. Its results are its inputs.
inline std::string peer() {
  const std::string name = "peer";
  add_program(name, "1", [](const WholeTransform&, std::size_t, const ComplexArray<double>& items) {
    return items;
  });
  return std::string(program_kind) + name;
}

}  // namespace fftprec::testing
