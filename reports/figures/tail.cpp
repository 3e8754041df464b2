#include "reports/figures/tail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/seed_statistics.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"

namespace fftprec::figures {

namespace {

/// A bound this many times beyond the largest error is named below the panel, not in it.
constexpr double most_beyond = 1.6;

/// The errors of a row in one metric.
struct Tail {
  const Row* row;
  const ErrorSummary* errors;
  std::vector<ErrorSummary::Share> shares;  ///< not empty
  std::size_t style;
  std::string name;  ///< of the series
  double unit;       ///< error of the axis at 1
  bool expected;     ///< whether the unit is the expected error
};

/// A bound in units of the axis; none of another metric than the bounded one.
std::optional<double> in_units(const Tail& tail, const FigureRequest& request,
                               const std::optional<double>& bound) {
  if (request.y != "err_l2_rel" || !bound) return std::nullopt;
  return *bound / tail.unit;
}

double largest_of(const Tail& tail) { return tail.shares.back().error / tail.unit; }

double share_of(const Tail& tail, std::uint64_t errors) {
  return static_cast<double>(errors) / static_cast<double>(tail.errors->count());
}

Layer shares_of(const Tail& tail) {
  Layer layer{.form = Form::line,
              .part = "tail",
              .style = tail.style,
              .colour = series_class(tail.style),
              .width = 1.6,
              .dashes = series_dashes(tail.style)};
  for (const auto& [error, errors] : tail.shares)
    layer.spots.push_back(
        {.x = error / tail.unit,
         .y = share_of(tail, errors),
         .tip = fmt::format("{}\nerror at least {}: {} of {}", tail.name, short_number(error),
                            errors, counted(tail.errors->count(), "seed"))});
  return layer;
}

/// The share of a normal distribution that is at least x.
double normal_tail(double mean, double deviation, double x) {
  return 0.5 * std::erfc((x - mean) / (deviation * std::numbers::sqrt2));
}

Layer normal_of(const Tail& tail, double high) {
  Layer layer{.form = Form::line,
              .part = "normal",
              .style = tail.style,
              .colour = series_class(tail.style),
              .dashes = "5,3",
              .tip = tail.name + "\nnormal law of this mean and deviation"};
  constexpr int steps = 200;
  const double mean = tail.errors->mean(), deviation = tail.errors->deviation();
  if (!(deviation > 0)) return layer;
  const double first = tail.shares.front().error;
  for (int i = 0; i <= steps; ++i) {
    const double x = first + (high * tail.unit - first) * i / steps;
    const double share = normal_tail(mean, deviation, x);
    if (share < share_of(tail, 1)) break;
    layer.spots.push_back({.x = x / tail.unit, .y = share});
  }
  return layer;
}

/// The bound that random roundings exceed with probability 1e-6 at most.
Layer probable_of(const Tail& tail, const FigureRequest& request) {
  Layer layer{.form = Form::points,
              .part = "bound",
              .style = tail.style,
              .colour = series_class(tail.style),
              .mark = Mark::cross};
  if (const auto bound = in_units(tail, request, tail.row->bound_prob_l2_rel);
      bound && *bound <= most_beyond * largest_of(tail))
    layer.spots.push_back(
        {.x = *bound,
         .y = 1e-6,
         .tip = fmt::format("{}\nexceeded with probability 1e-6 at most: {}", tail.name,
                            short_number(*tail.row->bound_prob_l2_rel))});
  return layer;
}

/// The bounds of a series below its panel: `who` says whose.
void name_bounds(Panel& panel, const Tail& tail, const std::string& who,
                 const FigureRequest& request) {
  const auto add = [&](const char* name, const std::optional<double>& bound) {
    if (const auto at = in_units(tail, request, bound))
      panel.below.push_back(fmt::format("{}{}{}", who, name, short_number(*at)));
  };
  add("bound for 1e-6: ", tail.row->bound_prob_l2_rel);
  add("worst case: ", tail.row->bound_l2_rel);
}

Panel panel_of(const std::string& name, const std::vector<Tail>& tails,
               const FigureRequest& request) {
  Panel panel{.title = name};
  double low = 1, high = 1;
  double least_share = 1;
  const auto include = [&](double x) { low = std::min(low, x), high = std::max(high, x); };
  for (const Tail& tail : tails) {
    include(tail.shares.front().error / tail.unit);
    include(largest_of(tail));
    least_share = std::min(least_share, share_of(tail, 1));
    panel.layers.push_back(probable_of(tail, request));
    for (const Spot& spot : panel.layers.back().spots) {
      include(spot.x);
      least_share = std::min(least_share, spot.y);
    }
  }
  high += 0.04 * (high - low);
  for (const Tail& tail : tails) {
    panel.layers.push_back(normal_of(tail, high));
    panel.layers.push_back(shares_of(tail));
    name_bounds(panel, tail, tails.size() > 1 ? tail.name + ", " : "", request);
  }
  const bool expected = tails.front().expected;
  panel.x =
      even_steps(low, high, expected ? "error / expected error" : request.y + " / its median", 8);
  panel.x.rules.push_back({1, {}, true});
  Range shares;
  shares.add(1);
  shares.add(least_share);
  panel.y = decades(shares, "share of seeds with this error or more", false, "");
  panel.y.grid = true;
  return panel;
}

FigureRequest tail_request(FigureRequest request) {
  if (!request.x.empty())
    throw InputError(request.place + "kind tail takes no x: it draws shares of seeds by their y");
  if (request.series.empty()) request.series = "algorithm";
  complete(request, "err_l2_rel", request.series == "mode" ? "algorithm" : "mode");
  if (const Column& column = metric_named(request.y); !column.is_error)
    throw InputError(request.place + "kind tail draws errors; " + request.y + " is none");
  complete_titles(request, "error_tail", "How often an error is large, over seeds");
  return request;
}

/// Null without a finite error.
const ErrorSummary* errors_of(const Row& row, const FigureRequest& request) {
  const ErrorSummary* errors =
      row.over_seeds ? row.over_seeds->of(column_named(request.y)) : nullptr;
  return errors && errors->count() > errors->infinite() ? errors : nullptr;
}

/// Requires: the row has errors.
Tail tail_of(const Row& row, const FigureRequest& request, const std::string& name,
             std::size_t style) {
  const ErrorSummary* errors = errors_of(row, request);
  const double median = errors->quantile(500).high;
  const bool expected = request.y == "err_l2_rel" && row.expected_l2_rel.value_or(0) > 0;
  const double unit = expected ? *row.expected_l2_rel : median;
  return {&row,    errors, errors->tail(), style, name, unit > 0 && std::isfinite(unit) ? unit : 1,
          expected};
}

std::vector<Figure> draw_tail(std::span<const Row> rows, const FigureRequest& asked,
                              const NameOrders& orders) {
  const FigureRequest request = tail_request(asked);
  std::vector<const Row*> shown;
  for (const Row& row : rows)
    if (errors_of(row, request) && selects(request.where, row)) shown.push_back(&row);
  if (shown.empty()) return {};
  const FixedAxes axes = fix_axes(shown, {request.series, request.panel}, request.series);
  std::erase_if(shown, [keep = row_filter(axes)](const Row* row) { return !keep(row); });
  const std::vector<std::string> names = ordered_names(shown, request.series, orders);
  const std::vector<std::size_t> styles =
      series_styles(names, listed_names(orders, request.series));
  Figure figure{.name = request.name,
                .title = request.title,
                .subtitle = axes.held,
                .shared_y = !request.own_y_range};
  for (const std::string& name : ordered_names(shown, request.panel, orders)) {
    std::vector<Tail> tails;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto row = std::ranges::find_if(shown, [&](const Row* each) {
        return axis_text(*each, request.panel) == name &&
               axis_text(*each, request.series) == names[i];
      });
      if (row != shown.end()) tails.push_back(tail_of(**row, request, names[i], styles[i]));
    }
    if (!tails.empty()) figure.panels.push_back(panel_of(name, tails, request));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    figure.legend.push_back(series_entry(names[i], styles[i]));
    figure.legend.back().sample.mark = Mark::none;
  }
  figure.legend.push_back(
      sample_entry("normal law", {.part = "normal", .colour = "soft", .dashes = "5,3"}));
  const auto has_bound = [](const Panel& panel) {
    return std::ranges::any_of(panel.layers, [](const Layer& layer) {
      return layer.part == "bound" && !layer.spots.empty();
    });
  };
  if (std::ranges::any_of(figure.panels, has_bound))
    figure.legend.push_back(sample_entry(
        "bound for 1e-6",
        {.form = Form::points, .part = "bound", .colour = "soft", .mark = Mark::cross}));
  return {figure};
}

}  // namespace

PlotKind tail_kind() { return {"tail", tail_request, draw_tail}; }

}  // namespace fftprec::figures
