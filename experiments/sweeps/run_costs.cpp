#include "experiments/sweeps/run_costs.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "experiments/cases/case_prediction.hpp"

namespace fftprec {

namespace {

struct Memory {
  std::mutex mutex;
  std::map<PlanKey, double> costs;
};

}  // namespace

EstimateCost remembered_cost(EstimateCost cost_of) {
  return [cost_of = std::move(cost_of), memory = std::make_shared<Memory>()](const Case& where) {
    const PlanKey key = plan_key(where, where.transform, where.batch);
    {
      const std::scoped_lock lock(memory->mutex);
      if (const auto found = memory->costs.find(key); found != memory->costs.end())
        return found->second;
    }
    const double cost = cost_of(where);
    const std::scoped_lock lock(memory->mutex);
    memory->costs.emplace(key, cost);
    return cost;
  };
}

RunCosts estimated_costs() {
  return {remembered_cost(estimated_cost_ns),
          [cost = remembered_cost(estimated_truth_ns)](const Case& where) {
            return cost({.transform = where.transform, .n = where.n, .batch = where.batch});
          },
          remembered_cost(estimated_tables_ns), remembered_cost(least_bytes)};
}

double CostSum::add(const Case& where) {
  double cost = costs_.case_ns(where);
  if (truths_.insert(problem_key(where)).second) cost += costs_.truth_ns(where);
  if (costs_.of_tables && tables_.insert(tables_key(where)).second) cost += costs_.tables_ns(where);
  total_ += cost;
  return cost;
}

double total_cost(std::span<const Case> cases, const RunCosts& costs) {
  CostSum sum(costs);
  for (const Case& where : cases) sum.add(where);
  return sum.total();
}

}  // namespace fftprec
