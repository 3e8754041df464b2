/// `fftprec doctor`: can results be trusted here, and can everything be done that a run needs.
#pragma once

#include <string>

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"

namespace fftprec {

/// Prints one line per check: ok, warning (something optional is missing) or FAILED.
/// Returns ExitCode::ok unless a check failed, ExitCode::usage then.
int doctor_command(const std::string& directory, const CaseFunctions& functions,
                   CommandContext& context);

}  // namespace fftprec
