/// The figures that a run is drawn as when nobody asks for a certain one.
#pragma once

#include <span>
#include <vector>

#include "experiments/sweeps/sweep.hpp"
#include "reports/plots/plot_figure.hpp"

namespace fftprec {

/// Error against n per algorithm and mode; error over bound, as lines and as a histogram; error
/// against cost; bits correct by mode and n, if there are several of both; and for each of the axes
/// machine, tables and input with several values, per algorithm, those values compared within each
/// mode. To add a figure, add its request here.
std::vector<FigureRequest> default_figures(std::span<const Row> rows);

/// The figure that a sweep asks for; its files are named by its title.
FigureRequest figure_of(const PlotSpec& spec);

}  // namespace fftprec
