#include <fmt/format.h>

#include <cstdint>
#include <map>

#include "experiments/gates/gate.hpp"
#include "reports/page/report_html.hpp"
#include "reports/page/report_sections.hpp"
#include "reports/page/report_svg.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

/// Passes and multiply-adds are integers, but for medians of an even number.
std::string cost_text(double cost) {
  return cost >= 1000 ? fmt::format("{:.0f}", cost) : fmt::format("{:.4g}", cost);
}

/// A label without its unit.
std::string cost_name(const std::string& cost) {
  const std::string label = quantity_label(cost);
  return label.substr(0, label.find(','));
}

std::string front_table(const CostFigure& figure) {
  std::string text = fmt::format(
      "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th class=\"number\">front</th>"
      "<th>algorithm</th><th>mode</th><th class=\"number\">{}</th>"
      "<th class=\"number\">err_l2_rel</th></tr></thead><tbody>\n",
      html_text(figure.cost));
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
std::uint64_t first_shown(const std::vector<CostFigure>& figures) {
  std::map<std::uint64_t, bool> complete;
  for (const CostFigure& figure : figures) {
    bool& all = complete.try_emplace(figure.n, true).first->second;
    all = all && has_cost(figure);
  }
  for (auto each = complete.rbegin(); each != complete.rend(); ++each)
    if (each->second) return each->first;
  return complete.rbegin()->first;
}

/// The front of each mode: which algorithm for which cost.
std::string mode_fronts(const CostFigure& figure) {
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

std::string held_text(const CostFigure& figure) {
  return figure.pooled.empty() ? figure.held : figure.held + "; medians over " + figure.pooled;
}

/// What is true of this cost, and not of the first of the same length.
std::string own_caption(const CostFigure& figure, const CostFigure& first) {
  std::string text = held_text(figure) == held_text(first) ? "" : held_text(figure);
  const std::string rows = left_out({&figure, 1});
  if (!text.empty() && !rows.empty()) text += "; ";
  text += rows;
  return text.empty() ? text : element("p", text + ".", "class=\"caption\"");
}

std::string figure_of(const CostFigure& figure, const CostFigure& first, std::size_t i,
                      const Images& images) {
  const std::string begin = fmt::format("<figure data-cost=\"{}\">", figure.cost);
  if (!has_cost(figure))
    return begin + element("p", "No " + cost_name(figure.cost) + " at this length.") +
           "</figure>\n";
  const auto image = images.svg.find(image_name("cost", i));
  return begin + element("h4", "Error against " + quantity_label(figure.cost)) +
         (image == images.svg.end() ? std::string() : image->second) + own_caption(figure, first) +
         front_table(figure) + mode_fronts(figure) + "</figure>\n";
}

/// All costs, or one.
std::string cost_options() {
  std::string options = "<option value=\"all\" selected>all</option>";
  for (const std::string_view cost : default_costs())
    options += fmt::format("<option value=\"{}\">{}</option>", cost,
                           html_text(cost_name(std::string(cost))));
  return options;
}

}  // namespace

std::string cost_section(const ReportFigures& figures, const Images& images) {
  constexpr std::string_view title = "Error against cost";
  if (figures.costs.empty())
    return section("cost", title,
                   "<p>There is nothing to compare: no length has two algorithms or modes with a "
                   "cost.</p>\n");
  const std::uint64_t first = first_shown(figures.costs);
  std::string options;
  std::string groups;
  for (std::size_t i = 0; i < figures.costs.size();) {
    const std::uint64_t n = figures.costs[i].n;
    const CostFigure& group = figures.costs[i];
    std::string pair;
    std::string legend;
    for (const Series& mode : group.modes)
      legend += fmt::format("<li>{}{}</li>", series_swatch(mode.style), html_text(mode.name));
    for (; i < figures.costs.size() && figures.costs[i].n == n; ++i)
      pair += figure_of(figures.costs[i], group, i, images);
    const bool shown = n == first;
    options +=
        fmt::format("<option value=\"cost-n-{0}\"{1}>{0}</option>", n, shown ? " selected" : "");
    groups += fmt::format(
        "<div class=\"cost\" id=\"cost-n-{}\"{}>\n<ul class=\"legend-line\">{}</ul>\n<div "
        "class=\"pair\">\n{}</div>\n{}</div>\n",
        n, shown ? "" : " hidden", legend, pair,
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

}  // namespace fftprec
