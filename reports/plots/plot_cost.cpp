#include "reports/plots/plot_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/plots/plot_styles.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

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

/// The same mode looks the same in all of them.
void unify_styles(std::vector<CostFigure>& figures, const NameOrders& orders) {
  const std::vector<std::string> listed = listed_names(orders, "mode");
  std::vector<std::string> names;
  for (const CostFigure& figure : figures)
    for (const Series& mode : figure.modes)
      if (std::find(names.begin(), names.end(), mode.name) == names.end())
        names.push_back(mode.name);
  const std::vector<std::size_t> styles = series_styles(names, listed);
  const auto style_of = [&](const std::string& name) {
    return styles[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                           names.begin())];
  };
  for (CostFigure& figure : figures) {
    for (Series& mode : figure.modes) mode.style = style_of(mode.name);
    for (CostPoint& point : figure.points) point.style = style_of(point.mode);
  }
}

constexpr std::array<std::string_view, 3> costs_drawn = {"matmul_passes", "mac_count",
                                                         published_us};

}  // namespace

std::span<const std::string_view> default_costs() { return costs_drawn; }

std::string left_out(std::span<const CostFigure> figures) {
  std::size_t not_finite = 0;
  std::size_t without = 0;
  for (const CostFigure& figure : figures) {
    not_finite += figure.not_drawn;
    without += figure.without_cost;
  }
  const auto rows = [](std::size_t count) {
    return fmt::format("{} row{}", count, count == 1 ? "" : "s");
  };
  std::string text;
  if (not_finite > 0) text = rows(not_finite) + " not finite, not drawn";
  if (without > 0)
    text += fmt::format("{}{} without {}, not drawn", text.empty() ? "" : "; ", rows(without),
                        figures.front().cost);
  return text;
}

bool has_cost(const CostFigure& figure) {
  return std::any_of(figure.points.begin(), figure.points.end(),
                     [](const CostPoint& point) { return point.cost > 0; });
}

std::vector<std::uint64_t> measured_lengths(std::span<const Row> rows) {
  std::set<std::uint64_t> lengths;
  for (const Row& row : rows)
    if (row.status == Status::ok && row.err_l2_rel) lengths.insert(row.where.n);
  return {lengths.begin(), lengths.end()};
}

std::vector<std::uint64_t> spread_lengths(const std::vector<std::uint64_t>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<std::uint64_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[(i + 1) * all.size() / most - 1]);
  return some;
}

std::vector<CostFigure> gather_cost_figures(std::span<const Row> rows, const std::string& cost,
                                            std::size_t most, const NameOrders& orders,
                                            const std::string& error) {
  std::map<std::uint64_t, CostFigure> all;
  std::vector<std::uint64_t> lengths;
  for (const std::uint64_t n : measured_lengths(rows)) {
    CostFigure figure = gather_costs(rows, cost, n, orders, error);
    if (figure.points.size() < 2 || !has_cost(figure)) continue;
    lengths.push_back(n);
    all.emplace(n, std::move(figure));
  }
  std::vector<CostFigure> figures;
  for (const std::uint64_t n : spread_lengths(lengths, most)) figures.push_back(all.at(n));
  unify_styles(figures, orders);
  return figures;
}

CostFigure gather_costs(std::span<const Row> rows, const std::string& cost, std::uint64_t n,
                        const NameOrders& orders, const std::string& error) {
  check_plotted(cost);
  check_plotted(error);
  if (error == "bits_l2")
    throw InputError("error against cost: bits_l2 grows as the error falls; draw err_l2_rel");
  CostFigure figure{cost, error, n, {}, {}, {}, {}, 0, 0};
  const Plotted cost_of = plotted(cost);
  const Plotted error_of = plotted(error);
  std::vector<const Row*> shown;
  std::vector<const Row*> without_cost;
  for (const Row& row : rows)
    if (row.status == Status::ok && row.where.n == n && error_of(row))
      (cost_of(row) ? shown : without_cost).push_back(&row);
  figure.without_cost = without_cost.size();
  if (shown.empty()) return figure;
  const HeldAxes axes = hold_axes(shown, {"n", "algorithm", "mode"}, "mode");
  figure.held = axes.held;
  figure.pooled = axes.pooled;
  const auto keep = keeper(axes);
  std::erase_if(shown, [&keep](const Row* row) { return !keep(row); });
  figure.without_cost =
      static_cast<std::size_t>(std::count_if(without_cost.begin(), without_cost.end(), keep));
  figure.not_drawn = std::erase_if(shown, [&](const Row* row) {
    return !std::isfinite(*error_of(*row)) || !std::isfinite(*cost_of(*row));
  });

  const std::vector<std::string> names = ordered_names(shown, "mode", orders);
  const std::vector<std::size_t> ranks = series_styles(names, listed_names(orders, "mode"));
  std::map<std::string, std::size_t> styles;
  for (std::size_t i = 0; i < names.size(); ++i) {
    styles[names[i]] = ranks[i];
    figure.modes.push_back({names[i], ranks[i], {}});
  }
  std::map<std::pair<std::string, std::string>, std::vector<const Row*>> groups;
  for (const Row* row : shown) groups[{row->where.algorithm, row->where.mode}].push_back(row);
  for (const auto& [who, members] : groups) {
    std::vector<double> costs;
    std::vector<double> errors;
    for (const Row* row : members) {
      costs.push_back(*cost_of(*row));
      errors.push_back(*error_of(*row));
    }
    figure.points.push_back({who.first, who.second, styles[who.second], median(costs),
                             median(errors), members.size(), false, false});
  }
  std::stable_sort(figure.points.begin(), figure.points.end(),
                   [](const CostPoint& a, const CostPoint& b) {
                     return std::pair(a.cost, a.error) < std::pair(b.cost, b.error);
                   });
  mark_fronts(figure.points);
  return figure;
}

}  // namespace fftprec
