/// `fftprec run`: runs the cases of a sweep and keeps their rows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sweeps/shard.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/commands/commands.hpp"
#include "reports/commands/truth_request.hpp"
#include "reports/mpi/ranks.hpp"
#include "reports/results/run_directory.hpp"

namespace fftprec::commands {

struct RunRequest {
  CaseRequest cases;
  std::string directory;  ///< results.csv, journal and manifest go there; empty: nowhere
  std::string csv;        ///< a file for the rows, "-" for stdout, or empty
  unsigned threads = 0;   ///< 0: one per core
  bool dry_run = false;
  results::Rerun rerun = results::Rerun::none;
  std::string shard;       ///< "2/4", or empty: what Slurm says, else all
  double timeout_s = 0;    ///< most seconds for a case; 0: any
  bool no_times = false;   ///< leaves time_ns empty
  std::string isa;         ///< empty: the fastest
  unsigned processes = 1;  ///< by mpirun; if there are several, a shard is the part of one of them
  TruthRequest truth;
};

/// A shard is a part of the rows only: gates, plots and summary are for the whole, merged.
/// With a directory, plots, verdicts and summary of the finished run go there too.
/// Exit codes: ok, gate_failed, cases_failed, nothing_matched, baseline_missing, interrupted, or
/// usage if plots or summary could not be written.
///
/// Each of several ranks runs a shard, in a folder below the directory. The first one waits for the
/// others, puts the parts together, and goes on as if it had run them all; it alone prints, unless
/// another one fails where it does not. Rows that are finished in the directory, or in parts of a
/// run of more or fewer processes there, are taken over by parts that have none.
///
/// Throws InputError for bad input and for files that cannot be written; finished rows are in the
/// journal then.
ExitCode run_command(const RunRequest& request, Context& context,
                     const mpi::Ranks& ranks = mpi::ranks());

/// The shard that SLURM_ARRAY_TASK_ID stands for among SLURM_ARRAY_TASK_COUNT tasks, the first of
/// which is SLURM_ARRAY_TASK_MIN; nothing outside a job array. `variable` gives the value of an
/// environment variable, or null.
/// Throws InputError if the tasks are not MIN, MIN + STEP, ..., MAX: after `--array=3`, say, the
/// third of four tasks once more, the count says 1.
std::optional<Shard> shard_of_array_task(
    const std::function<const char*(const char* name)>& variable);

}  // namespace fftprec::commands
