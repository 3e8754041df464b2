/// `fftprec explain`: which hypotheses fit errors measured on hardware, and which test would tell
/// them apart.
#pragma once

#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Exit codes: 0, also where no hypothesis fits; 2 usage, names or files.
void add_explain_command(CLI::App& app, CommandContext& context);

}  // namespace fftprec
