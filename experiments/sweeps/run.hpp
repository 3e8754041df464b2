/// Runs planned cases on all cores: one truth and one set of tables for all cases that share them.
///
/// A run goes table by table: all cases that differ only in batch, input and seed follow one
/// another, and then their tables go. The problems of these cases are shared with other tables of
/// the same transform and length, so they stay until the last of those has run. What a case costs,
/// by itself and shared, decides the order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec {

/// What decides the problem of a plan: its names live as long as the plan.
using ProblemView =
    std::tuple<std::string_view, std::uint64_t, std::uint64_t, std::string_view, std::uint64_t>;

ProblemView problem_view(const CasePlan& plan);

/// Adds up the costs of cases that run in one place: each truth and all tables count once. The
/// plans must outlive it.
class CostSum {
 public:
  /// What the case costs on top of the cases before, in nanoseconds.
  double add(const CasePlan& plan);

  double total() const { return total_; }
  std::size_t truths() const { return truths_.size(); }

 private:
  std::set<ProblemView> truths_;
  std::set<const CasePlan::Shared*> tables_;
  double total_ = 0;
};

/// All cases in one place.
double total_cost(std::span<const CasePlan> plans);

/// How cases are run; no field changes a bit of a measured result.
struct RunOptions {
  unsigned threads = 1;
  Isa isa = best_isa();
  RowExtent extent = RowExtent::whole;
  /// How truths are asked for. Their instruction set is `isa`; they take several threads each where
  /// there are fewer of them than threads.
  truth::TruthOptions truth{};
  int least_truth_bits = 0;                 ///< a truth with fewer makes its cases failed rows
  bool times = true;                        ///< whether rows keep time_ns
  double timeout_s = 0;                     ///< most seconds for a case, or for a truth; 0: any
  const std::atomic<bool>* stop = nullptr;  ///< once true, no further case is begun
  KeptProblems* problems = nullptr;         ///< where truths outlive the run; null: nowhere
};

/// How far a run is.
struct RunState {
  std::size_t done = 0;  ///< cases, that of the row included
  std::size_t total = 0;
  double done_cost = 0;
  double total_cost = 0;
};

struct FinishedCase {
  const CasePlan& plan;
  const Row& row;
  const Problem* problem;  ///< null where it could not be made
  const RunState& state;
};

/// Gets each row as soon as it is finished, one call at a time, in no particular order.
using RowSink = std::function<void(const FinishedCase&)>;

/// Runs every case, unless stopped, and returns when the last one begun is finished or given up.
/// The rows do not depend on the number of threads; only their order does. Returns how many threads
/// are still busy with what was given up: they own what they use, and end with the process.
///
/// An exception from a case makes it a row with status failed (skipped, if it is NotApplicable), an
/// exception from a problem does so to every case that shares it; the others go on. An exception
/// from the sink ends the run: running cases finish, and the exception passes through.
///
/// Work that takes longer than the timeout is given up: its case (for a truth, every case that
/// shares it) becomes a row with status failed, and a new thread takes the place of the hung one.
std::size_t run_cases(std::vector<CasePlan> plans, const RunOptions& options, RowSink sink);

/// The number of threads to use when none is asked for: one per core.
unsigned default_threads();

}  // namespace fftprec
