/// The plot command of a panel: bands, bounds, expected values, medians; and the legend.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/plots/plot_figure.hpp"

namespace fftprec {

/// `text` with every control character made a space, so that it ends neither a comment nor a line.
std::string one_line(std::string_view text);

/// A gnuplot text in single quotes, on one line, taken literally where markup is off.
std::string quoted(std::string_view text);

/// The plot command of one panel. `block` is the number of its first block in the data file, and
/// moves on to that of the next panel. A titled curve is called by the style of its series and its
/// part: "3 median", "3 range", "3 bound", "3 expected", "3 exact".
std::string plot_curves(const Panel& panel, std::size_t& block, bool titled = false);

/// What the legend says, in its order: the series, then what else is drawn.
std::vector<std::string> legend_names(const Figure& figure);

/// The legend of all panels, to be added to the last panel's plot command.
std::string plot_legend(const Figure& figure);

}  // namespace fftprec
