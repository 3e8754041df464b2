#include "reports/plots/plot_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_panel.hpp"
#include "reports/plots/plot_styles.hpp"

namespace fftprec {

namespace {

constexpr int axis = 56;  ///< below a panel
constexpr int right = 30;
constexpr int line_height = 24;

struct Bar {
  std::string title;
  std::vector<double> parts;  ///< percent of the error's square, by source
};

std::vector<Bar> bars_of(const errors::Budget& budget) {
  const auto percent = [&](double part) {
    return budget.error == 0 ? 0 : 100 * (part / budget.error) * (part / budget.error);
  };
  std::vector<Bar> bars = {{"all stages", {}}};
  for (const errors::SourcePart& part : budget.sources)
    bars[0].parts.push_back(percent(part.alone));
  for (const errors::StageParts& stage : budget.stages) {
    Bar bar{stage.title, {}};
    for (const double part : stage.alone) bar.parts.push_back(percent(part));
    bars.push_back(std::move(bar));
  }
  return bars;
}

/// Where the part of each source begins and ends, a block per source.
std::string data_of(const errors::Budget& budget, const std::vector<Bar>& bars) {
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

std::vector<std::string> titles_of(const std::vector<Bar>& bars) {
  std::vector<std::string> titles;
  for (const Bar& bar : bars) titles.push_back(bar.title);
  return titles;
}

/// How a source is called in the plot command; empty: not at all.
using SourceTitle = std::string (*)(const errors::SourcePart&);

/// The bars [first, last).
std::string panel_of(const errors::Budget& budget, const std::vector<Bar>& bars, std::size_t first,
                     std::size_t last, SourceTitle title_of) {
  double longest = 0;
  for (std::size_t i = first; i < last; ++i)
    longest = std::max(longest, std::accumulate(bars[i].parts.begin(), bars[i].parts.end(), 0.0));
  std::string text = fmt::format("set xrange [0:{:.4g}]\n", longest > 0 ? 1.04 * longest : 1) +
                     line_names(titles_of(bars), first, last);
  for (std::size_t source = 0; source < budget.sources.size(); ++source) {
    const errors::SourcePart& part = budget.sources[source];
    const std::string title = title_of(part);
    text += fmt::format(
        "{}data index {} every ::{}::{} using (($2+$3)/2):1:2:3:($1-0.36):($1+0.36) with "
        "boxxyerror "
        "fs solid 0.9 noborder lc '{}' {}",
        source == 0 ? "plot " : ", \\\n  ", source, first, last - 1,
        series_colour(source_style(part.source)),
        title.empty() ? "notitle" : "title " + fftprec::quoted(title));
  }
  if (budget.sources.empty()) text += "plot NaN notitle";
  return text + "\n";
}

/// Two panels, one below the other, from `head` pixels below the upper edge on.
struct Layout {
  int width;
  int head;
  int stages;  ///< height of the lower panel

  int height() const { return head + line_height + axis + stages + axis; }
};

Layout layout_of(const errors::Budget& budget, int width, int head) {
  return {width, head, line_height * static_cast<int>(budget.stages.size())};
}

std::string panels_of(const errors::Budget& budget, const std::vector<Bar>& bars,
                      const Layout& layout, SourceTitle upper_title, SourceTitle lower_title) {
  const int height = layout.height();
  const int left = names_width(titles_of(bars));
  const int end = layout.width - right;
  const int upper = height - layout.head;
  return "set multiplot\n" +
         lines_below({left, end, upper - line_height, upper}, layout.width, height) +
         "set xlabel 'share of the squared error, 2-norm, %' noenhanced offset 0,0.3\n" +
         panel_of(budget, bars, 0, 1, upper_title) + "unset label\n" +
         plot_margins({left, end, axis, axis + layout.stages}, layout.width, height) +
         panel_of(budget, bars, 1, bars.size(), lower_title) + "unset multiplot\nunset output\n";
}

std::string name_of(const errors::SourcePart& part) { return part.name; }

std::string no_name(const errors::SourcePart&) { return {}; }

std::string curve_name(const errors::SourcePart& part) {
  return fmt::format("{} {}", source_style(part.source), part.name);
}

}  // namespace

std::size_t source_style(ErrorSource source) {
  constexpr std::array<std::size_t, all_error_sources.size()> styles = {0, 1, 6, 3, 4, 5, 2, 7};
  return styles[static_cast<std::size_t>(source)];
}

Drawing budget_figure(const std::string& name, const std::string& subtitle,
                      const errors::Budget& budget) {
  constexpr int width = 1000;
  constexpr int head = 100;  // title and legend
  const std::vector<Bar> bars = bars_of(budget);
  const Layout layout = layout_of(budget, width, head);
  std::string script = canvas_header(name, width, layout.height()) +
                       canvas_title("Error by source", subtitle, 20, width, layout.height()) +
                       key_line(20, layout.height() - 62, width, layout.height()) +
                       panels_of(budget, bars, layout, name_of, no_name);
  return {name, data_of(budget, bars), std::move(script)};
}

Drawing budget_panel(const std::string& name, const errors::Budget& budget, int width) {
  constexpr int head = 12;
  const std::vector<Bar> bars = bars_of(budget);
  const Layout layout = layout_of(budget, width, head);
  std::string script = panel_header(name, {width, layout.height()}) +
                       panels_of(budget, bars, layout, curve_name, curve_name);
  return {name, data_of(budget, bars), std::move(script)};
}

}  // namespace fftprec
