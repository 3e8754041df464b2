/// What the cases of a run cost: each by itself, and what several of them share.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <type_traits>
#include <utility>

#include "experiments/cases/case.hpp"
#include "experiments/cases/problem.hpp"

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
/// cases that share it.
RunCosts estimated_costs();

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
  using Result = std::invoke_result_t<Function, const Case&>;
  struct Memory {
    std::mutex mutex;
    std::map<PlanKey, Result> costs;
  };
  return [cost_of = std::move(cost_of), memory = std::make_shared<Memory>()](const Case& where) {
    const PlanKey key = plan_key(where, where.transform, where.batch);
    {
      const std::scoped_lock lock(memory->mutex);
      if (const auto found = memory->costs.find(key); found != memory->costs.end())
        return found->second;
    }
    const Result cost = cost_of(where);
    const std::scoped_lock lock(memory->mutex);
    memory->costs.emplace(key, cost);
    return cost;
  };
}

}  // namespace fftprec
