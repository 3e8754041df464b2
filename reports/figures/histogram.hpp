/// The kind `histogram`: the distribution of err_l2_rel / bound_l2_rel, in quarters of a decade.
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
  std::size_t exact = 0;       ///< of these rows, with a ratio of 0
  std::size_t not_finite = 0;  ///< of these rows, with a ratio that is NaN or infinite
  double median = 0;           ///< of the ratios
  double largest = 0;
};

struct Histogram {
  double first_exponent = 0;  ///< log10 of the start of the first bin, which has all smaller ones
  std::vector<HistogramPanel> panels{};
};

/// Width of a bin in decades.
inline constexpr double histogram_step = 0.25;

PlotKind histogram_kind();

/// The histogram of all measured rows with a bound, of every transform and machine. A ratio on the
/// edge of two bins is in the lower one, so that an error equal to its bound is not above it. Bins
/// go from 10^-6 (or the decade of the smallest ratio, if that is larger) to above the largest
/// ratio, at most 10^2; the first and the last bin have the ratios beyond. Without such a row there
/// are no panels.
Histogram gather_histogram(std::span<const Row> rows, const NameOrders& orders = {});

/// Bars in percent of the rows of each panel, with a line at the bound: for all modes, and for
/// each. All panels share their axes, or have their own with `own_axes`. Requires: a panel.
Figure histogram_figure(const std::string& name, const std::string& title,
                        const Histogram& histogram, bool own_axes = false);

}  // namespace fftprec::figures
