/// Runs cases on all cores: one truth and one set of tables for all cases that share them.
///
/// A run goes table by table: all cases of a tables_key, which differ in batch, input and seed
/// alone, follow one another, and then their tables go. The problems of these cases are shared with
/// other tables of the same transform and length, so they stay until the last of those has run.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>

#include "experiments/cases/problem.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/sweeps/run_costs.hpp"

namespace fftprec {

using Evaluate = std::function<Row(const Case&, const Problem&)>;
using MakeProblem = std::function<Problem(const ProblemKey&)>;
/// Returns an owner of everything that a case shares with all others of its tables_key.
using HoldShared = std::function<std::shared_ptr<const void>(const Case&)>;

/// What a run is made of. `evaluate`, `make_problem` and the costs are called from several
/// threads at once.
struct RunOptions {
  Evaluate evaluate;
  MakeProblem make_problem;
  RunCosts costs{};
  /// Called before the first case of a tables_key; what it gives is dropped after the last one.
  /// Called from several threads at once. An exception is as none given.
  HoldShared hold{};
  /// Gets each row as soon as it is finished, one call at a time, in no particular order.
  std::function<void(const Row&)> on_row;
  unsigned threads = 1;
  const std::atomic<bool>* stop = nullptr;  ///< once true, no further case is begun
  double timeout_s = 0;                     ///< most seconds for a case, or for a truth; 0: any
  /// Called when only timed-out work remains. on_row has every finished row by then, and a failed
  /// row for everything given up. A thread cannot be ended from outside, so this replaces or ends
  /// the process; if it returns, the run goes on when the hanging work ends after all.
  std::function<void()> on_hang{};
};

/// evaluate, make_problem and hold of real cases, in a session of their own.
RunOptions real_run(const truth::TruthOptions& truths = {});

/// Runs every case, unless stopped, and returns when the last one begun is finished. The rows do
/// not depend on the number of threads; only their order does.
///
/// An exception from `evaluate` makes that case a row with status failed (skipped, if it is
/// NotApplicable), one from `make_problem` every case of its group; the others go on. An exception
/// from `on_row` ends the run: running cases finish, and the exception passes through.
///
/// Work that takes longer than the timeout is given up: its case (for a truth, every case that
/// shares it) becomes a row with status failed, nothing else is begun, and on_hang is called.
void run_cases(std::span<const Case> cases, const RunOptions& options);

/// The number of threads to use when none is asked for: one per core.
unsigned default_threads();

}  // namespace fftprec
