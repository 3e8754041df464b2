/// `fftprec compare A B`: what moved between two runs.
#pragma once

#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Exit codes: 0, also where something moved; 1 if so and --exit-code is given; 2 usage or files;
/// 4 no case is in both.
void add_compare_command(CLI::App& app, CommandContext& context);

}  // namespace fftprec
