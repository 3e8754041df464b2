/// Where the parts of a heat map stand.
#pragma once

#include <cstddef>
#include <string>

#include "reports/plots/plot_heatmap.hpp"

namespace fftprec {

/// All in pixels, from the lower left corner of the canvas.
struct HeatMapLayout {
  static constexpr int cell_height = 21;
  static constexpr int least_height = 84;  ///< of a panel: its colour bar has labels
  static constexpr int letter = 9;         ///< width of a letter of a name
  static constexpr int margin = 24;
  static constexpr int gap_y = 34;  ///< between the names of columns and the next panel's own name
  static constexpr int bar = 76;    ///< the colour bar, its tics and a margin
  static constexpr int legend_height = 72;  ///< from the first line of the legend to the cells
  static constexpr int most_width = 1420;
  static constexpr int least_width = 720;

  bool own_bars;
  bool slanted;  ///< the names of the columns do not fit side by side
  std::size_t across;
  int cell_width;
  int left;
  int panel_width;
  int slot_width;  ///< of a panel, or of its name
  int panel_height;
  int top;           ///< title, subtitle, legend and the panel's own name
  int names_height;  ///< of the names of the columns
  int width;
  int height;

  int step_x() const { return slot_width + (own_bars ? bar : 22); }
  int step_y() const { return panel_height + names_height + gap_y; }
  int left_of(std::size_t i) const { return left + static_cast<int>(i % across) * step_x(); }
  int top_of(std::size_t i) const { return height - top - static_cast<int>(i / across) * step_y(); }
};

/// What stands above panel i: its name, "n = 64" for a number.
std::string panel_title(const HeatMap& map, std::size_t i);

/// What the map holds and pools, below its title.
std::string heat_map_subtitle(const HeatMap& map);

/// As many panels side by side as fit; cells as wide as the longest text in them.
/// Requires: at least one panel.
HeatMapLayout heat_map_layout(const HeatMap& map);

}  // namespace fftprec
