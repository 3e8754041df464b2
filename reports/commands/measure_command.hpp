/// `fftprec measure`: the error of somebody else's result.
#pragma once

#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Exit codes: 0; 1 if a measure is above its --max, or NaN; 2 usage or files.
void add_measure_command(CLI::App& app, CommandContext& context);

}  // namespace fftprec
