/// A figure as data: panels of layers over two axes, with titles and a legend. Every picture of
/// this program is such a figure, and only svg.hpp draws them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace fftprec::figures {

/// A short text with an exponent or an index: "10" and "-3", "u" and "bf16".
struct Label {
  std::string text{};
  std::string superscript{};
  std::string subscript{};
};

/// A mark on an axis. Labels that would overlap are omitted, except those with `always`. A tick
/// without a label is short.
struct Tick {
  double at;
  Label label{};
  bool always = false;
};

/// A thin line across the panel at a value of the axis.
struct Rule {
  double at;
  Label label{};
  bool strong = false;
};

/// From `low`, at the left or below, to `high`; low > high is allowed.
struct Axis {
  bool logarithmic = false;
  double low = 0;
  double high = 1;
  double zero = 0;  ///< place of values that are not above 0, if the axis is logarithmic
  std::string label{};
  std::vector<Tick> ticks{};
  std::vector<Rule> rules{};
  bool grid = false;   ///< lines at the labels
  bool names = false;  ///< every tick has a name, perhaps of several lines; none is omitted

  /// The position of `value` between low, 0, and high, 1.
  double share(double value) const;
};

/// Smallest and largest of the added values; low > high if there are none.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }

  /// Adds the value if a logarithmic axis can show it.
  void add_positive(double value) {
    if (value > 0 && !std::isinf(value)) add(value);
  }
};

/// Ticks at the powers of ten from 10^first to 10^last, and at 2 to 9 times each, without labels.
std::vector<Tick> decade_ticks(int first, int last);

/// A logarithmic axis between powers of ten around the range, at least two decades. With `zeros`, a
/// line called `zero_name` for zeros lies below it.
Axis decades(Range range, const std::string& label, bool zeros, const std::string& zero_name);

/// A logarithmic axis with ticks at powers of 2, a little wider than the range.
Axis octaves(Range range, const std::string& label);

/// A linear axis with ticks at even steps of 1, 2 or 5 times a power of ten, at most `most` steps.
Axis even_steps(double low, double high, const std::string& label, int most);

/// Adds a thin line at every unit roundoff on an axis of relative errors, or, linear, of bits.
void add_roundoffs(Axis& axis);

/// Named lines 0, 1, ..., the first on top (or at the left if `downwards` is false).
Axis named_lines(const std::vector<std::string>& names, bool downwards);

/// Shapes of marks. The first nine are for series; dot and cross are not.
enum class Mark {
  none,
  disc,
  circle,
  square,
  up,
  open_up,
  diamond,
  down,
  pentagon,
  open_square,
  dot,
  cross,
};

/// The styles of series: colours by Okabe and Ito (2008) without the yellow, and a dark wine by
/// Tol; marks; and dashes when colours repeat. Grey is for lines of reference. Colour and mark
/// together repeat after 72 styles, with the dashes after 288. No style has the dashes of a bound
/// or an expected value.
inline constexpr std::size_t series_colours = 8;
std::string series_class(std::size_t style);  ///< "c0" to "c7": a class of style_sheet
Mark series_mark(std::size_t style);
std::string series_dashes(std::size_t style);  ///< "16,4,3,4"; empty: solid

/// The styles of `names`, all different. If possible, a name has the style of its place in
/// `listed`, so that it looks alike in every figure. Up to 8 names have 8 colours.
std::vector<std::size_t> series_styles(const std::vector<std::string>& names,
                                       const std::vector<std::string>& listed);

enum class Form {
  line,      ///< through the spots, with marks on them
  steps,     ///< to the right, then up or down
  points,    ///< only marks
  band,      ///< between y and y2
  boxes,     ///< from (x, y) to (x2, y2), with a text in the middle
  whiskers,  ///< from (x, y) to (x, y2), with ends across
  words,     ///< a text beside (x, y)
};

/// One place of a layer, in the units of the axes.
struct Spot {
  double x = 0;
  double y = 0;
  double x2 = 0;
  double y2 = 0;
  std::string tip{};    ///< text when hovering over it
  std::string where{};  ///< "n=64": selects its rows from those of its layer, a line per axis
  std::string text{};   ///< the text at the spot
  std::string fill{};   ///< colour of a box, instead of the layer's: "#21918c"
  std::string ink{};    ///< colour of its text, instead of the layer's
  bool hatched = false;
};

/// A part of a panel with one form. A page can hide it by `part` and `style`.
struct Layer {
  Form form = Form::line;
  std::string part{};          ///< the quantity it shows: "median", "bound"
  std::size_t style = 0;       ///< of the series that it belongs to
  std::string colour = "ink";  ///< a class of style_sheet
  Mark mark = Mark::none;
  double width = 1;  ///< of lines, in pixels
  std::string dashes{};
  double opacity = 1;   ///< of areas
  std::string tip{};    ///< text when hovering between the marks
  std::string where{};  ///< "mode=fp32": its rows among those of its panel
  bool left = true;     ///< words are left of their spot, else right
  std::vector<Spot> spots{};
};

/// Colours beside a panel, from the lower end of the axis to the upper.
struct ColourBar {
  Axis axis;
  std::vector<std::string> colours;
};

/// Which rows a panel draws, and how. With it, the script of a page can redraw the panel with other
/// rows.
struct Source {
  std::string kind{};     ///< "lines", "cost", "histogram"; empty: none of rows
  std::string x{};        ///< a column of numbers, or a computed quantity
  std::string y{};        ///< a column of numbers, or a computed quantity
  std::string filter{};   ///< a filter as for -f
  std::string where{};    ///< "algorithm=radix2-dit", a line per axis: only these rows
  std::string held{};     ///< "machine=trn", a line per axis: only these rows, if there are any
  std::string colours{};  ///< of cells: whether the scale is logarithmic, its ends, and colours
};

struct Panel {
  std::string title{};
  Source source{};
  Axis x{};
  Axis y{};
  std::vector<Layer> layers{};
  std::vector<std::string> notes{};  ///< in its upper left corner
  std::vector<std::string> below{};  ///< under its axis
  std::optional<ColourBar> bar{};
  int width = 0;  ///< pixels of the frame; 0: as wide as fits
  int height = 0;
};

/// A sample with its name. A box may contain a text.
struct LegendEntry {
  std::string name;
  Layer sample;
};

struct Figure {
  std::string name{};  ///< of its files, without ending
  std::string title{};
  std::string subtitle{};
  std::vector<Panel> panels{};
  std::vector<LegendEntry> legend{};
  bool legend_on_top = false;  ///< in lines below the title, not in a column at the right
  bool shared_y = true;        ///< the panels of a row share a vertical axis
  bool shared_bar = false;     ///< the panels of a row share a colour bar
  std::size_t most_columns = 3;
};

/// How the layer is drawn, without its spots.
LegendEntry sample_entry(const std::string& name, Layer layer);

/// The sample of a series with line and mark, or with the mark only.
LegendEntry series_entry(const std::string& name, std::size_t style, bool line = true);

}  // namespace fftprec::figures
