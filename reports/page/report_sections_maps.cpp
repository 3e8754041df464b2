#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/page/report_html.hpp"
#include "reports/page/report_sections.hpp"
#include "reports/page/report_svg.hpp"
#include "reports/plots/plot_colours.hpp"

namespace fftprec {

namespace {

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

std::string cell_of(const HeatCell& cell, const std::string& y, const ColourScale& scale) {
  std::string style;
  if (cell.kind == CellKind::value) {
    const double shade = shade_of(cell.value, scale);
    style = fmt::format(" style=\"background:{};color:{}\"", palette_colour(shade),
                        shade < dark_shade ? "#fff" : "#111");
  }
  return fmt::format("<td class=\"{}\"{} title=\"{}\">{}</td>", class_of(cell.kind), style,
                     cell.count == 1 ? "1 row" : fmt::format("{} rows", cell.count),
                     html_text(cell_text(cell, y)));
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
        text += cell_of(*cell++, map.request.y, scale);
      else
        text += "<td class=\"none\"></td>";
    text += "</tr>";
  }
  return text + "</tbody></table></div></figure>\n";
}

/// Colours from the fewest to the most bits.
std::string scale_bar(const ColourScale& scale) {
  std::string stops;
  for (int i = 0; i <= 8; ++i) stops += (i == 0 ? "" : ",") + palette_colour(i / 8.0);
  return fmt::format(
      "<p class=\"scale\"><span>{:.1f}</span><span class=\"bar\" style=\"background:"
      "linear-gradient(to right,{})\"></span><span>{:.1f} bits correct</span></p>\n",
      scale.low, stops, scale.high);
}

}  // namespace

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

std::string histogram_section(const Histogram& histogram, const Images& images) {
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
  std::string figures;
  for (std::size_t i = 0; i < histogram.panels.size(); ++i) {
    const HistogramPanel& panel = histogram.panels[i];
    body += "<tr>" + element("th", panel.name, "scope=\"row\"");
    for (const std::size_t count : {panel.rows, panel.exact, panel.not_finite})
      body += element("td", std::to_string(count), "class=\"number\"");
    for (const double ratio : {panel.median, panel.largest})
      body += element("td", three_digits(ratio), "class=\"number\"");
    body += "</tr>\n";
    if (const auto image = images.svg.find(image_name("histogram", i)); image != images.svg.end())
      figures += fmt::format("<figure{}>{}{}</figure>\n", i == 0 ? " class=\"wide\"" : "",
                             element("h4", panel.name), image->second);
  }
  body += "</tbody></table></div>\n";
  if (!figures.empty()) body += "<div class=\"multiples\">\n" + figures + "</div>\n";
  return section("histogram", title, body);
}

}  // namespace fftprec
