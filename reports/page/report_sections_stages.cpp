#include <fmt/format.h>

#include "reports/page/report_html.hpp"
#include "reports/page/report_sections.hpp"
#include "reports/page/report_svg.hpp"
#include "reports/plots/plot_budget.hpp"
#include "reports/plots/plot_stages.hpp"
#include "reports/text/budget_text.hpp"
#include "reports/text/cells.hpp"

namespace fftprec {

namespace {

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

std::string legend() {
  std::string text = "<ul class=\"legend-line\">";
  for (const auto& [part, style] : stages_curves())
    text += fmt::format("<li>{}{}</li>", series_swatch(style), html_text(stages_curve(part)));
  return text + "</ul>\n";
}

/// A coloured field and a name for each source.
std::string source_legend(const errors::Budget& budget) {
  std::string text = "<ul class=\"legend-line\">";
  for (const errors::SourcePart& part : budget.sources)
    text += fmt::format("<li><span class=\"field\" style=\"background:{}\"></span>{}</li>",
                        series_variable(source_style(part.source)), html_text(part.name));
  return text + "</ul>\n";
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

std::string budget_part(const ReportStages& stages, const Images& images) {
  if (!stages.budget && stages.budget_note.empty()) return {};
  const std::string begin =
      element("h3", "Error by source") +
      (stages.budget_note.empty() ? std::string() : element("p", stages.budget_note)) +
      command_line("fftprec attribute " + command_of(stages.row->where)) + "\n";
  if (!stages.budget) return begin;
  const errors::Budget& budget = *stages.budget;
  std::string text = begin + element("p", text::verdict_of(budget));
  const auto image = images.svg.find(std::string(budget_image));
  if (image != images.svg.end())
    text +=
        source_legend(budget) + "<figure class=\"scroll lines\">" + image->second + "</figure>\n";
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
                  text::error_text(stages.errors->floor_l2_rel)),
      "class=\"caption\"");
  const auto image = images.svg.find(std::string(stages_image));
  if (image != images.svg.end())
    body += legend() + "<figure class=\"scroll lines\">" + image->second + "</figure>\n";
  return section("stages", title, body + table_of(*stages.errors) + budget_part(stages, images));
}

}  // namespace fftprec
