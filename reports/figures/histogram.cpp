#include "reports/figures/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec::figures {

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
  // A NaN of an error or a bound counts as infinite: see ratio_of.
  panel.largest = *std::ranges::max_element(ratios);
  return panel;
}

double percent_of(const HistogramPanel& panel, std::size_t bin) {
  return 100 * static_cast<double>(panel.counts[bin]) / static_cast<double>(panel.rows);
}

/// From 0 to a fifth above the largest share: room for the notes.
Axis percent_axis(std::span<const HistogramPanel> panels) {
  double most = 1;
  for (const HistogramPanel& panel : panels)
    for (std::size_t bin = 0; bin < panel.counts.size(); ++bin)
      most = std::max(most, percent_of(panel, bin));
  Axis axis = even_steps(0, 1.2 * most, "share of the rows, %", 7);
  axis.grid = true;
  return axis;
}

/// Powers of ten by their exponents, and the line at the bound.
Axis ratio_axis(const Histogram& histogram) {
  const auto bins = static_cast<double>(histogram.panels.front().counts.size());
  Axis axis{.low = histogram.first_exponent,
            .high = histogram.first_exponent + bins * histogram_step,
            .label = quantity_label(err_over_bound)};
  for (double k = axis.low; k <= axis.high; ++k)
    axis.ticks.push_back({k, {.text = "10", .superscript = fmt::format("{:.0f}", k)}});
  axis.rules.push_back({0, {.text = "bound"}, true});
  return axis;
}

Layer bars_of(const Histogram& histogram, std::size_t i) {
  const HistogramPanel& panel = histogram.panels[i];
  const std::string who = i == 0 ? panel.name : "mode " + panel.name;
  Layer layer{.form = Form::boxes,
              .part = "bars",
              .style = panel.style,
              .colour = i == 0 ? "soft" : series_class(panel.style),
              .opacity = 0.85};
  for (std::size_t bin = 0; bin < panel.counts.size(); ++bin) {
    if (panel.counts[bin] == 0) continue;
    const double begin = histogram.first_exponent + static_cast<double>(bin) * histogram_step;
    const double percent = percent_of(panel, bin);
    layer.spots.push_back(
        {.x = begin,
         .x2 = begin + histogram_step,
         .y2 = percent,
         .tip = fmt::format("{}\nerror / bound {} to {}\n{}, {} %", who,
                            short_number(std::pow(10.0, begin), 2),
                            short_number(std::pow(10.0, begin + histogram_step), 2),
                            counted(panel.counts[bin], "row"), short_number(percent))});
  }
  return layer;
}

std::vector<std::string> notes_of(const HistogramPanel& panel) {
  std::string first = counted(panel.rows, "row");
  if (panel.exact > 0) first += fmt::format(", {} exact", panel.exact);
  if (panel.not_finite > 0) first += fmt::format(", {} not finite", panel.not_finite);
  return {first, fmt::format("median {}", short_number(panel.median, 2)),
          fmt::format("largest {}", short_number(panel.largest, 2))};
}

FigureRequest histogram_request(FigureRequest request) {
  refuse_axes(request, false);
  complete_titles(request, "error_over_bound_histogram",
                  "How the error spreads below its worst-case bound");
  return request;
}

std::vector<Figure> draw_histogram(std::span<const Row> rows, const FigureRequest& asked,
                                   const NameOrders& orders) {
  const FigureRequest request = histogram_request(asked);
  const Histogram histogram = gather_histogram(selected_rows(rows, request.where), orders);
  if (histogram.panels.empty()) return {};
  return {histogram_figure(request.name, request.title, histogram)};
}

}  // namespace

PlotKind histogram_kind() { return {"histogram", histogram_request, draw_histogram}; }

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
    if (by_mode[row.where.mode()].empty()) shown.push_back(&row);
    by_mode[row.where.mode()].push_back(*ratio);
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

Figure histogram_figure(const std::string& name, const std::string& title,
                        const Histogram& histogram, bool own_axes) {
  Figure figure{.name = name,
                .title = title,
                .subtitle =
                    "every measured row that has a bound; exact and not finite ones stand in no "
                    "bar; above 1 a theorem or the arithmetic is wrong",
                .shared_y = !own_axes};
  const Axis x = ratio_axis(histogram);
  const Axis shared = percent_axis(histogram.panels);
  for (std::size_t i = 0; i < histogram.panels.size(); ++i) {
    const HistogramPanel& panel = histogram.panels[i];
    figure.panels.push_back(
        {.title = panel.name,
         .source = {"histogram", err_over_bound, "", "", i == 0 ? "" : "mode=" + panel.name, ""},
         .x = x,
         .y = own_axes ? percent_axis({&panel, 1}) : shared,
         .layers = {bars_of(histogram, i)},
         .notes = notes_of(panel)});
  }
  return figure;
}

}  // namespace fftprec::figures
