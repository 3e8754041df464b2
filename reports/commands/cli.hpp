/// The program fftprec as a function.
#pragma once

#include "reports/commands/commands.hpp"

namespace fftprec::commands {

/// Runs the command line context.argv. Returns the exit code and also stores it in the context.
/// Never throws.
int run_cli(Context& context);

}  // namespace fftprec::commands
