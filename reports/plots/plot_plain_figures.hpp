/// Every kind of figure as an SVG file without gnuplot: its panels drawn plainly, with title and
/// legend. Pure functions.
#pragma once

#include <span>
#include <string>

#include "reports/plots/plot_cost.hpp"
#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_heatmap.hpp"
#include "reports/plots/plot_histogram.hpp"

namespace fftprec {

/// Requires: at least one panel.
std::string plain_lines(const Figure& figure);

/// Requires: at least one panel.
std::string plain_heat_map(const HeatMap& map);

/// Requires: not empty, each with a cost.
std::string plain_costs(const std::string& title, std::span<const CostFigure> figures);

/// Requires: at least one panel.
std::string plain_histogram(const std::string& title, const Histogram& histogram);

}  // namespace fftprec
