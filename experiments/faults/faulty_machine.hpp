/// What names of the axis `machine` stand for: hardware, and the faults of the software around it.
#pragma once

#include "arith/machines/machine_names.hpp"
#include "experiments/faults/faults.hpp"

namespace fftprec {

struct FaultyMachine : Machine {
  Faults faults{};

  friend bool operator==(const FaultyMachine&, const FaultyMachine&) = default;
};

/// The presets of machines(), presets with faults, and the parameters of both: those of faults come
/// last.
const MachineNames<FaultyMachine>& faulty_machines();

/// The machine of that name, among faulty_machines().
inline FaultyMachine faulty_machine_named(std::string_view text) {
  return faulty_machines().named(text);
}

}  // namespace fftprec
