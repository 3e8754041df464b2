#include "reports/plots/plot_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/plots/plot_curves.hpp"

namespace fftprec {

namespace {

constexpr int title_step = 24;
constexpr int subtitle_step = 18;
constexpr double title_letter = 10.8;  ///< average width, pixels
constexpr double subtitle_letter = 7.9;

bool starts_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// The bytes of the first `count` letters.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (starts_letter(text[i]) && count-- == 0) return i;
  return text.size();
}

}  // namespace

std::string screen(double pixels, int size) { return fmt::format("{:.5f}", pixels / size); }

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_letter));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t most_letters) {
  std::vector<std::string> lines;
  const std::size_t most = std::max<std::size_t>(most_letters, 1);
  while (letters(text) > most) {
    std::size_t end = bytes_of(text, most);
    const std::size_t space = text.rfind(' ', end);
    if (space != std::string_view::npos && space > 0) end = space;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

std::string canvas_header(const std::string& name, int width, int height) {
  return fmt::format(
             "# {0}: in this folder, `gnuplot {0}.gp` draws {0}.svg, `gnuplot -c {0}.gp png` "
             "draws {0}.png, or pdf {0}.pdf\n",
             one_line(name)) +
         fmt::format("data = {}\n", fftprec::quoted(name + ".dat")) +
         fmt::format(
             "if (exists('ARG1') && ARG1 eq 'png') {{\n"
             "  set terminal pngcairo size {0},{1} font 'sans,12' pointscale 1.4 background "
             "'#ffffff'\n"
             "  set output {2}\n"
             "}} else {{ if (exists('ARG1') && ARG1 eq 'pdf') {{\n"
             "  set terminal pdfcairo size {5:.4f}in,{6:.4f}in font 'sans,12' fontscale 0.7 "
             "pointscale 1.1 "
             "linewidth 0.8 dashlength 0.6 background '#ffffff'\n"
             "  set output {4}\n"
             "}} else {{\n"
             "  set terminal svg size {0},{1} font 'sans-serif,12' fontscale 1.25 dashlength 0.6 "
             "background '#ffffff'\n"
             "  set output {3}\n"
             "}} }}\n",
             width, height, fftprec::quoted(name + ".png"), fftprec::quoted(name + ".svg"),
             fftprec::quoted(name + ".pdf"), width / 96.0, height / 96.0) +
         "set encoding utf8\n"
         "set datafile missing '-'\n";
}

std::vector<TitleLine> title_lines(const std::string& title, const std::string& subtitle, int left,
                                   int width) {
  const double room = width - left - 16;
  std::vector<TitleLine> lines;
  int down = 26;
  for (const std::string& line : wrapped(title, static_cast<std::size_t>(room / title_letter))) {
    lines.push_back({line, down, true});
    down += title_step;
  }
  for (const std::string& line :
       wrapped(subtitle, static_cast<std::size_t>(room / subtitle_letter))) {
    lines.push_back({line, down, false});
    down += subtitle_step;
  }
  return lines;
}

int title_excess(const std::string& title, const std::string& subtitle, int left, int width) {
  return title_lines(title, subtitle, left, width).back().down - 26 - title_step;
}

std::string label_at(const std::string& text, double x, double y, int width, int height,
                     std::string_view look) {
  return fmt::format("set label {} at screen {}, screen {} {}\n", fftprec::quoted(text),
                     screen(x, width), screen(y, height), look);
}

std::string canvas_title(const std::string& title, const std::string& subtitle, int left, int width,
                         int height) {
  std::string text;
  for (const TitleLine& line : title_lines(title, subtitle, left, width))
    text += label_at(line.text, left, height - line.down, width, height,
                     line.large ? "left noenhanced font ',15'"
                                : "left noenhanced font ',10.5' textcolor '#666666'");
  return text;
}

std::string plot_margins(const PlotEdges& edges, int width, int height) {
  return fmt::format(
      "set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen {}\n"
      "set tmargin at screen {}\n",
      screen(edges.left, width), screen(edges.right, width), screen(edges.bottom, height),
      screen(edges.top, height));
}

std::string plot_frame() {
  return "set border 3 lw 1 lc '#666666'\n"
         "set tics nomirror textcolor '#333333' font ',10.5'\n"
         "set tics scale 0.7,0.35\n";
}

std::string key_column(double x, double y, int width, int height, std::size_t entries) {
  return fmt::format(
      "set key at screen {}, screen {} left top Left reverse noenhanced samplen 2 spacing 1.25 "
      "font ',11' maxrows {}\n",
      screen(x, width), screen(y, height), entries);
}

std::string key_line(double x, double y, int width, int height) {
  return fmt::format(
      "set key at screen {}, screen {} left top horizontal Left reverse maxrows 1 noenhanced "
      "samplen 2 font ',11'\n",
      screen(x, width), screen(y, height));
}

std::string lines_below(const PlotEdges& edges, int width, int height) {
  return plot_frame() + "set grid noytics xtics lt 1 lw 0.8 lc '#e6e6e6'\n" +
         plot_margins(edges, width, height);
}

std::string line_names(std::span<const std::string> names, std::size_t first, std::size_t last) {
  std::string tics;
  for (std::size_t i = first; i < last; ++i)
    tics += fmt::format("{}{} {}", i == first ? "" : ", ", fftprec::quoted(names[i]), i);
  return fmt::format("set yrange [{}.6:{:.1f}]\nset ytics noenhanced ({})\n", last - 1,
                     static_cast<double>(first) - 0.6, tics);
}

int names_width(std::span<const std::string> names) {
  constexpr std::size_t least = 12;
  constexpr std::size_t most = 48;
  std::size_t longest = least;
  for (const std::string& name : names) longest = std::max(longest, letters(name));
  return 30 + 7 * static_cast<int>(std::min(longest, most));
}

}  // namespace fftprec
