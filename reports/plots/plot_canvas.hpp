/// The canvas that every plot begins with: terminal, files, fonts, title.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// `pixels` as a share of `size`: a coordinate of gnuplot's system `screen`.
std::string screen(double pixels, int size);

/// Letters of a UTF-8 text.
std::size_t letters(std::string_view text);

/// `text` in lines of at most so many letters, broken at spaces, and within longer words.
std::vector<std::string> wrapped(std::string_view text, std::size_t most_letters);

/// Comment, data file, terminal and output of the script `name`.gp: an SVG, or a PNG or PDF if the
/// script is called with the argument png or pdf. Sizes in pixels, of a PDF 1/96 inch.
std::string canvas_header(const std::string& name, int width, int height);

/// A line of a title, in pixels from the canvas's upper edge to its middle.
struct TitleLine {
  std::string text;
  int down;
  bool large;
};

/// Title and the smaller text below it, `left` pixels from the edge, broken so that nothing is cut.
std::vector<TitleLine> title_lines(const std::string& title, const std::string& subtitle, int left,
                                   int width);

/// What the lines take beyond one each, in pixels.
int title_excess(const std::string& title, const std::string& subtitle, int left, int width);

/// The lines as labels of gnuplot.
std::string canvas_title(const std::string& title, const std::string& subtitle, int left, int width,
                         int height);

/// Edges of a plot, in pixels from the left and from the lower edge of the canvas.
struct PlotEdges {
  int left;
  int right;
  int bottom;
  int top;
};

/// The edges as margins of gnuplot.
std::string plot_margins(const PlotEdges& edges, int width, int height);

/// A frame at the left and below, with tics outside of what is drawn.
std::string plot_frame();

/// A label so many pixels from the left and from the lower edge; `look` is how gnuplot is to write
/// it: "center rotate noenhanced".
std::string label_at(const std::string& text, double x, double y, int width, int height,
                     std::string_view look);

/// The legend with its entries one below the other, the first at x and y as in label_at.
std::string key_column(double x, double y, int width, int height, std::size_t entries);

/// The legend with its entries side by side.
std::string key_line(double x, double y, int width, int height);

/// Margins and looks of a plot of named lines one below the other, with a grid along x.
std::string lines_below(const PlotEdges& edges, int width, int height);

/// Those lines at y = 0, 1, ..., of which [first, last) are shown, the first of them on top.
std::string line_names(std::span<const std::string> names, std::size_t first, std::size_t last);

/// Pixels that the longest of the names takes left of its line.
int names_width(std::span<const std::string> names);

}  // namespace fftprec
