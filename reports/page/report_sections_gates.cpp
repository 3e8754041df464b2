#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/gates/gate_report.hpp"
#include "reports/page/report_html.hpp"
#include "reports/page/report_sections.hpp"
#include "reports/text/cells.hpp"

namespace fftprec {

namespace {

constexpr std::size_t most_failures = 5;  ///< shown of one gate, beside the worst

/// Why it fails, or how near it came, with the command.
std::string detail_of(const gates::Verdict& verdict) {
  std::string text;
  if (const std::string said = expectation_text(verdict); !said.empty()) text += element("p", said);
  for (const std::string& error : verdict.errors) text += element("p", error);
  if (verdict.worst)
    text += element("p", (verdict.holds() ? "nearest: " : "worst: ") + verdict.worst->text) +
            command_line(text::reproduce_command(verdict.worst->where));
  std::string others;
  std::size_t shown = 0;
  for (const gates::Finding& failure : verdict.failures) {
    if (verdict.worst && failure.where == verdict.worst->where &&
        failure.text == verdict.worst->text)
      continue;
    if (++shown > most_failures) break;
    others += element("p", failure.text) + command_line(text::reproduce_command(failure.where));
  }
  if (verdict.failures.size() > 1)
    text += fmt::format("<details><summary>{} of the {} other failures</summary>{}</details>",
                        std::min(shown, most_failures), verdict.failures.size() - 1, others);
  for (const std::string& note : verdict.notes) text += element("p", "note: " + note);
  return text;
}

/// With its title, for narrow pages that have no line of titles.
std::string number_cell(std::string_view title, std::string_view text) {
  return element("td", text, fmt::format("class=\"number\" data-label=\"{}\"", title));
}

/// The class of a line, and the word that its first cell shows.
std::pair<std::string_view, std::string_view> verdict_of(gates::Outcome outcome) {
  switch (outcome) {
    case gates::Outcome::pass:
      return {"pass", "pass"};
    case gates::Outcome::expected_fail:
      return {"expected", "expected failure"};
    case gates::Outcome::unexpected_pass:
      return {"fail", "UNEXPECTED PASS"};
    default:
      return {"fail", "FAIL"};
  }
}

std::string line_of(const gates::Verdict& verdict) {
  const auto [line_class, word] = verdict_of(verdict.outcome());
  return fmt::format(
      "<tr class=\"{}\"><td><span class=\"verdict\">{}</span></td><th scope=\"row\">{}"
      "<p class=\"source\">{}</p></th>{}{}{}{}{}<td>{}</td></tr>\n",
      line_class, word, html_text(verdict.gate.name), html_text(verdict.gate.source),
      element("td", verdict.gate.kind), number_cell("checked", std::to_string(verdict.checked)),
      number_cell("skipped", std::to_string(verdict.skipped)),
      number_cell("failed", std::to_string(verdict.failures.size())),
      number_cell("share of limit", verdict.worst ? three_digits(verdict.worst->ratio) : "-"),
      detail_of(verdict));
}

}  // namespace

std::string gates_section(const ReportData& data) {
  std::string body = element("p", data.gates_note, "class=\"caption\"") + "\n";
  if (data.verdicts.empty()) return section("gates", "Gates", body);
  body = element("p",
                 headline(data.verdicts) + ". " + data.gates_note +
                     " Share of limit: largest value / limit; above 1 fails.",
                 "class=\"caption\"");
  body +=
      "\n<div class=\"scroll\"><table class=\"gates\"><thead><tr><th>verdict</th><th>gate</th>"
      "<th>kind</th><th class=\"number\">checked</th><th class=\"number\">skipped</th>"
      "<th class=\"number\">failed</th><th class=\"number\">share of limit</th>"
      "<th>case, and the command that repeats it</th></tr></thead>\n<tbody>\n";
  for (const gates::Verdict* verdict : failures_first(data.verdicts)) body += line_of(*verdict);
  return section("gates", "Gates", body + "</tbody></table></div>\n");
}

}  // namespace fftprec
