/// One case stage by stage: its error after each, and the sources that make it.
#pragma once

#include <string>

#include "experiments/attribution/budget.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::figures {

/// Stages downwards, for each the error after it, what it adds, and the error expected after it, on
/// a logarithmic axis. Errors that are not above the floor lie on a line "exact". `subtitle` is the
/// case. Parts: "after", "added", "expected". Requires: a stage.
Figure stages_figure(const std::string& name, const std::string& subtitle,
                     const attribution::StageErrors& errors);

/// The error budget: a bar of the whole case, and below it one of each stage, made of the shares of
/// the sources of error.
Figure budget_figure(const std::string& name, const std::string& subtitle,
                     const attribution::Budget& budget);

}  // namespace fftprec::figures
