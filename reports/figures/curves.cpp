#include "reports/figures/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>

#include "algorithms/arithmetic/storage.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec::figures {

namespace {

using Rows = std::vector<const Row*>;

/// Throws InputError unless every column of the request but x exists and y can be drawn.
void check_curves(const FigureRequest& request) {
  check_plotted(request.y);
  column_named(request.series);
  if (!request.panel.empty()) column_named(request.panel);
}

/// Requires: not empty.
Point point_of(const Rows& rows, const FigureRequest& request, double x) {
  const Plotted y_of = plotted(request.y);
  std::vector<double> values;
  std::vector<double> finite;
  std::vector<double> positive;
  std::vector<double> expected;
  Point point{x, 0, 0, 0, rows.size(), 0};
  for (const Row* row : rows) {
    const double value = *y_of(*row);
    values.push_back(value);
    if (std::isfinite(value))
      finite.push_back(value);
    else
      ++point.not_finite;
    if (value == 0 && quantity_kind_of(request.y) == QuantityKind::size)
      ++point.zeros;
    else if (std::isfinite(value))
      positive.push_back(value);
    if (request.y != "err_l2_rel") continue;
    if (row->bound_l2_rel && std::isfinite(*row->bound_l2_rel))
      point.bound = std::max(point.bound.value_or(0), *row->bound_l2_rel);
    if (row->expected_l2_rel && std::isfinite(*row->expected_l2_rel))
      expected.push_back(*row->expected_l2_rel);
  }
  point.median = median(values);
  if (!positive.empty()) point.low = *std::ranges::min_element(positive);
  if (!finite.empty()) point.high = *std::ranges::max_element(finite);
  if (!expected.empty()) point.expected = median(expected);
  return point;
}

/// The name that separates rows: for `scale` only its stages if its input is the x axis.
std::string told_apart(const std::string& name, const std::string& axis,
                       const FigureRequest& request) {
  if (axis != "scale" || request.x != input_scale) return name;
  ScalePolicy scale = scale_policy_named(name);
  scale.input = 0;
  return name_of(scale);
}

std::vector<std::string> names_of(const Rows& rows, const std::string& axis,
                                  const FigureRequest& request, const NameOrders& orders) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const std::string& each : ordered_names(rows, axis, orders)) {
    const std::string name = told_apart(each, axis, request);
    if (seen.insert(name).second) names.push_back(name);
  }
  return names;
}

/// "scale stage:1/2": how stages scale all rows, if x is input_scale; empty for the default. Throws
/// InputError if rows with different scales of stages would share points.
std::string held_stages(const Rows& rows, const FigureRequest& request) {
  if (request.x != input_scale || request.series == "scale" || request.panel == "scale") return "";
  const std::vector<std::string> names = names_of(rows, "scale", request, {});
  if (names.size() > 1)
    throw InputError(
        fmt::format("x '{}': stages scale by {}; take scale as series or panel, or "
                    "filter one",
                    input_scale, fmt::join(names, ", ")));
  return is_default("scale", names.front()) ? "" : ", scale " + names.front();
}

/// Rows of one panel and series.
Series series_of(const Rows& rows, const FigureRequest& request, const Series& entry,
                 const Plotted& x_of) {
  std::map<double, Rows> by_x;
  for (const Row* row : rows) by_x[*x_of(*row)].push_back(row);
  Series series = entry;
  for (const auto& [x, same_x] : by_x) series.points.push_back(point_of(same_x, request, x));
  return series;
}

template <class Use>
void each_point(std::span<const CurvePanel> panels, Use use) {
  for (const CurvePanel& panel : panels)
    for (const Series& series : panel.series)
      for (const Point& point : series.points) use(point);
}

template <class Holds>
bool any_point(std::span<const CurvePanel> panels, Holds holds) {
  bool any = false;
  each_point(panels, [&](const Point& point) { any = any || holds(point); });
  return any;
}

bool has_bound(const Point& point) { return point.bound.has_value(); }
bool has_expected(const Point& point) { return point.expected.has_value(); }
bool has_range(const Point& point) { return point.low < point.high; }
bool is_failed(const Point& point) { return !std::isfinite(point.median); }

/// From 0 for levels, about 1 for gains.
Axis linear_axis(std::span<const CurvePanel> panels, const std::string& y) {
  const bool is_level = quantity_kind_of(y) == QuantityKind::level;
  Range range;
  range.add(is_level ? 0 : 1);
  each_point(panels, [&range](const Point& point) {
    if (point.not_finite == point.count) return;
    range.add(point.low);
    range.add(point.high);
  });
  if (y != "bits_l2") {
    const double margin = std::max(is_level ? 1 : 1e-12, 0.05 * (range.high - range.low));
    Axis axis = even_steps(range.low < 0 || !is_level ? range.low - margin : 0, range.high + margin,
                           quantity_label(y), 8);
    if (!is_level) axis.rules.push_back({1, {.text = "unbiased"}});
    return axis;
  }
  const int step = range.high - range.low > 40 ? 8 : 4;
  const int first = static_cast<int>(std::floor(range.low / step)) * step;
  const int last = static_cast<int>(std::ceil(range.high / step)) * step;
  Axis axis{.low = 1.0 * first, .high = 1.0 * last, .label = quantity_label(y)};
  for (int bits = first; bits <= last; bits += step)
    axis.ticks.push_back({1.0 * bits, {.text = std::to_string(bits)}});
  add_roundoffs(axis);
  return axis;
}

/// Of unit roundoffs, and of the bound or the expected value itself.
void add_rules(const std::string& y, Axis& axis) {
  if (y.ends_with("_rel")) add_roundoffs(axis);
  const bool has_one = axis.low < 1 && 1 < axis.high;
  if (y == err_over_bound && has_one) axis.rules.push_back({1, {.text = "bound"}});
  if (y == err_over_expected && has_one) axis.rules.push_back({1, {.text = "expected"}});
}

Axis y_axis(std::span<const CurvePanel> panels, const std::string& y) {
  if (quantity_kind_of(y) != QuantityKind::size) {
    Axis axis = linear_axis(panels, y);
    axis.grid = true;
    return axis;
  }
  Range range;
  each_point(panels, [&range](const Point& point) {
    for (const double value :
         {point.low, point.median, point.high, point.bound.value_or(0), point.expected.value_or(0)})
      range.add_positive(value);
  });
  Axis axis =
      decades(range, quantity_label(y),
              any_point(panels, [](const Point& point) { return point.zeros > 0; }), "exact");
  axis.grid = true;
  add_rules(y, axis);
  return axis;
}

/// A number as text; a gain by its distance from 1.
std::string number_text(const std::string& y, double value) {
  return short_number(value, quantity_kind_of(y) == QuantityKind::gain ? gain_digits : 3);
}

std::string tip_of(const Curves& curves, const std::string& panel, const std::string& series,
                   const Point& point) {
  const FigureRequest& request = curves.request;
  std::string tip = tip_line({{request.panel, panel},
                              {request.series, series},
                              {request.x, fmt::format("{:.10g}", point.x)}}) +
                    "\n" + curves.held + "\n" + request.y + " " +
                    (point.median == 0 && point.zeros > 0 ? std::string("exact")
                                                          : number_text(request.y, point.median));
  if (point.count > 1) {
    tip += fmt::format(" (median of {} rows", point.count);
    if (has_range(point))
      tip += fmt::format(", {} to {}", number_text(request.y, point.low),
                         number_text(request.y, point.high));
    if (point.zeros > 0) tip += fmt::format(", {} exact", point.zeros);
    if (point.not_finite > 0) tip += fmt::format(", {} not finite", point.not_finite);
    tip += ")";
  }
  return tip + tip_models(point.bound, point.expected);
}

constexpr const char* bound_dashes = "9,5";
constexpr const char* expected_dashes = "1.5,4";

/// The layers of one series. `opacity` is for its range.
class SeriesLayers {
 public:
  SeriesLayers(const Curves& curves, const CurvePanel& panel, const Series& series)
      : curves_(curves), panel_(panel), series_(series) {}

  /// A band, or bars where there is but one point.
  Layer range(double opacity) const {
    const bool single = series_.points.size() == 1;
    Layer layer = named("range", single ? Form::whiskers : Form::band);
    layer.opacity = opacity;
    if (std::ranges::any_of(series_.points, has_range))
      for (const Point& point : series_.points)
        if (point.not_finite < point.count)
          layer.spots.push_back({.x = point.x, .y = point.low, .y2 = point.high});
    return layer;
  }

  Layer model(const std::string& part, std::optional<double> Point::*value, double width,
              const char* dashes) const {
    Layer layer = named(part, Form::line);
    layer.width = width;
    layer.dashes = dashes;
    for (const Point& point : series_.points)
      if (const std::optional<double>& y = point.*value)
        layer.spots.push_back({.x = point.x, .y = *y});
    return layer;
  }

  /// Crosses at `top` where the median is not finite.
  Layer failed(double top) const {
    Layer layer = named("failed", Form::points);
    layer.colour = "bad";
    layer.mark = Mark::cross;
    for (const Point& point : series_.points)
      if (is_failed(point))
        layer.spots.push_back({.x = point.x, .y = top, .tip = tip(point), .where = where(point)});
    return layer;
  }

  /// Marks on the line of exact results, each series a little aside, where only some are exact.
  Layer exact(double octaves) const {
    Layer layer = named("exact", Form::points);
    layer.mark = series_mark(series_.style);
    for (const Point& point : series_.points)
      if (point.zeros > 0 && point.median > 0)
        layer.spots.push_back(
            {.x = point.x * std::exp2(octaves), .tip = tip(point), .where = where(point)});
    return layer;
  }

  Layer median() const {
    Layer layer = named("median", Form::line);
    layer.mark = series_mark(series_.style);
    layer.width = 1.8;
    layer.dashes = series_dashes(series_.style);
    for (const Point& point : series_.points)
      layer.spots.push_back(
          {.x = point.x, .y = point.median, .tip = tip(point), .where = where(point)});
    return layer;
  }

 private:
  Layer named(const std::string& part, Form form) const {
    const std::string what = part == "bound"      ? "worst-case bound"
                             : part == "expected" ? "expected value"
                             : part == "exact"    ? "some results are exact"
                             : part == "failed"   ? "not finite"
                                                  : part;
    return {.form = form,
            .part = part,
            .style = series_.style,
            .colour = series_class(series_.style),
            .tip = series_.name + ": " + what,
            .where = curves_.request.series + "=" + series_.name};
  }
  std::string tip(const Point& point) const {
    return tip_of(curves_, panel_.name, series_.name, point);
  }
  std::string where(const Point& point) const {
    return curves_.request.x + "=" + shortest(point.x);
  }

  const Curves& curves_;
  const CurvePanel& panel_;
  const Series& series_;
};

std::vector<Layer> layers_of(const Curves& curves, const CurvePanel& panel, const Axis& y) {
  // Many bands on top of one another hide the lines, and which band is whose.
  const double opacity = panel.series.size() <= 4 ? 0.16 : 0.07;
  std::vector<Layer> bands;
  std::vector<Layer> models;
  std::vector<Layer> lines;
  double octaves = -0.06 * static_cast<double>(panel.series.size() + 1);
  for (const Series& series : panel.series) {
    octaves += 0.12;
    const SeriesLayers layers(curves, panel, series);
    bands.push_back(layers.range(opacity));
    models.push_back(layers.model("bound", &Point::bound, 1, bound_dashes));
    models.push_back(layers.model("expected", &Point::expected, 1.5, expected_dashes));
    lines.push_back(layers.exact(octaves));
    lines.push_back(layers.failed(y.high));
    lines.push_back(layers.median());
  }
  for (std::vector<Layer>* more : {&models, &lines})
    bands.insert(bands.end(), more->begin(), more->end());
  return bands;
}

std::vector<LegendEntry> legend_of(const Curves& curves) {
  std::vector<LegendEntry> legend;
  for (const Series& series : curves.legend)
    legend.push_back(series_entry(series.name, series.style));
  if (any_point(curves.panels, has_range))
    legend.push_back(
        {"range", {.form = Form::band, .part = "range", .colour = "line", .opacity = 0.5}});
  if (any_point(curves.panels, has_expected))
    legend.push_back(
        {"expected",
         {.part = "expected", .colour = "soft", .width = 1.5, .dashes = expected_dashes}});
  if (any_point(curves.panels, is_failed))
    legend.push_back(
        {"not finite",
         {.form = Form::points, .part = "failed", .colour = "bad", .mark = Mark::cross}});
  if (any_point(curves.panels, has_bound))
    legend.push_back(
        {"worst-case bound", {.part = "bound", .colour = "soft", .dashes = bound_dashes}});
  return legend;
}

FigureRequest curves_request(FigureRequest request) {
  if (request.x.empty()) request.x = "n";
  if (request.series.empty()) request.series = "mode";
  complete(request, "err_l2_rel", request.series == "algorithm" ? "mode" : "algorithm");
  complete_titles(request, request.y + "_vs_" + request.x + "_by_" + request.series,
                  request.y + " against " + request.x + ", by " + request.series);
  return request;
}

std::vector<Figure> draw_curves(std::span<const Row> rows, const FigureRequest& request,
                                const NameOrders& orders) {
  const Curves curves = gather_curves(rows, request, orders);
  if (curves.panels.empty()) return {};
  return {curves_figure(curves)};
}

}  // namespace

PlotKind lines_kind() { return {"lines", curves_request, draw_curves}; }

Curves gather_curves(std::span<const Row> rows, const FigureRequest& asked,
                     const NameOrders& orders, Plotted x_of) {
  const FigureRequest request = curves_request(asked);
  check_curves(request);
  if (!x_of) {
    check_plotted(request.x);
    x_of = plotted(request.x);
  }
  Curves curves{.request = request};
  const Plotted y_of = plotted(request.y);
  Rows shown;
  for (const Row& row : rows)
    if (row.status == Status::ok && selects(request.where, row) && y_of(row) && x_of(row))
      shown.push_back(&row);
  if (shown.empty()) return curves;
  const FixedAxes axes = fix_axes(
      shown, {request.x == input_scale ? "scale" : request.x, request.series, request.panel},
      request.series);
  curves.pooled = axes.pooled;
  curves.where = axes.where();
  std::erase_if(shown, [keep = row_filter(axes)](const Row* row) { return !keep(row); });
  curves.held = axes.held + held_stages(shown, request);
  curves.not_drawn = std::erase_if(shown, [&](const Row* row) {
    const double x = *x_of(*row);
    const bool is_exact = quantity_kind_of(request.y) == QuantityKind::level &&
                          *y_of(*row) == std::numeric_limits<double>::infinity();
    return is_exact || !std::isfinite(x) || x <= 0;
  });
  curves.not_finite = static_cast<std::size_t>(
      std::ranges::count_if(shown, [&](const Row* row) { return !std::isfinite(*y_of(*row)); }));

  const std::vector<std::string> names = names_of(shown, request.series, request, orders);
  const std::vector<std::size_t> styles =
      series_styles(names, listed_names(orders, request.series));
  for (std::size_t i = 0; i < names.size(); ++i) curves.legend.push_back({names[i], styles[i]});
  std::map<std::pair<std::string, std::string>, Rows> groups;
  const auto cell = [&request](const Row& row, const std::string& axis) {
    return told_apart(axis_text(row, axis), axis, request);
  };
  for (const Row* row : shown)
    groups[{cell(*row, request.panel), cell(*row, request.series)}].push_back(row);
  for (const std::string& panel : names_of(shown, request.panel, request, orders)) {
    curves.panels.push_back({panel, {}});
    for (const Series& entry : curves.legend)
      if (const auto group = groups.find({panel, entry.name}); group != groups.end())
        curves.panels.back().series.push_back(series_of(group->second, request, entry, x_of));
  }
  return curves;
}

Figure curves_figure(const Curves& curves) {
  const FigureRequest& request = curves.request;
  Figure figure{.name = request.name,
                .title = request.title,
                .subtitle = curves.held,
                .legend = legend_of(curves),
                .shared_y = !request.own_y_range};
  if (!curves.pooled.empty()) figure.subtitle += "; median and range over " + curves.pooled;
  if (curves.not_finite > 0)
    figure.subtitle += "; " + counted(curves.not_finite, "row") + " not finite";
  if (curves.not_drawn > 0)
    figure.subtitle += "; " + counted(curves.not_drawn, "row") + " not drawn";
  Range lengths;
  each_point(curves.panels, [&lengths](const Point& point) { lengths.add(point.x); });
  const Axis x = octaves(lengths, quantity_label(request.x));
  const Axis shared = y_axis(curves.panels, request.y);
  for (const CurvePanel& panel : curves.panels) {
    const Axis y = request.own_y_range ? y_axis({&panel, 1}, request.y) : shared;
    figure.panels.push_back(
        {.title = panel.name,
         .source = {"lines", request.x, request.y,
                    fmt::format("{}", fmt::join(request.where.texts, " and ")),
                    request.panel.empty() ? "" : request.panel + "=" + panel.name, curves.where},
         .x = x,
         .y = y,
         .layers = layers_of(curves, panel, y)});
  }
  return figure;
}

}  // namespace fftprec::figures
