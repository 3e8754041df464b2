#include "reports/plots/plot_figure.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "experiments/rows/columns.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/plots/plot_styles.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

using Rows = std::vector<const Row*>;

/// Throws InputError unless every column of the request exists and x and y can be drawn.
void check_request(const FigureRequest& request) {
  check_plotted(request.x);
  check_plotted(request.y);
  column_named(request.series);
  if (!request.panel.empty()) column_named(request.panel);
}

/// Requires: not empty, every value finite.
Point point_of(const Rows& rows, const FigureRequest& request, double x) {
  const Plotted y_of = plotted(request.y);
  std::vector<double> values;
  std::vector<double> positive;
  std::vector<double> expected;
  Point point{x, 0, 0, 0, rows.size(), 0, std::nullopt, std::nullopt};
  for (const Row* row : rows) {
    const double value = *y_of(*row);
    values.push_back(value);
    if (value == 0)
      ++point.zeros;
    else
      positive.push_back(value);
    if (request.y != "err_l2_rel") continue;
    if (row->bound_l2_rel && std::isfinite(*row->bound_l2_rel))
      point.bound = std::max(point.bound.value_or(0), *row->bound_l2_rel);
    if (row->expected_l2_rel && std::isfinite(*row->expected_l2_rel))
      expected.push_back(*row->expected_l2_rel);
  }
  point.median = median(values);
  if (!positive.empty()) point.low = *std::min_element(positive.begin(), positive.end());
  point.high = *std::max_element(values.begin(), values.end());
  if (!expected.empty()) point.expected = median(expected);
  return point;
}

/// Rows of one panel and series.
Series series_of(const Rows& rows, const FigureRequest& request, const Series& entry) {
  std::map<double, Rows> by_x;
  const Plotted x_of = plotted(request.x);
  for (const Row* row : rows) by_x[*x_of(*row)].push_back(row);
  Series series = entry;
  for (const auto& [x, same_x] : by_x) series.points.push_back(point_of(same_x, request, x));
  return series;
}

}  // namespace

Figure gather(std::span<const Row> rows, const FigureRequest& request, const NameOrders& orders) {
  check_request(request);
  Figure figure{request, {}, {}, {}, {}, 0};
  const Plotted x_of = plotted(request.x);
  const Plotted y_of = plotted(request.y);
  Rows shown;
  for (const Row& row : rows)
    if (row.status == Status::ok && selects(request.where, row) && y_of(row) && x_of(row))
      shown.push_back(&row);
  if (shown.empty()) return figure;
  const HeldAxes axes =
      hold_axes(shown, {request.x, request.series, request.panel}, request.series);
  figure.held = axes.held;
  figure.pooled = axes.pooled;
  std::erase_if(shown, [keep = keeper(axes)](const Row* row) { return !keep(row); });
  figure.not_drawn = std::erase_if(shown, [&](const Row* row) {
    const double x = *x_of(*row);
    return !std::isfinite(*y_of(*row)) || !std::isfinite(x) || x <= 0;
  });

  const std::vector<std::string> names = ordered_names(shown, request.series, orders);
  const std::vector<std::size_t> styles =
      series_styles(names, listed_names(orders, request.series));
  for (std::size_t i = 0; i < names.size(); ++i) figure.legend.push_back({names[i], styles[i], {}});
  std::map<std::pair<std::string, std::string>, Rows> groups;
  for (const Row* row : shown)
    groups[{axis_text(*row, request.panel), axis_text(*row, request.series)}].push_back(row);
  for (const std::string& panel : ordered_names(shown, request.panel, orders)) {
    figure.panels.push_back({panel, {}});
    for (const Series& entry : figure.legend)
      if (const auto group = groups.find({panel, entry.name}); group != groups.end())
        figure.panels.back().series.push_back(series_of(group->second, request, entry));
  }
  return figure;
}

}  // namespace fftprec
