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
using figures::FigureRequest;
using figures::HeatCell;
using figures::HeatMap;
using figures::HeatPanel;
using figures::Histogram;
using figures::HistogramPanel;
using figures::markup_text;
using figures::Series;
using figures::three_digits;

namespace {

constexpr figures::Size wide{1180, 470};
constexpr figures::Size narrow{460, 370};  ///< in place of a wide one, on pages as narrow as that
constexpr figures::Size small{360, 270};
constexpr std::size_t most_panels = 48;

/// The legend of figures, in a line above them. An entry is a series, or a part of each.
std::string legend_line(const std::vector<figures::LegendEntry>& legend) {
  std::string text = "<ul class=\"legend-line\">";
  for (const figures::LegendEntry& entry : legend)
    text += fmt::format(
        "<li data-{}=\"{}\">{}{}</li>", entry.sample.part.empty() ? "series" : "part",
        entry.sample.part.empty() ? std::to_string(entry.sample.style) : entry.sample.part,
        swatch(entry.sample), markup_text(entry.name));
  return text + "</ul>\n";
}

/// A panel over the whole width, drawn once for wide pages and once for narrow ones.
std::string whole_width(const Figure& figure, std::size_t i) {
  return "<div class=\"wide\">" + svg_element(figure, i, wide) + "</div><div class=\"narrow\">" +
         svg_element(figure, i, narrow) + "</div>\n";
}

/// Small figures side by side, with their names.
std::string multiples(const Figure& figure, std::size_t first = 0) {
  std::string text = "<div class=\"multiples\">\n";
  std::string left_out;
  for (std::size_t i = first; i < figure.panels.size(); ++i)
    if (const std::string& name = figure.panels[i].title; i >= most_panels)
      left_out += (left_out.empty() ? "" : ", ") + name;
    else
      text += fmt::format("<figure>{}{}</figure>\n", element("h4", name),
                          svg_element(figure, i, small));
  text += "</div>\n";
  if (!left_out.empty())
    text += element("p", "Too many to show: " + left_out + ".", "class=\"caption\"") + "\n";
  return text;
}

/// All panels under their legend.
std::string chart(const Figure& figure, const std::string& note = {}) {
  return "<div class=\"chart\">\n" + legend_line(figure.legend) +
         (figure.panels.size() == 1 ? whole_width(figure, 0) : multiples(figure)) +
         element("p", figure.subtitle + "." + note, "class=\"caption\"") + "</div>\n";
}

std::string view_of(const View& view, bool first) {
  return fmt::format("<div class=\"view choice{}\" id=\"{}\">\n{}{}</div>\n", first ? " shown" : "",
                     view.id, element("h3", view.curves.request.title),
                     chart(curves_figure(view.curves), view.note));
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
  return "<label>Show <select data-choice=\".view\">" + options + "</select></label>\n";
}

/// As tables say numbers.
std::string number_text(double value) { return value == 0 ? "exact" : three_digits(value); }

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
  return fmt::format("<td class=\"{}\"{} data-where=\"{}={}\n{}={}\" title=\"{}\">{}</td>",
                     class_of(cell.kind), style, map.request.series,
                     markup_text(map.rows[cell.row]), map.request.x,
                     markup_text(map.columns[cell.column]), markup_text(cell_tip(map, panel, cell)),
                     markup_text(cell_text(cell, map.request.y)));
}

std::string table_of(const HeatMap& map, const HeatPanel& panel, const ColourScale& scale) {
  const FigureRequest& request = map.request;
  const std::string where = request.panel.empty() ? "" : request.panel + "=" + panel.name;
  std::string text = fmt::format(
      "<figure>{}<div class=\"scroll\"><table class=\"heat\" data-kind=\"heat\" data-y=\"{}\" "
      "data-scale=\"{:d} {:.9g} {:.9g}\" data-where=\"{}\" data-held=\"{}\" data-filter=\"{}\">"
      "<thead><tr>{}",
      element("h4", panel.name), request.y, scale.logarithmic, scale.low, scale.high,
      markup_text(where), markup_text(map.where),
      markup_text(fmt::format("{}", fmt::join(request.where.texts, " and "))),
      element("th", request.x));
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

/// Colours from the worst to the best.
std::string scale_bar(const ColourScale& scale, const std::string& y) {
  std::string stops;
  for (int i = 0; i <= 8; ++i) stops += (i == 0 ? "" : ",") + figures::palette_colour(i / 8.0);
  return fmt::format(
      "<p class=\"scale\"><span>{}</span><span class=\"bar\" style=\"background:"
      "linear-gradient(to right,{})\"></span><span>{} {}</span></p>\n",
      three_digits(scale.logarithmic ? scale.high : scale.low), stops,
      three_digits(scale.logarithmic ? scale.low : scale.high), markup_text(quantity_label(y)));
}

/// The tables of a map under their scale, and what the words in them mean.
std::string maps(const HeatMap& map) {
  const ColourScale scale = colour_scale(map.panels, map.request.y);
  std::string text = scale_bar(scale, map.request.y) + "<div class=\"maps\">\n";
  for (const HeatPanel& panel : map.panels) text += table_of(map, panel, scale);
  return text + "</div>\n" +
         element("p",
                 (map.pooled.empty() ? "" : "Medians over " + map.pooled + "; ") + map.held +
                     ". Light is good. s: skipped, the combination has no meaning; x: failed; –: "
                     "not defined; blank: not run.",
                 "class=\"caption\"");
}

std::string own_plot(const OwnPlot& plot) {
  std::string text = element("h3", plot.request.title);
  if (!plot.problem.empty()) return text + element("p", "Not drawn: " + plot.problem + ".");
  if (!plot.map.panels.empty()) return text + maps(plot.map);
  for (const Figure& figure : plot.drawn) text += chart(figure);
  return text;
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
      "<h4>the front of each mode</h4><div class=\"scroll\"><table class=\"numbers\"><tbody>\n";
  for (const Series& mode : figure.modes)
    for (const CostPoint& point : figure.points)
      if (point.mode == mode.name && point.on_mode_front)
        text += "<tr>" + element("td", point.mode) + element("td", point.algorithm) +
                element("td", cost_text(point.cost), "class=\"number\"") +
                element("td", three_digits(point.error), "class=\"number\"") + "</tr>\n";
  return text + "</tbody></table></div>\n";
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

/// Its figure, and into `legend` the entries of the first that has one.
std::string figure_of(const Costs& costs, const Costs& first, std::string& legend) {
  if (!has_cost(costs))
    return "<figure>" + element("p", "No " + cost_name(costs.cost) + " at this length.") +
           "</figure>\n";
  const std::string title = "Error against " + quantity_label(costs.cost);
  const Figure figure = figures::cost_figure("cost", title, {&costs, 1});
  if (legend.empty()) legend = legend_line(figure.legend);
  return "<figure>" + element("h4", title) + svg_element(figure, 0, {400, 340}) +
         own_caption(costs, first) + "<details><summary>the front in numbers</summary>" +
         front_table(costs) + mode_fronts(costs) + "</details></figure>\n";
}

std::string number_cell(const std::string& text) { return element("td", text, "class=\"number\""); }

std::string table_of(const errors::StageErrors& errors) {
  std::string text =
      "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th>after</th>"
      "<th class=\"number\">err_l2_rel</th><th class=\"number\">expected</th>"
      "<th class=\"number\">added</th><th class=\"number\">err_linf_rel</th></tr></thead><tbody>\n";
  for (const errors::StageError& stage : errors.stages)
    text += "<tr>" + element("td", stage.title) + number_cell(number_text(stage.err_l2_rel)) +
            number_cell(stage.expected_l2_rel ? number_text(*stage.expected_l2_rel) : "") +
            number_cell(number_text(stage.added_l2_rel)) +
            number_cell(number_text(stage.err_linf_rel)) + "</tr>\n";
  return text + "</tbody></table></div>\n";
}

std::string sources_table(const errors::Budget& budget) {
  std::string text =
      "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th>source</th>"
      "<th class=\"number\">alone</th><th class=\"number\">share</th>"
      "<th class=\"number\">expected</th><th class=\"number\">without "
      "it</th></tr></thead><tbody>\n";
  for (const errors::SourcePart& part : budget.sources)
    text += "<tr>" + element("td", part.name) + number_cell(number_text(part.alone)) +
            number_cell(text::percent_text(text::share_of(part.alone, budget))) +
            number_cell(part.expected ? number_text(*part.expected) : "") +
            number_cell(number_text(part.removed)) + "</tr>\n";
  return text + "</tbody></table></div>\n";
}

std::string part_of(double part, const errors::Budget& budget) {
  return part > budget.floor_l2_rel ? number_text(part) : "-";
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
    text += "<tr>" + element("td", stage.title) + number_cell(part_of(stage.all, budget));
    for (const double part : stage.alone) text += number_cell(part_of(part, budget));
    text += "</tr>\n";
  }
  return text + "</tbody></table></div></details>\n";
}

/// The case, as tips name it.
std::string case_line(const Case& where) {
  return fmt::format("algorithm {}, mode {}, machine {}, n {}, input {}", where.algorithm,
                     where.mode, where.machine, where.n, where.input);
}

/// A figure of lines with names, whose marks are of one case: what repeats it.
std::string named_lines_of(const Figure& figure, const std::string& command) {
  return fmt::format(
      "<div class=\"chart\" data-command=\"{}\">\n{}<div class=\"wide\">{}</div><div "
      "class=\"narrow\">{}</div></div>\n",
      markup_text(command), legend_line(figure.legend), svg_element(figure, wide.width),
      svg_element(figure, narrow.width));
}

std::string budget_part(const ReportStages& stages) {
  if (!stages.budget && stages.budget_note.empty()) return {};
  const std::string command = "fftprec attribute " + command_of(stages.row->where);
  const std::string begin =
      element("h3", "Error by source") +
      (stages.budget_note.empty() ? std::string() : element("p", stages.budget_note)) +
      command_line(command) + "\n";
  if (!stages.budget) return begin;
  const errors::Budget& budget = *stages.budget;
  std::string text = begin + element("p", text::verdict_of(budget));
  if (!budget.stages.empty())
    text += named_lines_of(figures::budget_figure("budget", case_line(stages.row->where), budget),
                           command);
  text += element("p",
                  fmt::format("alone: only this source errs; share: of the error's square; without "
                              "it: the error when all but this source err. All parts {} Parts "
                              "below {} cannot be resolved.",
                              text::quadrature_text(budget), number_text(budget.floor_l2_rel)),
                  "class=\"caption\"");
  return text + sources_table(budget) + parts_table(budget);
}

}  // namespace

std::string own_section(const std::vector<OwnPlot>& plots) {
  if (plots.empty()) return {};
  std::string body;
  for (const OwnPlot& plot : plots) body += own_plot(plot);
  return section("own", "What the sweep asks for", body);
}

std::string curves_section(const ReportFigures& figures) {
  constexpr std::string_view title = "Error against transform length";
  if (figures.views.empty())
    return section("curves", title, "<p>No row was measured with an error to draw.</p>\n");
  std::string body = "<div class=\"controls\">" + choice_of(figures.views) + "</div>\n";
  for (const View& view : figures.views) body += view_of(view, &view == &figures.views[0]);
  if (!figures.views_left_out.empty())
    body += element("p",
                    fmt::format("Too many to show: {}; fftprec plot draws them.",
                                fmt::join(figures.views_left_out, ", ")),
                    "class=\"caption\"");
  return section("curves", title, body);
}

std::string multiples_section(const ReportFigures& figures) {
  std::string body;
  if (figures.by_algorithm.panels.size() > 1)
    body += "<h3>By algorithm</h3>\n" +
            chart(curves_figure(figures.by_algorithm), figures.by_algorithm_note);
  if (figures.by_input.panels.size() > 1)
    body += "<h3>By input</h3>\n" + chart(curves_figure(figures.by_input), figures.by_input_note);
  else if (!figures.by_input.panels.empty())
    body += element("p", "The only input is " + figures.by_input.panels.front().name + ".");
  if (body.empty()) body = "<p>No row was measured with an error to draw.</p>\n";
  return section("multiples", "By algorithm and by input", body);
}

std::string heat_map_section(const HeatMap& map) {
  if (map.panels.empty())
    return section("heat-map", "Bits correct, by mode and length",
                   "<p>No row was measured with bits_l2.</p>\n");
  return section("heat-map", "Bits correct, by mode and length", maps(map));
}

std::string histogram_section(const Histogram& histogram) {
  constexpr std::string_view title = "Error over worst-case bound";
  if (histogram.panels.empty())
    return section("histogram", title, "<p>No measured row has a bound.</p>\n");
  std::string table =
      "<details><summary>in numbers</summary><div class=\"scroll\"><table "
      "class=\"numbers\"><thead><tr><th>mode</th><th class=\"number\">rows</th>"
      "<th class=\"number\">exact</th><th class=\"number\">not finite</th>"
      "<th class=\"number\">median</th><th class=\"number\">largest</th></tr></thead><tbody>\n";
  Figure figure =
      histogram_figure("histogram", "Histogram of error over worst-case bound", histogram, true);
  for (std::size_t i = 0; i < histogram.panels.size(); ++i) {
    const HistogramPanel& panel = histogram.panels[i];
    table += "<tr>" + element("th", panel.name, "scope=\"row\"");
    for (const std::size_t count : {panel.rows, panel.exact, panel.not_finite})
      table += element("td", std::to_string(count), "class=\"number\"");
    for (const double ratio : {panel.median, panel.largest})
      table += element("td", three_digits(ratio), "class=\"number\"");
    table += "</tr>\n";
    figure.panels[i].notes.clear();  // the table has them
  }
  return section(
      "histogram", title,
      element("h4", "all modes") + whole_width(figure, 0) +
          element("p",
                  "err_l2_rel / bound_l2_rel of every measured row that has a bound, whatever its "
                  "other axes. At most 1 if the theorem and the arithmetic are right; how far "
                  "below is how tight the bound is on these inputs.",
                  "class=\"caption\"") +
          (histogram.panels.size() > 2 ? multiples(figure, 1) : "") + table +
          "</tbody></table></div></details>\n");
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
    std::string legend;
    std::string figures;
    for (; i < gathered.costs.size() && gathered.costs[i].n == n; ++i)
      figures += figure_of(gathered.costs[i], group, legend);
    const bool shown = n == first;
    options +=
        fmt::format("<option value=\"cost-n-{0}\"{1}>{0}</option>", n, shown ? " selected" : "");
    groups += fmt::format(
        "<div class=\"cost choice chart{}\" id=\"cost-n-{}\">\n<h3>n = {}</h3>{}<div "
        "class=\"multiples\">\n{}</div>\n{}</div>\n",
        shown ? " shown" : "", n, n, legend, figures,
        element("p", held_text(group) + ".", "class=\"caption\""));
  }
  return section(
      "cost", title,
      "<div class=\"controls\"><label>n <select data-choice=\".cost\">" + options +
          "</select></label></div>\n" + groups +
          "<p class=\"caption\">A point is an algorithm in a mode; left and low is better. The "
          "dotted line is the Pareto front, what no other point beats in both. Passes are those of "
          "a tensor engine; what has none is done elsewhere and stands outside the fronts. A "
          "multiply-add counts alike in every format, so there compare within a mode. Times are "
          "latencies published for a trn1, or lie between two of them; most choices have "
          "none.</p>\n");
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
                  "ones exact. Errors below {} cannot be resolved.",
                  number_text(stages.errors->floor_l2_rel)),
      "class=\"caption\"");
  body +=
      named_lines_of(figures::stages_figure("stages", case_line(stages.row->where), *stages.errors),
                     "fftprec show " + command_of(stages.row->where));
  return section("stages", title,
                 body + "<details><summary>in numbers</summary>" + table_of(*stages.errors) +
                     "</details>\n" + budget_part(stages));
}

}  // namespace fftprec::page
