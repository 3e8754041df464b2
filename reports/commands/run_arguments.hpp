/// The command line of `fftprec run`.
#pragma once

#include <string>
#include <vector>

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Adds the command, with what run_command (run_command.hpp) does. `argv` is kept in manifests.
void add_run_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context,
                     const std::vector<std::string>& argv);

}  // namespace fftprec
