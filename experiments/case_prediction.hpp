/// What can be said of a case before it runs, and of its row: bound, expected error, cost.
#pragma once

#include <memory>

#include "experiments/problem.hpp"
#include "experiments/resolved_case.hpp"
#include "experiments/row.hpp"

namespace fftprec {

/// What the case costs, without a look at its tables.
Prediction costs_alone(const Case& where, const Resolved& resolved);

/// The prediction of a case, kept for the next input and seed.
std::shared_ptr<const Prediction> prediction_for(const Case& where, const Resolved& resolved);

/// Fills in what theory says of a row: rounding of the input and refinement included.
void predict_into(Row& row, const Resolved& resolved, const Problem& problem,
                  const Prediction& prediction, bool input_rounded);

}  // namespace fftprec
