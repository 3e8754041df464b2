#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "experiments/support/decimal.hpp"
#include "reports/figures/heatmap.hpp"
#include "reports/figures/svg.hpp"
#include "reports/page/sections.hpp"
#include "reports/results/quantity.hpp"
#include "reports/text/budget_text.hpp"
#include "reports/text/table.hpp"

namespace fftprec::page {

using figures::CostPoint;
using figures::Costs;
using figures::Curves;
using figures::Figure;
using figures::Histogram;
using figures::HistogramPanel;
using figures::Series;
using text::element;
using text::markup_text;

std::string section(std::string_view id, std::string_view heading, std::string_view body) {
  return fmt::format("<section id=\"{}\">\n{}\n{}</section>\n\n", id, element("h2", heading), body);
}

std::string caption(std::string_view text) { return element("p", text, "class=\"caption\""); }

std::string command_line(std::string_view command) {
  std::string words;
  while (!command.empty()) {
    const std::size_t blank = command.find(' ');
    words += (words.empty() ? "" : " ") + element("span", command.substr(0, blank));
    command.remove_prefix(blank == std::string_view::npos ? command.size() : blank + 1);
  }
  return "<code class=\"command\">" + words + "</code>";
}

namespace {

constexpr figures::Size wide{920, 470};
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
  if (!left_out.empty()) text += caption("Too many to show: " + left_out + ".") + "\n";
  return text;
}

/// All panels under their legend.
std::string chart(const Figure& figure, const std::string& note = {}) {
  return "<div class=\"chart\">\n" + legend_line(figure.legend) +
         (figure.panels.size() == 1 ? whole_width(figure, 0) : multiples(figure)) +
         caption(figure.subtitle + "." + note) + "</div>\n";
}

std::string view_of(const ComparisonView& view, bool first) {
  return fmt::format("<div class=\"view choice{}\" id=\"{}\">\n{}{}</div>\n", first ? " shown" : "",
                     view.id, element("h3", view.curves.request.title),
                     chart(curves_figure(view.curves), view.note));
}

std::string choice_of(const std::vector<ComparisonView>& views) {
  std::string options;
  for (const auto& [axis, label] : {std::pair{"algorithm", "the modes of one algorithm"},
                                    std::pair{"mode", "the algorithms of one mode"}}) {
    options += fmt::format("<optgroup label=\"{}\">", label);
    for (const ComparisonView& view : views)
      if (view.axis == axis)
        options += element("option", view.name, fmt::format("value=\"{}\"", view.id));
    options += "</optgroup>";
  }
  return "<label>Show <select data-choice=\".view\">" + options + "</select></label>\n";
}

/// Heat maps side by side, as small as their cells allow, the first with the scale.
std::string maps(Figure figure) {
  std::string text = "<div class=\"maps\">\n";
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    figures::Panel& panel = figure.panels[i];
    if (i > 0 && figure.shared_bar) panel.bar.reset();
    figures::drop_empty_lines(panel);
    text += fmt::format("<figure>{}<div class=\"scroll\">{}</div></figure>\n",
                        element("h4", panel.title), svg_element(figure, i));
  }
  return text + "</div>\n" +
         caption(figure.subtitle +
                 ". Light is good. s: skipped, the combination has no meaning; x: failed; –: "
                 "not defined; blank: not run.");
}

std::string own_plot(const SweepPlot& plot) {
  std::string text = element("h3", plot.title);
  if (!plot.problem.empty()) return text + element("p", "Not drawn: " + plot.problem + ".");
  for (const Figure& figure : plot.drawn)
    text += figure.panels.front().bar ? maps(figure) : chart(figure);
  return text;
}

/// A label without its unit.
std::string cost_name(const std::string& cost) {
  const std::string label = quantity_label(cost);
  return label.substr(0, label.find(','));
}

/// Tables of the Pareto front, and of the front of each mode.
std::string front_tables(const Costs& costs) {
  text::Table front{{{"algorithm", "mode", costs.cost, "err_l2_rel"}}, 2};
  text::Table of_modes = front;
  const auto cells = [](const CostPoint& point) {
    return text::TextCells{point.algorithm, point.mode, short_number(point.cost, 4),
                           text::error_text(point.error)};
  };
  for (const CostPoint& point : costs.points)
    if (point.on_front) front.lines.push_back(cells(point));
  for (const Series& mode : costs.modes)
    for (const CostPoint& point : costs.points)
      if (point.mode == mode.name && point.on_mode_front) of_modes.lines.push_back(cells(point));
  return text::html_table(front) + "<h4>the front of each mode</h4>" + text::html_table(of_modes);
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

std::string held_text(const Costs& figure) {
  return figure.pooled.empty() ? figure.held : figure.held + "; medians over " + figure.pooled;
}

/// The part of the caption in which this cost differs from the first of this length.
std::string own_caption(const Costs& figure, const Costs& first) {
  std::string text = held_text(figure) == held_text(first) ? "" : held_text(figure);
  const std::string rows = figures::left_out({&figure, 1});
  if (!text.empty() && !rows.empty()) text += "; ";
  text += rows;
  return text.empty() ? text : caption(text + ".");
}

/// The figure of `costs`. Sets `legend` to the entries of the first figure with a legend.
std::string figure_of(const Costs& costs, const Costs& first, std::string& legend) {
  if (!has_cost(costs))
    return "<figure>" + element("p", "No " + cost_name(costs.cost) + " at this length.") +
           "</figure>\n";
  const std::string title = "Error against " + quantity_label(costs.cost);
  const Figure figure = figures::cost_figure("cost", title, {&costs, 1});
  if (legend.empty()) legend = legend_line(figure.legend);
  return "<figure>" + element("h4", title) + svg_element(figure, 0, {400, 340}) +
         own_caption(costs, first) + "<details><summary>the front in numbers</summary>" +
         front_tables(costs) + "</details></figure>\n";
}

std::string table_of(const attribution::StageErrors& errors) {
  text::Table table{{{"after", "err_l2_rel", "expected", "added", "err_linf_rel"}}, 1};
  for (const attribution::StageError& stage : errors.stages)
    table.lines.push_back({stage.title, text::error_text(stage.err_l2_rel),
                           stage.expected_l2_rel ? text::error_text(*stage.expected_l2_rel) : "",
                           text::error_text(stage.added_l2_rel),
                           text::error_text(stage.err_linf_rel)});
  return text::html_table(table);
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

std::string budget_part(const ReportStages& stages, const std::string& program) {
  if (!stages.budget && stages.budget_note.empty()) return {};
  const std::string command = program + " attribute " + command_of(stages.row->where);
  const std::string begin =
      element("h3", "Error by source") +
      (stages.budget_note.empty() ? std::string() : element("p", stages.budget_note)) +
      command_line(command) + "\n";
  if (!stages.budget) return begin;
  const attribution::Budget& budget = *stages.budget;
  std::string text = begin + element("p", text::verdict_of(budget));
  if (!budget.stages.empty())
    text += named_lines_of(figures::budget_figure("budget", case_line(stages.row->where), budget),
                           command);
  text +=
      caption(fmt::format("alone: only this source errs; share: of the error's square; without "
                          "it: the error when all but this source err. All parts {} Parts "
                          "below {} cannot be resolved.",
                          text::quadrature_text(budget), text::error_text(budget.floor_l2_rel)));
  return text + text::html_table(text::sources_table(budget)) +
         "<details><summary>every source in every stage</summary>" +
         text::html_table(text::stages_table(budget)) + "</details>\n";
}

}  // namespace

std::string own_section(const std::vector<SweepPlot>& plots) {
  if (plots.empty()) return {};
  std::string body;
  for (const SweepPlot& plot : plots) body += own_plot(plot);
  return section("own", "What the sweep asks for", body);
}

std::string curves_section(const ReportFigures& figures) {
  constexpr std::string_view title = "Error against transform length";
  if (figures.views.empty()) return {};
  std::string body = "<div class=\"controls\">" + choice_of(figures.views) + "</div>\n";
  for (const ComparisonView& view : figures.views)
    body += view_of(view, &view == &figures.views[0]);
  if (!figures.views_left_out.empty())
    body += caption(fmt::format("Too many to show: {}; fftprec plot draws them.",
                                fmt::join(figures.views_left_out, ", ")));
  return section("curves", title, body);
}

std::string multiples_section(const ReportFigures& figures) {
  std::string body;
  if (figures.by_algorithm.panels.size() > 1)
    body += "<h3>By algorithm</h3>\n" +
            chart(curves_figure(figures.by_algorithm), figures.by_algorithm_note);
  if (figures.by_input.panels.size() > 1)
    body += "<h3>By input</h3>\n" + chart(curves_figure(figures.by_input), figures.by_input_note);
  return body.empty() ? body : section("multiples", "By algorithm and by input", body);
}

std::string heat_map_section(const std::vector<Figure>& drawn) {
  if (drawn.empty()) return {};
  return section("heat-map", "Bits correct, by mode and length", maps(drawn.front()));
}

std::string histogram_section(const Histogram& histogram) {
  constexpr std::string_view title = "Error over worst-case bound";
  if (histogram.panels.empty()) return {};
  text::Table table{{{"mode", "rows", "exact", "not finite", "median", "largest"}}, 1};
  Figure figure =
      histogram_figure("histogram", "Histogram of error over worst-case bound", histogram, true);
  for (std::size_t i = 0; i < histogram.panels.size(); ++i) {
    const HistogramPanel& panel = histogram.panels[i];
    table.lines.push_back({panel.name, std::to_string(panel.rows), std::to_string(panel.exact),
                           std::to_string(panel.not_finite), short_number(panel.median),
                           short_number(panel.largest)});
    figure.panels[i].notes.clear();  // the table has them
  }
  return section(
      "histogram", title,
      element("h4", "all modes") + whole_width(figure, 0) +
          caption("err_l2_rel / bound_l2_rel of every measured row that has a bound, whatever its "
                  "other axes. At most 1 if the theorem and the arithmetic are right; how far "
                  "below is how tight the bound is on these inputs.") +
          (histogram.panels.size() > 2 ? multiples(figure, 1) : "") +
          "<details><summary>in numbers</summary>" + text::html_table(table) + "</details>\n");
}

std::string cost_section(const ReportFigures& gathered) {
  constexpr std::string_view title = "Error against cost";
  if (gathered.costs.empty()) return {};
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
        shown ? " shown" : "", n, n, legend, figures, caption(held_text(group) + "."));
  }
  return section("cost", title,
                 "<div class=\"controls\"><label>n <select data-choice=\".cost\">" + options +
                     "</select></label></div>\n" + groups +
                     "<p class=\"caption\">A point is an algorithm in a mode; left and low is "
                     "better. The dotted line is the Pareto front: points that no other beats in "
                     "both. Passes are a tensor engine's; points without passes run elsewhere and "
                     "are outside the fronts. A multiply-add counts as one in every format, so "
                     "compare it within a mode. Times are latencies published for a trn1, or "
                     "interpolated between two of them; most choices have none.</p>\n");
}

std::string stages_section(const ReportStages& stages, const std::string& program) {
  constexpr std::string_view title = "Error after each stage";
  std::string body;
  if (stages.row)
    body +=
        element("p", stages.why) + command_line(program + " show " + command_of(stages.row->where));
  if (!stages.note.empty()) body += element("p", stages.note);
  if (body.empty()) return {};
  if (!stages.errors) return section("stages", title, body + "\n");
  body +=
      caption(fmt::format("Each line: this stage and the stages above in the case's own "
                          "arithmetic, all later stages exact. Errors below {} cannot be resolved.",
                          text::error_text(stages.errors->floor_l2_rel)));
  body +=
      named_lines_of(figures::stages_figure("stages", case_line(stages.row->where), *stages.errors),
                     program + " show " + command_of(stages.row->where));
  return section("stages", title,
                 body + "<details><summary>in numbers</summary>" + table_of(*stages.errors) +
                     "</details>\n" + budget_part(stages, program));
}

}  // namespace fftprec::page
