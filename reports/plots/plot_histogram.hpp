/// How rows spread over err_l2_rel / bound_l2_rel: counts per quarter of a decade. Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_panel.hpp"
#include "reports/plots/plot_process.hpp"

namespace fftprec {

/// The rows of one mode, or of all.
struct HistogramPanel {
  std::string name;   ///< the mode; "all modes" for the first
  std::size_t style;  ///< of the mode
  std::vector<std::size_t> counts;
  std::size_t rows = 0;        ///< with an error and a bound
  std::size_t exact = 0;       ///< of them with a ratio of 0
  std::size_t not_finite = 0;  ///< of them with a ratio that is NaN or infinite
  double median = 0;           ///< of the ratios
  double largest = 0;
};

struct Histogram {
  double first_exponent = 0;  ///< log10 of where the first bin begins; less is in it too
  std::vector<HistogramPanel> panels;
};

/// Width of a bin in decades.
inline constexpr double histogram_step = 0.25;

/// All measured rows with a bound, not only those of one transform or machine; a ratio on the edge
/// of two bins is in the lower, so that one equal to its bound is not above it. From 10^-6 (or
/// the decade of the smallest ratio, if that is larger) to above the largest, at most 10^2; what
/// lies beyond is in the first or the last bin. Without such a row there are no panels.
Histogram gather_histogram(std::span<const Row> rows, const NameOrders& orders = {});

/// Percent of the rows of the panel.
double bin_percent(const HistogramPanel& panel, std::size_t bin);

inline constexpr const char* histogram_y_label = "share of the rows, %";

struct HistogramAxes {
  double first;  ///< log10 of the ratio
  double last;
  double percent;  ///< the upper end; the lower is 0
};

/// For these panels of `histogram` together.
HistogramAxes histogram_axes(std::span<const HistogramPanel> panels, const Histogram& histogram);

/// Axes and the line at the bound, as settings of gnuplot.
std::string histogram_settings(const HistogramAxes& axes);

/// The block of the data file for panel i, and its curve; `block` is the number of that block.
std::string histogram_data(const Histogram& histogram, std::size_t i);
std::string histogram_bars(const Histogram& histogram, std::size_t i, std::size_t block);

/// Grey for all modes, that of the mode else.
std::string_view bar_colour(const Histogram& histogram, std::size_t i);

/// Bars in percent of the rows of the panel, with a line at the bound. Requires: i < panels.
Drawing histogram_drawing(const std::string& name, const Histogram& histogram, std::size_t i,
                          const PanelSize& size);

}  // namespace fftprec
