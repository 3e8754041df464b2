/// What a finished run leaves beside its rows: plots, the gates' verdicts, a summary, and the table
/// that it ends with.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/gates/gate.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/commands/commands.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/results/fixed_axes.hpp"

namespace fftprec::commands {

/// The rules by which a run is to be judged.
struct RunGates {
  std::vector<gates::Gate> gates{};  ///< empty where the sweep has none, or where they do not apply
  bool changed = false;  ///< there are some, but -a or -f has changed what the sweep runs
  gates::GateOptions options{};
};

/// The built-in rules of a built-in sweep; of a sweep file, those in the file that it names,
/// relative to itself. Rules are made for all rows of a sweep, so they do not apply with -a or -f.
/// To be read before the run, so that a mistake in them costs no time. Throws InputError.
RunGates gates_of_run(const CaseRequest& request, const Plan& plan,
                      const gates::GateOptions& options = {});

struct RunOutputs {
  std::string verdicts;  ///< what to print of the gates, or empty
  ExitCode code = ExitCode::ok;
};

/// 1 if a gate fails, else 5 if one is not judged.
ExitCode code_of(std::span<const gates::Verdict> verdicts);

/// The default figures of `rows` and those that its sweep asks for: for use after a run, which a
/// missing rsvg-convert must not spoil (see ImageFiles::problem). Throws InputError if a file
/// cannot be written.
figures::ImageFiles write_run_plots(std::span<const Row> rows,
                                    std::span<const FigureRequest> sweep_plots,
                                    const std::filesystem::path& directory,
                                    std::span<const figures::ImageFormat> formats);

/// Judges the rows, then writes DIR/plots (PNG and SVG) and DIR/summary.md. Missing files cost only
/// themselves, with a message on `err`: without rsvg-convert there are no PNGs, without a baseline
/// no verdict of the gates that need it. Codes: as code_of has them, 2 if a plot or the summary
/// cannot be written.
RunOutputs write_run_outputs(const RunGates& gates, const Plan& plan,
                             const std::filesystem::path& directory, std::span<const Row> rows,
                             std::ostream& err);

/// Why a row was not measured; of a length that its algorithm cannot take, with those that can.
std::string reason_of(const Row& row);

/// The error table of the rows as aligned text, at most five sizes across and, where axes can be
/// held, 24 lines long; then how many rows are ok, skipped and failed, with the first rows that
/// were not measured, and why.
/// `program` is what runs a case again.
std::string run_table(std::span<const Row> rows, const NameOrders& orders = {},
                      const std::string& program = "fftprec");

}  // namespace fftprec::commands
