/// The one case of a run whose error a report follows from stage to stage.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/errors/stage_errors.hpp"
#include "experiments/rows/row.hpp"

namespace fftprec {

struct ReportStages {
  std::optional<Row> row;  ///< of the case
  std::string why;         ///< why this one, in a sentence
  std::optional<StageErrors> errors{};
  std::string note{};  ///< why there is nothing to show, or what to mind
};

/// Computes the case anew. It is the row whose case_id begins with `id`; without one the row with
/// the largest err_l2_rel / expected_l2_rel (without expected values: the largest err_l2_rel) among
/// those that have three stages or more (else: any) and take well below a second to trace.
/// Throws InputError if `id` names no row, or rows of several cases; whatever else is in the way
/// becomes the note.
ReportStages trace_for_report(std::span<const Row> rows, const std::string& id);

}  // namespace fftprec
