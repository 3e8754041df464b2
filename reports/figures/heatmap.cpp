#include "reports/figures/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/figures/text.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec::figures {

namespace {

using Rows = std::vector<const Row*>;

constexpr int cell_height = 21;
constexpr int least_height = 84;  ///< of a panel: its colour bar has labels
constexpr double cell_font = 12;

/// Nine colours of viridis.
constexpr std::array<std::uint32_t, 9> stops = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                                0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};

/// How cells without a number look, and what the legend says of them. Luminance tells apart what
/// colour may not: white and vermilion are not on the scale, grey is hatched, and each has a
/// letter.
struct CellLook {
  CellKind kind;
  std::string_view legend;
  std::string_view fill;
  std::string_view ink;
  bool hatched;
  std::string_view text;  ///< in the cell; empty: the value
};

constexpr std::array<CellLook, 5> looks = {{
    {CellKind::exact, "error is 0", "#ffffff", "#222222", false, "exact"},
    {CellKind::skipped, "skipped", "#ececec", "#555555", true, "s"},
    {CellKind::failed, "failed", "#d55e00", "#ffffff", false, "x"},
    {CellKind::not_finite, "not finite", "#d55e00", "#ffffff", false, ""},
    {CellKind::no_value, "not defined", "#f6f6f6", "#555555", false, "–"},
}};

void check_heat_map(const FigureRequest& request) {
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
    if (each->bound_l2_rel) cell.bound = std::max(cell.bound.value_or(0), *each->bound_l2_rel);
  }
  if (cell.kind == CellKind::failed || !measured) return cell;
  if (values.empty()) {
    cell.kind = CellKind::no_value;
    return cell;
  }
  const double value = median(values);
  const QuantityKind quantity_kind = quantity_kind_of(y);
  if ((quantity_kind == QuantityKind::level && value == std::numeric_limits<double>::infinity()) ||
      (quantity_kind == QuantityKind::size && value == 0)) {
    cell.kind = CellKind::exact;
    return cell;
  }
  if (value < 0 && quantity_kind == QuantityKind::size) {
    cell.kind = CellKind::no_value;
    return cell;
  }
  cell.kind = std::isfinite(value) ? CellKind::value : CellKind::not_finite;
  cell.value = value;
  return cell;
}

bool has_kind(const HeatMap& map, CellKind kind) {
  return std::ranges::any_of(map.panels, [kind](const HeatPanel& panel) {
    return std::ranges::any_of(panel.cells,
                               [kind](const HeatCell& cell) { return cell.kind == kind; });
  });
}

Axis bar_axis(const ColourScale& scale) {
  Axis axis{.logarithmic = scale.logarithmic, .low = scale.low, .high = scale.high};
  if (!scale.logarithmic) {
    axis.ticks = even_steps(scale.low, scale.high, "", 8).ticks;
    return axis;
  }
  const int first = static_cast<int>(std::floor(std::log10(scale.low)));
  const int last = static_cast<int>(std::ceil(std::log10(scale.high)));
  const bool fine = std::log10(scale.high / scale.low) <= 3;
  for (int k = first; k <= last; ++k)
    for (const int digit : {1, 2, 5}) {
      const double at = parse_double(fmt::format("{}e{}", digit, k)).value_or(0);
      if ((digit > 1 && !fine) || at < scale.low || at > scale.high) continue;
      const bool plain = -2 <= k && k <= 2;
      axis.ticks.push_back({at, plain        ? Label{.text = shortest(at)}
                                : digit == 1 ? Label{.text = "10", .superscript = std::to_string(k)}
                                             : Label{.text = fmt::format("{}·10", digit),
                                                     .superscript = std::to_string(k)}});
    }
  return axis;
}

ColourBar bar_of(const ColourScale& scale) {
  constexpr int steps = 32;
  ColourBar bar{bar_axis(scale), {}};
  for (int i = 0; i < steps; ++i) {
    const double share = (i + 0.5) / steps;
    bar.colours.push_back(palette_colour(scale.logarithmic ? 1 - share : share));
  }
  return bar;
}

/// The scale and its colours, worst first, for the script of a page.
std::string colours_of(const ColourScale& scale) {
  std::string text = fmt::format("{:d} {:.9g} {:.9g}", scale.logarithmic, scale.low, scale.high);
  for (const std::uint32_t colour : stops) text += fmt::format(" #{:06x}", colour);
  return text;
}

int map_height(const Panel& panel) {
  const int cells = cell_height * static_cast<int>(panel.y.ticks.size());
  return panel.bar ? std::max(least_height, cells) : cells;
}

/// Of an axis of names, those on which a box stands between `low` and `high`.
void drop_empty(Axis& axis, std::vector<Spot>& spots, double Spot::*low, double Spot::*high) {
  std::map<long, int> moved;  // how far to, by the place of a name
  const auto place = [&](const Spot& spot) { return std::lround((spot.*low + spot.*high) / 2); };
  for (const Spot& spot : spots) moved[place(spot)] = 0;
  std::vector<std::string> names;
  for (auto& [at, by] : moved) {
    by = static_cast<int>(names.size()) - static_cast<int>(at);
    names.push_back(axis.ticks[static_cast<std::size_t>(at)].label.text);
  }
  for (Spot& spot : spots) {
    const int by = moved.at(place(spot));
    spot.*low += by;
    spot.*high += by;
  }
  axis = named_lines(names, axis.low > axis.high);
}

/// The box of a cell, as a share of its place.
Spot spot_of(const HeatCell& cell, const std::string& text, const ColourScale& scale) {
  const auto x = static_cast<double>(cell.column);
  const auto y = static_cast<double>(cell.row);
  Spot spot{.x = x - 0.48, .y = y - 0.46, .x2 = x + 0.48, .y2 = y + 0.46, .text = text};
  if (cell.kind == CellKind::value) {
    const double shade = scale.shade(cell.value);
    spot.fill = palette_colour(shade);
    spot.ink = shade < dark_shade ? "#ffffff" : "#111111";
  }
  for (const CellLook& look : looks)
    if (look.kind == cell.kind) {
      spot.fill = look.fill;
      spot.ink = look.ink;
      spot.hatched = look.hatched;
    }
  return spot;
}

std::vector<LegendEntry> legend_of(const HeatMap& map) {
  std::vector<LegendEntry> legend;
  const auto add = [&legend](std::string_view name, const Spot& spot) {
    legend.push_back({std::string(name), {.form = Form::boxes, .spots = {spot}}});
  };
  for (const CellLook& look : looks)
    if (has_kind(map, look.kind)) {
      const HeatCell sample{0, 0, look.kind, std::numeric_limits<double>::infinity(), 1};
      add(look.legend, spot_of(sample, cell_text(sample, map.request.y), {false, 0, 1}));
    }
  const std::size_t places = map.rows.size() * map.columns.size();
  if (std::ranges::any_of(map.panels,
                          [places](const HeatPanel& panel) { return panel.cells.size() < places; }))
    legend.push_back({"blank: not run", {.form = Form::words}});
  return legend;
}

/// Algorithms down; n across and modes as panels, or the other way round where modes go across.
FigureRequest heat_map_request(FigureRequest request) {
  if (request.x.empty()) request.x = "n";
  if (request.series.empty()) request.series = "algorithm";
  complete(request, "err_l2_rel",
           request.series == "mode" ? "algorithm"
           : request.x == "mode"    ? "n"
                                    : "mode");
  complete_titles(request, "heatmap_" + request.y + "_" + request.series + "_by_" + request.x,
                  request.y + " by " + request.series + " and " + request.x);
  return request;
}

std::vector<Figure> draw_heat_map(std::span<const Row> rows, const FigureRequest& request,
                                  const NameOrders& orders) {
  const HeatMap map = gather_heat_map(rows, request, orders);
  if (map.panels.empty()) return {};
  return {heat_map_figure(map)};
}

/// What hovering over a cell tells.
std::string cell_tip(const HeatMap& map, const HeatPanel& panel, const HeatCell& cell) {
  const FigureRequest& request = map.request;
  const std::string text = cell_text(cell, request.y);
  return tip_line({{request.panel, panel.name},
                   {request.series, map.rows[cell.row]},
                   {request.x, map.columns[cell.column]}}) +
         "\n" + map.held + "\n" +
         (cell.kind == CellKind::skipped  ? std::string("skipped")
          : cell.kind == CellKind::failed ? std::string("failed")
                                          : request.y + " " + text) +
         " (" + counted(cell.count, "row") + ")" + tip_models(cell.bound, std::nullopt);
}

}  // namespace

PlotKind heat_map_kind() { return {"heatmap", heat_map_request, draw_heat_map}; }

std::string cell_text(const HeatCell& cell, const std::string& y) {
  for (const CellLook& look : looks)
    if (look.kind == cell.kind)
      return look.text.empty() ? shortest(cell.value) : std::string(look.text);
  if (quantity_kind_of(y) == QuantityKind::level) return fmt::format("{:.1f}", cell.value);
  return short_number(cell.value, quantity_kind_of(y) == QuantityKind::gain ? gain_digits : 2);
}

HeatMap gather_heat_map(std::span<const Row> rows, const FigureRequest& asked,
                        const NameOrders& orders) {
  const FigureRequest request = heat_map_request(asked);
  check_heat_map(request);
  HeatMap map{.request = request};
  Rows shown;
  Rows measured;
  const Plotted y_of = plotted(request.y);
  for (const Row& row : rows) {
    if (!selects(request.where, row)) continue;
    shown.push_back(&row);
    if (row.status == Status::ok && y_of(row)) measured.push_back(&row);
  }
  if (measured.empty()) return map;
  const FixedAxes axes =
      fix_axes(measured, {request.x, request.series, request.panel}, request.series);
  map.held = axes.held;
  map.pooled = axes.pooled;
  map.where = axes.where();
  FixedAxes any_seed = axes;  // a seed that fails everywhere is no common one, yet must show
  any_seed.values.erase("seed");
  std::erase_if(shown,
                [keep = row_filter(axes), keep_any_seed = row_filter(any_seed)](const Row* row) {
                  return has_status(row, Status::ok) ? !keep(row) : !keep_any_seed(row);
                });

  map.columns = ordered_names(shown, request.x, orders);
  map.rows = ordered_names(shown, request.series, orders);
  const auto places = [](const std::vector<std::string>& names) {
    std::map<std::string, std::size_t> all;
    for (std::size_t i = 0; i < names.size(); ++i) all[names[i]] = i;
    return all;
  };
  const std::map<std::string, std::size_t> line_of = places(map.rows);
  const std::map<std::string, std::size_t> column_of = places(map.columns);
  std::map<std::string, Rows> by_panel;
  for (const Row* row : shown) by_panel[axis_text(*row, request.panel)].push_back(row);
  for (const std::string& panel : ordered_names(shown, request.panel, orders)) {
    std::map<std::pair<std::size_t, std::size_t>, Rows> cells;
    for (const Row* row : by_panel[panel])
      cells[{line_of.at(axis_text(*row, request.series)), column_of.at(axis_text(*row, request.x))}]
          .push_back(row);
    map.panels.push_back({panel, {}});
    for (const auto& [at, members] : cells)
      map.panels.back().cells.push_back(cell_of(members, at.second, at.first, request.y));
  }
  return map;
}

double ColourScale::shade(double value) const {
  return logarithmic ? std::log(high / value) / std::log(high / low) : (value - low) / (high - low);
}

ColourScale colour_scale(std::span<const HeatPanel> panels, const std::string& y) {
  Range range;
  for (const HeatPanel& panel : panels)
    for (const HeatCell& cell : panel.cells)
      if (cell.kind == CellKind::value) range.add(cell.value);
  const bool logarithmic = quantity_kind_of(y) == QuantityKind::size;
  if (range.low > range.high) return {logarithmic, 1, 2};
  if (!logarithmic) {
    const double least = quantity_kind_of(y) == QuantityKind::level ? 1 : 1e-12;
    const double widen = std::max(0.0, least - (range.high - range.low)) / 2;
    return {logarithmic, range.low - widen, range.high + widen};
  }
  const double widen = std::max(1.0, std::sqrt(2 / (range.high / range.low)));
  return {logarithmic, range.low / widen, range.high * widen};
}

std::string palette_colour(double shade) {
  const double place = std::clamp(shade, 0.0, 1.0) * (stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double share = place - static_cast<double>(below);
  std::uint32_t colour = 0;
  for (const int bits : {16, 8, 0}) {
    const double low = stops[below] >> bits & 0xff;
    const double high = stops[below + 1] >> bits & 0xff;
    colour |= static_cast<std::uint32_t>(low + share * (high - low) + 0.5) << bits;
  }
  return fmt::format("#{:06x}", colour);
}

void drop_empty_lines(Panel& panel) {
  std::vector<Spot>& spots = panel.layers.front().spots;
  const auto columns = static_cast<int>(panel.x.ticks.size());
  drop_empty(panel.x, spots, &Spot::x, &Spot::x2);
  drop_empty(panel.y, spots, &Spot::y, &Spot::y2);
  panel.width = panel.width / columns * static_cast<int>(panel.x.ticks.size());
  panel.height = map_height(panel);
}

Figure heat_map_figure(const HeatMap& map) {
  const FigureRequest& request = map.request;
  Figure figure{.name = request.name,
                .title = request.title,
                .subtitle = map.held,
                .legend = legend_of(map),
                .legend_on_top = true,
                .shared_bar = !request.own_y_range,
                .most_columns = map.panels.size()};
  if (!map.pooled.empty()) figure.subtitle += "; median over " + map.pooled;
  figure.subtitle += "; number and colour: " + quantity_label(request.y);
  double widest = text_width("exact", cell_font);
  for (const HeatPanel& panel : map.panels)
    for (const HeatCell& cell : panel.cells)
      widest = std::max(widest, text_width(cell_text(cell, request.y), cell_font));
  const int cell_width = static_cast<int>(std::ceil(widest)) + 10;
  const ColourScale shared = colour_scale(map.panels, request.y);
  for (const HeatPanel& panel : map.panels) {
    const ColourScale scale = request.own_y_range ? colour_scale({&panel, 1}, request.y) : shared;
    Layer cells{.form = Form::boxes, .part = "cells"};
    for (const HeatCell& cell : panel.cells) {
      Spot spot = spot_of(cell, cell_text(cell, request.y), scale);
      spot.tip = cell_tip(map, panel, cell);
      spot.where = fmt::format("{}={}\n{}={}", request.series, map.rows[cell.row], request.x,
                               map.columns[cell.column]);
      cells.spots.push_back(std::move(spot));
    }
    figure.panels.push_back(
        {.title = parse_double(panel.name) ? request.panel + " = " + panel.name : panel.name,
         .source = {"heat", request.x, request.y,
                    fmt::format("{}", fmt::join(request.where.texts, " and ")),
                    request.panel.empty() ? "" : request.panel + "=" + panel.name, map.where,
                    colours_of(scale)},
         .x = named_lines(map.columns, false),
         .y = named_lines(map.rows, true),
         .layers = {cells},
         .bar = bar_of(scale),
         .width = cell_width * static_cast<int>(map.columns.size())});
    figure.panels.back().height = map_height(figure.panels.back());
  }
  return figure;
}

}  // namespace fftprec::figures
