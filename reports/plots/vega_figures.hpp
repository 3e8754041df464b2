/// Every kind of figure as a Vega-Lite 5 specification with its data inline. Pure functions.
#pragma once

#include <span>
#include <string>

#include "reports/plots/plot_cost.hpp"
#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_heatmap.hpp"
#include "reports/plots/plot_histogram.hpp"

namespace fftprec {

/// Medians with points, ranges as bands, expected values dotted, bounds dashed; the axes, series,
/// colours and dashes of plot_script. Requires: at least one panel.
std::string vega_lines(const Figure& figure);

/// Cells with their numbers, in the colours of heat_map_script. Requires: at least one panel.
std::string vega_heat_map(const HeatMap& map);

/// A panel per length, the front numbered. Requires: not empty.
std::string vega_costs(const std::string& title, std::span<const CostFigure> figures);

/// Bars per mode and the line at the bound. Requires: at least one panel.
std::string vega_histogram(const std::string& title, const Histogram& histogram);

}  // namespace fftprec
