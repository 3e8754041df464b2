#include "reports/plots/plot_curves.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/plots/plot_styles.hpp"

namespace fftprec {

namespace {

std::string_view colour_of(const Series& series) { return series_colour(series.style); }
int shape_of(const Series& series) { return series_shape(series.style); }

/// " dt (16,4,3,4)", or nothing for a solid line.
std::string dashes_of(const Series& series) {
  const std::string dashes = dash_list(series.style);
  return dashes.empty() ? dashes : fmt::format(" dt ({})", dashes);
}

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
    add(lines,
        fmt::format("{} using 1:(at($2)) with linespoints lt 1{} lw 1.8 pt {} ps 0.65 lc '{}' "
                    "{}",
                    index, dashes_of(series), shape_of(series), colour, title("median")));
  }
  std::string text = "plot \\\n";
  for (const std::string& part : {bands, models, lines})
    if (!part.empty()) text += (text.ends_with("plot \\\n") ? "" : ", \\\n") + part;
  return text;
}

std::vector<std::string> legend_names(const Figure& figure) {
  std::vector<std::string> names;
  for (const Series& series : figure.legend) names.push_back(series.name);
  if (any_point(figure, has_range)) names.emplace_back("range");
  if (any_point(figure, has_expected)) names.emplace_back("expected");
  if (any_point(figure, has_bound)) names.emplace_back("worst-case bound");
  return names;
}

std::string plot_legend(const Figure& figure) {
  const std::vector<std::string> names = legend_names(figure);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string style =
        i < figure.legend.size()
            ? fmt::format("linespoints lt 1{} lw 1.8 pt {} ps 0.65 lc '{}'",
                          dashes_of(figure.legend[i]), shape_of(figure.legend[i]),
                          colour_of(figure.legend[i]))
        : names[i] == "range"    ? "lines lt 1 lw 9 lc '#dddddd'"
        : names[i] == "expected" ? "lines lw 1.5 dt (2,6) lc '#444444'"
                                 : "lines lw 1 dt (18,9) lc '#444444'";
    text += fmt::format(", \\\n  keyentry with {} title {}", style, fftprec::quoted(names[i]));
  }
  return text;
}

}  // namespace fftprec
