#include "reports/plots/plot_heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/rows/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

using Rows = std::vector<const Row*>;

void check_request(const FigureRequest& request) {
  check_plotted(request.y);
  for (const std::string& axis : {request.x, request.series, request.panel})
    if (!axis.empty()) column_named(axis);
  if (request.x == request.series || request.x == request.panel || request.series == request.panel)
    throw InputError("a heat map needs three different columns: across " + request.x + ", down " +
                     request.series + ", panels " +
                     (request.panel.empty() ? "none" : request.panel));
}

bool has_status(const Row* row, Status status) { return row->status == status; }

/// Requires: not empty.
HeatCell cell_of(const Rows& rows, std::size_t column, std::size_t row, const std::string& y) {
  HeatCell cell{column, row, CellKind::skipped, 0, rows.size()};
  const Plotted y_of = plotted(y);
  std::vector<double> values;
  bool measured = false;
  for (const Row* each : rows) {
    if (has_status(each, Status::failed)) cell.kind = CellKind::failed;
    if (!has_status(each, Status::ok)) continue;
    measured = true;
    if (const auto value = y_of(*each)) values.push_back(*value);
  }
  if (cell.kind == CellKind::failed || !measured) return cell;
  if (values.empty()) {
    cell.kind = CellKind::no_value;
    return cell;
  }
  const double value = median(values);
  const bool bits = y == "bits_l2";
  if (bits ? value == std::numeric_limits<double>::infinity() : value == 0) {
    cell.kind = CellKind::exact;
    return cell;
  }
  if (value < 0 && !bits) {
    cell.kind = CellKind::no_value;
    return cell;
  }
  cell.kind = std::isfinite(value) ? CellKind::value : CellKind::not_finite;
  cell.value = value;
  return cell;
}

}  // namespace

std::string cell_text(const HeatCell& cell, const std::string& y) {
  switch (cell.kind) {
    case CellKind::value:
      break;
    case CellKind::exact:
      return "exact";
    case CellKind::not_finite:
      return shortest(cell.value);
    case CellKind::no_value:
      return "–";
    case CellKind::skipped:
      return "s";
    case CellKind::failed:
      return "x";
  }
  if (y == "bits_l2") return fmt::format("{:.1f}", cell.value);
  const std::string text = fmt::format("{:.1e}", cell.value);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  if (-2 <= exponent && exponent <= 1) return fmt::format("{:.{}f}", cell.value, 1 - exponent);
  return text.substr(0, e + 1) + std::to_string(exponent);
}

HeatMap gather_heat_map(std::span<const Row> rows, const FigureRequest& request,
                        const NameOrders& orders) {
  check_request(request);
  HeatMap map{request, {}, {}, {}, {}, {}};
  Rows shown;
  Rows measured;
  const Plotted y_of = plotted(request.y);
  for (const Row& row : rows) {
    if (!selects(request.where, row)) continue;
    shown.push_back(&row);
    if (row.status == Status::ok && y_of(row)) measured.push_back(&row);
  }
  if (measured.empty()) return map;
  const HeldAxes axes =
      hold_axes(measured, {request.x, request.series, request.panel}, request.series);
  map.held = axes.held;
  map.pooled = axes.pooled;
  HeldAxes any_seed = axes;  // a seed that fails everywhere is no common one, yet must show
  any_seed.kept.erase("seed");
  std::erase_if(shown, [keep = keeper(axes), keep_any_seed = keeper(any_seed)](const Row* row) {
    return has_status(row, Status::ok) ? !keep(row) : !keep_any_seed(row);
  });

  map.columns = ordered_names(shown, request.x, orders);
  map.rows = ordered_names(shown, request.series, orders);
  const auto place = [](const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  std::map<std::string, Rows> by_panel;
  for (const Row* row : shown) by_panel[axis_text(*row, request.panel)].push_back(row);
  for (const std::string& panel : ordered_names(shown, request.panel, orders)) {
    std::map<std::pair<std::size_t, std::size_t>, Rows> cells;
    for (const Row* row : by_panel[panel])
      cells[{place(map.rows, axis_text(*row, request.series)),
             place(map.columns, axis_text(*row, request.x))}]
          .push_back(row);
    map.panels.push_back({panel, {}});
    for (const auto& [at, members] : cells)
      map.panels.back().cells.push_back(cell_of(members, at.second, at.first, request.y));
  }
  return map;
}

}  // namespace fftprec
