/// Figures of one case by stage: its error after each stage, and its error budget.
#pragma once

#include <string>

#include "experiments/attribution/budget.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::figures {

/// One line per stage with the error after it, the error that it adds, and the error expected after
/// it, on a logarithmic axis. Errors that are not above the floor lie on a line "exact". `subtitle`
/// is the case. Parts: "after", "added", "expected". Requires: a stage.
Figure stages_figure(const std::string& name, const std::string& subtitle,
                     const attribution::StageErrors& errors);

/// The error budget: a bar for the whole case and one for each stage, divided by source of error.
Figure budget_figure(const std::string& name, const std::string& subtitle,
                     const attribution::Budget& budget);

}  // namespace fftprec::figures
