#include "reports/commands/case_functions.hpp"

#include "experiments/evaluate.hpp"
#include "experiments/remembered_cost.hpp"

namespace fftprec {

CaseFunctions real_case_functions() {
  return {.evaluate = evaluate,
          .make_problem = make_problem,
          .estimated_cost_ns = remembered_cost(estimated_cost_ns),
          .check_names = check_names};
}

}  // namespace fftprec
