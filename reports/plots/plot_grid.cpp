#include "reports/plots/plot_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_curves.hpp"

namespace fftprec {

namespace {

constexpr int least_width = 1000;
constexpr int most_panels_width = 1300;
constexpr int least_legend = 188;
constexpr int marks = 60;  ///< unit roundoffs, right of the panels
constexpr int top = 92;    ///< title, subtitle and the panel's own title
constexpr int bottom = 58;
constexpr int gap_y = 62;
constexpr double panel_letter = 9.2;  ///< average width
constexpr double legend_letter = 8.7;
constexpr int legend_sample = 46;

int widest(const std::vector<std::string>& names, double letter) {
  std::size_t most = 0;
  for (const std::string& name : names) most = std::max(most, letters(name));
  return static_cast<int>(letter * static_cast<double>(most));
}

}  // namespace

int Grid::left_of(std::size_t i) const {
  return left + static_cast<int>(i % columns) * (panel_width + gap_x);
}

int Grid::top_of(std::size_t i) const { return top + static_cast<int>(i / columns) * step_y; }

Grid grid_of(const GridTexts& texts) {
  Grid grid{};
  grid.count = texts.panels.size();
  grid.columns = grid.count == 1 ? 1 : grid.count <= 4 || texts.own_y_range ? 2 : 3;
  grid.gap_x = texts.own_y_range ? 92 : 22;
  grid.columns = std::min(grid.columns, texts.most_columns);
  const int name_width =
      std::max(widest(texts.panels, panel_letter), widest({texts.x_label}, panel_letter));
  const int room = least_width - Grid::left - marks - least_legend;
  const auto panel_width = [&] {
    const int columns = static_cast<int>(grid.columns);
    return (room - (columns - 1) * grid.gap_x) / columns;
  };
  while (grid.columns > 1 && static_cast<int>(grid.columns) * name_width > most_panels_width)
    --grid.columns;
  grid.panel_width = std::max(panel_width(), name_width);
  const int columns = static_cast<int>(grid.columns);
  const int rows = static_cast<int>((grid.count + grid.columns - 1) / grid.columns);
  grid.legend = Grid::left + columns * grid.panel_width + (columns - 1) * grid.gap_x + marks;
  const int legend =
      texts.legend.empty()
          ? 0
          : std::max(least_legend, legend_sample + widest(texts.legend, legend_letter));
  grid.width = std::max(texts.legend.empty() ? 0 : least_width, grid.legend + legend);
  grid.top = top + title_excess(texts.title, texts.subtitle, Grid::left, grid.width);
  grid.panel_height = rows == 1 ? 490 : rows == 2 ? 300 : 220;
  grid.step_y = grid.panel_height + texts.below + gap_y;
  const int legend_height = Grid::legend_line * static_cast<int>(texts.legend.size() + 1);
  grid.height = std::max(grid.top + bottom + rows * grid.step_y - gap_y, grid.top + legend_height);
  return grid;
}

std::string grid_header(const GridTexts& texts, const Grid& grid) {
  return canvas_header(texts.name, grid.width, grid.height) + plot_frame() +
         "set grid ytics lt 1 lw 0.8 lc '#e6e6e6', lt 1 lw 0 lc '#ffffff'\n";
}

std::string grid_panel(const GridTexts& texts, const Grid& grid, std::size_t i) {
  const int left = grid.left_of(i);
  const int upper = grid.height - grid.top_of(i);
  std::string text;
  if (i == 0) text = canvas_title(texts.title, texts.subtitle, Grid::left, grid.width, grid.height);
  text += plot_margins({left, left + grid.panel_width, upper - grid.panel_height, upper},
                       grid.width, grid.height);
  if (!texts.panels[i].empty())
    text += fmt::format(
        "set label {} at graph 0, graph 1 left offset 0.4,0.8 noenhanced textcolor '#222222'\n",
        fftprec::quoted(texts.panels[i]));
  return text;
}

std::string grid_y_label(const Grid& grid, std::size_t i, const std::string& label) {
  return label_at(label, 20, grid.height - grid.top_of(i) - grid.panel_height / 2.0, grid.width,
                  grid.height, "center rotate noenhanced");
}

std::string grid_legend(const GridTexts& texts, const Grid& grid) {
  return key_column(grid.legend, grid.height - grid.top + 8, grid.width, grid.height,
                    texts.legend.size());
}

}  // namespace fftprec
