#include "reports/plots/plot_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_styles.hpp"

namespace fftprec {

namespace {

constexpr int width = 1000;
constexpr int head = 100;  ///< title and legend
constexpr int axis = 56;   ///< below a panel
constexpr int right = 30;
constexpr int line_height = 24;

struct Bar {
  std::string title;
  std::vector<double> parts;  ///< percent of the error's square, by source
};

std::vector<Bar> bars_of(const Budget& budget) {
  const auto percent = [&](double part) {
    return budget.error == 0 ? 0 : 100 * (part / budget.error) * (part / budget.error);
  };
  std::vector<Bar> bars = {{"all stages", {}}};
  for (const SourcePart& part : budget.sources) bars[0].parts.push_back(percent(part.alone));
  for (const StageParts& stage : budget.stages) {
    Bar bar{stage.title, {}};
    for (const double part : stage.alone) bar.parts.push_back(percent(part));
    bars.push_back(std::move(bar));
  }
  return bars;
}

/// The colour of a source is the same in every budget.
std::string_view colour_of(ErrorSource source) {
  constexpr std::array<std::size_t, all_error_sources.size()> styles = {0, 1, 6, 3, 4, 5, 2, 7};
  return series_colour(styles[static_cast<std::size_t>(source)]);
}

/// Where the part of each source begins and ends, a block per source.
std::string data_of(const Budget& budget, const std::vector<Bar>& bars) {
  std::string text = "# bar, where the source's part of it begins and ends, percent\n";
  std::vector<double> ends(bars.size());
  for (std::size_t source = 0; source < budget.sources.size(); ++source) {
    text += (source > 0 ? "\n\n# " : "# ") + budget.sources[source].name + "\n";
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const double begin = ends[i];
      ends[i] += bars[i].parts[source];
      text += fmt::format("{} {:.6g} {:.6g}\n", i, begin, ends[i]);
    }
  }
  return text;
}

/// The bars [first, last), with the legend where `keyed`.
std::string panel_of(const Budget& budget, const std::vector<Bar>& bars, std::size_t first,
                     std::size_t last, bool keyed) {
  double longest = 0;
  std::string names;
  for (std::size_t i = first; i < last; ++i) {
    const std::vector<double>& parts = bars[i].parts;
    longest = std::max(longest, std::accumulate(parts.begin(), parts.end(), 0.0));
    names += fmt::format("{}{} {}", i == first ? "" : ", ", fftprec::quoted(bars[i].title), i);
  }
  std::string text = fmt::format(
      "set xrange [0:{:.4g}]\nset yrange [{}.6:{:.1f}]\nset ytics noenhanced ({})\n",
      longest > 0 ? 1.04 * longest : 1, last - 1, static_cast<double>(first) - 0.6, names);
  for (std::size_t source = 0; source < budget.sources.size(); ++source)
    text += fmt::format(
        "{}data index {} every ::{}::{} using (($2+$3)/2):1:2:3:($1-0.36):($1+0.36) with "
        "boxxyerror "
        "fs solid 0.9 noborder lc '{}' {}",
        source == 0 ? "plot " : ", \\\n  ", source, first, last - 1,
        colour_of(budget.sources[source].source),
        keyed ? "title " + fftprec::quoted(budget.sources[source].name) : "notitle");
  if (budget.sources.empty()) text += "plot NaN notitle";
  return text + "\n";
}

}  // namespace

Drawing budget_figure(const std::string& name, const std::string& subtitle, const Budget& budget) {
  const std::vector<Bar> bars = bars_of(budget);
  std::size_t widest = 12;
  for (const Bar& bar : bars) widest = std::max(widest, bar.title.size());
  const int left = 30 + 7 * static_cast<int>(std::min<std::size_t>(widest, 48));
  const int stages = line_height * static_cast<int>(budget.stages.size());
  const int height = head + line_height + axis + stages + axis;
  const int top_panel = height - head - line_height;  // its lower edge
  std::string script =
      canvas_header(name, width, height) +
      canvas_title("Error by source", subtitle, 20, width, height) + "set multiplot\n" +
      lines_below({left, width - right, top_panel, height - head}, width, height) +
      fmt::format(
          "set xlabel 'share of the squared error, 2-norm, %' noenhanced offset 0,0.3\n"
          "set key at screen {}, screen {} left top horizontal Left reverse maxrows 1 noenhanced "
          "samplen 1.5 font ',11'\n",
          screen(20, width), screen(height - 62, height)) +
      panel_of(budget, bars, 0, 1, true) +
      fmt::format("unset label\nset bmargin at screen {}\nset tmargin at screen {}\n",
                  screen(axis, height), screen(axis + stages, height)) +
      panel_of(budget, bars, 1, bars.size(), false) + "unset multiplot\nunset output\n";
  return {name, data_of(budget, bars), std::move(script)};
}

}  // namespace fftprec
