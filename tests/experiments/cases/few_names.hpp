/// A check of names that knows four modes and the real machines, for tests of what reads cases.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "arith/machines/machine.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec::testing {

inline void known_names_only(const Case& where) {
  machine_named(where.machine);
  const std::vector<std::string> known = {"fast", "bf16", "ozaki", "slices:3x3"};
  if (std::find(known.begin(), known.end(), where.mode) == known.end())
    throw unknown_name("mode", where.mode, known);
}

}  // namespace fftprec::testing
