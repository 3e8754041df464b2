#include "experiments/devices/case_time.hpp"

#include "arith/support/error.hpp"
#include "experiments/cases/case_prediction.hpp"

namespace fftprec {

namespace {

/// Transforms in a row: a refinement takes two more per step.
std::uint64_t passes(const ResolvedArithmetic& arithmetic) {
  return 1 + 2 * static_cast<std::uint64_t>(arithmetic.refinement_steps);
}

Prediction timed(const Case& where, const Resolved& resolved) {
  if (const std::string reason = inapplicable(where, resolved); !reason.empty())
    throw NotApplicable(reason);
  if (!resolved.algorithm.is_predictable())
    throw NotApplicable(where.algorithm + ": its operations are not known");
  if (resolved.arithmetic.carrier == DataCarrier::doubles)
    throw NotApplicable("mode " + where.mode + " computes on the host");
  return costs_alone(where, resolved);
}

}  // namespace

DeviceTime case_time(const Case& where, const Resolved& resolved, const Generation& generation,
                     const LaunchTimes& launch) {
  DeviceTime time = device_time(timed(where, resolved), where.n, where.batch,
                                resolved.arithmetic.storage, generation, launch);
  const auto count = static_cast<double>(passes(resolved.arithmetic));
  for (double* part : {&time.tensor_ns, &time.vector_ns, &time.dma_ns, &time.launch_ns})
    *part *= count;
  return time;
}

KernelCalls case_calls(const Case& where, const Resolved& resolved) {
  const KernelCalls calls = timed(where, resolved).calls;
  const std::uint64_t count = passes(resolved.arithmetic);
  return {count * calls.tensor, count * calls.vector};
}

}  // namespace fftprec
