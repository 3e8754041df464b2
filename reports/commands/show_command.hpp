/// `fftprec show`: what a name stands for.
#pragma once

#include <string>

#include "reports/commands/command.hpp"

namespace fftprec {

/// Prints name, summary and the table of parameters of "machine:NAME"; a star marks what is not as
/// on trn. Throws InputError for an unknown name, and for what cannot be shown.
int show_command(const std::string& subject, CommandContext& context);

}  // namespace fftprec
