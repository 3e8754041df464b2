#include "reports/plot_figure.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "arith/error.hpp"
#include "experiments/columns.hpp"
#include "experiments/decimal.hpp"
#include "reports/error_table.hpp"

namespace fftprec {

namespace {

using Rows = std::vector<const Row*>;

std::optional<double> value_of(const Row& row, const std::string& y) {
  if (y != err_over_bound) return column_named(y).number(row);
  if (!row.err_l2_rel || !row.bound_l2_rel) return std::nullopt;
  return *row.err_l2_rel / *row.bound_l2_rel;
}

std::string axis_text(const Row& row, const std::string& axis) {
  return axis.empty() ? std::string() : column_named(axis).text(row);
}

/// Throws InputError unless every column of the request exists and x and y hold numbers.
void check_request(const FigureRequest& request) {
  std::vector<std::string> known;
  for (const Column& column : columns())
    if (holds_numbers(column)) known.emplace_back(column.name);
  const auto check = [&known](const std::string& name) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw unknown_name("column of numbers", name, known);
  };
  check(request.x);
  known.emplace_back(err_over_bound);
  check(request.y);
  column_named(request.series);
  if (!request.panel.empty()) column_named(request.panel);
}

/// Numbers before names, numbers by size, names as listed and then by the alphabet.
std::vector<std::string> ordered(const std::set<std::string>& names,
                                 const std::vector<std::string>& listed) {
  const auto rank = [&listed](const std::string& name) {
    return std::find(listed.begin(), listed.end(), name) - listed.begin();
  };
  std::vector<std::string> order(names.begin(), names.end());
  std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    const auto number_a = parse_double(a);
    const auto number_b = parse_double(b);
    if (number_a && number_b) return *number_a < *number_b;
    return rank(a) < rank(b);
  });
  return order;
}

std::set<std::string> names_of(const Rows& rows, const std::string& axis) {
  std::set<std::string> names;
  for (const Row* row : rows) names.insert(axis_text(*row, axis));
  return names;
}

/// The value at which an axis is held: the default of a case if there is one, else the commonest.
std::string held_value(const Rows& rows, const std::string& axis) {
  std::map<std::string, std::size_t> counts;
  for (const Row* row : rows) ++counts[axis_text(*row, axis)];
  const std::string usual = axis_text(Row{}, axis);
  if (counts.contains(usual)) return usual;
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// The values of `axis` that every series has, so that series are compared on the same problems.
/// Inputs share no problem, and so need no common seeds. Empty if no value is common to all.
std::set<std::string> common_names(const Rows& rows, const std::string& axis,
                                   const FigureRequest& request) {
  if (request.series == "input") return {};
  std::map<std::string, std::set<std::string>> by_series;
  for (const Row* row : rows)
    by_series[axis_text(*row, request.series)].insert(axis_text(*row, axis));
  std::set<std::string> common = names_of(rows, axis);
  for (const auto& [series, names] : by_series)
    std::erase_if(common,
                  [&names = names](const std::string& name) { return !names.contains(name); });
  return common;
}

/// Holds every axis that the figure neither spreads out nor pools, and says so in the figure.
Rows hold_axes(Rows rows, Figure& figure) {
  const FigureRequest& request = figure.request;
  const auto add = [](std::string& list, const std::string& comma, const std::string& text) {
    list += (list.empty() ? "" : comma) + text;
  };
  for (const std::string& axis : axis_names()) {
    if (axis == request.x || axis == request.series || axis == request.panel) continue;
    if (axis == "seed" || axis == "input") {
      const std::set<std::string> common = common_names(rows, axis, request);
      if (!common.empty())
        std::erase_if(rows,
                      [&](const Row* row) { return !common.contains(axis_text(*row, axis)); });
      const std::set<std::string> names = names_of(rows, axis);
      if (names.size() > 1)
        add(figure.pooled, " and ", std::to_string(names.size()) + " " + axis + "s");
      else if (axis == "input")
        add(figure.held, ", ", axis + " " + *names.begin());
      continue;
    }
    const std::string value = held_value(rows, axis);
    std::erase_if(rows, [&](const Row* row) { return axis_text(*row, axis) != value; });
    if (axis != "batch" || value != "1") add(figure.held, ", ", axis + " " + value);
  }
  return rows;
}

/// Requires: not empty, every value finite.
Point point_of(const Rows& rows, const FigureRequest& request, double x) {
  std::vector<double> values;
  std::vector<double> positive;
  std::vector<double> expected;
  Point point{x, 0, 0, 0, rows.size(), 0, std::nullopt, std::nullopt};
  for (const Row* row : rows) {
    const double value = *value_of(*row, request.y);
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

Series series_of(const Rows& rows, const FigureRequest& request, const Series& entry,
                 const std::string& panel) {
  std::map<double, Rows> by_x;
  for (const Row* row : rows)
    if (axis_text(*row, request.series) == entry.name && axis_text(*row, request.panel) == panel)
      by_x[*column_named(request.x).number(*row)].push_back(row);
  Series series = entry;
  for (const auto& [x, same_x] : by_x) series.points.push_back(point_of(same_x, request, x));
  return series;
}

}  // namespace

Figure gather(std::span<const Row> rows, const FigureRequest& request, const NameOrders& orders) {
  check_request(request);
  Figure figure{request, {}, {}, {}, {}, 0};
  Rows shown;
  for (const Row& row : rows)
    if (row.status == Status::ok && selects(request.where, row) && value_of(row, request.y) &&
        column_named(request.x).number(row))
      shown.push_back(&row);
  if (shown.empty()) return figure;
  shown = hold_axes(shown, figure);
  figure.not_drawn = std::erase_if(shown, [&](const Row* row) {
    const double x = *column_named(request.x).number(*row);
    return !std::isfinite(*value_of(*row, request.y)) || !std::isfinite(x) || x <= 0;
  });

  const auto listed = [&orders](const std::string& axis) {
    const auto found = orders.find(axis);
    return found == orders.end() ? std::vector<std::string>() : found->second;
  };
  const std::vector<std::string> known = listed(request.series);
  std::size_t next_style = known.size();
  for (const std::string& name : ordered(names_of(shown, request.series), known)) {
    const auto rank = std::find(known.begin(), known.end(), name);
    const std::size_t style =
        rank == known.end() ? next_style++ : static_cast<std::size_t>(rank - known.begin());
    figure.legend.push_back({name, style, {}});
  }
  for (const std::string& panel : ordered(names_of(shown, request.panel), listed(request.panel))) {
    figure.panels.push_back({panel, {}});
    for (const Series& entry : figure.legend) {
      const Series series = series_of(shown, request, entry, panel);
      if (!series.points.empty()) figure.panels.back().series.push_back(series);
    }
  }
  return figure;
}

}  // namespace fftprec
