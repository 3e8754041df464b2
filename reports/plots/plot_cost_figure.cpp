#include "reports/plots/plot_cost_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_cost_panel.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_styles.hpp"
#include "reports/results/quantity.hpp"
#include "reports/text/cells.hpp"

namespace fftprec {

namespace {

constexpr std::size_t most_lines = 9;
constexpr int axis_height = 58;  ///< tics and the name of the axis
constexpr int line_height = 16;

std::string legend_of(std::span<const CostFigure> figures) {
  std::string text;
  const auto entry = [&text](const std::string& style, std::string_view name) {
    text += fmt::format(", \\\n  keyentry with {} title {}", style, fftprec::quoted(name));
  };
  for (const Series& mode : modes_of(figures))
    entry(fmt::format("points pt {} ps 0.8 lc '{}'", series_shape(mode.style),
                      series_colour(mode.style)),
          mode.name);
  entry("lines lw 2.2 dt (2,4) lc '#666666'", "Pareto front");
  entry("lines lw 1 lc '#444444'", "front of a mode");
  return text;
}

/// The lines under panel i.
std::string front_list(const CostFigure& figure, const Grid& grid, std::size_t i) {
  std::string text;
  int down = grid.top_of(i) + grid.panel_height + axis_height + 8;
  for (const std::string& line : front_lines(figure)) {
    text += label_at(line, grid.left_of(i), grid.height - down, grid.width, grid.height,
                     "left noenhanced font ',9.5' textcolor '#333333'");
    down += line_height;
  }
  return text;
}

}  // namespace

std::vector<Series> modes_of(std::span<const CostFigure> figures) {
  std::vector<Series> modes;
  for (const CostFigure& figure : figures)
    for (const Series& mode : figure.modes)
      if (std::none_of(modes.begin(), modes.end(),
                       [&mode](const Series& each) { return each.name == mode.name; }))
        modes.push_back(mode);
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Series& a, const Series& b) { return a.style < b.style; });
  return modes;
}

std::vector<std::string> front_lines(const CostFigure& figure) {
  std::vector<std::string> lines;
  std::size_t number = 0;
  for (const CostPoint& point : figure.points)
    if (point.on_front)
      lines.push_back(fmt::format("{} {}, {}: {}", ++number, point.algorithm, point.mode,
                                  text::error_text(point.error)));
  if (lines.size() > most_lines) {
    const std::size_t more = lines.size() - (most_lines - 1);
    lines.resize(most_lines - 1);
    lines.push_back(fmt::format("and {} more", more));
  }
  return lines;
}

GridTexts cost_texts(const std::string& name, const std::string& title,
                     std::span<const CostFigure> figures) {
  const CostFigure& last = figures.back();
  GridTexts texts{.name = name, .title = title, .subtitle = last.held, .panels = {}, .legend = {}};
  if (!last.pooled.empty()) texts.subtitle += "; medians over " + last.pooled;
  std::size_t most = 0;
  for (const CostFigure& figure : figures) {
    texts.panels.push_back(fmt::format("n = {}", figure.n));
    most = std::max(most, front_lines(figure).size());
  }
  if (const std::string rows = left_out(figures); !rows.empty()) texts.subtitle += "; " + rows;
  texts.subtitle += "; numbered: the Pareto front";
  for (const Series& mode : modes_of(figures)) texts.legend.push_back(mode.name);
  texts.legend.insert(texts.legend.end(), {"Pareto front", "front of a mode"});
  texts.x_label = quantity_label(last.cost);
  texts.most_columns = 2;
  texts.below = 30 + line_height * static_cast<int>(most);
  return texts;
}

Drawing costs_drawing(const std::string& name, const std::string& title,
                      std::span<const CostFigure> figures) {
  const GridTexts texts = cost_texts(name, title, figures);
  const Grid grid = grid_of(texts);
  const CostAxes axes = cost_axes(figures, std::max(3, grid.panel_width / 60));
  std::string data = fmt::format(
      "# per panel: {} {} number of its front, then per mode its front and its points\n",
      figures.front().cost, figures.front().error);
  std::string script = grid_header(texts, grid) + "unset key\nset multiplot\n";
  std::size_t block = 0;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const CostFigure& figure = figures[i];
    data +=
        fmt::format("{}# {}\n", i == 0 ? "" : "\n\n", texts.panels[i]) + cost_data(figure, axes);
    script +=
        fmt::format("\n# {}\nunset label\n", texts.panels[i]) + grid_panel(texts, grid, i) +
        cost_axis_settings(axes, grid.first_in_row(i)) + cost_front_labels(figure, axes) +
        front_list(figure, grid, i) +
        fmt::format("set xlabel {} offset 0,0.2 noenhanced\n", fftprec::quoted(texts.x_label));
    if (grid.first_in_row(i)) script += grid_y_label(grid, i, quantity_label(figure.error));
    if (i + 1 == figures.size()) script += grid_legend(texts, grid);
    script += cost_curves(figure, block, false);
    if (i + 1 == figures.size()) script += legend_of(figures);
    script += "\n";
  }
  script += "unset multiplot\nunset output\n";
  return {.name = name, .data = std::move(data), .script = std::move(script)};
}

}  // namespace fftprec
