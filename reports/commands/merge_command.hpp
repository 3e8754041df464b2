/// `fftprec merge DIR... -o DIR`: puts the runs of shards together.
#pragma once

#include <string>
#include <vector>

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Writes results.csv and manifest.json, as merge_runs gives them, into a directory that holds no
/// run yet. Exit codes: 0, 2 anything that merge_runs refuses or a file that cannot be written, 3
/// some cases failed.
void add_merge_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context,
                       const std::vector<std::string>& argv);

}  // namespace fftprec
