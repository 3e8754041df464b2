#include "reports/plots/plot_plain_figures.hpp"

#include <fmt/format.h>

#include "reports/page/report_html.hpp"
#include "reports/page/report_svg.hpp"
#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_colours.hpp"
#include "reports/plots/plot_cost_figure.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_heatmap_layout.hpp"
#include "reports/plots/plot_histogram_figure.hpp"
#include "reports/plots/plot_plain.hpp"
#include "reports/plots/plot_plain_axes.hpp"
#include "reports/plots/plot_script.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

constexpr std::string_view small = " font-size=\"12\"";

/// A file that stands alone: a colour that a style sheet would name is written out.
std::string document(int width, int height, const std::string& content) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         without_variables(fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
             "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"14\" "
             "fill=\"var(--ink)\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"var(--paper)\"/>\n{2}"
             "{3}</svg>\n",
             width, height, point_shapes(), content));
}

std::string title_of(const std::string& title, const std::string& subtitle, int left, int width) {
  std::string text;
  for (const TitleLine& line : title_lines(title, subtitle, left, width))
    text += text_at(left, line.down + 5, "start", html_text(line.text),
                    line.large ? " font-size=\"19\"" : " font-size=\"13\" fill=\"var(--soft)\"");
  return text;
}

/// Entries of a legend, each a sample 30 wide and 12 high, and a name.
class Legend {
 public:
  explicit Legend(const Grid& grid) : x_(grid.legend), y_(grid.top) {}

  void add(const std::string& sample, const std::string& name) {
    text_ += fmt::format("<g transform=\"translate({},{})\">{}</g>\n", x_, y_ - 6, sample);
    text_ += text_at(x_ + 36, y_ + 5, "start", html_text(name));
    y_ += Grid::legend_line;
  }
  void add_line(std::string_view style, const std::string& name) {
    add(fmt::format("<path d=\"M1,6H29\" fill=\"none\" stroke=\"var(--soft)\" {}/>", style), name);
  }
  const std::string& text() const { return text_; }

 private:
  int x_;
  int y_;
  std::string text_;
};

/// With room for tics and names of the axes at every panel.
GridTexts spread(GridTexts texts) {
  texts.own_y_range = true;
  texts.below += 14;
  return texts;
}

PanelSize size_of(const Grid& grid) {
  return {grid.panel_width + static_cast<int>(PlainCanvas::left + PlainCanvas::right),
          grid.panel_height + static_cast<int>(PlainCanvas::top + PlainCanvas::bottom)};
}

/// `panel`, an svg element of size_of(grid), at its place with its name above it.
std::string placed(const std::string& panel, const GridTexts& texts, const Grid& grid,
                   std::size_t i) {
  const PanelSize size = size_of(grid);
  return text_at(grid.left_of(i), grid.top_of(i) - 10, "start", html_text(texts.panels[i]),
                 " font-size=\"15\"") +
         fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}\n",
                     grid.left_of(i) - PlainCanvas::left, grid.top_of(i) - PlainCanvas::top,
                     size.width, size.height, panel.substr(5));
}

}  // namespace

std::string plain_lines(const Figure& figure) {
  const GridTexts texts = spread(figure_texts(figure));
  const Grid grid = grid_of(texts);
  std::string content = title_of(texts.title, texts.subtitle, Grid::left, grid.width);
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    content += placed(plain_svg(figure, i, size_of(grid)), texts, grid, i);
  Legend legend(grid);
  for (const Series& series : figure.legend) legend.add(series_swatch(series.style), series.name);
  for (std::size_t i = figure.legend.size(); i < texts.legend.size(); ++i) {
    const std::string& name = texts.legend[i];
    legend.add_line(name == "range"      ? "stroke-width=\"9\" opacity=\"0.3\""
                    : name == "expected" ? "stroke-width=\"1.5\" stroke-dasharray=\"1.5,4\""
                                         : "stroke-dasharray=\"9,5\"",
                    name);
  }
  return document(grid.width, grid.height, content + legend.text());
}

std::string plain_costs(const std::string& title, std::span<const CostFigure> figures) {
  const GridTexts texts = spread(cost_texts("", title, figures));
  const Grid grid = grid_of(texts);
  const CostAxes axes = cost_axes(figures, grid.panel_width / 60);
  std::string content = title_of(texts.title, texts.subtitle, Grid::left, grid.width);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    content += placed(plain_cost_svg(figures[i], axes, size_of(grid)), texts, grid, i);
    double down = grid.top_of(i) + grid.panel_height + PlainCanvas::bottom + 18;
    for (const std::string& line : front_lines(figures[i])) {
      content += text_at(grid.left_of(i), down, "start", html_text(line), small);
      down += 16;
    }
  }
  Legend legend(grid);
  for (const Series& mode : modes_of(figures)) legend.add(series_swatch(mode.style), mode.name);
  legend.add_line("stroke-width=\"2.2\" stroke-dasharray=\"2,4\"", "Pareto front");
  legend.add_line("", "front of a mode");
  return document(grid.width, grid.height, content + legend.text());
}

std::string plain_histogram(const std::string& title, const Histogram& histogram) {
  const GridTexts texts = spread(histogram_texts("", title, histogram));
  const Grid grid = grid_of(texts);
  const HistogramAxes axes = histogram_axes(histogram.panels, histogram);
  std::string content = title_of(texts.title, texts.subtitle, Grid::left, grid.width);
  for (std::size_t i = 0; i < histogram.panels.size(); ++i) {
    content += placed(plain_histogram_svg(histogram, i, axes, size_of(grid)), texts, grid, i);
    double down = grid.top_of(i) + 14;
    for (const std::string& note : histogram_notes(histogram.panels[i])) {
      content += text_at(grid.left_of(i) + 8, down, "start", html_text(note), small);
      down += 16;
    }
  }
  return document(grid.width, grid.height, content);
}

std::string plain_heat_map(const HeatMap& map) {
  const HeatMapLayout layout = heat_map_layout(map);
  constexpr int margin = HeatMapLayout::margin;
  const FigureRequest& request = map.request;
  std::string content = title_of(request.title, heat_map_subtitle(map), margin, layout.width);
  const int legend = layout.top - HeatMapLayout::legend_height;
  content += text_at(margin, legend + 5, "start",
                     html_text("number and colour: " + quantity_label(request.y) +
                               "; s: skipped, x: failed, blank: not run"),
                     " font-size=\"13\" fill=\"var(--soft)\"");
  for (std::size_t i = 0; i < map.panels.size(); ++i) {
    const HeatPanel& panel = map.panels[i];
    const ColourScale scale = request.own_y_range ? colour_scale({&panel, 1}, request.y)
                                                  : colour_scale(map.panels, request.y);
    const double left = layout.left_of(i);
    const double top = layout.height - layout.top_of(i);
    const double step = static_cast<double>(layout.panel_height) /
                        static_cast<double>(std::max<std::size_t>(map.rows.size(), 1));
    const auto row_middle = [&](std::size_t row) {
      return top + (static_cast<double>(row) + 0.5) * step + 4;
    };
    content +=
        text_at(left, top - 12, "start", html_text(panel_title(map, i)), " font-size=\"15\"");
    if (i % layout.across == 0)
      for (std::size_t row = 0; row < map.rows.size(); ++row)
        content += text_at(left - 8, row_middle(row), "end", html_text(map.rows[row]));
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
      const double x = left + (static_cast<double>(column) + 0.5) * layout.cell_width;
      const double y = top + layout.panel_height + 16;
      content += text_at(
          x, y, layout.slanted ? "end" : "middle", html_text(map.columns[column]),
          layout.slanted ? fmt::format(" transform=\"rotate(-35 {} {})\"", x, y) : std::string());
    }
    for (const HeatCell& cell : panel.cells) {
      const double shade = cell.kind == CellKind::value ? shade_of(cell.value, scale) : 0;
      std::string fill = palette_colour(shade);
      std::string_view ink = shade < dark_shade ? "#ffffff" : "#111111";
      for (const CellLook& look : cell_looks())
        if (look.kind == cell.kind) {
          fill = look.fill;
          ink = look.ink;
        }
      const double x = left + static_cast<double>(cell.column) * layout.cell_width;
      content += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" fill=\"{}\" "
          "stroke=\"var(--paper)\" stroke-width=\"2\"/>\n",
          x, top + static_cast<double>(cell.row) * step, layout.cell_width, step, fill);
      content +=
          text_at(x + layout.cell_width / 2.0, row_middle(cell.row), "middle",
                  html_text(cell_text(cell, request.y)), fmt::format("{} fill=\"{}\"", small, ink));
    }
  }
  return document(layout.width, layout.height, content);
}

}  // namespace fftprec
