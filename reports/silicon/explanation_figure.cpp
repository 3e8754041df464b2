#include "reports/silicon/explanation_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_styles.hpp"
#include "reports/silicon/explanation_text.hpp"

namespace fftprec {

namespace {

constexpr int left = 90;
constexpr int top = 84;
constexpr int bottom = 96;
constexpr double covered = 0.95;
constexpr std::string_view published_title = "published, to its digits";

struct Bar {
  double low;
  double centre;
  double high;
};

/// Geometric middle of a published interval: what ratios are taken to.
double middle(const PublishedValue& value) {
  return std::sqrt(std::max(value.low, exact_error) * value.high);
}

Bar ratio_of(const silicon::Predictive& predicted, double published) {
  const double centre = std::exp(predicted.centre) / published;
  const double factor = std::exp(silicon::half_width(predicted, covered));
  return {centre / factor, centre, centre * factor};
}

/// 1, 1.1, 1.2, 1.5, 2, 5, 10, ... to either side of 1: as many as the range asks for.
std::vector<Tic> ratio_tics(double low, double high) {
  std::vector<Tic> tics;
  const bool narrow = high / low < 2;
  const bool wide = high / low > 30;
  const std::vector<double> steps =
      narrow
          ? std::vector<double>{0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4}
      : wide ? std::vector<double>{1}
             : std::vector<double>{0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9,
                                   1,    1.2, 1.5, 2,   3,   5,   10,  20};
  for (const double step : steps) tics.push_back({shortest(step), shortest(step)});
  if (wide)
    for (int k = static_cast<int>(std::floor(std::log10(low))); k <= std::ceil(std::log10(high));
         ++k)
      if (k != 0) tics.push_back({fmt::format("1e{}", k), fmt::format("10^{{{}}}", k)});
  return tics;
}

struct Layout {
  int width;
  int height;
  int right;
  std::size_t shown;
};

Layout layout_of(const silicon::Explanation& explanation, std::size_t most) {
  const std::size_t shown = std::min(most, silicon::worth_showing(explanation));
  std::size_t longest = published_title.size();
  for (std::size_t i = 0; i < shown; ++i)
    longest = std::max(longest, silicon::variant_text(explanation.ranked[i].variant).size() +
                                    explanation.ranked[i].variant.id.size());
  const int legend = 80 + 9 * static_cast<int>(longest);
  const int panel = std::max(360, 120 * static_cast<int>(explanation.measured.rows.size()));
  return {left + panel + legend, 470, legend, shown};
}

/// A line of text below row i, so many pixels below the axis.
std::string row_label(const Layout& layout, std::size_t i, const std::string& text, int below) {
  return fmt::format("set label {} at first {}, screen {} center noenhanced font ',11'\n",
                     fftprec::quoted(text), i + 1, screen(bottom - below, layout.height));
}

/// The published intervals, as a block of the data file.
std::string published_data(const silicon::Measured& measured, Range& range) {
  std::string data = "# published intervals: row, low, high\n";
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    const double unit = middle(measured.rows[i].values[0]);
    for (const PublishedValue& value : measured.rows[i].values) {
      const double from = std::max(value.low, exact_error) / unit;
      const double to = value.high / unit;
      data += fmt::format("{} {:.6g} {:.6g}\n", i + 1, from, to);
      range.add(from);
      range.add(to);
    }
  }
  return data;
}

/// The predictions of the v-th variant likewise, beside those of the others. A block without a
/// number would not count as one, so what is not predicted stands as NaN, which is not drawn.
std::string predicted_data(const silicon::Explanation& explanation, std::size_t v,
                           std::size_t shown, Range& range) {
  const silicon::Judged& judged = explanation.ranked[v];
  std::string data;
  const double shift = 0.7 * ((static_cast<double>(v) + 0.5) / static_cast<double>(shown) - 0.5);
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    const double place = static_cast<double>(i + 1) + shift;
    if (!judged.rows[i].predicted.defined()) {
      data += fmt::format("{:.4g} NaN NaN NaN\n", place);
      continue;
    }
    const Bar bar =
        ratio_of(judged.rows[i].predicted, middle(explanation.measured.rows[i].values[0]));
    data += fmt::format("{:.4g} {:.6g} {:.6g} {:.6g}\n", place, bar.centre, bar.low, bar.high);
    range.add(std::max(bar.low, 1e-6));
    range.add(std::min(bar.high, 1e6));
  }
  return data;
}

/// Below each row what it is and what was published.
std::string row_names(const silicon::Measured& measured, const Layout& layout) {
  std::string names;
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    const silicon::MeasuredRow& row = measured.rows[i];
    names += row_label(layout, i, silicon::row_letter(i) + ": " + row.where.mode, 20) +
             row_label(layout, i, fmt::format("n = {}", row.where.n), 38) +
             row_label(layout, i, published_texts(row), 56);
  }
  return names;
}

std::string title_of(const silicon::Explanation& explanation, const Layout& layout) {
  return canvas_title(
      explanation.measured.name + ": " +
          (explanation.none_fits() ? "no variant fits; the nearest" : "what fits"),
      fmt::format("predicted over published error, with 95 % of each prediction; {} variants "
                  "tried, {} published digits",
                  explanation.ranked.size(), explanation.digits),
      left, layout.width, layout.height);
}

std::string axes_of(const silicon::Measured& measured, const Layout& layout, const Range& range) {
  const int right = layout.width - layout.right;
  const int above = layout.height - top;
  return plot_frame() + plot_margins({left, right, bottom, above}, layout.width, layout.height) +
         key_column(right + 16, above, layout.width, layout.height, layout.shown + 1) +
         fmt::format(
             "set logscale y\nset yrange [{:.6g}:{:.6g}]\nset ytics {}\nset xrange [0.4:{}.6]\n"
             "unset xtics\nset ylabel 'predicted error / published error'\n"
             "set grid ytics lt 1 lw 0.8 lc '#e6e6e6'\n"
             "set arrow from graph 0, first 1 to graph 1, first 1 nohead lw 1 lc '#666666'\n",
             range.low, range.high, tic_list(ratio_tics(range.low, range.high)),
             measured.rows.size());
}

}  // namespace

Drawing explanation_drawing(const std::string& name, const silicon::Explanation& explanation,
                            std::size_t most) {
  const Layout layout = layout_of(explanation, most);
  Range range{0.9, 1.1};
  std::string data = published_data(explanation.measured, range);
  std::string curves = fmt::format(
      "plot data index 0 using 1:(($2+$3)/2):($1-0.42):($1+0.42):2:3 with boxxyerror fs solid 0.35 "
      "noborder lc '#999999' title '{}'",
      published_title);
  for (std::size_t v = 0; v < layout.shown; ++v) {
    const silicon::Variant& variant = explanation.ranked[v].variant;
    const std::string title = variant.id + " " + silicon::variant_text(variant);
    data += fmt::format("\n\n# {}: place, predicted over published, low, high\n", one_line(title)) +
            predicted_data(explanation, v, layout.shown, range);
    curves += fmt::format(
        ", \\\n  data index {} using 1:2:3:4 with yerrorbars pt {} ps 0.9 lw 1.6 lc '{}' title {} "
        "noenhanced",
        v + 1, series_shape(v), series_colour(v), fftprec::quoted(title));
  }
  range.low /= 1.05;
  range.high *= 1.05;
  const std::string script =
      canvas_header(name, layout.width, layout.height) + title_of(explanation, layout) +
      axes_of(explanation.measured, layout, range) + row_names(explanation.measured, layout);
  return {name, std::move(data), script + curves + "\nunset output\n"};
}

}  // namespace fftprec
