#include "reports/plots/plot_histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/support/statistics.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_styles.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

constexpr int bins_per_decade = 4;
static_assert(bins_per_decade * histogram_step == 1);
constexpr int lowest_bin = -6 * bins_per_decade;
constexpr int highest_bin = 2 * bins_per_decade - 1;

/// The bin of a ratio above 0, numbered from that which begins at 1 with 0.
int bin_of(double ratio) {
  const double place = std::ceil(std::log10(ratio) / histogram_step) - 1;
  return static_cast<int>(std::clamp<double>(place, lowest_bin, highest_bin));
}

bool is_binned(double ratio) { return ratio > 0 && std::isfinite(ratio); }

/// Requires: not empty.
HistogramPanel panel_of(const std::string& name, std::size_t style,
                        const std::vector<double>& ratios, int first, std::size_t bins) {
  HistogramPanel panel{name, style, std::vector<std::size_t>(bins), ratios.size()};
  for (const double ratio : ratios) {
    if (is_binned(ratio))
      ++panel.counts[static_cast<std::size_t>(bin_of(ratio) - first)];
    else
      ++(ratio == 0 ? panel.exact : panel.not_finite);
  }
  panel.median = median(ratios);
  panel.largest = *std::max_element(ratios.begin(), ratios.end());
  return panel;
}

}  // namespace

Histogram gather_histogram(std::span<const Row> rows, const NameOrders& orders) {
  Histogram histogram;
  std::vector<const Row*> shown;
  std::map<std::string, std::vector<double>> by_mode;
  std::vector<double> all;
  const Plotted ratio_of = plotted(err_over_bound);
  for (const Row& row : rows) {
    if (row.status != Status::ok) continue;
    const auto ratio = ratio_of(row);
    if (!ratio) continue;
    if (by_mode[row.where.mode].empty()) shown.push_back(&row);
    by_mode[row.where.mode].push_back(*ratio);
    all.push_back(*ratio);
  }
  if (all.empty()) return histogram;

  int first = -2 * bins_per_decade;
  int last = 0;  // the bin that begins at the bound is always there
  for (const double ratio : all) {
    if (!is_binned(ratio)) continue;
    first = std::min(first, bin_of(ratio));
    last = std::max(last, bin_of(ratio));
  }
  const auto decade = static_cast<int>(std::floor(first * histogram_step));
  first = decade * bins_per_decade;
  const auto bins = static_cast<std::size_t>(last - first + 1);
  histogram.first_exponent = decade;
  const auto add = [&](const std::string& name, std::size_t style, const auto& ratios) {
    histogram.panels.push_back(panel_of(name, style, ratios, first, bins));
  };
  add("all modes", 0, all);
  const std::vector<std::string> names = ordered_names(shown, "mode", orders);
  const std::vector<std::size_t> styles = series_styles(names, listed_names(orders, "mode"));
  for (std::size_t i = 0; i < names.size(); ++i) add(names[i], styles[i], by_mode[names[i]]);
  return histogram;
}

double bin_percent(const HistogramPanel& panel, std::size_t bin) {
  return 100 * static_cast<double>(panel.counts[bin]) / static_cast<double>(panel.rows);
}

HistogramAxes histogram_axes(std::span<const HistogramPanel> panels, const Histogram& histogram) {
  const auto bins = static_cast<double>(histogram.panels.front().counts.size());
  HistogramAxes axes{histogram.first_exponent, histogram.first_exponent + bins * histogram_step, 1};
  for (const HistogramPanel& panel : panels)
    for (std::size_t bin = 0; bin < panel.counts.size(); ++bin)
      axes.percent = std::max(axes.percent, bin_percent(panel, bin));
  axes.percent *= 1.2;
  return axes;
}

std::string histogram_settings(const HistogramAxes& axes) {
  std::vector<Tic> tics;
  for (int k = static_cast<int>(axes.first); k <= std::floor(axes.last); ++k)
    tics.push_back({std::to_string(k), fmt::format("10^{{{}}}", k)});
  return fmt::format(
      "set xrange [{:g}:{:g}]\nset yrange [0:{:.4g}]\nset xtics {}\n"
      "set arrow from first 0, graph 0 to first 0, graph 1 nohead lw 1.5 lc '#222222'\n"
      "set label 'bound' at first 0, graph 0.95 right offset -0.5,0 front font ',10.5' "
      "textcolor '#333333'\n",
      axes.first, axes.last, axes.percent, tic_list(tics));
}

std::string histogram_data(const Histogram& histogram, std::size_t i) {
  const HistogramPanel& panel = histogram.panels[i];
  std::string data;
  for (std::size_t bin = 0; bin < panel.counts.size(); ++bin) {
    const double begin = histogram.first_exponent + static_cast<double>(bin) * histogram_step;
    data += fmt::format("{:g} {:g} {} {:.4g}\n", begin, begin + histogram_step, panel.counts[bin],
                        bin_percent(panel, bin));
  }
  return data;
}

std::string_view bar_colour(const Histogram& histogram, std::size_t i) {
  return i == 0 ? "#666666" : series_colour(histogram.panels[i].style);
}

std::string histogram_bars(const Histogram& histogram, std::size_t i, std::size_t block) {
  return fmt::format(
      "data index {} using (($1+$2)/2):4:($1):($2):(0):4 with boxxyerror fs solid 0.85 noborder lc "
      "'{}'",
      block, bar_colour(histogram, i));
}

Drawing histogram_drawing(const std::string& name, const Histogram& histogram, std::size_t i,
                          const PanelSize& size) {
  const HistogramPanel& panel = histogram.panels[i];
  std::string data =
      "# log10 of where the bin begins and ends, rows, percent\n" + histogram_data(histogram, i);
  std::string script = panel_header(name, size) +
                       panel_labels(quantity_label(err_over_bound), histogram_y_label, size) +
                       histogram_settings(histogram_axes({&panel, 1}, histogram)) + "plot " +
                       histogram_bars(histogram, i, 0) +
                       fmt::format(" title '{} bars'\nunset output\n", panel.style);
  return {.name = name, .data = std::move(data), .script = std::move(script)};
}

}  // namespace fftprec
