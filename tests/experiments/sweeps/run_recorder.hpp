/// A run that keeps its rows, for tests of run_cases.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec::testing {

inline std::vector<Case> grid(const std::vector<std::string>& assignments) {
  Axes axes;
  for (const std::string& assignment : assignments) set_axis(axes, assignment, [](const Case&) {});
  return expand(axes);
}

/// A run that keeps its rows; every case measures n + seed.
struct Recorder {
  RunOptions options;
  std::vector<Row> rows;

  Recorder() {
    options.evaluate = [](const Case& where, const Problem&) {
      Row row;
      row.where = where;
      row.err_l2_rel = static_cast<double>(where.n + where.seed);
      return row;
    };
    options.make_problem = [](const ProblemKey&) { return Problem{}; };
    options.on_row = [this](const Row& row) { rows.push_back(row); };
  }

  std::vector<Case> sorted_cases() const {
    std::vector<Case> cases;
    for (const Row& row : rows) cases.push_back(row.where);
    std::sort(cases.begin(), cases.end());
    return cases;
  }
};

}  // namespace fftprec::testing
