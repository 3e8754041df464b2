/// One case, measured: the algorithm in its mode on its machine, against the truth.
#pragma once

#include "arith/support/isa.hpp"
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

}  // namespace fftprec
