#include "reports/plots/plot_heatmap_layout.hpp"

#include <algorithm>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_canvas.hpp"

namespace fftprec {

namespace {

int longest(const std::vector<std::string>& names) {
  std::size_t most = 0;
  for (const std::string& name : names) most = std::max(most, letters(name));
  return static_cast<int>(most);
}

/// Letters of the longest text in a cell, at least those of "exact".
std::size_t longest_text(const HeatMap& map) {
  std::size_t most = 5;
  for (const HeatPanel& panel : map.panels)
    for (const HeatCell& cell : panel.cells)
      most = std::max(most, cell_text(cell, map.request.y).size());
  return most;
}

}  // namespace

std::string panel_title(const HeatMap& map, std::size_t i) {
  const std::string& name = map.panels[i].name;
  return parse_double(name) ? map.request.panel + " = " + name : name;
}

std::string heat_map_subtitle(const HeatMap& map) {
  return map.pooled.empty() ? map.held : map.held + "; median over " + map.pooled;
}

HeatMapLayout heat_map_layout(const HeatMap& map) {
  HeatMapLayout layout{};
  layout.own_bars = map.request.own_y_range;
  layout.left = std::max(92, HeatMapLayout::margin + HeatMapLayout::letter * longest(map.rows));
  layout.cell_width = 10 + 13 * static_cast<int>(longest_text(map)) / 2;
  layout.panel_width = layout.cell_width * static_cast<int>(map.columns.size());
  layout.slot_width = layout.panel_width;
  for (std::size_t i = 0; i < map.panels.size(); ++i)
    layout.slot_width = std::max(
        layout.slot_width, HeatMapLayout::letter * static_cast<int>(letters(panel_title(map, i))));
  layout.panel_height = std::max(HeatMapLayout::least_height,
                                 HeatMapLayout::cell_height * static_cast<int>(map.rows.size()));
  layout.slanted = HeatMapLayout::letter * longest(map.columns) > layout.cell_width + 4;
  layout.names_height = layout.slanted ? 22 + 5 * longest(map.columns) : 28;
  const int room = HeatMapLayout::most_width - layout.left - layout.slot_width - HeatMapLayout::bar;
  const auto fitting = 1 + static_cast<std::size_t>(std::max(0, room) / layout.step_x());
  layout.across = std::min(fitting, map.panels.size());
  if (map.panels.size() == 4 && layout.across == 3) layout.across = 2;
  const int across = static_cast<int>(layout.across);
  const int down = static_cast<int>((map.panels.size() + layout.across - 1) / layout.across);
  layout.width = std::max(HeatMapLayout::least_width, layout.left + (across - 1) * layout.step_x() +
                                                          layout.slot_width + HeatMapLayout::bar);
  layout.top = 142 + title_excess(map.request.title, heat_map_subtitle(map), HeatMapLayout::margin,
                                  layout.width);
  layout.height = layout.top + down * layout.step_y() - HeatMapLayout::gap_y + 24;
  return layout;
}

}  // namespace fftprec
