#include "reports/case_functions.hpp"

#include "experiments/evaluate.hpp"

namespace fftprec {

CaseFunctions real_case_functions() {
  return {.evaluate = evaluate,
          .make_problem = make_problem,
          .estimated_cost_ns = estimated_cost_ns,
          .check_names = check_names};
}

}  // namespace fftprec
