/// `fftprec gate DIR|CSV -g gates.toml`: checks the rows of a run against rules.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "experiments/gates/gate.hpp"
#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Exit codes: 0 all gates pass, 1 one fails, 2 usage or a gate file in error, 4 the run has no
/// rows, 5 a baseline is missing, cannot be read, or has another version.
void add_gate_command(CLI::App& app, CommandContext& context);

/// The rules of a gate file, with its baselines, on rows: for use after a run. Throws InputError
/// for the gate file and BaselineError for its baselines.
std::vector<gates::Verdict> check_gate_file(const std::filesystem::path& file,
                                            std::span<const Row> rows,
                                            const gates::GateOptions& options = {});

/// The rows of a run: those of DIR/results.csv, or of the CSV file itself. Throws InputError.
std::vector<Row> read_run(const std::filesystem::path& where);

}  // namespace fftprec
