/// `fftprec list`: the names that -a, -f and `run` understand.
#pragma once

#include <string>

#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/plan.hpp"

namespace fftprec {

/// algorithms, modes, ..., sweeps, cases: what can be listed.
const std::vector<std::string>& list_subjects();

/// Prints one name and one sentence per line; for `cases` the -a options of each case of
/// `request`. Throws InputError for an unknown subject.
int list_command(const std::string& subject, const CaseRequest& request,
                 const CaseFunctions& functions, CommandContext& context);

}  // namespace fftprec
