#include "reports/commands/case_functions.hpp"

#include "experiments/cases/evaluate.hpp"
#include "experiments/sweeps/remembered_cost.hpp"

namespace fftprec {

namespace {

/// Remembered for all cases that share what it depends on.
EstimateCost remembered_truth_cost() {
  return [cost = remembered_cost(estimated_truth_ns)](const Case& where) {
    return cost({.transform = where.transform, .n = where.n, .batch = where.batch});
  };
}

}  // namespace

CaseFunctions real_case_functions() {
  return {.evaluate = evaluate,
          .make_problem = make_problem,
          .estimated_cost_ns = remembered_cost(estimated_cost_ns),
          .check_names = check_names,
          .estimated_truth_ns = remembered_truth_cost()};
}

}  // namespace fftprec
