/// What the processes do that evaluate for the first: ask, evaluate, send the rows.
#pragma once

#include "experiments/sweeps/run.hpp"
#include "reports/mpi/post.hpp"

namespace fftprec {

/// Serves process 0 until it says that nothing is left to do, on options.threads slots, each of
/// which runs one portion as run_cases does. An exception from `evaluate` or `make_problem` is a
/// failed row. Of the options, evaluate, make_problem, threads, stop and timeout_s count.
///
/// A case that takes longer than the timeout is given up as run_cases gives it up; its thread
/// cannot be ended, so it goes on beside a new slot. Returns whether all threads have ended: if
/// not, what they refer to must stay, and the process is to be left by _Exit.
[[nodiscard]] bool help(const RunOptions& options, const Post& post);

}  // namespace fftprec
