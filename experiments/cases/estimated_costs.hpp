/// What cases cost to emulate, roughly: decides what runs first and the ETA, never a result.
#pragma once

#include "experiments/cases/case.hpp"

namespace fftprec {

/// Nanoseconds of one thread for the transform and its measurement, with tables and truth at hand.
double estimated_cost_ns(const Case& where);

/// The same for the tables of the case's plan and of its inverse, which all cases share that differ
/// in input, seed and batch alone.
double estimated_tables_ns(const Case& where);

/// The same for the truth that the case needs, in the tier that is chosen where none is named: a
/// vectorised FFT in double-double, or a kernel. Depends on the problem of the case alone.
double estimated_truth_ns(const Case& where);

/// All of these: a case by itself.
double estimated_whole_ns(const Case& where);

}  // namespace fftprec
