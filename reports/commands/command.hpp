/// What a subcommand of the program gets: where to print, and where to put its exit code.
///
/// A subcommand is a function `void add_NAME_command(CLI::App& app, CommandContext& context)` that
/// adds its options to `app` and a callback that does the work. The callback sets
/// `context.exit_code`, or throws InputError, which becomes a message and ExitCode::usage.
///
/// Clock and environment are read through the context alone, so that a test can say what they are.
#pragma once

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

namespace fftprec {

/// The day, UTC.
inline std::chrono::sys_days utc_today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

/// A variable of the environment; empty if it is not set.
inline std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

struct CommandContext {
  std::ostream& out;  ///< data and tables
  std::ostream& err;  ///< progress and diagnostics
  int exit_code = 0;
  std::function<std::chrono::sys_days()> today = utc_today;
  std::function<std::optional<std::string>(const std::string&)> variable = environment_variable;
};

}  // namespace fftprec
