/// A check of names that knows four modes and the real machines, for tests of what reads cases.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/faults/faulty_machine.hpp"

namespace fftprec::testing {

inline void known_names_only(const Case& where) {
  faulty_machine_named(where.machine);
  const std::vector<std::string> known = {"fp32", "bf16", "ozaki", "slices:3x3"};
  if (std::find(known.begin(), known.end(), where.mode) == known.end())
    throw unknown_name("mode", where.mode, known);
}

}  // namespace fftprec::testing
