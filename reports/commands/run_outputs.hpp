/// The outputs of a finished run beside its rows: plots, verdicts of gates, a summary, and the
/// table at its end.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "experiments/gates/gate.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/commands/commands.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/results/fixed_axes.hpp"

namespace fftprec::commands {

/// The gates of a run.
struct RunGates {
  std::vector<gates::Gate> gates{};  ///< empty if the sweep has none or they do not apply
  bool changed = false;              ///< the sweep has gates, but -a or -f changed its cases
  gates::GateOptions options{};
};

/// The built-in gates of a built-in sweep; for a sweep file, the gates in the file that it names,
/// by a path relative to the sweep file. Gates are for all rows of a sweep, so they do not apply
/// with -a or -f. Call it before the run, so that a mistake in a gate file costs no time. Throws
/// InputError.
RunGates gates_of_run(const CaseRequest& request, const Plan& plan,
                      const gates::GateOptions& options = {});

struct RunOutputs {
  std::string verdicts;  ///< text about the gates to print, or empty
  ExitCode code = ExitCode::ok;
};

/// gate_failed if a gate fails, else baseline_missing if one is not judged, else ok.
ExitCode code_of(std::span<const gates::Verdict> verdicts);

/// Visits rows one after the other.
using EachRow = std::function<void(const std::function<void(const Row&)>& visit)>;

/// Judges rows that need not be in memory. Without a baseline the gates that need it are not
/// judged; `err` gets a message.
RunOutputs judge_rows(const RunGates& gates, const EachRow& each_row, std::ostream& err);

/// Judges the rows, then writes DIR/plots, which has the default figures and those of the sweep
/// (PNG and SVG), and DIR/summary.md. Without rsvg-convert there are no PNGs, and without a
/// baseline the gates that need it are not judged; `err` gets a message. Codes: those of code_of,
/// or usage if a plot or the summary cannot be written.
RunOutputs write_run_outputs(const RunGates& gates, const Plan& plan,
                             const std::filesystem::path& directory, std::span<const Row> rows,
                             std::ostream& err);

/// Why a row was not measured. For a length that its algorithm does not support, it lists
/// algorithms that do.
std::string reason_of(const Row& row);

/// The error table of the rows as aligned text, with at most five sizes across and, if axes can be
/// fixed, at most 24 lines. Then the numbers of rows ok, skipped and failed, and the first rows
/// that were not measured, with reasons. `argv` is the command line of the run, for commands that
/// repeat a case.
std::string run_table(std::span<const Row> rows, const NameOrders& orders = {},
                      const std::vector<std::string>& argv = {});

/// A table of programs and transforms with rows that are wrong by more than rounding, each with the
/// likely cause: what `measure` would say of the result. It runs up to three cases of each again.
/// Empty if there is none.
std::string suspicious_rows(std::span<const Row> rows, Session& session);

}  // namespace fftprec::commands
