#include "reports/plots/plot_script.hpp"

#include <fmt/format.h>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_settings.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

std::string cell(const std::optional<double>& value) { return value ? shortest(*value) : "-"; }

std::string subtitle_of(const Figure& figure) {
  return figure.pooled.empty() ? figure.held
                               : figure.held + "; median and range over " + figure.pooled;
}

}  // namespace

GridTexts figure_texts(const Figure& figure) {
  GridTexts texts{.name = figure.request.name,
                  .title = figure.request.title,
                  .subtitle = subtitle_of(figure),
                  .panels = {},
                  .legend = legend_names(figure),
                  .own_y_range = figure.request.own_y_range};
  texts.x_label = quantity_label(figure.request.x);
  if (figure.not_drawn > 0)
    texts.subtitle += fmt::format("; {} rows not finite, not drawn", figure.not_drawn);
  for (const Panel& panel : figure.panels) texts.panels.push_back(panel.name);
  return texts;
}

std::string plot_data(const Figure& figure) {
  std::string text = fmt::format(
      "# {} against {}: {}\n"
      "# {} median low high bound expected rows zeros; low is the smallest value that is not "
      "zero\n",
      figure.request.y, figure.request.x, one_line(subtitle_of(figure)), figure.request.x);
  bool first = true;
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series) {
      if (!first) text += "\n\n";
      first = false;
      text += "#";
      if (!figure.request.panel.empty())
        text += fmt::format(" {}={}", figure.request.panel, one_line(panel.name));
      text += fmt::format(" {}={}\n", figure.request.series, one_line(series.name));
      for (const Point& point : series.points)
        text += fmt::format("{} {} {} {} {} {} {} {}\n", shortest(point.x), shortest(point.median),
                            shortest(point.low), shortest(point.high), cell(point.bound),
                            cell(point.expected), point.count, point.zeros);
    }
  return text;
}

std::string plot_script(const Figure& figure) {
  const std::size_t count = figure.panels.size();
  const GridTexts texts = figure_texts(figure);
  const Grid grid = grid_of(texts);
  const XAxis x = x_axis(figure, static_cast<std::size_t>(grid.panel_width / 56));
  std::string text = grid_header(texts, grid) + x_axis_settings(x);
  text += "unset key\nset multiplot\n";
  std::size_t block = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Panel& panel = figure.panels[i];
    const bool own = figure.request.own_y_range;
    const YAxis y = own ? y_axis(Figure{figure.request, {}, {}, {panel}, {}, 0}) : y_axis(figure);
    text += fmt::format("\n# {}\nunset label\nunset arrow\n",
                        panel.name.empty() ? figure.request.name : one_line(panel.name));
    text += grid_panel(texts, grid, i);
    text += y_axis_settings(y, own || grid.first_in_row(i));
    text += axis_marks(figure, y, own || grid.last_in_row(i));
    text += grid.lowest_in_column(i)
                ? fmt::format("set xlabel {} offset 0,0.2 noenhanced\n", quoted(x.label))
                : "unset xlabel\n";
    if (grid.first_in_row(i)) text += grid_y_label(grid, i, y.label);
    if (i + 1 == count) text += grid_legend(texts, grid);
    text += plot_curves(panel, block);
    if (i + 1 == count) text += plot_legend(figure);
    text += "\n";
  }
  return text + "unset multiplot\nunset output\n";
}

}  // namespace fftprec
