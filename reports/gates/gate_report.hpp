/// Verdicts as text: for a terminal, for Markdown, and as JUnit XML. Pure functions of verdicts.
#pragma once

#include <span>
#include <string>

#include "reports/gates/gate.hpp"

namespace fftprec {

/// An aligned table, one gate per line, then what failed: the worst case first, with the command
/// that reproduces it.
std::string terminal_report(std::span<const Verdict> verdicts);

/// The same as a Markdown table, failures first.
std::string markdown_report(std::span<const Verdict> verdicts);

/// One test suite, one test case per gate.
std::string junit_report(std::span<const Verdict> verdicts);

/// "6 of 8 gates pass".
std::string headline(std::span<const Verdict> verdicts);

}  // namespace fftprec
