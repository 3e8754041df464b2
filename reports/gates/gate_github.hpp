/// Verdicts for a job of GitHub Actions: workflow commands and the step summary. Pure functions.
///
/// Source: GitHub Docs, "Workflow commands for GitHub Actions" and actions/toolkit
/// (packages/core/src/command.ts: escapeData, escapeProperty).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "reports/gates/gate.hpp"

namespace fftprec {

/// What GitHub shows of one step; more are dropped, so the last one counts those left out.
inline constexpr std::size_t most_annotations = 10;

/// The most that a step's summary may hold, in bytes; a larger one is not shown at all.
inline constexpr std::size_t most_summary_bytes = 1024 * 1024;

/// `report` folded into a group named by the headline, in which nothing is taken for a command;
/// then the annotations: an error per gate that fails, a warning per gate that fails as expected, a
/// notice per gate with a note, each at the line of its [[gate]]; errors first, 10 at most.
std::string github_log(std::span<const Verdict> verdicts, std::string_view report);

/// The verdicts as Markdown in at most `room` bytes: lines that do not fit are left out, and
/// counted. Empty where not even that has room.
std::string github_summary(std::span<const Verdict> verdicts, std::size_t room);

/// A value of a workflow command: %, CR and LF escaped.
std::string escaped_data(std::string_view text);

/// A property of a workflow command: also ':' and ','.
std::string escaped_property(std::string_view text);

}  // namespace fftprec
