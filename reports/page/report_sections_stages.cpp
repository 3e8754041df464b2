#include <fmt/format.h>

#include "reports/page/report_html.hpp"
#include "reports/page/report_sections.hpp"
#include "reports/page/report_svg.hpp"
#include "reports/plots/plot_stages.hpp"
#include "reports/summary/error_table.hpp"

namespace fftprec {

namespace {

std::string number_cell(const std::string& text) { return element("td", text, "class=\"number\""); }

std::string table_of(const StageErrors& errors) {
  std::string text =
      "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th>after</th>"
      "<th class=\"number\">err_l2_rel</th><th class=\"number\">expected</th>"
      "<th class=\"number\">added</th><th class=\"number\">err_linf_rel</th></tr></thead><tbody>\n";
  for (const StageError& stage : errors.stages)
    text += "<tr>" + element("td", stage.title) + number_cell(error_text(stage.err_l2_rel)) +
            number_cell(stage.expected_l2_rel ? error_text(*stage.expected_l2_rel) : "") +
            number_cell(error_text(stage.added_l2_rel)) +
            number_cell(error_text(stage.err_linf_rel)) + "</tr>\n";
  return text + "</tbody></table></div>\n";
}

std::string legend() {
  std::string text = "<ul class=\"legend-line\">";
  for (const auto& [part, style] : stages_curves())
    text += fmt::format("<li>{}{}</li>", series_swatch(style), html_text(stages_curve(part)));
  return text + "</ul>\n";
}

}  // namespace

std::string stages_section(const ReportStages& stages, const Images& images) {
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
                  error_text(stages.errors->floor_l2_rel)),
      "class=\"caption\"");
  const auto image = images.svg.find(std::string(stages_image));
  if (image != images.svg.end()) body += legend() + "<figure>" + image->second + "</figure>\n";
  return section("stages", title, body + table_of(*stages.errors));
}

}  // namespace fftprec
