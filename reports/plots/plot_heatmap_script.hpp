/// A heat map as text for gnuplot: the data file and the script that draws it. Pure functions; the
/// same map gives the same bytes.
#pragma once

#include <string>

#include "reports/plots/plot_heatmap.hpp"

namespace fftprec {

/// One block per panel, one line per cell.
std::string heat_map_data(const HeatMap& map);

/// Draws NAME.dat as NAME.svg, or as NAME.png if the script is called with the argument png.
/// One panel per value of request.panel; the colours are those of viridis, dark for small values,
/// and one scale serves all panels unless request.own_y_range. Below the title it says what the
/// colours of cells without a number mean, as far as there are any.
/// Requires: at least one panel.
std::string heat_map_script(const HeatMap& map);

}  // namespace fftprec
