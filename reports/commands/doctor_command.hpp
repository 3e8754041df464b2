/// `fftprec doctor`: can results be trusted here, and can everything be done that a run needs.
#pragma once

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Prints one line per check: ok, warning (something optional is missing) or FAILED.
/// Exit codes: ok unless a check failed, usage then.
void add_doctor_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context);

}  // namespace fftprec
