/// The kind `histogram`: how rows spread over err_l2_rel / bound_l2_rel, in quarters of a decade.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"
#include "reports/figures/figure.hpp"
#include "reports/figures/plot_kind.hpp"

namespace fftprec::figures {

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
  std::vector<HistogramPanel> panels{};
};

/// Width of a bin in decades.
inline constexpr double histogram_step = 0.25;

PlotKind histogram_kind();

/// All measured rows with a bound, not only those of one transform or machine; a ratio on the edge
/// of two bins is in the lower, so that one equal to its bound is not above it. From 10^-6 (or
/// the decade of the smallest ratio, if that is larger) to above the largest, at most 10^2; what
/// lies beyond is in the first or the last bin. Without such a row there are no panels.
Histogram gather_histogram(std::span<const Row> rows, const NameOrders& orders = {});

/// Bars in percent of the rows of each panel, with a line at the bound: for all modes, and for
/// each. All panels share their axes, or have their own with `own_axes`. Requires: a panel.
Figure histogram_figure(const std::string& name, const std::string& title,
                        const Histogram& histogram, bool own_axes = false);

}  // namespace fftprec::figures
