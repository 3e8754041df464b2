/// The machines that tests of every algorithm loop over: one of each way of rounding a plain chain.
/// What else a machine can do is tested operation by operation. And what makes tiles small.
#pragma once

#include <vector>

#include "arith/machines/machine.hpp"

namespace fftprec::testing {

inline const std::vector<Machine>& classic_machines() {
  static const std::vector<Machine> all{machine_named("trn"), machine_named("ieee"),
                                        machine_named("trn-claim"), machine_named("trn-rz")};
  return all;
}

/// Every edge of a product falls inside.
inline Machine with_small_tiles(Machine machine) {
  machine.name += ", small tiles";
  machine.k_tile = 8;
  machine.m_tile = 2;
  machine.n_tile = 4;
  return machine;
}

}  // namespace fftprec::testing
