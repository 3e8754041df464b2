#include "experiments/sweeps/run_costs.hpp"

#include "experiments/cases/case_prediction.hpp"

namespace fftprec {

RunCosts estimated_costs() {
  const auto cost = remembered_cost(emulation_cost);
  return {
      [cost](const Case& where) { return cost(where).run_ns; },
      [cost_of_truth = remembered_cost(estimated_truth_ns)](const Case& where) {
        return cost_of_truth({.transform = where.transform, .n = where.n, .batch = where.batch});
      },
      [cost](const Case& where) { return cost(where).tables_ns; },
      [cost](const Case& where) { return cost(where).least_bytes; }};
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
