/// The axes of a panel, and the lines across it, as settings of gnuplot.
#pragma once

#include <string>

#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_figure.hpp"

namespace fftprec {

std::string x_axis_settings(const XAxis& x);

/// Zeros have no place on a logarithmic axis; they are drawn at `floor`.
std::string y_axis_settings(const YAxis& y, bool labelled);

/// Thin lines across a panel: unit roundoffs, the line of exact results, the bound itself.
std::string axis_marks(const Figure& figure, const YAxis& y, bool labelled);

}  // namespace fftprec
