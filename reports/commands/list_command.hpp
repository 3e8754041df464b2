/// `fftprec list`: the names that -a, -f and `run` understand.
#pragma once

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Prints one name and one sentence per line; for `cases` the -a options of each case.
/// Exit codes: ok, nothing_matched where there is no such case. InputError for an unknown subject.
void add_list_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context);

}  // namespace fftprec
