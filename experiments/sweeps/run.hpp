/// Runs cases on all cores: one truth and one set of tables for all cases that share them.
///
/// A run goes table by table: all cases of a tables_key, which differ in batch, input and seed
/// alone, follow one another, and then their tables go. The problems of these cases are shared with
/// other tables of the same transform and length, so they stay until the last of those has run.
/// What a case costs, by itself and shared, decides the order.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <type_traits>
#include <utility>

#include "experiments/cases/case.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/support/lru_cache.hpp"

namespace fftprec {

using EstimateCost = std::function<double(const Case&)>;

/// Nanoseconds, roughly. They decide which process or thread runs what, never a result. May be
/// called from several threads at once.
struct RunCosts {
  EstimateCost of_case{};      ///< by itself; empty: 1 each
  EstimateCost of_truth{};     ///< that the case needs, shared by its problem; empty: none
  EstimateCost of_tables{};    ///< that the case needs, shared by its tables_key; empty: none
  EstimateCost least_bytes{};  ///< of memory; empty: none

  double case_ns(const Case& where) const { return of_case ? of_case(where) : 1; }
  double truth_ns(const Case& where) const { return of_truth ? of_truth(where) : 0; }
  double tables_ns(const Case& where) const { return of_tables ? of_tables(where) : 0; }
};

/// The costs of real cases (experiments/cases/case_prediction.hpp), each worked out once for all
/// cases that share it, with names as the session knows them.
RunCosts estimated_costs(const std::shared_ptr<Session>& session = std::make_shared<Session>());

/// Adds up the costs of cases that run in one place: each truth and all tables count once.
class CostSum {
 public:
  explicit CostSum(const RunCosts& costs) : costs_(costs) {}

  /// What the case costs on top of the cases before.
  double add(const Case& where);

  double total() const { return total_; }
  std::size_t truths() const { return truths_.size(); }

 private:
  RunCosts costs_;
  std::set<ProblemKey> truths_;
  std::set<PlanKey> tables_;
  double total_ = 0;
};

/// All cases in one place.
double total_cost(std::span<const Case> cases, const RunCosts& costs);

/// What `cost_of` gives, remembered for all cases that differ in input and seed alone, which no
/// cost depends on. May be called from several threads at once.
template <class Function>
auto remembered_cost(Function cost_of) {
  using Costs = LruCache<PlanKey, std::invoke_result_t<Function, const Case&>>;
  return [cost_of = std::move(cost_of),
          costs =
              std::make_shared<Costs>(std::numeric_limits<std::size_t>::max())](const Case& where) {
    return *costs->get(plan_key(where, where.transform, where.batch), 1,
                       [&] { return cost_of(where); });
  };
}

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

/// evaluate, make_problem and hold of real cases.
RunOptions real_run(const std::shared_ptr<Session>& session = std::make_shared<Session>(),
                    RowExtent extent = RowExtent::whole);

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
