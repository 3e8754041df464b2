#include "reports/plots/plot_figure.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "arith/error.hpp"
#include "experiments/columns.hpp"
#include "reports/gates/gate_judge.hpp"
#include "reports/summary/error_table.hpp"

namespace fftprec {

namespace {

using Rows = std::vector<const Row*>;

/// Throws InputError unless every column of the request exists and x and y hold numbers.
void check_request(const FigureRequest& request) {
  std::vector<std::string> known;
  for (const Column& column : columns())
    if (holds_numbers(column)) known.emplace_back(column.name);
  if (std::find(known.begin(), known.end(), request.x) == known.end())
    throw unknown_name("column of numbers", request.x, known);
  check_plotted(request.y);
  column_named(request.series);
  if (!request.panel.empty()) column_named(request.panel);
}

/// Requires: not empty, every value finite.
Point point_of(const Rows& rows, const FigureRequest& request, double x) {
  std::vector<double> values;
  std::vector<double> positive;
  std::vector<double> expected;
  Point point{x, 0, 0, 0, rows.size(), 0, std::nullopt, std::nullopt};
  for (const Row* row : rows) {
    const double value = *plotted_value(*row, request.y);
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
  const Column& across = column_named(request.x);
  for (const Row* row : rows) by_x[*across.number(*row)].push_back(row);
  Series series = entry;
  for (const auto& [x, same_x] : by_x) series.points.push_back(point_of(same_x, request, x));
  return series;
}

}  // namespace

std::optional<double> plotted_value(const Row& row, const std::string& y) {
  const bool over_bound = y == err_over_bound;
  if (!over_bound && y != err_over_expected) return column_named(y).number(row);
  const std::optional<double>& model = over_bound ? row.bound_l2_rel : row.expected_l2_rel;
  if (!row.err_l2_rel || !model) return std::nullopt;
  return ratio_of(*row.err_l2_rel, *model);
}

void check_plotted(const std::string& y) {
  std::vector<std::string> known;
  for (const Column& column : columns())
    if (holds_numbers(column)) known.emplace_back(column.name);
  known.emplace_back(err_over_bound);
  known.emplace_back(err_over_expected);
  if (std::find(known.begin(), known.end(), y) == known.end())
    throw unknown_name("column of numbers", y, known);
}

Figure gather(std::span<const Row> rows, const FigureRequest& request, const NameOrders& orders) {
  check_request(request);
  Figure figure{request, {}, {}, {}, {}, 0};
  Rows shown;
  for (const Row& row : rows)
    if (row.status == Status::ok && selects(request.where, row) && plotted_value(row, request.y) &&
        column_named(request.x).number(row))
      shown.push_back(&row);
  if (shown.empty()) return figure;
  const HeldAxes axes =
      hold_axes(shown, {request.x, request.series, request.panel}, request.series);
  figure.held = axes.held;
  figure.pooled = axes.pooled;
  std::erase_if(shown, [keep = keeper(axes)](const Row* row) { return !keep(row); });
  const Column& across = column_named(request.x);
  figure.not_drawn = std::erase_if(shown, [&](const Row* row) {
    const double x = *across.number(*row);
    return !std::isfinite(*plotted_value(*row, request.y)) || !std::isfinite(x) || x <= 0;
  });

  const auto listed = orders.find(request.series);
  const std::vector<std::string> known =
      listed == orders.end() ? std::vector<std::string>() : listed->second;
  std::size_t next_style = known.size();
  for (const std::string& name : ordered_names(shown, request.series, orders)) {
    const auto rank = std::find(known.begin(), known.end(), name);
    const std::size_t style =
        rank == known.end() ? next_style++ : static_cast<std::size_t>(rank - known.begin());
    figure.legend.push_back({name, style, {}});
  }
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
