/// `fftprec search`: an input on which a case errs as much as possible.
#pragma once

#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Exit codes: 0; 2 usage, names or files; 4 the case has no meaning.
void add_search_command(CLI::App& app, CommandContext& context);

}  // namespace fftprec
