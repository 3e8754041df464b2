#include "reports/plots/plot_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fftprec {

namespace {

/// Okabe and Ito (2008), without the yellow, which is too pale for a line on white.
constexpr std::array<std::string_view, 8> colours = {"#0072B2", "#56B4E9", "#000000", "#D55E00",
                                                     "#E69F00", "#CC79A7", "#009E73", "#7F7F7F"};

/// Point types of gnuplot: filled and open circle, square, triangle, diamond, pentagon. Nine, so
/// that colours and shapes repeat together only after 72 series.
constexpr std::array<int, 9> shapes = {7, 6, 5, 9, 8, 13, 11, 15, 4};

std::string_view colour_of(const Series& series) { return series_colour(series.style); }
int shape_of(const Series& series) { return series_shape(series.style); }

bool any_point(const Figure& figure, bool (*holds)(const Point&)) {
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series)
      if (std::any_of(series.points.begin(), series.points.end(), holds)) return true;
  return false;
}

bool any_point(const Series& series, bool (*holds)(const Point&)) {
  return std::any_of(series.points.begin(), series.points.end(), holds);
}

bool has_bound(const Point& point) { return point.bound.has_value(); }
bool has_expected(const Point& point) { return point.expected.has_value(); }
bool has_range(const Point& point) { return point.low < point.high; }
bool is_partly_exact(const Point& point) { return point.zeros > 0 && point.median > 0; }

}  // namespace

std::string_view series_colour(std::size_t style) { return colours[style % colours.size()]; }

std::span<const std::string_view> series_colours() { return colours; }

int series_shape(std::size_t style) { return shapes[style % shapes.size()]; }

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return line;
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : one_line(text)) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

std::string plot_curves(const Panel& panel, std::size_t& block, bool titled) {
  std::string bands;
  std::string models;
  std::string lines;
  const auto add = [](std::string& text, const std::string& curve) {
    text += (text.empty() ? "  " : ", \\\n  ") + curve;
  };
  // Many bands on top of one another hide the lines, and which band is whose.
  const double opacity = panel.series.size() <= 4 ? 0.16 : 0.07;
  double octaves = -0.06 * static_cast<double>(panel.series.size() + 1);  // keeps exact marks apart
  for (const Series& series : panel.series) {
    octaves += 0.12;
    const std::string index = fmt::format("data index {}", block++);
    const std::string_view colour = colour_of(series);
    const auto title = [titled, &series](std::string_view part) {
      return titled ? fmt::format("title '{} {}'", series.style, part) : std::string("notitle");
    };
    if (any_point(series, has_range) && series.points.size() == 1)
      add(bands, fmt::format("{} using 1:(at($2)):(at($3)):(at($4)) with yerrorbars pt 0 lw 1 "
                             "lc '{}' {}",
                             index, colour, title("range")));
    else if (any_point(series, has_range))
      add(bands, fmt::format("{} using 1:(at($3)):(at($4)) with filledcurves fs transparent solid "
                             "{} noborder lc '{}' {}",
                             index, opacity, colour, title("range")));
    if (any_point(series, has_bound))
      add(models, fmt::format("{} using 1:5 with lines lw 1 dt (18,9) lc '{}' {}", index, colour,
                              title("bound")));
    if (any_point(series, has_expected))
      add(models, fmt::format("{} using 1:6 with lines lw 1.5 dt (2,6) lc '{}' {}", index, colour,
                              title("expected")));
    if (any_point(series, is_partly_exact))
      add(lines, fmt::format("{} using ($1*2**{:.2f}):($8 > 0 ? floor : NaN) with points pt {} "
                             "ps 0.4 lc '{}' {}",
                             index, octaves, shape_of(series), colour, title("exact")));
    add(lines, fmt::format("{} using 1:(at($2)) with linespoints lt 1 lw 1.8 pt {} ps 0.65 lc '{}' "
                           "{}",
                           index, shape_of(series), colour, title("median")));
  }
  std::string text = "plot \\\n";
  for (const std::string& part : {bands, models, lines})
    if (!part.empty()) text += (text.ends_with("plot \\\n") ? "" : ", \\\n") + part;
  return text;
}

std::string plot_legend(const Figure& figure) {
  std::string text;
  const auto entry = [&text](std::string_view style, std::string_view name) {
    text += fmt::format(", \\\n  keyentry with {} title {}", style, quoted(name));
  };
  for (const Series& series : figure.legend)
    entry(fmt::format("linespoints lt 1 lw 1.8 pt {} ps 0.65 lc '{}'", shape_of(series),
                      colour_of(series)),
          series.name);
  if (any_point(figure, has_range)) entry("lines lt 1 lw 9 lc '#dddddd'", "range");
  if (any_point(figure, has_expected)) entry("lines lw 1.5 dt (2,6) lc '#444444'", "expected");
  if (any_point(figure, has_bound)) entry("lines lw 1 dt (18,9) lc '#444444'", "worst-case bound");
  return text;
}

}  // namespace fftprec
