/// What a subcommand of the program gets: where to print, and where to put its exit code.
///
/// A subcommand is a function `void add_NAME_command(CLI::App& app, CommandContext& context)` that
/// adds its options to `app` and a callback that does the work. The callback sets
/// `context.exit_code`, or throws InputError, which becomes a message and ExitCode::usage.
#pragma once

#include <iosfwd>

namespace fftprec {

struct CommandContext {
  std::ostream& out;  ///< data and tables
  std::ostream& err;  ///< progress and diagnostics
  int exit_code = 0;
};

}  // namespace fftprec
