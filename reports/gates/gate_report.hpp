/// Verdicts as text: for a terminal, for Markdown, and as JUnit XML. Pure functions of verdicts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/gates/gate.hpp"

namespace fftprec {

/// An aligned table, one gate per line, then what failed: the worst case first, with the command
/// that reproduces it.
std::string terminal_report(std::span<const Verdict> verdicts);

/// The same as a Markdown table, failures first.
std::string markdown_report(std::span<const Verdict> verdicts);

/// One test suite, one test case per gate.
std::string junit_report(std::span<const Verdict> verdicts);

/// "6 of 8 gates pass", or "5 of 8 gates pass, 1 fails as expected".
std::string headline(std::span<const Verdict> verdicts);

/// Failures first, then what fails as expected, then what passes; otherwise in the order given.
std::vector<const Verdict*> failures_first(std::span<const Verdict> verdicts);

/// "PASS", "FAIL", "EXPECTED FAILURE" or "UNEXPECTED PASS".
std::string_view word_of(Outcome outcome);

/// What expect_fail has to say to this outcome; empty without one.
std::string expectation_text(const Verdict& verdict);

/// Why a gate fails, in one line: its first error, or else its worst comparison.
std::string failure_text(const Verdict& verdict);

/// What a reader needs to act on a gate that fails, as lines: what it asks for, the worst case with
/// the command that reproduces it, some others.
std::string failure_details(const Verdict& verdict);

}  // namespace fftprec
