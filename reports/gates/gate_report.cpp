#include "reports/gates/gate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/hash.hpp"
#include "reports/text/table.hpp"

namespace fftprec::gates {

namespace {

const text::TextCells titles = {"gate", "kind", "checked", "skipped", "failed", "worst", "verdict"};

/// "0.21" of the limit; "-" if nothing was compared.
std::string worst_ratio(const Verdict& verdict) {
  return verdict.worst ? short_number(verdict.worst->ratio) : "-";
}

text::TextCells cells_of(const Verdict& verdict) {
  return {verdict.gate.name,
          verdict.gate.kind,
          std::to_string(verdict.checked),
          std::to_string(verdict.skipped),
          std::to_string(verdict.failed),
          worst_ratio(verdict),
          std::string(word_of(verdict.outcome()))};
}

/// As word_of, failures in bold.
std::string_view markdown_word(Outcome outcome) {
  constexpr std::array<std::string_view, 5> words = {"pass", "**FAIL**", "expected failure",
                                                     "**UNEXPECTED PASS**", "**NOT JUDGED**"};
  return words[static_cast<std::size_t>(outcome)];
}

std::ptrdiff_t count_of(std::span<const Verdict> verdicts, Outcome outcome) {
  return std::ranges::count(verdicts, outcome, &Verdict::outcome);
}

/// "2026-12-31".
std::string text_of(std::chrono::sys_days day) {
  const std::chrono::year_month_day date = day;
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace

std::string_view word_of(Outcome outcome) {
  constexpr std::array<std::string_view, 5> words = {"PASS", "FAIL", "EXPECTED FAILURE",
                                                     "UNEXPECTED PASS", "NOT JUDGED"};
  return words[static_cast<std::size_t>(outcome)];
}

std::string expectation_text(const Verdict& verdict) {
  if (!verdict.gate.expect_fail || !verdict.judged) return {};
  const ExpectFail& expectation = *verdict.gate.expect_fail;
  const std::string day = text_of(expectation.expires);
  if (!verdict.expected)
    return fmt::format("expect_fail expired after {}: {}", day, expectation.reason);
  switch (verdict.outcome()) {
    case Outcome::unexpected_pass:
      return fmt::format("passes although it is expected to fail: remove expect_fail ({})",
                         expectation.reason);
    case Outcome::expected_fail:
      return fmt::format("expected failure until {}: {}", day, expectation.reason);
    default:
      return "expect_fail does not cover a gate that cannot be checked";
  }
}

std::string failure_text(const Verdict& verdict) {
  if (verdict.outcome() == Outcome::unexpected_pass) return expectation_text(verdict);
  if (!verdict.errors.empty()) return verdict.errors.front();
  return verdict.failed == 0 ? "nothing was compared" : verdict.worst->text;
}

std::vector<const Verdict*> failures_first(std::span<const Verdict> verdicts) {
  std::vector<const Verdict*> order;
  for (const Verdict& verdict : verdicts) order.push_back(&verdict);
  const auto rank = [](const Verdict* verdict) {
    if (!verdict->passed()) return 0;
    return verdict->outcome() == Outcome::expected_fail ? 1 : 2;
  };
  std::ranges::stable_sort(
      order, [rank](const Verdict* a, const Verdict* b) { return rank(a) < rank(b); });
  return order;
}

namespace {

/// "2 of 3 failed, the worst at 4 of its limit: err_l2_rel = 4e-07, limit = 1e-07".
std::string worst_text(const Verdict& verdict) {
  return fmt::format("{} of {} failed, the worst at {} of its limit: {}", verdict.failed,
                     verdict.checked, short_number(verdict.worst->ratio), verdict.worst->text);
}

/// The case by the axes in which the failures differ, "mode=bf16 n=64"; all of them if none does.
std::string varying_axes(const Finding& failure, const Verdict& verdict) {
  std::string text;
  for (const Column* axis : verdict.failing_axes)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", axis->name,
                        axis->text(Row{.where = failure.where}));
  return text.empty() ? command_of(failure.where) : text;
}

}  // namespace

OtherFailures other_failures(const Verdict& verdict) {
  OtherFailures others{.count = verdict.failed};
  for (const Finding& failure : verdict.failures)
    if (failure.where == verdict.worst->where && failure.text == verdict.worst->text)
      --others.count;
    else
      others.shown.push_back(&failure);
  return others;
}

std::string failure_details(const Verdict& verdict) {
  std::string text = fmt::format("{} {}: {}\n", word_of(verdict.outcome()), verdict.gate.name,
                                 verdict.gate.source);
  if (const std::string said = expectation_text(verdict); !said.empty()) text += "  " + said + "\n";
  for (const std::string& error : verdict.errors) text += "  " + error + "\n";
  if (verdict.failed == 0) return text;
  text += fmt::format("  {}\n  {}\n", worst_text(verdict),
                      text::reproduce_command(verdict.worst->where, verdict.made_by));
  const OtherFailures others = other_failures(verdict);
  for (const Finding* failure : others.shown)
    text += fmt::format("  {}: {}\n", varying_axes(*failure, verdict), failure->text);
  if (others.count > others.shown.size())
    text += fmt::format("  and {} more\n", others.count - others.shown.size());
  for (const std::string& line : verdict.cause) text += fmt::format("  {}\n", line);
  return text;
}

std::string headline(std::span<const Verdict> verdicts) {
  const std::ptrdiff_t expected = count_of(verdicts, Outcome::expected_fail);
  const std::ptrdiff_t not_judged = count_of(verdicts, Outcome::not_judged);
  return fmt::format("{} of {} gates pass", count_of(verdicts, Outcome::pass), verdicts.size()) +
         (expected == 0
              ? ""
              : fmt::format(", {} {} as expected", expected, expected == 1 ? "fails" : "fail")) +
         (not_judged == 0 ? "" : fmt::format(", {} not judged", not_judged));
}

std::string terminal_report(std::span<const Verdict> verdicts) {
  std::vector<text::TextCells> lines = {titles};
  for (const Verdict& verdict : verdicts) lines.push_back(cells_of(verdict));
  std::string text = text::terminal_table({std::move(lines), 2, 4});
  text += headline(verdicts) + "; worst = largest share of the limit\n";
  for (const Verdict& verdict : verdicts) {
    if (verdict.outcome() == Outcome::expected_fail)
      text += fmt::format("{}: {}; {}\n", verdict.gate.name, expectation_text(verdict),
                          worst_text(verdict));
    else if (verdict.outcome() != Outcome::pass)
      text += "\n" + failure_details(verdict);
    else if (const std::string said = expectation_text(verdict); !said.empty())
      text += fmt::format("note {}: {}\n", verdict.gate.name, said);
    for (const std::string& note : verdict.notes)
      text += fmt::format("note {}: {}\n", verdict.gate.name, note);
  }
  return text;
}

namespace {

/// What moved against kept rows: the cases with both values, worst first.
std::string moved_table(const Verdict& verdict) {
  text::Table table{{{"case", "before", "after"}}, 1, 2};
  for (const Finding& failure : verdict.failures)
    if (!failure.before.empty())
      table.lines.push_back({varying_axes(failure, verdict), failure.before, failure.after});
  if (table.lines.size() == 1) return {};
  std::string text = fmt::format("\n{}: {} against {}\n\n", text::markdown_cell(verdict.gate.name),
                                 text::markdown_code(verdict.gate.metric),
                                 text::markdown_code(verdict.gate.baseline));
  text += text::markdown_table(table);
  if (verdict.failed > verdict.failures.size())
    text += fmt::format("\nand {} more\n", verdict.failed - verdict.failures.size());
  return text;
}

/// Before and after, and the likely cause, of the gates that fail.
std::string markdown_causes(std::span<const Verdict> verdicts) {
  std::string text;
  for (const Verdict* verdict : failures_first(verdicts)) {
    if (verdict->passed()) continue;
    text += moved_table(*verdict);
    if (verdict->cause.empty()) continue;
    text += fmt::format("\n{}: {}\n\n", text::markdown_cell(verdict->gate.name),
                        text::markdown_cell(verdict->cause.front()));
    for (std::size_t i = 1; i < verdict->cause.size(); ++i)
      text += fmt::format("- {}\n", text::markdown_cell(verdict->cause[i]));
  }
  return text;
}

}  // namespace

std::string markdown_report(std::span<const Verdict> verdicts) {
  text::Table table{{titles}, 3, 4, 7};
  std::rotate(table.lines[0].begin(), table.lines[0].end() - 1, table.lines[0].end());
  table.lines[0].emplace_back("worst case");
  for (const Verdict* verdict : failures_first(verdicts)) {
    text::TextCells& cells = table.lines.emplace_back(cells_of(*verdict));
    cells.pop_back();
    cells.emplace(cells.begin(), markdown_word(verdict->outcome()));
    std::vector<std::string> remarks;
    if (const std::string said = expectation_text(*verdict); !said.empty())
      remarks.push_back(text::markdown_cell(said));
    for (const std::string& error : verdict->errors) remarks.push_back(text::markdown_cell(error));
    if (verdict->worst)
      remarks.push_back(fmt::format(
          "{}: {}", text::markdown_cell(verdict->worst->text),
          text::markdown_code(text::reproduce_command(verdict->worst->where, verdict->made_by))));
    cells.push_back(fmt::format("{}", fmt::join(remarks, "; ")));
  }
  const std::string text =
      headline(verdicts) + ".\n\n" + text::markdown_table(table) + markdown_causes(verdicts);
  std::string notes;
  for (const Verdict& verdict : verdicts)
    for (const std::string& note : verdict.notes)
      notes += fmt::format("- {}: {}\n", text::markdown_cell(verdict.gate.name),
                           text::markdown_cell(note));
  return notes.empty() ? text : text + "\n" + notes;
}

std::string junit_report(std::span<const Verdict> verdicts) {
  const auto failed =
      std::ranges::count_if(verdicts, [](const Verdict& verdict) { return !verdict.passed(); });
  const std::ptrdiff_t expected = count_of(verdicts, Outcome::expected_fail);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text +=
      fmt::format("<testsuite name=\"fftprec gate\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                  verdicts.size(), failed, expected);
  for (const Verdict& verdict : verdicts) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", verdict.gate.kind,
                        text::markup_text(verdict.gate.name));
    if (verdict.outcome() == Outcome::pass)
      text += "/>\n";
    else if (verdict.outcome() == Outcome::expected_fail)
      text += fmt::format(">\n    <skipped message=\"{}\"/>\n  </testcase>\n",
                          text::markup_text(expectation_text(verdict)));
    else
      text += fmt::format(">\n    <failure message=\"{}\">{}</failure>\n  </testcase>\n",
                          text::markup_text(failure_text(verdict)),
                          text::markup_text(failure_details(verdict)));
  }
  return text + "</testsuite>\n";
}

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
                  verdict.outcome() == Outcome::unexpected_pass ? "passes unexpectedly"
                  : verdict.outcome() == Outcome::not_judged    ? "is not judged"
                                                                : "fails"),
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
  const auto lines = std::ranges::count(text, '\n');
  constexpr std::size_t last_line = 80;  // bytes of the sentence below, at most
  if (room < last_line) return {};
  const std::size_t end = text.rfind('\n', room - last_line);
  text.erase(end == std::string::npos ? 0 : end + 1);
  return text + fmt::format("\n{} lines are left out: there is no room.\n",
                            lines - std::ranges::count(text, '\n'));
}

}  // namespace fftprec::gates
