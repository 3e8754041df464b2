/// `fftprec env`: what results were made by.
#pragma once

#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Prints versions, compiler and processor, as text or as JSON.
void add_env_command(CLI::App& app, CommandContext& context);

}  // namespace fftprec
