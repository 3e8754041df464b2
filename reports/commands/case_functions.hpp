/// What the commands run: the measuring functions, passed in so that tests can replace them.
#pragma once

#include <functional>

#include "arith/support/isa.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/sweeps/run.hpp"
#include "experiments/truths/truth_cache.hpp"

namespace fftprec {

struct CaseFunctions {
  std::function<Row(const Case&, const Problem&, Isa)> evaluate;
  /// The cache may be null.
  std::function<Problem(const ProblemKey&, const truth::TruthOptions&, TruthCache*)> make_problem;
  CheckNames check_names;
  RunCosts costs{};
};

/// The functions of experiments/cases/evaluate.hpp, problem.hpp and estimated_costs.hpp.
CaseFunctions real_case_functions();

}  // namespace fftprec
