/// The one case of a run whose error a report follows from stage to stage, and to its sources.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/cases/row.hpp"
#include "experiments/errors/budget.hpp"
#include "experiments/errors/stage_errors.hpp"

namespace fftprec::page {

struct ReportStages {
  std::optional<Row> row;  ///< of the case
  std::string why;         ///< why this one, in a sentence
  std::optional<errors::StageErrors> errors{};
  std::string note{};  ///< why there is nothing to show, or what to mind
  std::optional<errors::Budget> budget{};
  std::string budget_note{};  ///< why there is none, though there are errors
};

/// Computes the case anew. It is the row whose case_id begins with `id`; without one the row with
/// the largest err_l2_rel / expected_l2_rel (without expected values: the largest err_l2_rel) among
/// those that have three stages or more (else: any) and take well below a second to trace. A budget
/// with an estimate above `most_budget_ns` is left out; that may happen if `id` names the case.
/// Throws InputError if `id` names no row, or rows of several cases; whatever else is in the way
/// becomes the note.
ReportStages trace_for_report(std::span<const Row> rows, const std::string& id,
                              double most_budget_ns = 1e10);

}  // namespace fftprec::page
