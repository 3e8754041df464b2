#include "reports/plots/plot_plain_axes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "experiments/support/decimal.hpp"
#include "reports/page/report_html.hpp"

namespace fftprec {

namespace {

/// What gnuplot reads at a tic: "2.0**-3", "1e-7", or "floor".
double place_of(const Tic& tic, double zero) {
  if (tic.at == "floor") return zero;
  if (tic.at.starts_with("2.0**")) return std::exp2(parse_double(tic.at.substr(5)).value_or(0));
  return parse_double(tic.at).value_or(0);
}

/// Where `value` stands between the ends of the axis.
double share_of(double value, const PlainAxis& axis) {
  if (!axis.logarithmic) return (value - axis.low) / (axis.high - axis.low);
  const double at = value <= 0 ? axis.zero : value;
  return std::log(at / axis.low) / std::log(axis.high / axis.low);
}

}  // namespace

PlainAxis plain_axis(const XAxis& x) { return {x.low, x.high, true, 0, x.label, x.tics}; }

PlainAxis plain_axis(const YAxis& y) {
  return {y.low, y.high, y.logarithmic, y.floor, y.label, y.tics};
}

std::string raised(const std::string& label) {
  const std::size_t at = label.find("^{");
  if (at == std::string::npos || !label.ends_with('}')) return html_text(label);
  return fmt::format("{}<tspan dy=\"-5\" font-size=\"10\">{}</tspan>",
                     html_text(label.substr(0, at)),
                     html_text(label.substr(at + 2, label.size() - at - 3)));
}

std::string text_at(double x, double y, std::string_view anchor, const std::string& markup,
                    std::string_view more) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, markup);
}

PlainCanvas::PlainCanvas(PlainAxis x, PlainAxis y, const PanelSize& size)
    : x_(std::move(x)), y_(std::move(y)), size_(size) {}

double PlainCanvas::across(double x) const {
  return left + share_of(x, x_) * (size_.width - left - right);
}

double PlainCanvas::down(double y) const {
  return size_.height - bottom - share_of(y, y_) * (size_.height - bottom - top);
}

std::string PlainCanvas::frame() const {
  const double base = size_.height - bottom;
  const double end = size_.width - right;
  std::string text;
  for (const Tic& tic : y_.tics) {
    if (tic.label.empty()) continue;
    const double at = down(place_of(tic, y_.zero));
    text += fmt::format("<path d=\"M{0},{1:.1f}H{2}\" stroke=\"var(--grid)\"/>\n", left, at, end);
    text += text_at(left - 8, at + 4, "end", raised(tic.label));
  }
  for (const Tic& tic : x_.tics) {
    const double value = place_of(tic, x_.zero);
    if (value < x_.low || value > x_.high) continue;
    const double at = across(value);
    text += fmt::format("<path d=\"M{:.1f},{}v-4\" stroke=\"var(--soft)\"/>\n", at, base);
    text += text_at(at, base + 17, "middle", raised(tic.label));
  }
  text += fmt::format("<path d=\"M{0},{1}V{2}H{3}\" stroke=\"var(--soft)\" fill=\"none\"/>\n", left,
                      top, base, end);
  text += text_at((left + end) / 2, size_.height - 8, "middle", html_text(x_.label));
  const double middle = (top + base) / 2;
  return text + text_at(15, middle, "middle", html_text(y_.label),
                        fmt::format(" transform=\"rotate(-90 15 {:.1f})\"", middle));
}

std::string PlainCanvas::element(std::string_view label, std::string_view curves) const {
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" font-size=\"13\" "
      "fill=\"var(--ink)\">\n{}{}</svg>",
      size_.width, size_.height, html_text(label), frame(), curves);
}

}  // namespace fftprec
