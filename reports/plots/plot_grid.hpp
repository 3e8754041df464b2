/// Where the panels of a figure stand on its canvas, with title and legend.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// What a figure says beside its panels.
struct GridTexts {
  std::string name;  ///< of its files, without ending
  std::string title;
  std::string subtitle;
  std::vector<std::string> panels;  ///< their names, above each; at least one
  std::vector<std::string> legend;
  bool own_y_range = false;  ///< every panel has tics of its own
  int below = 0;             ///< pixels under each panel for a text of its own
  std::string x_label = {};  ///< of every panel, which is as wide as it
  std::size_t most_columns = 3;
};

/// All in pixels, from the upper left corner of the canvas.
struct Grid {
  static constexpr int left = 92;
  static constexpr int legend_line = 22;

  std::size_t columns;
  std::size_t count;
  int width;
  int height;
  int panel_width;
  int panel_height;
  int gap_x;
  int step_y;
  int top;     ///< of the first row of panels
  int legend;  ///< where it begins

  int left_of(std::size_t i) const;
  int top_of(std::size_t i) const;
  bool first_in_row(std::size_t i) const { return i % columns == 0; }
  bool last_in_row(std::size_t i) const { return (i + 1) % columns == 0 || i + 1 == count; }
  bool lowest_in_column(std::size_t i) const { return i + columns >= count; }
};

/// One panel, or two columns; three for many panels that share their vertical axis. Panels are as
/// wide as their names, the fewer side by side; the canvas is as wide and high as the legend needs.
Grid grid_of(const GridTexts& texts);

/// Canvas, frames, tics and grid lines, as settings of gnuplot.
std::string grid_header(const GridTexts& texts, const Grid& grid);

/// The rectangle of panel i, and its name above it; with the first panel the title.
std::string grid_panel(const GridTexts& texts, const Grid& grid, std::size_t i);

/// Beside panel i at the canvas's edge: the labels of all rows stand below one another, however
/// wide their tics are.
std::string grid_y_label(const Grid& grid, std::size_t i, const std::string& label);

/// The place of the legend, to be set before the last panel is drawn.
std::string grid_legend(const GridTexts& texts, const Grid& grid);

}  // namespace fftprec
