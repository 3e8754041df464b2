/// The histogram of error over bound as a figure of its own: a panel for all modes, and one for
/// each.
#pragma once

#include <string>

#include "reports/plots/plot_grid.hpp"
#include "reports/plots/plot_histogram.hpp"

namespace fftprec {

GridTexts histogram_texts(const std::string& name, const std::string& title,
                          const Histogram& histogram);

/// "400 rows, 3 exact" and "median 0.05, largest 0.28".
std::vector<std::string> histogram_notes(const HistogramPanel& panel);

/// All panels on the same axes. Requires: at least one panel.
Drawing histograms_drawing(const std::string& name, const std::string& title,
                           const Histogram& histogram);

}  // namespace fftprec
