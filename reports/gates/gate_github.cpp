#include "reports/gates/gate_github.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "experiments/support/hash.hpp"
#include "reports/gates/gate_report.hpp"

namespace fftprec {

namespace {

std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text)
    if (special.find(c) != std::string_view::npos)
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      result += c;
  return result;
}

std::string annotation(std::string_view level, const Gate& gate, std::string_view title,
                       std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return fmt::format("::{} file={},line={},title={}::{}\n", level, escaped_property(gate.file),
                     gate.line, escaped_property(title), escaped_data(text));
}

/// What fails and what would be done about it, in one annotation per gate.
std::string failure_annotation(const Verdict& verdict) {
  return annotation(
      "error", verdict.gate,
      fmt::format("gate {} {}", verdict.gate.name,
                  verdict.outcome() == Outcome::unexpected_pass ? "passes unexpectedly" : "fails"),
      failure_details(verdict));
}

std::vector<std::string> annotations(std::span<const Verdict> verdicts) {
  std::vector<std::string> lines;
  for (const Verdict& verdict : verdicts)
    if (!verdict.passed()) lines.push_back(failure_annotation(verdict));
  for (const Verdict& verdict : verdicts)
    if (verdict.outcome() == Outcome::expected_fail)
      lines.push_back(annotation("warning", verdict.gate,
                                 fmt::format("gate {} fails as expected", verdict.gate.name),
                                 expectation_text(verdict)));
  for (const Verdict& verdict : verdicts) {
    std::vector<std::string> notes = verdict.notes;
    if (verdict.outcome() == Outcome::pass && verdict.gate.expect_fail)
      notes.insert(notes.begin(), expectation_text(verdict));
    if (!notes.empty())
      lines.push_back(annotation("notice", verdict.gate, "gate " + verdict.gate.name,
                                 fmt::format("{}", fmt::join(notes, "\n"))));
  }
  return lines;
}

}  // namespace

std::string escaped_data(std::string_view text) { return escaped(text, "%\r\n"); }

std::string escaped_property(std::string_view text) { return escaped(text, "%\r\n:,"); }

std::string github_log(std::span<const Verdict> verdicts, std::string_view report) {
  // A word that the report does not hold, for it may come from anybody's rows.
  std::string word = "report-" + text_hash(report);
  while (report.find(word) != std::string_view::npos) word += "x";
  std::string text = fmt::format("::group::{}\n::stop-commands::{}\n{}::{}::\n::endgroup::\n",
                                 escaped_data(headline(verdicts)), word, report, word);
  const std::vector<std::string> lines = annotations(verdicts);
  const std::size_t shown = lines.size() <= most_annotations ? lines.size() : most_annotations - 1;
  for (std::size_t i = 0; i < shown; ++i) text += lines[i];
  if (shown < lines.size())
    text += fmt::format(
        "::{} title=and {} more::{} of {} annotations are not shown; the log of this "
        "step has them all\n",
        lines[shown].starts_with("::error") ? "error" : "notice", lines.size() - shown,
        lines.size() - shown, lines.size());
  return text;
}

std::string github_summary(std::span<const Verdict> verdicts, std::size_t room) {
  std::string text = "## fftprec gate\n\n" + markdown_report(verdicts) + "\n";
  if (text.size() <= room) return text;
  const auto lines = std::count(text.begin(), text.end(), '\n');
  constexpr std::size_t last_line = 80;  // bytes of the sentence below, at most
  if (room < last_line) return {};
  const std::size_t end = text.rfind('\n', room - last_line);
  text.erase(end == std::string::npos ? 0 : end + 1);
  return text + fmt::format("\n{} lines are left out: there is no room.\n",
                            lines - std::count(text.begin(), text.end(), '\n'));
}

}  // namespace fftprec
