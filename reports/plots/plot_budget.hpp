/// The error budget of a case, drawn. Pure functions.
#pragma once

#include <cstddef>
#include <string>

#include "experiments/errors/budget.hpp"
#include "reports/plots/plot_process.hpp"

namespace fftprec {

/// Bars of squares as shares of the error's square, stacked by source: one for the whole case, and
/// below, on an axis of their own, one for each stage. NAME.svg, or NAME.png. Requires: a stage.
Drawing budget_figure(const std::string& name, const std::string& subtitle,
                      const errors::Budget& budget);

/// The same bars to be set into a page that has title and legend. Titled curves (see plot_curves):
/// "0 tables", by style and name of the source. Requires: a stage.
Drawing budget_panel(const std::string& name, const errors::Budget& budget, int width);

/// The style of a source's bars, the same in every budget.
std::size_t source_style(ErrorSource source);

}  // namespace fftprec
