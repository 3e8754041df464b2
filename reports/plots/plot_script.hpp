/// A figure as text for gnuplot: the data file and the script that draws it. Pure functions; the
/// same figure gives the same bytes.
#pragma once

#include <string>

#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_grid.hpp"

namespace fftprec {

/// What stands beside the panels of `figure`.
GridTexts figure_texts(const Figure& figure);

/// One block per panel and series, in the order in which the script refers to them.
std::string plot_data(const Figure& figure);

/// Draws NAME.dat as NAME.svg, or as NAME.png or NAME.pdf if the script is called with the argument
/// png or pdf. Error on a logarithmic axis with powers of ten, unit roundoffs marked at the right,
/// zeros on a line "exact" below; one panel per value of request.panel; a legend at the right.
/// Requires: at least one panel.
std::string plot_script(const Figure& figure);

}  // namespace fftprec
