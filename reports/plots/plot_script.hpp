/// A figure as text for gnuplot: the data file and the script that draws it. Pure functions; the
/// same figure gives the same bytes.
#pragma once

#include <string>

#include "reports/plots/plot_figure.hpp"

namespace fftprec {

/// One block per panel and series, in the order in which the script refers to them.
std::string plot_data(const Figure& figure);

/// Draws NAME.dat as NAME.svg, or as NAME.png if the script is called with the argument png.
/// Error on a logarithmic axis with powers of ten, unit roundoffs marked at the right, zeros on a
/// line "exact" below; one panel per value of request.panel; a legend at the right.
/// Requires: at least one panel.
std::string plot_script(const Figure& figure);

}  // namespace fftprec
