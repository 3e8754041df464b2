/// `fftprec show`: what a name stands for, and one case in full.
#pragma once

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/one_case.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// show machine:NAME prints name, summary and the table of parameters; a star marks what is not as
/// on trn. show with a case (one_case.hpp) measures it anew and prints everything about it.
/// InputError for an unknown name, and for what cannot be shown. Exit codes: 0 shown, 3 the case
/// fails.
void add_show_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context);

}  // namespace fftprec
