/// `fftprec claims`: settles published claims by experiment, and says how far each verdict is from
/// another one.
#pragma once

#include <CLI/CLI.hpp>

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"

namespace fftprec {

/// Adds the subcommand. Exit codes: 0 all claims are settled, whatever the verdicts; 2 usage;
/// 3 a case failed or was skipped, so that a claim is not settled; 130 interrupted.
void add_claims_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context);

}  // namespace fftprec
