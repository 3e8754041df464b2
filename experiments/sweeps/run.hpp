/// Runs planned cases on all cores. Cases share truths and tables.
///
/// Cases that differ only in batch, input and seed run one after the other, and then their tables
/// are freed. Their problems are shared with other tables of the transform and length, so a problem
/// is kept until its last case has run. The costs of the cases and of what they share determine the
/// order.
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
#include "experiments/sweeps/plan_stream.hpp"

namespace fftprec {

/// The values that determine the problem of a plan. The names live as long as the plan.
using ProblemView =
    std::tuple<std::string_view, std::uint64_t, std::uint64_t, std::string_view, std::uint64_t>;

ProblemView problem_view(const CasePlan& plan);

/// Adds up the costs of cases that run in one process: truths and tables that they share count
/// once. The plans must outlive it.
class CostSum {
 public:
  /// The additional cost of the case, in nanoseconds.
  double add(const CasePlan& plan);

  double total() const { return total_; }
  std::size_t truths() const { return truths_.size(); }

 private:
  std::set<ProblemView> truths_;
  std::set<const CasePlan::Shared*> tables_;
  double total_ = 0;
};

/// The cost of all cases in one process, in nanoseconds.
double total_cost(std::span<const CasePlan> plans);

/// How cases are run. No field changes a bit of a measured result.
struct RunOptions {
  unsigned threads = 1;
  Isa isa = best_isa();
  RowExtent extent = RowExtent::whole;
  /// How truths are computed. Their instruction set is `isa`. If there are fewer truths than
  /// threads, each takes several threads.
  truth::TruthOptions truth{};
  int least_truth_bits = 0;                 ///< a truth with fewer makes its cases failed rows
  bool times = true;                        ///< whether rows keep time_ns
  double timeout_s = 0;                     ///< most seconds for a case or a truth; 0: no limit
  const std::atomic<bool>* stop = nullptr;  ///< once true, no further case begins
  ProblemCache* problems = nullptr;         ///< keeps truths after the run; null: not kept
};

/// The progress of a run.
struct RunState {
  std::size_t done = 0;  ///< finished cases, including this one
  std::size_t total = 0;
  double done_cost = 0;
  double total_cost = 0;
};

struct FinishedCase {
  const CasePlan& plan;
  const Row& row;
  const Problem* problem;  ///< null if it could not be made
  const RunState& state;
};

/// Gets each row as soon as it is finished, one call at a time, in no particular order. Other cases
/// run meanwhile.
using RowSink = std::function<void(const FinishedCase&)>;

/// Gets finished rows some at a time: those of a few milliseconds, which share all names but their
/// batch and seed.
struct RowsSink {
  std::function<void(std::vector<Row> rows)> take;       ///< called by several threads at once
  std::function<void(const RunState& state)> show = {};  ///< after them, one call at a time
};

/// Runs every case, unless stopped, and returns when all started cases are finished or abandoned.
/// The order of the rows depends on the number of threads, the rows do not. Returns how many
/// threads still run abandoned work: they own what they use, and end with the process.
///
/// A case that throws becomes a row with status failed, or skipped if it throws NotApplicable. A
/// problem that throws does this to every case that shares it. The other cases go on. If the sink
/// throws, running cases finish, and run_cases throws the exception of the sink.
///
/// Work that takes longer than the timeout is abandoned: its case (for a truth, every case that
/// shares it) becomes a row with status failed, and a new thread replaces the hung one.
std::size_t run_cases(std::vector<CasePlan> plans, const RunOptions& options, RowSink sink);

/// The same for a stream of any length, one batch after the other; while one runs, the next is
/// planned. `whole`: the workload of the stream.
std::size_t run_cases(PlanStream& plans, const Workload& whole, const RunOptions& options,
                      const RowsSink& sink);

/// The default number of threads: one per core.
unsigned default_threads();

}  // namespace fftprec
