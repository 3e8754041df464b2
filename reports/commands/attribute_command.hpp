/// `fftprec attribute`: the error budget of a case by source and stage.
#pragma once

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Exit codes: 0 attributed, 2 no one case is named, or its error cannot be told apart.
void add_attribute_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context);

}  // namespace fftprec
