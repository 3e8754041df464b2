#include "reports/figures/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/results/quantity.hpp"
#include "reports/text/table.hpp"

namespace fftprec::figures {

namespace {

constexpr std::array<std::string_view, 3> costs_drawn = {"matmul_passes", "real_multiplications",
                                                         published_us};
constexpr std::size_t most_front_lines = 9;
constexpr const char* front_dashes = "2,4";

/// Requires: sorted by cost, then error.
void mark_fronts(std::vector<CostPoint>& points) {
  double least = std::numeric_limits<double>::infinity();
  std::map<std::string, double> least_of_mode;
  for (CostPoint& point : points) {
    if (point.cost <= 0) continue;  // what it costs is counted elsewhere
    point.on_front = point.error < least;
    least = std::min(least, point.error);
    const auto [best, first] = least_of_mode.try_emplace(point.mode, point.error);
    point.on_mode_front = first || point.error < best->second;
    best->second = std::min(best->second, point.error);
  }
}

/// A mode looks alike in all of them.
void unify_styles(std::vector<Costs>& all, const NameOrders& orders) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> place;
  for (const Costs& costs : all)
    for (const Series& mode : costs.modes)
      if (place.try_emplace(mode.name, names.size()).second) names.push_back(mode.name);
  const std::vector<std::size_t> styles = series_styles(names, listed_names(orders, "mode"));
  for (Costs& costs : all) {
    for (Series& mode : costs.modes) mode.style = styles[place.at(mode.name)];
    for (CostPoint& point : costs.points) point.style = styles[place.at(point.mode)];
  }
}

double median_of(const std::vector<const Row*>& rows, const Plotted& value_of) {
  std::vector<double> values;
  for (const Row* row : rows) values.push_back(*value_of(*row));
  return median(values);
}

/// The points of a group of rows, without their places on the fronts.
CostPoint point_of(const std::vector<const Row*>& rows, std::size_t style, const Plotted& cost_of,
                   const Plotted& error_of, bool bounded) {
  std::optional<double> bound;
  for (const Row* row : rows)
    if (bounded && row->bound_l2_rel) bound = std::max(bound.value_or(0), *row->bound_l2_rel);
  const Case& where = rows.front()->where;
  return {where.algorithm,           where.mode,  style, median_of(rows, cost_of),
          median_of(rows, error_of), rows.size(), bound};
}

/// 1, 2 or 5 times a power of ten: the largest that is not above `value`.
double step_below(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  return (value < 2 * decade ? 1 : value < 5 * decade ? 2 : 5) * decade;
}

/// The smallest that is not below.
double step_above(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  return (value <= decade ? 1 : value <= 2 * decade ? 2 : value <= 5 * decade ? 5 : 10) * decade;
}

/// A number beside a point of the front.
struct FrontLabel {
  std::size_t point;   ///< index of the first that shares it
  std::size_t number;  ///< its own
  std::string text;
};

std::vector<FrontLabel> front_labels(const Costs& costs, const Axis& x, const Axis& y) {
  constexpr double close = 0.05;  // as a share of an axis: numbers of such points would overlap
  std::vector<FrontLabel> labels;
  std::size_t number = 0;
  for (std::size_t i = 0; i < costs.points.size(); ++i) {
    const CostPoint& point = costs.points[i];
    if (!point.on_front) continue;
    ++number;
    if (!labels.empty()) {
      FrontLabel& last = labels.back();
      const CostPoint& first = costs.points[last.point];
      if (std::abs(x.share(point.cost) - x.share(first.cost)) < close &&
          std::abs(y.share(point.error) - y.share(first.error)) < close) {
        last.text = fmt::format("{}-{}", last.number, number);
        continue;
      }
    }
    labels.push_back({i, number, std::to_string(number)});
  }
  return labels;
}

/// "1 radix2-dit, bf16: 1.23e-03", the points of the front in their order; of many the first, and
/// how many more there are.
std::vector<std::string> front_lines(const Costs& costs) {
  std::vector<std::string> lines;
  std::size_t number = 0;
  for (const CostPoint& point : costs.points)
    if (point.on_front)
      lines.push_back(fmt::format("{} {}, {}: {}", ++number, point.algorithm, point.mode,
                                  text::error_text(point.error)));
  if (lines.size() > most_front_lines) {
    const std::size_t more = lines.size() - (most_front_lines - 1);
    lines.resize(most_front_lines - 1);
    lines.push_back(fmt::format("and {} more", more));
  }
  return lines;
}

std::string tip_of(const Costs& costs, const CostPoint& point) {
  const std::string n = std::to_string(costs.n);
  return tip_line({{"algorithm", point.algorithm}, {"mode", point.mode}, {"n", n}}) + "\n" +
         costs.held +
         fmt::format("\n{} {}, {} {}{}", costs.error, text::error_text(point.error), costs.cost,
                     short_number(point.cost, 6),
                     point.count > 1 ? fmt::format(" (medians of {} rows)", point.count) : "") +
         tip_models(point.bound, std::nullopt);
}

std::vector<Layer> layers_of(const Costs& costs, const Axis& x, const Axis& y) {
  Layer front{.form = Form::steps,
              .part = "all",
              .colour = "soft",
              .width = 2.2,
              .dashes = front_dashes,
              .tip = "front of all modes"};
  for (const CostPoint& point : costs.points)
    if (point.on_front) front.spots.push_back({.x = point.cost, .y = point.error});
  std::vector<Layer> layers = {front};
  std::map<std::string, std::vector<const CostPoint*>> of_mode;
  for (const CostPoint& point : costs.points) of_mode[point.mode].push_back(&point);
  for (const Series& mode : costs.modes) {
    Layer own{.form = Form::steps,
              .part = "front",
              .style = mode.style,
              .colour = series_class(mode.style),
              .tip = mode.name + ": front",
              .where = "mode=" + mode.name};
    Layer points{.form = Form::points,
                 .part = "median",
                 .style = mode.style,
                 .colour = series_class(mode.style),
                 .mark = series_mark(mode.style),
                 .where = "mode=" + mode.name};
    for (const CostPoint* point : of_mode[mode.name]) {
      if (point->on_mode_front) own.spots.push_back({.x = point->cost, .y = point->error});
      points.spots.push_back({.x = point->cost,
                              .y = point->error,
                              .tip = tip_of(costs, *point),
                              .where = "algorithm=" + point->algorithm});
    }
    layers.push_back(own);
    layers.push_back(points);
  }
  Layer numbers{.form = Form::words, .part = "number"};
  for (const FrontLabel& label : front_labels(costs, x, y)) {
    const CostPoint& point = costs.points[label.point];
    numbers.spots.push_back({.x = point.cost, .y = point.error, .text = label.text});
  }
  layers.push_back(numbers);
  return layers;
}

/// Every mode of the figures once, by style.
std::vector<Series> modes_of(std::span<const Costs> all) {
  std::vector<Series> modes;
  std::set<std::string> seen;
  for (const Costs& costs : all)
    for (const Series& mode : costs.modes)
      if (seen.insert(mode.name).second) modes.push_back(mode);
  std::ranges::stable_sort(modes, {}, &Series::style);
  return modes;
}

/// Without an x one figure for each of the usual costs, which have names and titles of their own.
FigureRequest cost_request(FigureRequest request) {
  refuse_axes(request, true);
  if (request.y.empty()) request.y = "err_l2_rel";
  complete_titles(request, "", "");
  return request;
}

std::vector<Figure> draw_costs(std::span<const Row> rows, const FigureRequest& asked,
                               const NameOrders& orders) {
  constexpr std::size_t most_lengths = 6;
  const FigureRequest request = cost_request(asked);
  const std::vector<Row> some = selected_rows(rows, request.where);
  std::vector<std::string> costs = {request.x};
  if (request.x.empty()) costs.assign(costs_drawn.begin(), costs_drawn.end());
  std::vector<Figure> figures;
  for (const std::string& cost : costs) {
    const auto all = gather_comparable_costs(some, cost, most_lengths, orders, request.y);
    if (all.empty()) continue;
    const bool named = !request.name.empty() && costs.size() == 1;
    figures.push_back(cost_figure(
        named ? request.name : request.y + "_vs_" + cost,
        !request.title.empty() ? request.title : "Error against " + quantity_label(cost), all));
  }
  return figures;
}

}  // namespace

PlotKind cost_kind() { return {"cost", cost_request, draw_costs}; }

std::span<const std::string_view> default_costs() { return costs_drawn; }

std::string left_out(std::span<const Costs> all) {
  std::size_t not_finite = 0;
  std::size_t without = 0;
  for (const Costs& costs : all) {
    not_finite += costs.not_drawn;
    without += costs.without_cost;
  }
  std::string text;
  if (not_finite > 0) text = counted(not_finite, "row") + " not finite, not drawn";
  if (without > 0)
    text += fmt::format("{}{} without {}, not drawn", text.empty() ? "" : "; ",
                        counted(without, "row"), all.front().cost);
  return text;
}

bool has_cost(const Costs& costs) {
  return std::ranges::any_of(costs.points, [](const CostPoint& point) { return point.cost > 0; });
}

std::vector<std::uint64_t> measured_lengths(std::span<const Row> rows) {
  std::set<std::uint64_t> lengths;
  for (const Row& row : rows)
    if (row.status == Status::ok && row.err_l2_rel) lengths.insert(row.where.n());
  return {lengths.begin(), lengths.end()};
}

std::vector<std::uint64_t> spread_lengths(const std::vector<std::uint64_t>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<std::uint64_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[(i + 1) * all.size() / most - 1]);
  return some;
}

std::vector<Costs> gather_comparable_costs(std::span<const Row> rows, const std::string& cost,
                                           std::size_t most, const NameOrders& orders,
                                           const std::string& error) {
  std::map<std::uint64_t, Costs> all;
  std::vector<std::uint64_t> lengths;
  for (const std::uint64_t n : measured_lengths(rows)) {
    Costs costs = gather_costs(rows, cost, n, orders, error);
    if (costs.points.size() < 2 || !has_cost(costs)) continue;
    lengths.push_back(n);
    all.emplace(n, std::move(costs));
  }
  std::vector<Costs> some;
  for (const std::uint64_t n : spread_lengths(lengths, most)) some.push_back(all.at(n));
  unify_styles(some, orders);
  return some;
}

Costs gather_costs(std::span<const Row> rows, const std::string& cost, std::uint64_t n,
                   const NameOrders& orders, const std::string& error) {
  check_plotted(cost);
  check_plotted(error);
  if (quantity_kind_of(error) != QuantityKind::size)
    throw InputError("error against cost: " + error +
                     " does not grow with the error; draw err_l2_rel");
  Costs costs{.cost = cost, .error = error, .n = n};
  const Plotted cost_of = plotted(cost);
  const Plotted error_of = plotted(error);
  std::vector<const Row*> shown;
  std::vector<const Row*> without_cost;
  for (const Row& row : rows)
    if (row.status == Status::ok && row.where.n() == n && error_of(row))
      (cost_of(row) ? shown : without_cost).push_back(&row);
  costs.without_cost = without_cost.size();
  if (shown.empty()) return costs;
  const FixedAxes axes = fix_axes(shown, {"n", "algorithm", "mode"}, "mode");
  costs.held = axes.held;
  costs.pooled = axes.pooled;
  costs.where = axes.where();
  const auto keep = row_filter(axes);
  std::erase_if(shown, [&keep](const Row* row) { return !keep(row); });
  costs.without_cost = static_cast<std::size_t>(std::ranges::count_if(without_cost, keep));
  costs.not_drawn =
      std::erase_if(shown, [&](const Row* row) { return !std::isfinite(*cost_of(*row)); });
  using Who = std::pair<std::string_view, std::string_view>;
  const auto who = [](const Row& row) { return Who(row.where.algorithm(), row.where.mode()); };
  std::map<Who, std::vector<const Row*>> groups;
  for (const Row* row : shown) groups[who(*row)].push_back(row);
  std::erase_if(groups, [&](const auto& group) {
    const bool fails = !std::isfinite(median_of(group.second, error_of));
    if (fails) costs.not_drawn += group.second.size();
    return fails;
  });
  std::erase_if(shown, [&](const Row* row) { return !groups.contains(who(*row)); });

  const std::vector<std::string> names = ordered_names(shown, "mode", orders);
  const std::vector<std::size_t> ranks = series_styles(names, listed_names(orders, "mode"));
  std::map<std::string, std::size_t> styles;
  for (std::size_t i = 0; i < names.size(); ++i) {
    styles[names[i]] = ranks[i];
    costs.modes.push_back({names[i], ranks[i]});
  }
  for (const auto& [group, members] : groups)
    costs.points.push_back(point_of(members, styles[std::string(group.second)], cost_of, error_of,
                                    error == "err_l2_rel"));
  std::ranges::stable_sort(costs.points, [](const CostPoint& a, const CostPoint& b) {
    return std::pair(a.cost, a.error) < std::pair(b.cost, b.error);
  });
  mark_fronts(costs.points);
  return costs;
}

Axis cost_axis(std::span<const double> costs, const std::string& label) {
  Range range;
  for (const double cost : costs) range.add_positive(cost);
  if (range.low > range.high) range = {1, 1};
  const double middle = std::sqrt(range.low * range.high);  // a decade to either side at the least
  const double low = step_below(std::min(range.low / 2.5, middle / 10));
  const double high = step_above(std::max(range.high * 1.5, middle * 10));
  constexpr double margin = 1.001;  // a tick at the very end may be rounded away
  Axis axis{.logarithmic = true, .low = low / margin, .high = high * margin, .label = label};
  axis.ticks = decade_ticks(static_cast<int>(std::floor(std::log10(low * margin))),
                            static_cast<int>(std::ceil(std::log10(high / margin))));
  std::erase_if(axis.ticks,
                [&axis](const Tick& tick) { return tick.at < axis.low || tick.at > axis.high; });
  if (std::ranges::any_of(costs, [](double cost) { return cost <= 0; })) {
    const double share = std::max(0.4, 0.18 * std::log10(high / low));
    axis.zero = low / std::pow(10.0, share);
    axis.low = low / std::pow(10.0, 1.6 * share);
    axis.ticks.push_back({axis.zero, {.text = "none"}, true});
  }
  return axis;
}

Figure cost_figure(const std::string& name, const std::string& title, std::span<const Costs> all) {
  const Costs& last = all.back();
  Figure figure{.name = name, .title = title, .subtitle = last.held, .most_columns = 2};
  if (!last.pooled.empty()) figure.subtitle += "; medians over " + last.pooled;
  if (const std::string rows = left_out(all); !rows.empty()) figure.subtitle += "; " + rows;
  figure.subtitle += "; numbered: the Pareto front";
  std::vector<double> costs;
  Range errors;
  bool zeros = false;
  for (const Costs& each : all)
    for (const CostPoint& point : each.points) {
      costs.push_back(point.cost);
      errors.add_positive(point.error / 2.5);
      errors.add_positive(point.error * 1.5);
      zeros = zeros || point.error <= 0;
    }
  const Axis x = cost_axis(costs, quantity_label(last.cost));
  Axis y = decades(errors, quantity_label(last.error), zeros, "exact");
  y.grid = true;
  if (last.error.ends_with("_rel")) add_roundoffs(y);
  for (const Costs& each : all)
    figure.panels.push_back(
        {.title = fmt::format("n = {}", each.n),
         .source = {"cost", each.cost, each.error, "", fmt::format("n={}", each.n), each.where},
         .x = x,
         .y = y,
         .layers = layers_of(each, x, y),
         .below = front_lines(each)});
  for (const Series& mode : modes_of(all))
    figure.legend.push_back(series_entry(mode.name, mode.style, false));
  figure.legend.push_back({"Pareto front",
                           {.form = Form::steps,
                            .part = "all",
                            .colour = "soft",
                            .width = 2.2,
                            .dashes = front_dashes}});
  figure.legend.push_back(
      {"front of a mode", {.form = Form::steps, .part = "front", .colour = "soft"}});
  return figure;
}

}  // namespace fftprec::figures
