#include "experiments/testing/result_bound.hpp"

#include <algorithm>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

Case claimed_case(std::string_view text) {
  const std::vector<std::string> free = {"algorithm", "mode", "machine", "tables"};
  Axes axes;
  std::vector<std::string> named;
  for (const std::string& piece : split_list(text)) {
    const std::string axis(trimmed(std::string_view(piece).substr(0, piece.find('='))));
    if (std::find(free.begin(), free.end(), axis) == free.end())
      throw unknown_name("axis of a bound", axis, free);
    require(std::find(named.begin(), named.end(), axis) == named.end(), "bound of '", text,
            "': ", axis, " stands there twice");
    named.push_back(axis);
    set_axis(axes, piece, check_names);
  }
  return expand(axes).front();
}

void predict_result(Row& row, const ForeignProblem& asked, const Case& claimed) {
  Case where = claimed;
  where.transform = asked.where.transform;
  where.n = asked.where.n;
  where.batch = asked.where.batch;
  const std::shared_ptr<const Setup> setup = Session().setup(where);
  const Resolved& resolved = setup->resolved();
  if (const std::string reason = inapplicable(where, resolved); !reason.empty())
    throw InputError("no bound: " + reason);
  require(resolved.algorithm.is_predictable(), "no bound: ", where.algorithm, " has no model");
  row.where = where;
  predict_into(row, *setup, &asked.problem,
               rounds_input(resolved, asked.problem.input, best_isa()));
}

}  // namespace fftprec
