/// The error budget of a case, drawn. Pure functions.
#pragma once

#include <string>

#include "experiments/errors/budget.hpp"
#include "reports/plots/plot_process.hpp"

namespace fftprec {

/// Bars of squares as shares of the error's square, stacked by source: one for the whole case, and
/// below, on an axis of their own, one for each stage. NAME.svg, or NAME.png. Requires: a stage.
Drawing budget_figure(const std::string& name, const std::string& subtitle, const Budget& budget);

}  // namespace fftprec
