/// The program fftprec as a function.
#pragma once

#include "reports/commands/commands.hpp"

namespace fftprec::commands {

/// Runs the command line context.argv. Returns the exit code, which it keeps in the context; throws
/// nothing.
int run_cli(Context& context);

}  // namespace fftprec::commands
