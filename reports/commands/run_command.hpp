/// `fftprec run`: runs the cases of a sweep and keeps their rows.
#pragma once

#include <string>
#include <vector>

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/plan.hpp"
#include "reports/commands/truth_request.hpp"
#include "reports/results/run_directory.hpp"

namespace fftprec {

struct RunRequest {
  CaseRequest cases;
  std::string directory;  ///< results.csv, journal and manifest go there; empty: nowhere
  std::string csv;        ///< a file for the rows, "-" for stdout, or empty
  unsigned threads = 0;   ///< 0: one per core
  bool dry_run = false;
  Rerun rerun = Rerun::none;
  std::string shard;     ///< "2/4", or empty: what Slurm says, else all
  double timeout_s = 0;  ///< most seconds for a case; 0: any. Needs a directory
  bool times = true;     ///< false leaves time_ns empty
  std::string isa;       ///< empty: the fastest
  TruthRequest truth;
  std::vector<std::string> argv;  ///< kept in the manifest
};

/// A shard is a part of the rows only: gates, plots and summary are for the whole, merged.
/// With a directory, plots, verdicts and summary of the finished run go there too.
/// Returns the exit code: ok, gate_failed, cases_failed, nothing_matched, baseline_missing,
/// interrupted, or usage if plots or summary could not be written.
/// Truths are kept in the directory that the request names; where that is not possible, one line on
/// stderr says so, and they are not.
/// Throws InputError for bad input and for files that cannot be written; finished rows are in the
/// journal then.
int run_command(const RunRequest& request, const CaseFunctions& functions, CommandContext& context);

}  // namespace fftprec
