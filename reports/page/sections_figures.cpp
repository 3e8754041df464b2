#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "experiments/gates/gate.hpp"
#include "reports/figures/svg.hpp"
#include "reports/figures/text.hpp"
#include "reports/page/sections.hpp"
#include "reports/results/quantity.hpp"
#include "reports/text/budget_text.hpp"
#include "reports/text/cells.hpp"

namespace fftprec::page {

using figures::CellKind;
using figures::ColourScale;
using figures::CostPoint;
using figures::Costs;
using figures::Curves;
using figures::element;
using figures::Figure;
using figures::HeatCell;
using figures::HeatMap;
using figures::HeatPanel;
using figures::Histogram;
using figures::HistogramPanel;
using figures::markup_text;
using figures::Series;
using figures::three_digits;

namespace {

constexpr figures::Size large{500, 370};
constexpr figures::Size small{360, 270};
constexpr figures::Size square{460, 360};
constexpr int stages_width = 800;
constexpr std::size_t most_panels = 48;

/// The legend of the series of small figures, in a line above them.
std::string legend_line(const std::vector<figures::LegendEntry>& legend) {
  std::string text = "<ul class=\"legend-line\">";
  for (const figures::LegendEntry& entry : legend)
    text += fmt::format("<li>{}{}</li>", swatch(entry.sample), markup_text(entry.name));
  return text + "</ul>\n";
}

std::vector<figures::LegendEntry> entries_of(const std::vector<Series>& all, bool lines) {
  std::vector<figures::LegendEntry> entries;
  for (const Series& series : all)
    entries.push_back(figures::series_entry(series.name, series.style, lines));
  return entries;
}

/// "transform fft, machine trn; median and range over 3 seeds; 2 rows not finite, not drawn."
std::string caption_of(const Curves& curves) {
  std::string text = curves.held;
  if (!curves.pooled.empty()) text += "; median and range over " + curves.pooled;
  if (curves.not_drawn > 0)
    text += fmt::format("; {} rows not finite, not drawn", curves.not_drawn);
  return text + ".";
}

std::string switch_of(const Series& series) {
  return fmt::format(
      "<label><input type=\"checkbox\" checked data-series=\"{}\">{}<span>{}</span></label>\n",
      series.style, swatch(figures::series_entry(series.name, series.style).sample),
      markup_text(series.name));
}

std::string view_of(const View& view, bool first) {
  std::string legend;
  for (const Series& series : view.curves.legend) legend += switch_of(series);
  return fmt::format(
      "<figure class=\"view\" id=\"{}\"{}>\n<div class=\"plot\">{}</div>\n"
      "<div class=\"legend{}\">{}\n{}<p><button type=\"button\" data-all=\"1\">all</button> "
      "<button type=\"button\" data-all=\"0\">none</button></p></div>\n"
      "<figcaption>{}</figcaption>\n</figure>\n",
      view.id, first ? "" : " hidden", svg_element(curves_figure(view.curves), 0, large),
      view.curves.legend.size() > 24 ? " many" : "",
      element("h3", view.axis == "algorithm" ? "modes" : "algorithms"), legend,
      markup_text(caption_of(view.curves) + view.note));
}

std::string choice_of(const std::vector<View>& views) {
  std::string options;
  for (const auto& [axis, label] : {std::pair{"algorithm", "the modes of one algorithm"},
                                    std::pair{"mode", "the algorithms of one mode"}}) {
    options += fmt::format("<optgroup label=\"{}\">", label);
    for (const View& view : views)
      if (view.axis == axis)
        options += element("option", view.name, fmt::format("value=\"{}\"", view.id));
    options += "</optgroup>";
  }
  return "<label>Show <select id=\"view\">" + options + "</select></label>\n";
}

constexpr std::string_view part_switches =
    R"(<span class="parts">
<label><input type="checkbox" checked data-part="range"><span class="key band"></span>range</label>
<label><input type="checkbox" checked data-part="expected"><span class="key dotted"></span>expected value</label>
<label><input type="checkbox" checked data-part="bound"><span class="key dashed"></span>worst-case bound</label>
</span>
)";

std::string multiples(const Curves& curves, const std::string& note) {
  std::string text = legend_line(entries_of(curves.legend, true)) + "<div class=\"multiples\">\n";
  const Figure figure = curves_figure(curves);
  std::string left_out;
  for (std::size_t i = 0; i < curves.panels.size(); ++i) {
    const std::string& name = curves.panels[i].name;
    if (i >= most_panels)
      left_out += (left_out.empty() ? "" : ", ") + name;
    else
      text += fmt::format("<figure>{}{}</figure>\n", element("h4", name),
                          svg_element(figure, i, small));
  }
  text += "</div>\n" + element("p", caption_of(curves) + note, "class=\"caption\"") + "\n";
  if (!left_out.empty())
    text += element("p", "Too many to show: " + left_out + ".", "class=\"caption\"") + "\n";
  return text;
}

std::string_view class_of(CellKind kind) {
  switch (kind) {
    case CellKind::value:
      return "value";
    case CellKind::exact:
      return "exact";
    case CellKind::not_finite:
      return "not-finite";
    case CellKind::no_value:
      return "no-value";
    case CellKind::skipped:
      return "skipped";
    case CellKind::failed:
      return "failed";
  }
  return "value";
}

std::string cell_of(const HeatMap& map, const HeatPanel& panel, const HeatCell& cell,
                    const ColourScale& scale) {
  std::string style;
  if (cell.kind == CellKind::value) {
    const double shade = scale.shade(cell.value);
    style = fmt::format(" style=\"background:{};color:{}\"", figures::palette_colour(shade),
                        shade < figures::dark_shade ? "#fff" : "#111");
  }
  return fmt::format("<td class=\"{}\"{} title=\"{}\">{}</td>", class_of(cell.kind), style,
                     markup_text(cell_tip(map, panel, cell)),
                     markup_text(cell_text(cell, map.request.y)));
}

std::string table_of(const HeatMap& map, const HeatPanel& panel, const ColourScale& scale) {
  std::string text = "<figure>" + element("h4", panel.name) +
                     "<div class=\"scroll\"><table class=\"heat\"><thead><tr><th>n</th>";
  std::vector<std::size_t> used;  // what no case of this panel has stays out
  for (std::size_t column = 0; column < map.columns.size(); ++column)
    if (std::any_of(panel.cells.begin(), panel.cells.end(),
                    [column](const HeatCell& cell) { return cell.column == column; }))
      used.push_back(column);
  for (const std::size_t column : used) text += element("th", map.columns[column], "scope=\"col\"");
  text += "</tr></thead><tbody>";
  auto cell = panel.cells.begin();
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    if (cell == panel.cells.end() || cell->row != row) continue;
    text += "\n<tr>" + element("th", map.rows[row], "scope=\"row\"");
    for (const std::size_t column : used)
      if (cell != panel.cells.end() && cell->row == row && cell->column == column)
        text += cell_of(map, panel, *cell++, scale);
      else
        text += "<td class=\"none\"></td>";
    text += "</tr>";
  }
  return text + "</tbody></table></div></figure>\n";
}

/// Colours from the fewest to the most bits.
std::string scale_bar(const ColourScale& scale) {
  std::string stops;
  for (int i = 0; i <= 8; ++i) stops += (i == 0 ? "" : ",") + figures::palette_colour(i / 8.0);
  return fmt::format(
      "<p class=\"scale\"><span>{:.1f}</span><span class=\"bar\" style=\"background:"
      "linear-gradient(to right,{})\"></span><span>{:.1f} bits correct</span></p>\n",
      scale.low, stops, scale.high);
}

/// Passes and multiply-adds are integers, but for medians of an even number.
std::string cost_text(double cost) {
  return cost >= 1000 ? fmt::format("{:.0f}", cost) : fmt::format("{:.4g}", cost);
}

/// A label without its unit.
std::string cost_name(const std::string& cost) {
  const std::string label = quantity_label(cost);
  return label.substr(0, label.find(','));
}

std::string front_table(const Costs& figure) {
  std::string text = fmt::format(
      "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th class=\"number\">front</th>"
      "<th>algorithm</th><th>mode</th><th class=\"number\">{}</th>"
      "<th class=\"number\">err_l2_rel</th></tr></thead><tbody>\n",
      markup_text(figure.cost));
  std::size_t number = 0;
  for (const CostPoint& point : figure.points)
    if (point.on_front)
      text += "<tr>" + element("td", std::to_string(++number), "class=\"number\"") +
              element("td", point.algorithm) + element("td", point.mode) +
              element("td", cost_text(point.cost), "class=\"number\"") +
              element("td", three_digits(point.error), "class=\"number\"") + "</tr>\n";
  return text + "</tbody></table></div>\n";
}

/// The length shown first: the largest at which every cost is drawn, or the largest of all.
std::uint64_t first_shown(const std::vector<Costs>& figures) {
  std::map<std::uint64_t, bool> complete;
  for (const Costs& figure : figures) {
    bool& all = complete.try_emplace(figure.n, true).first->second;
    all = all && has_cost(figure);
  }
  for (auto each = complete.rbegin(); each != complete.rend(); ++each)
    if (each->second) return each->first;
  return complete.rbegin()->first;
}

/// The front of each mode: which algorithm for which cost.
std::string mode_fronts(const Costs& figure) {
  std::string text =
      "<details><summary>the front of each mode</summary><div class=\"scroll\"><table "
      "class=\"numbers\"><tbody>\n";
  for (const Series& mode : figure.modes)
    for (const CostPoint& point : figure.points)
      if (point.mode == mode.name && point.on_mode_front)
        text += "<tr>" + element("td", point.mode) + element("td", point.algorithm) +
                element("td", cost_text(point.cost), "class=\"number\"") +
                element("td", three_digits(point.error), "class=\"number\"") + "</tr>\n";
  return text + "</tbody></table></div></details>\n";
}

std::string held_text(const Costs& figure) {
  return figure.pooled.empty() ? figure.held : figure.held + "; medians over " + figure.pooled;
}

/// What is true of this cost, and not of the first of the same length.
std::string own_caption(const Costs& figure, const Costs& first) {
  std::string text = held_text(figure) == held_text(first) ? "" : held_text(figure);
  const std::string rows = figures::left_out({&figure, 1});
  if (!text.empty() && !rows.empty()) text += "; ";
  text += rows;
  return text.empty() ? text : element("p", text + ".", "class=\"caption\"");
}

std::string figure_of(const Costs& costs, const Costs& first) {
  const std::string begin = fmt::format("<figure data-cost=\"{}\">", costs.cost);
  if (!has_cost(costs))
    return begin + element("p", "No " + cost_name(costs.cost) + " at this length.") + "</figure>\n";
  const std::string title = "Error against " + quantity_label(costs.cost);
  const Figure figure = figures::cost_figure("cost", title, {&costs, 1});
  return begin + element("h4", title) + svg_element(figure, 0, square) + own_caption(costs, first) +
         front_table(costs) + mode_fronts(costs) + "</figure>\n";
}

/// All costs, or one.
std::string cost_options() {
  std::string options = "<option value=\"all\" selected>all</option>";
  for (const std::string_view cost : figures::default_costs())
    options += fmt::format("<option value=\"{}\">{}</option>", cost,
                           markup_text(cost_name(std::string(cost))));
  return options;
}

std::string number_cell(const std::string& text) { return element("td", text, "class=\"number\""); }

std::string table_of(const errors::StageErrors& errors) {
  std::string text =
      "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th>after</th>"
      "<th class=\"number\">err_l2_rel</th><th class=\"number\">expected</th>"
      "<th class=\"number\">added</th><th class=\"number\">err_linf_rel</th></tr></thead><tbody>\n";
  for (const errors::StageError& stage : errors.stages)
    text += "<tr>" + element("td", stage.title) + number_cell(text::error_text(stage.err_l2_rel)) +
            number_cell(stage.expected_l2_rel ? text::error_text(*stage.expected_l2_rel) : "") +
            number_cell(text::error_text(stage.added_l2_rel)) +
            number_cell(text::error_text(stage.err_linf_rel)) + "</tr>\n";
  return text + "</tbody></table></div>\n";
}

std::string sources_table(const errors::Budget& budget) {
  std::string text =
      "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th>source</th>"
      "<th class=\"number\">alone</th><th class=\"number\">share</th>"
      "<th class=\"number\">expected</th><th class=\"number\">without "
      "it</th></tr></thead><tbody>\n";
  for (const errors::SourcePart& part : budget.sources)
    text += "<tr>" + element("td", part.name) + number_cell(text::error_text(part.alone)) +
            number_cell(text::percent_text(text::share_of(part.alone, budget))) +
            number_cell(part.expected ? text::error_text(*part.expected) : "") +
            number_cell(text::error_text(part.removed)) + "</tr>\n";
  return text + "</tbody></table></div>\n";
}

/// What each source adds in each stage.
std::string parts_table(const errors::Budget& budget) {
  std::string text =
      "<details><summary>every source in every stage</summary><div class=\"scroll\"><table "
      "class=\"numbers\"><thead><tr><th>stage</th><th class=\"number\">all</th>";
  for (const errors::SourcePart& part : budget.sources)
    text += element("th", part.name, "class=\"number\"");
  text += "</tr></thead><tbody>\n";
  for (const errors::StageParts& stage : budget.stages) {
    text += "<tr>" + element("td", stage.title) + number_cell(text::part_text(stage.all, budget));
    for (const double part : stage.alone) text += number_cell(text::part_text(part, budget));
    text += "</tr>\n";
  }
  return text + "</tbody></table></div></details>\n";
}

/// The case, as tips name it.
std::string case_line(const Case& where) {
  return fmt::format("algorithm {}, mode {}, machine {}, n {}, input {}", where.algorithm,
                     where.mode, where.machine, where.n, where.input);
}

/// A wide figure with its legend.
std::string wide_figure(const Figure& figure) {
  return legend_line(figure.legend) + "<figure class=\"scroll lines\">" +
         svg_element(figure, stages_width) + "</figure>\n";
}

std::string budget_part(const ReportStages& stages) {
  if (!stages.budget && stages.budget_note.empty()) return {};
  const std::string begin =
      element("h3", "Error by source") +
      (stages.budget_note.empty() ? std::string() : element("p", stages.budget_note)) +
      command_line("fftprec attribute " + command_of(stages.row->where)) + "\n";
  if (!stages.budget) return begin;
  const errors::Budget& budget = *stages.budget;
  std::string text = begin + element("p", text::verdict_of(budget));
  if (!budget.stages.empty())
    text += wide_figure(figures::budget_figure("budget", case_line(stages.row->where), budget));
  text += element("p",
                  fmt::format("alone: only this source errs; share: of the error's square; without "
                              "it: the error when all but this source err. All parts {} Parts "
                              "below {} cannot be told. Shares of stages add up to the whole only "
                              "where the stages err independently.",
                              text::quadrature_text(budget), text::error_text(budget.floor_l2_rel)),
                  "class=\"caption\"");
  return text + sources_table(budget) + parts_table(budget);
}

}  // namespace

std::string curves_section(const ReportFigures& figures) {
  std::string body;
  if (figures.views.empty())
    return section("curves", "Error against transform length",
                   "<p>No row was measured with an error to draw.</p>\n");
  body += "<div class=\"controls\">" + choice_of(figures.views) + std::string(part_switches) +
          "</div>\n";
  for (const View& view : figures.views) body += view_of(view, &view == &figures.views[0]);
  if (!figures.views_left_out.empty()) {
    std::string names;
    for (const std::string& name : figures.views_left_out)
      names += (names.empty() ? "" : ", ") + name;
    body += element("p", "Too many to show: " + names + "; fftprec plot draws them.",
                    "class=\"caption\"");
  }
  return section("curves", "Error against transform length", body);
}

std::string multiples_section(const ReportFigures& figures) {
  std::string body;
  if (!figures.by_algorithm.panels.empty())
    body += "<h3>By algorithm</h3>\n" + multiples(figures.by_algorithm, figures.by_algorithm_note);
  if (figures.by_input.panels.size() > 1)
    body += "<h3>By input</h3>\n" + multiples(figures.by_input, figures.by_input_note);
  else if (!figures.by_input.panels.empty())
    body += element("p", "The only input is " + figures.by_input.panels.front().name + ".");
  if (body.empty()) body = "<p>No row was measured with an error to draw.</p>\n";
  return section("multiples", "By algorithm and by input", body);
}

std::string heat_map_section(const HeatMap& map) {
  if (map.panels.empty())
    return section("heat-map", "Bits correct, by mode and length",
                   "<p>No row was measured with bits_l2.</p>\n");
  const ColourScale scale = colour_scale(map.panels, map.request.y);
  std::string body =
      element("p",
              "-log2 of err_l2_rel" + (map.pooled.empty() ? "" : ", median over " + map.pooled) +
                  "; " + map.held +
                  ". exact: error 0; s: skipped, the combination has no meaning; x: failed; –: not "
                  "defined; blank: not run.",
              "class=\"caption\"");
  body += scale_bar(scale) + "<div class=\"maps\">\n";
  for (const HeatPanel& panel : map.panels) body += table_of(map, panel, scale);
  return section("heat-map", "Bits correct, by mode and length", body + "</div>\n");
}

std::string histogram_section(const Histogram& histogram) {
  constexpr std::string_view title = "Error over worst-case bound";
  if (histogram.panels.empty())
    return section("histogram", title, "<p>No measured row has a bound.</p>\n");
  std::string body = element(
      "p",
      "err_l2_rel / bound_l2_rel of every measured row that has a bound, whatever its other axes. "
      "At most 1 if the theorem and the arithmetic are right; how far below is how tight the bound "
      "is on these inputs.",
      "class=\"caption\"");
  body +=
      "\n<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th>mode</th>"
      "<th class=\"number\">rows</th><th class=\"number\">exact</th>"
      "<th class=\"number\">not finite</th><th class=\"number\">median</th>"
      "<th class=\"number\">largest</th></tr></thead><tbody>\n";
  std::string multiples;
  Figure figure =
      histogram_figure("histogram", "Histogram of error over worst-case bound", histogram, true);
  for (std::size_t i = 0; i < histogram.panels.size(); ++i) {
    const HistogramPanel& panel = histogram.panels[i];
    body += "<tr>" + element("th", panel.name, "scope=\"row\"");
    for (const std::size_t count : {panel.rows, panel.exact, panel.not_finite})
      body += element("td", std::to_string(count), "class=\"number\"");
    for (const double ratio : {panel.median, panel.largest})
      body += element("td", three_digits(ratio), "class=\"number\"");
    body += "</tr>\n";
    if (i >= most_panels) continue;
    figure.panels[i].notes.clear();  // the table has them
    multiples +=
        fmt::format("<figure{}>{}{}</figure>\n", i == 0 ? " class=\"wide\"" : "",
                    element("h4", panel.name), svg_element(figure, i, i == 0 ? large : small));
  }
  body += "</tbody></table></div>\n";
  return section("histogram", title, body + "<div class=\"multiples\">\n" + multiples + "</div>\n");
}

std::string cost_section(const ReportFigures& gathered) {
  constexpr std::string_view title = "Error against cost";
  if (gathered.costs.empty())
    return section("cost", title,
                   "<p>There is nothing to compare: no length has two algorithms or modes with a "
                   "cost.</p>\n");
  const std::uint64_t first = first_shown(gathered.costs);
  std::string options;
  std::string groups;
  for (std::size_t i = 0; i < gathered.costs.size();) {
    const std::uint64_t n = gathered.costs[i].n;
    const Costs& group = gathered.costs[i];
    std::string pair;
    for (; i < gathered.costs.size() && gathered.costs[i].n == n; ++i)
      pair += figure_of(gathered.costs[i], group);
    const bool shown = n == first;
    options +=
        fmt::format("<option value=\"cost-n-{0}\"{1}>{0}</option>", n, shown ? " selected" : "");
    groups += fmt::format(
        "<div class=\"cost\" id=\"cost-n-{}\"{}>\n{}<div class=\"pair\">\n{}</div>\n{}</div>\n", n,
        shown ? "" : " hidden", legend_line(entries_of(group.modes, false)), pair,
        element("p", held_text(group) + ".", "class=\"caption\""));
  }
  return section(
      "cost", title,
      "<p class=\"caption\">A point is an algorithm in a mode; left and low is better. The dotted "
      "line "
      "is the Pareto front, what no other point beats in both, numbered as in the table; a thin "
      "line "
      "of a mode's colour is its own front. Passes are those of a tensor engine; what has none is "
      "done elsewhere and stands outside the fronts. A multiply-add counts alike in every format, "
      "so there compare within a mode. Times are latencies published for a trn1, or lie between "
      "two of them; most choices have none.</p>\n"
      "<div class=\"controls\"><label>n <select id=\"cost-n\">" +
          options + "</select></label><label>against <select id=\"cost-of\">" + cost_options() +
          "</select></label></div>\n" + groups);
}

std::string stages_section(const ReportStages& stages) {
  constexpr std::string_view title = "Error after each stage";
  std::string body;
  if (stages.row)
    body +=
        element("p", stages.why) + command_line("fftprec show " + command_of(stages.row->where));
  if (!stages.note.empty()) body += element("p", stages.note);
  if (body.empty()) body = element("p", "No case was followed.");
  if (!stages.errors) return section("stages", title, body + "\n");
  body += element(
      "p",
      fmt::format("Each line: this stage and those above in the case's own arithmetic, all later "
                  "ones exact. Errors below {} cannot be told.",
                  text::error_text(stages.errors->floor_l2_rel)),
      "class=\"caption\"");
  body +=
      wide_figure(figures::stages_figure("stages", case_line(stages.row->where), *stages.errors));
  return section("stages", title, body + table_of(*stages.errors) + budget_part(stages));
}

}  // namespace fftprec::page
