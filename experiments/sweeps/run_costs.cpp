#include "experiments/sweeps/run_costs.hpp"

#include "experiments/cases/estimated_costs.hpp"
#include "experiments/sweeps/remembered_cost.hpp"

namespace fftprec {

RunCosts estimated_costs() {
  return {remembered_cost(estimated_cost_ns),
          [cost = remembered_cost(estimated_truth_ns)](const Case& where) {
            return cost({.transform = where.transform, .n = where.n, .batch = where.batch});
          },
          remembered_cost(estimated_tables_ns)};
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
