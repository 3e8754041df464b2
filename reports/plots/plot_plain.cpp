#include "reports/plots/plot_plain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "experiments/decimal.hpp"
#include "reports/page/report_html.hpp"
#include "reports/page/report_svg.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_curves.hpp"

namespace fftprec {

namespace {

constexpr double left = 70;
constexpr double right = 20;
constexpr double top = 12;
constexpr double bottom = 48;

/// What gnuplot reads at a tic: "2.0**-3", "1e-7", or "floor".
double place_of(const Tic& tic, double floor) {
  if (tic.at == "floor") return floor;
  if (tic.at.starts_with("2.0**")) return std::exp2(parse_double(tic.at.substr(5)).value_or(0));
  return parse_double(tic.at).value_or(0);
}

/// "10^{-3}" with its exponent raised.
std::string label_of(const Tic& tic) {
  const std::size_t at = tic.label.find("^{");
  if (at == std::string::npos || !tic.label.ends_with('}')) return html_text(tic.label);
  return fmt::format("{}<tspan dy=\"-5\" font-size=\"10\">{}</tspan>",
                     html_text(tic.label.substr(0, at)),
                     html_text(tic.label.substr(at + 2, tic.label.size() - at - 3)));
}

/// From numbers to pixels.
class Canvas {
 public:
  Canvas(const XAxis& x, const YAxis& y, const PanelSize& size) : x_(x), y_(y), size_(size) {}

  double across(double x) const {
    const double share = std::log(x / x_.low) / std::log(x_.high / x_.low);
    return left + share * (size_.width - left - right);
  }
  double down(double value) const {
    const double at = y_.logarithmic && value <= 0 ? y_.floor : value;
    const double share = y_.logarithmic ? std::log(at / y_.low) / std::log(y_.high / y_.low)
                                        : (at - y_.low) / (y_.high - y_.low);
    return size_.height - bottom - share * (size_.height - bottom - top);
  }

 private:
  const XAxis& x_;
  const YAxis& y_;
  PanelSize size_;
};

std::string text_at(double x, double y, std::string_view anchor, const std::string& markup,
                    std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, markup);
}

std::string axes(const XAxis& x, const YAxis& y, const Canvas& canvas, const PanelSize& size) {
  const double base = size.height - bottom;
  const double end = size.width - right;
  std::string text;
  for (const Tic& tic : y.tics) {
    const double at = canvas.down(place_of(tic, y.floor));
    if (!tic.label.empty()) {
      text += fmt::format("<path d=\"M{0},{1:.1f}H{2}\" stroke=\"var(--grid)\"/>\n", left, at, end);
      text += text_at(left - 8, at + 4, "end", label_of(tic));
    }
  }
  for (const Tic& tic : x.tics) {
    const double value = place_of(tic, 0);
    if (value < x.low || value > x.high) continue;
    const double at = canvas.across(value);
    text += fmt::format("<path d=\"M{:.1f},{}v-4\" stroke=\"var(--soft)\"/>\n", at, base);
    text += text_at(at, base + 17, "middle", label_of(tic));
  }
  text += fmt::format("<path d=\"M{0},{1}V{2}H{3}\" stroke=\"var(--soft)\" fill=\"none\"/>\n", left,
                      top, base, end);
  text += text_at((left + end) / 2, size.height - 8, "middle", html_text(x.label));
  const double middle = (top + base) / 2;
  return text + text_at(15, middle, "middle", html_text(y.label),
                        fmt::format(" transform=\"rotate(-90 15 {:.1f})\"", middle));
}

/// A line through the points that have the value. Empty if there is none.
template <class Value>
std::string curve(const Series& series, std::string_view part, std::string_view style,
                  const CurveNames& names, const Canvas& canvas, Value value) {
  std::string path;
  std::string marks;
  for (const Point& point : series.points) {
    const std::optional<double> y = value(point);
    if (!y) continue;
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : "L", canvas.across(point.x),
                        canvas.down(*y));
    if (part == "median")
      marks +=
          fmt::format("<use href=\"#gpPt{}\" transform=\"translate({:.1f},{:.1f}) scale(4)\"/>",
                      series_shape(series.style) - 1, canvas.across(point.x), canvas.down(*y));
  }
  if (path.empty()) return {};
  return fmt::format(
      "<g class=\"curve {0}\" data-series=\"{1}\" fill=\"none\" color=\"{2}\">{3}<path d=\"{4}\" "
      "stroke=\"{2}\" {5}/>{6}</g>\n",
      part, series.style, series_variable(series.style),
      element("title", names(series.style, part)), path, style, marks);
}

}  // namespace

std::string plain_svg(const Figure& figure, std::size_t i, const PanelSize& size) {
  const Figure shown{figure.request, {}, {}, {figure.panels[i]}, {}, 0};
  const YAxis y = y_axis(figure.request.own_y_range ? shown : figure);
  const XAxis x = x_axis(figure, static_cast<std::size_t>((size.width - left - right) / 56));
  const Canvas canvas(x, y, size);
  const CurveNames names = curve_names(figure);
  std::string curves;
  for (const Series& series : figure.panels[i].series) {
    curves += curve(series, "bound", "stroke-dasharray=\"9,5\"", names, canvas,
                    [](const Point& point) { return point.bound; });
    curves += curve(series, "expected", "stroke-width=\"1.5\" stroke-dasharray=\"1.5,4\"", names,
                    canvas, [](const Point& point) { return point.expected; });
    curves += curve(series, "median", "stroke-width=\"1.8\"", names, canvas,
                    [](const Point& point) { return std::optional(point.median); });
  }
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" font-size=\"13\" "
      "fill=\"var(--ink)\">\n{}{}</svg>",
      size.width, size.height, html_text(figure.request.title), axes(x, y, canvas, size), curves);
}

}  // namespace fftprec
