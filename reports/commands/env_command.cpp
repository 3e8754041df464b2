/// `fftprec env`: versions, compiler and processor that results depend on.
#include <memory>
#include <ostream>

#include "reports/commands/options.hpp"
#include "reports/results/environment.hpp"

namespace fftprec::commands {

void add_env_command(CLI::App& app, Context& context) {
  const auto json = std::make_shared<bool>(false);
  Command command(app, "env", "Print versions, compiler and processor", "");
  command.add_flag("--json", *json, "As JSON");
  command.run(context, [json, &context] {
    const results::Environment environment = results::environment();
    context.out << (*json ? results::environment_json(environment)
                          : results::environment_text(environment));
    return ExitCode::ok;
  });
}

}  // namespace fftprec::commands
