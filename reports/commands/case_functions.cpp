#include "reports/commands/case_functions.hpp"

#include "experiments/cases/evaluate.hpp"

namespace fftprec {

CaseFunctions real_case_functions() {
  return {.evaluate = evaluate,
          .make_problem = make_problem,
          .check_names = check_names,
          .costs = estimated_costs()};
}

}  // namespace fftprec
