/// The machines that tests of every algorithm loop over: one of each way of rounding a plain chain.
/// What else a machine can do is tested operation by operation.
#pragma once

#include <vector>

#include "arith/machines/machine.hpp"

namespace fftprec::testing {

inline const std::vector<NamedMachine>& classic_machines() {
  static const std::vector<NamedMachine> all{machine_named("trn"), machine_named("ieee"),
                                             machine_named("trn-claim"), machine_named("trn-rz")};
  return all;
}

}  // namespace fftprec::testing
