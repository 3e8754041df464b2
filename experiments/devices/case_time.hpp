/// How long a case would take on a device, by the cycle model.
#pragma once

#include "algorithms/theory/cycle_model.hpp"
#include "experiments/cases/resolved_case.hpp"

namespace fftprec {

/// Time of all transforms of the case's batch, in all passes of its refinement.
/// Throws NotApplicable where the model has no time: data or residues on the host, an algorithm of
/// unknown operations, a combination without meaning.
DeviceTime case_time(const Case& where, const Resolved& resolved, const Generation& generation,
                     const LaunchTimes& launch);

/// What case_time would count as kernel calls.
KernelCalls case_calls(const Case& where, const Resolved& resolved);

}  // namespace fftprec
