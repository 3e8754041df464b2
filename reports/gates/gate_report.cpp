#include "reports/gates/gate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "reports/summary/summary_markdown.hpp"

namespace fftprec {

namespace {

constexpr std::size_t columns_count = 7;
using Cells = std::array<std::string, columns_count>;
const Cells titles = {"gate", "kind", "checked", "skipped", "failed", "worst", "verdict"};

/// "0.21" of the limit; "-" if nothing was compared.
std::string worst_ratio(const Verdict& verdict) {
  return verdict.worst ? fmt::format("{:.3g}", verdict.worst->ratio) : "-";
}

Cells cells_of(const Verdict& verdict) {
  return {verdict.gate.name,
          verdict.gate.kind,
          std::to_string(verdict.checked),
          std::to_string(verdict.skipped),
          std::to_string(verdict.failures.size()),
          worst_ratio(verdict),
          verdict.passed() ? "PASS" : "FAIL"};
}

/// Names to the left, numbers to the right.
std::string aligned(const Cells& cells, const std::array<std::size_t, columns_count>& widths) {
  std::string line;
  for (std::size_t i = 0; i < columns_count; ++i) {
    const bool left = i < 2 || i + 1 == columns_count;
    line += left ? fmt::format("{:<{}}", cells[i], widths[i])
                 : fmt::format("{:>{}}", cells[i], widths[i]);
    line += "  ";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::vector<const Verdict*> failures_first(std::span<const Verdict> verdicts) {
  std::vector<const Verdict*> order;
  for (const Verdict& verdict : verdicts) order.push_back(&verdict);
  std::stable_partition(order.begin(), order.end(),
                        [](const Verdict* verdict) { return !verdict->passed(); });
  return order;
}

/// What a reader needs to act on a failed gate.
std::string details(const Verdict& verdict) {
  std::string text = fmt::format("FAIL {}: {}\n", verdict.gate.name, verdict.gate.source);
  for (const std::string& error : verdict.errors) text += "  " + error + "\n";
  if (verdict.failures.empty()) return text;
  const Finding& worst = *verdict.worst;
  text += fmt::format("  {} of {} failed, the worst at {:.3g} of its limit: {}\n  {}\n",
                      verdict.failures.size(), verdict.checked, worst.ratio, worst.text,
                      reproduce_command(worst.where));
  constexpr std::size_t shown = 5;
  std::size_t count = 0;
  for (const Finding& failure : verdict.failures) {
    if (failure.where == worst.where && failure.text == worst.text) continue;
    if (++count > shown) break;
    text += fmt::format("  {}: {}\n", command_of(failure.where), failure.text);
  }
  if (verdict.failures.size() > shown + 1)
    text += fmt::format("  and {} more\n", verdict.failures.size() - shown - 1);
  return text;
}

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20)
      escaped += c;
    else
      escaped += '?';  // XML 1.0 has no way to write other control characters
  }
  return escaped;
}

}  // namespace

std::string headline(std::span<const Verdict> verdicts) {
  const auto passed = std::count_if(verdicts.begin(), verdicts.end(),
                                    [](const Verdict& verdict) { return verdict.passed(); });
  return fmt::format("{} of {} gates pass", passed, verdicts.size());
}

std::string terminal_report(std::span<const Verdict> verdicts) {
  std::vector<Cells> lines = {titles};
  for (const Verdict& verdict : verdicts) lines.push_back(cells_of(verdict));
  std::array<std::size_t, columns_count> widths{};
  for (const Cells& line : lines)
    for (std::size_t i = 0; i < columns_count; ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const Cells& line : lines) text += aligned(line, widths);
  text += headline(verdicts) + "; worst = largest share of the limit\n";
  for (const Verdict& verdict : verdicts) {
    if (!verdict.passed()) text += "\n" + details(verdict);
    for (const std::string& note : verdict.notes)
      text += fmt::format("note {}: {}\n", verdict.gate.name, note);
  }
  return text;
}

std::string markdown_report(std::span<const Verdict> verdicts) {
  std::string text = headline(verdicts) + ".\n\n";
  text += "| verdict | gate | kind | checked | skipped | failed | worst | worst case |\n";
  text += "|---|---|---|---:|---:|---:|---:|---|\n";
  for (const Verdict* verdict : failures_first(verdicts)) {
    const Cells cells = cells_of(*verdict);
    std::vector<std::string> remarks;
    for (const std::string& error : verdict->errors) remarks.push_back(markdown_cell(error));
    if (verdict->worst)
      remarks.push_back(fmt::format("{}: `{}`", markdown_cell(verdict->worst->text),
                                    markdown_cell(reproduce_command(verdict->worst->where))));
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n",
                        verdict->passed() ? "pass" : "**FAIL**", markdown_cell(cells[0]), cells[1],
                        cells[2], cells[3], cells[4], cells[5], fmt::join(remarks, "; "));
  }
  std::string notes;
  for (const Verdict& verdict : verdicts)
    for (const std::string& note : verdict.notes)
      notes += fmt::format("- {}: {}\n", markdown_cell(verdict.gate.name), markdown_cell(note));
  return notes.empty() ? text : text + "\n" + notes;
}

std::string junit_report(std::span<const Verdict> verdicts) {
  const auto failed = std::count_if(verdicts.begin(), verdicts.end(),
                                    [](const Verdict& verdict) { return !verdict.passed(); });
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuite name=\"fftprec gate\" tests=\"{}\" failures=\"{}\">\n",
                      verdicts.size(), failed);
  for (const Verdict& verdict : verdicts) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", verdict.gate.kind,
                        xml_escaped(verdict.gate.name));
    if (verdict.passed()) {
      text += "/>\n";
      continue;
    }
    const std::string message =
        verdict.errors.empty() ? verdict.worst->text : verdict.errors.front();
    text += fmt::format(">\n    <failure message=\"{}\">{}</failure>\n  </testcase>\n",
                        xml_escaped(message), xml_escaped(details(verdict)));
  }
  return text + "</testsuite>\n";
}

}  // namespace fftprec
