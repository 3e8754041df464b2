/// `fftprec recommend`: the cheapest algorithm and mode within an error budget.
#pragma once

#include "reports/commands/command.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Exit codes: 0; 2 usage or names; 4 nothing is within the budget, or nothing takes that length.
void add_recommend_command(CLI::App& app, CommandContext& context);

}  // namespace fftprec
