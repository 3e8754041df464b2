/// Costs worked out once: runs ask for the cost of a case again and again, and many cases share
/// one.
#pragma once

#include "experiments/sweeps/run_costs.hpp"

namespace fftprec {

/// The same costs, each remembered for all cases that differ in input and seed alone, which no cost
/// depends on. May be called from several threads at once.
EstimateCost remembered_cost(EstimateCost cost_of);

}  // namespace fftprec
