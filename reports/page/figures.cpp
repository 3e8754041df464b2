#include <fmt/format.h>

#include <algorithm>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "reports/figures/heatmap.hpp"
#include "reports/page/data.hpp"

namespace fftprec::page {

using figures::CurvePanel;
using figures::Curves;
using figures::gather_costs;
using figures::gather_curves;
using figures::Point;
using figures::Series;

namespace {

constexpr std::size_t most_views = 48;  ///< of each kind
constexpr std::size_t most_lengths = 8;

/// The rows with this value, whatever its letters; a filter's text would need none of its own.
Selection rows_with(const std::string& axis, const std::string& value) {
  Selection selection;
  selection.texts = {axis + "=" + value};
  selection.filter.conditions.push_back(
      {&column_named(axis), Comparison::equal, {{value, std::nullopt, std::nullopt}}});
  return selection;
}

std::vector<std::string> measured_names(std::span<const Row> rows, const std::string& axis,
                                        const NameOrders& orders) {
  const Column& column = column_named(axis);
  std::map<std::string, const Row*> first;
  for (const Row& row : rows)
    if (row.status == Status::ok && row.err_l2_rel) first.try_emplace(column.text(row), &row);
  std::vector<const Row*> samples;
  for (const auto& [name, row] : first) samples.push_back(row);
  return ordered_names(samples, axis, orders);
}

/// Drops bounds such as 10^20, which are useless and would flatten the figure. Returns a text about
/// what it dropped.
std::string drop_void_models(Curves& curves) {
  double limit = 10;
  for (const CurvePanel& panel : curves.panels)
    for (const Series& series : panel.series)
      for (const Point& point : series.points) limit = std::max(limit, 10 * point.high);
  std::size_t dropped = 0;
  for (CurvePanel& panel : curves.panels)
    for (Series& series : panel.series)
      for (Point& point : series.points)
        for (std::optional<double>* model : {&point.bound, &point.expected})
          if (*model > limit) {
            model->reset();
            ++dropped;
          }
  if (dropped == 0) return {};
  return " Bounds and expected values above " + short_number(limit) + " are not drawn.";
}

void add_views(ReportFigures& gathered, std::span<const Row> rows, const std::string& axis,
               const std::string& series, const NameOrders& orders) {
  std::size_t count = 0;
  for (const std::string& name : measured_names(rows, axis, orders)) {
    if (++count > most_views) {
      gathered.views_left_out.push_back(axis + " " + name);
      continue;
    }
    const FigureRequest request{.name = "view",
                                .title = axis + " " + name,
                                .series = series,
                                .panel = axis,
                                .where = rows_with(axis, name)};
    Curves curves = gather_curves(rows, request, orders);
    curves.request.where = {};  // the panel says it
    if (curves.panels.empty() || curves.panels.front().series.empty()) continue;
    const std::string note = drop_void_models(curves);
    gathered.views.push_back(
        {fmt::format("view-{}", gathered.views.size()), axis, name, std::move(curves), note});
  }
}

std::vector<figures::Costs> cost_figures(std::span<const Row> rows, const NameOrders& orders) {
  std::vector<std::uint64_t> lengths;
  for (const std::uint64_t n : figures::measured_lengths(rows))
    if (gather_costs(rows, "real_multiplications", n, orders).points.size() > 1)
      lengths.push_back(n);
  std::vector<figures::Costs> all;
  for (const std::uint64_t n : figures::spread_lengths(lengths, most_lengths))
    for (const std::string_view cost : figures::default_costs())
      all.push_back(gather_costs(rows, std::string(cost), n, orders));
  return all;
}

SweepPlot own_plot(std::span<const Row> rows, const FigureRequest& asked,
                   const NameOrders& orders) {
  SweepPlot plot{figures::completed(asked).title};
  try {
    plot.drawn = figures::plot_kind_named(asked.kind).draw(rows, asked, orders);
    if (plot.drawn.empty()) plot.problem = "no row to draw";
  } catch (const InputError& error) {
    plot.problem = error.what();
  }
  return plot;
}

}  // namespace

ReportFigures gather_report_figures(std::span<const Row> rows, const NameOrders& orders,
                                    std::span<const FigureRequest> plots) {
  ReportFigures gathered;
  for (const FigureRequest& asked : plots) gathered.own.push_back(own_plot(rows, asked, orders));
  if (std::ranges::any_of(rows, [](const Row& row) { return row.over_seeds != nullptr; }))
    gathered.own.push_back(own_plot(rows, {.kind = "tail"}, orders));
  add_views(gathered, rows, "algorithm", "mode", orders);
  add_views(gathered, rows, "mode", "algorithm", orders);
  gathered.by_algorithm =
      gather_curves(rows, {.name = "algorithm", .title = "Error against transform length"}, orders);
  gathered.by_input = gather_curves(
      rows, {.name = "input", .title = "Error against transform length", .panel = "input"}, orders);
  gathered.by_algorithm_note = drop_void_models(gathered.by_algorithm);
  gathered.by_input_note = drop_void_models(gathered.by_input);
  gathered.bits = figures::heat_map_kind().draw(
      rows, {.name = "bits", .title = "Bits correct", .y = "bits_l2", .series = "mode"}, orders);
  gathered.costs = cost_figures(rows, orders);
  gathered.histogram = figures::gather_histogram(rows, orders);
  return gathered;
}

}  // namespace fftprec::page
