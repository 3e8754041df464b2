/// The kinds of figures, by the names that `--kind` and a sweep's [[plot]] give them.
#pragma once

#include <string_view>

namespace fftprec {

enum class PlotKind {
  lines,      ///< a quantity against another, with bounds and expected values
  heatmap,    ///< a cell per case
  cost,       ///< error against what an algorithm costs, with the Pareto front
  histogram,  ///< error over bound, over all rows
};

/// Throws InputError for an unknown name, listing the known ones.
PlotKind plot_kind_named(std::string_view name);

}  // namespace fftprec
