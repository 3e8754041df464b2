#include "reports/plots/plot_script.hpp"

#include <fmt/format.h>

#include <string_view>

#include "experiments/decimal.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_settings.hpp"

namespace fftprec {

namespace {

std::string cell(const std::optional<double>& value) { return value ? shortest(*value) : "-"; }

/// Where things stand on the canvas, in pixels from its lower left corner.
struct Layout {
  static constexpr int width = 1000;
  static constexpr int left = 92;
  static constexpr int right = 248;  ///< unit roundoffs and the legend
  static constexpr int legend = 188;
  static constexpr int top = 92;  ///< title, subtitle and the panel's own title
  static constexpr int bottom = 58;
  static constexpr int gap_y = 62;

  std::size_t columns;
  int gap_x;
  int height;
  int panel_width;
  int panel_height;
};

/// One panel, or two columns; three for many panels that share their vertical axis.
Layout layout_of(std::size_t panels, bool own_y_range) {
  Layout layout{};
  layout.columns = panels == 1 ? 1 : panels <= 4 || own_y_range ? 2 : 3;
  layout.gap_x = own_y_range ? 92 : 22;
  const int columns = static_cast<int>(layout.columns);
  const int rows = static_cast<int>((panels + layout.columns - 1) / layout.columns);
  layout.panel_height = rows == 1 ? 490 : rows == 2 ? 300 : 220;
  layout.height =
      Layout::top + Layout::bottom + rows * layout.panel_height + (rows - 1) * Layout::gap_y;
  layout.panel_width =
      (Layout::width - Layout::left - Layout::right - (columns - 1) * layout.gap_x) / columns;
  return layout;
}

std::string header(const Figure& figure, const Layout& layout) {
  return canvas_header(figure.request.name, Layout::width, layout.height) +
         "set border 3 lw 1 lc '#666666'\n"
         "set tics nomirror textcolor '#333333' font ',10.5'\n"
         "set tics scale 0.7,0.35\n"
         "set grid ytics lt 1 lw 0.8 lc '#e6e6e6', lt 1 lw 0 lc '#ffffff'\n";
}

std::string subtitle_of(const Figure& figure) {
  return figure.pooled.empty() ? figure.held
                               : figure.held + "; median and range over " + figure.pooled;
}

std::string title(const Figure& figure, const Layout& layout) {
  std::string subtitle = subtitle_of(figure);
  if (figure.not_drawn > 0)
    subtitle += fmt::format("; {} rows not finite, not drawn", figure.not_drawn);
  return canvas_title(figure.request.title, subtitle, Layout::left, Layout::width, layout.height);
}

double top_of(std::size_t panel, const Layout& layout) {
  return layout.height - Layout::top -
         static_cast<double>(panel / layout.columns) * (layout.panel_height + Layout::gap_y);
}

/// Beside panel i at the canvas's edge: the labels of all rows stand below one another, however
/// wide their tics are.
std::string y_label(const YAxis& y, std::size_t i, const Layout& layout) {
  return fmt::format("set label {} at screen {}, screen {} center rotate noenhanced\n",
                     quoted(y.label), screen(20, Layout::width),
                     screen(top_of(i, layout) - layout.panel_height / 2.0, layout.height));
}

/// The rectangle of panel i, and its name above it.
std::string place(const Panel& panel, std::size_t i, const Layout& layout) {
  const double left =
      Layout::left + static_cast<double>(i % layout.columns) * (layout.panel_width + layout.gap_x);
  const double top = top_of(i, layout);
  std::string text =
      fmt::format("set lmargin at screen {}\nset rmargin at screen {}\n",
                  screen(left, Layout::width), screen(left + layout.panel_width, Layout::width));
  text += fmt::format("set bmargin at screen {}\nset tmargin at screen {}\n",
                      screen(top - layout.panel_height, layout.height), screen(top, layout.height));
  if (!panel.name.empty())
    text += fmt::format(
        "set label {} at graph 0, graph 1 left offset 0.4,0.8 noenhanced textcolor '#222222'\n",
        quoted(panel.name));
  return text;
}

}  // namespace

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
  const Layout layout = layout_of(count, figure.request.own_y_range);
  const XAxis x = x_axis(figure, static_cast<std::size_t>(layout.panel_width / 56));
  std::string text = header(figure, layout) + x_axis_settings(x);
  text += "unset key\nset multiplot\n";
  std::size_t block = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Panel& panel = figure.panels[i];
    const bool own = figure.request.own_y_range;
    const YAxis y = own ? y_axis(Figure{figure.request, {}, {}, {panel}, {}, 0}) : y_axis(figure);
    const bool first_in_row = i % layout.columns == 0;
    const bool last_in_row = (i + 1) % layout.columns == 0 || i + 1 == count;
    text += fmt::format("\n# {}\nunset label\nunset arrow\n",
                        panel.name.empty() ? figure.request.name : one_line(panel.name));
    if (i == 0) text += title(figure, layout);
    text += place(panel, i, layout);
    text += y_axis_settings(y, own || first_in_row);
    text += axis_marks(figure, y, own || last_in_row);
    text += i + layout.columns >= count
                ? fmt::format("set xlabel {} offset 0,0.2 noenhanced\n", quoted(x.label))
                : "unset xlabel\n";
    if (first_in_row) text += y_label(y, i, layout);
    if (i + 1 == count)
      text += fmt::format(
          "set key at screen {}, screen {} left top Left reverse noenhanced samplen 2 spacing 1.25 "
          "font ',11'\n",
          screen(Layout::width - Layout::legend, Layout::width),
          screen(layout.height - Layout::top + 8, layout.height));
    text += plot_curves(panel, block);
    if (i + 1 == count) text += plot_legend(figure);
    text += "\n";
  }
  return text + "unset multiplot\nunset output\n";
}

}  // namespace fftprec
