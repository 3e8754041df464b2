/// What the cases of a run cost: each by itself, and what several of them share.
#pragma once

#include <functional>
#include <set>
#include <span>

#include "experiments/cases/case.hpp"
#include "experiments/cases/problem.hpp"

namespace fftprec {

using EstimateCost = std::function<double(const Case&)>;

/// Nanoseconds, roughly: what decides who runs what, never a result. May be called from several
/// threads at once.
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

/// Adds up what cases cost that run in one place: each truth and all tables once.
class CostSum {
 public:
  explicit CostSum(const RunCosts& costs) : costs_(costs) {}

  /// What the case costs on top of those before.
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

/// The same costs, each remembered for all cases that differ in input and seed alone, which no cost
/// depends on. May be called from several threads at once.
EstimateCost remembered_cost(EstimateCost cost_of);

}  // namespace fftprec
