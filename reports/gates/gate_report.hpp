/// Verdicts as text: for a terminal, for Markdown, as JUnit XML, and for a job of GitHub Actions.
/// Pure functions of verdicts.
///
/// Source for GitHub: GitHub Docs, "Workflow commands for GitHub Actions", and actions/toolkit
/// (packages/core/src/command.ts: escapeData, escapeProperty).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/gates/gate.hpp"

namespace fftprec::gates {

/// An aligned table, one gate per line, then the failures: the worst case first, with the command
/// that reproduces it.
std::string terminal_report(std::span<const Verdict> verdicts);

/// The verdicts as a Markdown table, failures first; then, of each gate that fails, what moved
/// against kept rows, and the likely cause.
std::string markdown_report(std::span<const Verdict> verdicts);

/// One test suite, one test case per gate.
std::string junit_report(std::span<const Verdict> verdicts);

/// "6 of 8 gates pass", or "5 of 8 gates pass, 1 fails as expected".
std::string headline(std::span<const Verdict> verdicts);

/// Failures first, then expected failures, then passes; otherwise in the given order.
std::vector<const Verdict*> failures_first(std::span<const Verdict> verdicts);

/// "PASS", "FAIL", "EXPECTED FAILURE", "UNEXPECTED PASS" or "NOT JUDGED".
std::string_view word_of(Outcome outcome);

/// The text of expect_fail for this outcome; empty without expect_fail.
std::string expectation_text(const Verdict& verdict);

/// Why a gate fails, in one line: its first error, else its worst comparison.
std::string failure_text(const Verdict& verdict);

/// The failures of a gate beside its worst.
struct OtherFailures {
  std::size_t count;                    ///< all of them
  std::vector<const Finding*> shown{};  ///< those that the verdict keeps, worst first
};

OtherFailures other_failures(const Verdict& verdict);

/// The details of a gate that fails, as lines: its rule, the worst case with the command that
/// reproduces it, and some others.
std::string failure_details(const Verdict& verdict);

/// The most annotations that GitHub shows for a step. It drops further ones, so the last one states
/// their number.
inline constexpr std::size_t most_annotations = 10;

/// The most bytes of the summary of a step. GitHub does not show a larger one.
inline constexpr std::size_t most_summary_bytes = 1024 * 1024;

/// `report` in a folded group with the headline as its name, in which no text is taken for a
/// command. Then the annotations, each at the line of its [[gate]]: an error per gate that fails, a
/// warning per gate that fails as expected, a notice per gate with a note; errors first, at most
/// 10.
std::string github_log(std::span<const Verdict> verdicts, std::string_view report);

/// The verdicts as Markdown in at most `room` bytes. Lines that do not fit are omitted and counted.
/// Empty if not even the count fits.
std::string github_summary(std::span<const Verdict> verdicts, std::size_t room);

/// A value of a workflow command: %, CR and LF escaped.
std::string escaped_data(std::string_view text);

/// A property of a workflow command: escapes also ':' and ','.
std::string escaped_property(std::string_view text);

}  // namespace fftprec::gates
