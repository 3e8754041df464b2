/// `fftprec run`: runs the cases of a sweep and stores their rows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/cases/columns.hpp"
#include "experiments/sweeps/shard.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/commands/commands.hpp"
#include "reports/commands/truth_request.hpp"
#include "reports/mpi/ranks.hpp"
#include "reports/results/run_directory.hpp"

namespace fftprec::commands {

struct RunRequest {
  CaseRequest cases;
  std::string directory;  ///< for results.csv, journal and manifest; empty: none
  std::string csv;        ///< a file for the rows, "-" for stdout, or empty
  unsigned threads = 0;   ///< 0: one per core
  bool dry_run = false;
  results::Rerun rerun = results::Rerun::none;
  std::string shard;      ///< "2/4"; empty: the task of a Slurm array, else all cases
  double timeout_s = 0;   ///< most seconds for a case; 0: no limit
  bool no_times = false;  ///< leaves time_ns empty
  std::vector<const Column*> summarised{};  ///< over seeds; none: a row for each case
  std::string isa;                          ///< empty: the fastest
  unsigned processes = 1;                   ///< started by mpirun; if several, each runs one shard
  TruthRequest truth;
};

/// Runs the request. With a directory, it also writes plots, verdicts and summary of the finished
/// run there. A shard has only rows; gates, plots and summary are made from the merged run.
/// Exit codes: ok, gate_failed, cases_failed, nothing_matched, baseline_missing, interrupted, or
/// usage if plots or summary could not be written.
///
/// Of several ranks, each runs a shard in a folder below the directory. The first rank waits for
/// the others, merges the parts, and continues as if it had run all cases. Only the first rank
/// prints, unless another one fails and it does not. Parts reuse finished rows of the directory and
/// of parts there from a run with more or fewer processes.
///
/// Throws InputError for bad input and for files that cannot be written; finished rows are then in
/// the journal.
ExitCode run_command(const RunRequest& request, Context& context,
                     const mpi::Ranks& ranks = mpi::ranks());

/// The shard of the task SLURM_ARRAY_TASK_ID among SLURM_ARRAY_TASK_COUNT tasks, the first of which
/// is SLURM_ARRAY_TASK_MIN; empty outside a job array. `variable` returns the value of an
/// environment variable, or null.
/// Throws InputError if the tasks are not MIN, MIN + STEP, ..., MAX. For example `--array=3`, to
/// repeat the third of four tasks, sets the count to 1.
std::optional<Shard> shard_of_array_task(
    const std::function<const char*(const char* name)>& variable);

}  // namespace fftprec::commands
