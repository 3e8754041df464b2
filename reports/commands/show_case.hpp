/// One case in full, as text. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "experiments/errors/stage_errors.hpp"
#include "experiments/errors/worst_output.hpp"
#include "reports/commands/one_case.hpp"

namespace fftprec {

/// What is known of a case.
struct CaseView {
  Row row;                    ///< as measured now
  std::optional<Row> stored;  ///< as a run holds it
  std::optional<errors::WorstOutputs> worst{};
  std::optional<errors::StageErrors> stages{};
  std::string no_stages{};  ///< why there are none
};

/// Every column with its meaning; error against expectation and bound; the error after each stage;
/// the worst outputs; the command that repeats it; how it agrees with the stored row.
std::string case_text(const CaseView& view);

/// The table of stages alone, with its explanation.
std::string stages_text(const errors::StageErrors& errors);

/// What differs from the stored row beside times and truth: "err_l2_rel 1e-3, stored 2e-3; ...";
/// empty if nothing does.
std::string differences(const Row& now, const Row& stored);

}  // namespace fftprec
