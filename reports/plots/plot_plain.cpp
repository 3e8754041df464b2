#include "reports/plots/plot_plain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reports/page/report_html.hpp"
#include "reports/page/report_svg.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_cost_panel.hpp"
#include "reports/plots/plot_plain_axes.hpp"
#include "reports/plots/plot_styles.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

std::string mark_at(std::size_t style, double x, double y) {
  return fmt::format("<use href=\"#gpPt{}\" transform=\"translate({:.1f},{:.1f}) scale(4)\"/>",
                     series_shape(style) - 1, x, y);
}

/// A group that a script can find, in the colour of its series.
std::string group(std::string_view part, std::size_t style, const std::string& title,
                  const std::string& content) {
  return fmt::format(
      "<g class=\"curve {}\" data-series=\"{}\" fill=\"none\" color=\"{}\">{}{}</g>\n", part, style,
      series_variable(style), element("title", title), content);
}

/// A line through the points that have the value. Empty if there is none.
template <class Value>
std::string curve(const Series& series, std::string_view part, const std::string& style,
                  const CurveNames& names, const PlainCanvas& canvas, Value value) {
  std::string path;
  std::string marks;
  for (const Point& point : series.points) {
    const std::optional<double> y = value(point);
    if (!y) continue;
    const double at = canvas.across(point.x);
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : "L", at, canvas.down(*y));
    if (part == "median") marks += mark_at(series.style, at, canvas.down(*y));
  }
  if (path.empty()) return {};
  return group(part, series.style, names(series.style, part),
               fmt::format("<path d=\"{}\" stroke=\"{}\" {}/>{}", path,
                           series_variable(series.style), style, marks));
}

/// Between the smallest and the largest values. Empty if they are one everywhere.
std::string band(const Series& series, const CurveNames& names, const PlainCanvas& canvas) {
  if (std::none_of(series.points.begin(), series.points.end(),
                   [](const Point& point) { return point.low < point.high; }))
    return {};
  std::string upper;
  std::string lower;
  for (const Point& point : series.points) {
    const double at = canvas.across(point.x);
    upper += fmt::format("{}{:.1f},{:.1f}", upper.empty() ? "M" : "L", at, canvas.down(point.high));
    lower = fmt::format("L{:.1f},{:.1f}", at, canvas.down(point.low)) + lower;
  }
  return group("range", series.style, names(series.style, "range"),
               fmt::format("<path d=\"{}{}Z\" fill=\"{}\" opacity=\"0.12\"/>", upper, lower,
                           series_variable(series.style)));
}

/// Steps to the right, then up or down, as gnuplot draws them.
template <class Holds>
std::string steps(const CostFigure& figure, const PlainCanvas& canvas, Holds holds) {
  std::string path;
  for (const CostPoint& point : figure.points)
    if (holds(point))
      path +=
          path.empty()
              ? fmt::format("M{:.1f},{:.1f}", canvas.across(point.cost), canvas.down(point.error))
              : fmt::format("H{:.1f}V{:.1f}", canvas.across(point.cost), canvas.down(point.error));
  return path;
}

PlainAxis plain_axis(const Decades& axis, const std::string& label) {
  return {axis.low, axis.high, true, axis.zero, label, axis.tics};
}

}  // namespace

std::string plain_svg(const Figure& figure, std::size_t i, const PanelSize& size) {
  const Figure shown{figure.request, {}, {}, {figure.panels[i]}, {}, 0};
  const YAxis y = y_axis(figure.request.own_y_range ? shown : figure);
  const double room = size.width - PlainCanvas::left - PlainCanvas::right;
  const XAxis x = x_axis(figure, static_cast<std::size_t>(room / 56));
  const PlainCanvas canvas(plain_axis(x), plain_axis(y), size);
  const CurveNames names = curve_names(figure);
  std::string curves;
  for (const Series& series : figure.panels[i].series) curves += band(series, names, canvas);
  for (const Series& series : figure.panels[i].series) {
    const std::string dashes = dash_list(series.style);
    curves += curve(series, "bound", "stroke-dasharray=\"9,5\"", names, canvas,
                    [](const Point& point) { return point.bound; });
    curves += curve(series, "expected", "stroke-width=\"1.5\" stroke-dasharray=\"1.5,4\"", names,
                    canvas, [](const Point& point) { return point.expected; });
    curves += curve(series, "median",
                    "stroke-width=\"1.8\"" +
                        (dashes.empty() ? dashes : fmt::format(" stroke-dasharray=\"{}\"", dashes)),
                    names, canvas, [](const Point& point) { return std::optional(point.median); });
  }
  return canvas.element(figure.request.title, curves);
}

std::string plain_cost_svg(const CostFigure& figure, const CostAxes& axes, const PanelSize& size) {
  const PlainCanvas canvas(plain_axis(axes.cost, quantity_label(figure.cost)),
                           plain_axis(axes.error, quantity_label(figure.error)), size);
  std::string curves = fmt::format(
      "<path class=\"front\" d=\"{}\" fill=\"none\" stroke=\"var(--soft)\" stroke-width=\"2.2\" "
      "stroke-dasharray=\"2,4\"/>\n",
      steps(figure, canvas, [](const CostPoint& point) { return point.on_front; }));
  for (const Series& mode : figure.modes) {
    const std::string path = steps(figure, canvas, [&mode](const CostPoint& point) {
      return point.mode == mode.name && point.on_mode_front;
    });
    if (!path.empty())
      curves +=
          group("front", mode.style, mode.name + ": front",
                fmt::format("<path d=\"{}\" stroke=\"{}\"/>", path, series_variable(mode.style)));
    std::string marks;
    for (const CostPoint& point : figure.points)
      if (point.mode == mode.name)
        marks += mark_at(mode.style, canvas.across(point.cost), canvas.down(point.error));
    if (!marks.empty()) curves += group("median", mode.style, mode.name + ": algorithms", marks);
  }
  for (const FrontLabel& label : front_labels(figure, axes)) {
    const CostPoint& point = figure.points[label.point];
    curves += text_at(canvas.across(point.cost) - 9, canvas.down(point.error) + 4, "end",
                      html_text(label.text));
  }
  return canvas.element(
      fmt::format("Error against {}, n = {}", quantity_label(figure.cost), figure.n), curves);
}

std::string plain_histogram_svg(const Histogram& histogram, std::size_t i,
                                const HistogramAxes& axes, const PanelSize& size) {
  const HistogramPanel& panel = histogram.panels[i];
  PlainAxis x{axes.first, axes.last, false, 0, quantity_label(err_over_bound), {}};
  for (int k = static_cast<int>(axes.first); k <= std::floor(axes.last); ++k)
    x.tics.push_back({std::to_string(k), fmt::format("10^{{{}}}", k)});
  PlainAxis y{0, axes.percent, false, 0, histogram_y_label, {}};
  const int step = axes.percent > 50 ? 20 : axes.percent > 20 ? 10 : 5;
  for (int percent = 0; percent <= axes.percent; percent += step)
    y.tics.push_back({std::to_string(percent), std::to_string(percent)});
  const PlainCanvas canvas(x, y, size);
  const std::string colour = i == 0 ? "var(--soft)" : series_variable(panel.style);
  std::string bars;
  for (std::size_t bin = 0; bin < panel.counts.size(); ++bin) {
    if (panel.counts[bin] == 0) continue;
    const double begin = histogram.first_exponent + static_cast<double>(bin) * histogram_step;
    const double upper = canvas.down(bin_percent(panel, bin));
    bars += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "opacity=\"0.85\"><title>{} rows</title></rect>\n",
        canvas.across(begin), upper, canvas.across(begin + histogram_step) - canvas.across(begin),
        canvas.down(0) - upper, colour, panel.counts[bin]);
  }
  const double bound = canvas.across(0);
  bars +=
      fmt::format("<path d=\"M{:.1f},{:.1f}V{}\" stroke=\"var(--ink)\" stroke-width=\"1.5\"/>\n",
                  bound, canvas.down(0), PlainCanvas::top) +
      text_at(bound - 5, PlainCanvas::top + 12, "end", "bound");
  return canvas.element("Histogram of error over worst-case bound: " + panel.name, bars);
}

}  // namespace fftprec
