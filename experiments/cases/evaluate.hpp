/// One case, measured: the algorithm in its mode on its machine, against the truth.
#pragma once

#include "arith/isa.hpp"
#include "experiments/cases/problem.hpp"
#include "experiments/rows/row.hpp"

namespace fftprec {

/// Runs `where` on `problem` and measures it. A combination without meaning (NotApplicable) gives a
/// row with status skipped and the reason; every other exception passes through (the runner makes
/// it a failed row).
/// The row does not depend on `isa`, the number of threads or anything else but the case and how
/// its truth was asked for.
Row evaluate(const Case& where, const Problem& problem, Isa isa = best_isa());

/// Throws InputError if any name in `where` is unknown (checked before anything is computed).
void check_names(const Case& where);

/// A rough cost in nanoseconds, for ordering cases and the ETA only.
double estimated_cost_ns(const Case& where);

/// The same of the truth that the case needs, in the tier that is chosen where none is named: a
/// vectorised FFT in double-double, or a kernel. Depends on the problem of the case alone.
double estimated_truth_ns(const Case& where);

}  // namespace fftprec
