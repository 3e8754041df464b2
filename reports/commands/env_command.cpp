#include "reports/commands/env_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "reports/results/environment.hpp"

namespace fftprec {

void add_env_command(CLI::App& app, CommandContext& context) {
  const auto json = std::make_shared<bool>(false);
  CLI::App& env = *app.add_subcommand("env", "Versions, compiler, processor");
  env.footer("");
  env.add_flag("--json", *json, "As JSON");
  env.callback([json, &context] {
    context.out << (*json ? environment_json(environment()) : environment_text(environment()));
  });
}

}  // namespace fftprec
