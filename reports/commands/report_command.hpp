/// `fftprec report DIR|CSV`: a run as one page, as Markdown, or as a table for LaTeX.
#pragma once

#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Exit codes: 0, 2 usage or files, 4 the run has no rows, 5 a baseline of the gates is missing
/// (what was asked for is written all the same). A gate that fails is shown, and is no failure of
/// the report.
void add_report_command(CLI::App& app, CommandContext& context);

}  // namespace fftprec
