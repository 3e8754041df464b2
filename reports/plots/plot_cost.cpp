#include "reports/plots/plot_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "reports/summary/error_table.hpp"

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

}  // namespace

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

CostFigure gather_costs(std::span<const Row> rows, const std::string& cost, std::uint64_t n,
                        const NameOrders& orders) {
  CostFigure figure{cost, n, {}, {}, {}, {}, 0};
  const Column& column = column_named(cost);
  std::vector<const Row*> shown;
  for (const Row& row : rows)
    if (row.status == Status::ok && row.where.n == n && row.err_l2_rel && column.number(row))
      shown.push_back(&row);
  if (shown.empty()) return figure;
  const HeldAxes axes = hold_axes(shown, {"n", "algorithm", "mode"}, "mode");
  figure.held = axes.held;
  figure.pooled = axes.pooled;
  std::erase_if(shown, [keep = keeper(axes)](const Row* row) { return !keep(row); });
  figure.not_drawn =
      std::erase_if(shown, [](const Row* row) { return !std::isfinite(*row->err_l2_rel); });

  const auto listed = orders.find("mode");
  const std::vector<std::string> known =
      listed == orders.end() ? std::vector<std::string>() : listed->second;
  std::size_t next_style = known.size();
  std::map<std::string, std::size_t> styles;
  for (const std::string& mode : ordered_names(shown, "mode", orders)) {
    const auto rank = std::find(known.begin(), known.end(), mode);
    styles[mode] =
        rank == known.end() ? next_style++ : static_cast<std::size_t>(rank - known.begin());
    figure.modes.push_back({mode, styles[mode], {}});
  }
  std::map<std::pair<std::string, std::string>, std::vector<const Row*>> groups;
  for (const Row* row : shown) groups[{row->where.algorithm, row->where.mode}].push_back(row);
  for (const auto& [names, members] : groups) {
    std::vector<double> costs;
    std::vector<double> errors;
    for (const Row* row : members) {
      costs.push_back(*column.number(*row));
      errors.push_back(*row->err_l2_rel);
    }
    figure.points.push_back({names.first, names.second, styles[names.second], median(costs),
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
