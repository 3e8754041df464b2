/// What a finished run's directory holds beside its rows: plots, the gates' verdicts, a summary.
#pragma once

#include <filesystem>
#include <span>

#include "reports/command.hpp"
#include "reports/exit_code.hpp"
#include "reports/plan.hpp"

namespace fftprec {

/// Writes DIR/plots (PNG and SVG, with the gnuplot scripts and data behind them) and
/// DIR/summary.md, judges the rows by the sweep's gates and prints the verdicts to context.out.
/// A missing gnuplot costs the images only, with a message. The gates of a sweep are rules on all
/// of its rows, so they are not judged where -a or -f has changed what was run. Returns gate_failed
/// or ok. Throws InputError if a file cannot be written or read.
ExitCode write_run_outputs(const CaseRequest& request, const Plan& plan,
                           const std::filesystem::path& directory, std::span<const Row> rows,
                           CommandContext& context);

}  // namespace fftprec
