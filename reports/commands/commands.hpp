/// The surroundings of a command.
///
/// A command is one file with a function `add_NAME_command`, which describes the options
/// (options.hpp) and sets the work to do. Its name in cli.cpp registers it. An InputError becomes a
/// message and ExitCode::usage.
#pragma once

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/session.hpp"

namespace CLI {
class App;
}

namespace fftprec::commands {

enum class ExitCode : int {
  ok = 0,
  gate_failed = 1,
  usage = 2,             ///< bad options, names, files or floating-point environment
  cases_failed = 3,      ///< the run is complete, some rows have status failed
  nothing_matched = 4,   ///< no case or row is left to work on
  baseline_missing = 5,  ///< a baseline is missing or cannot be compared
  interrupted = 130,     ///< the same command resumes
};

constexpr int to_int(ExitCode code) { return static_cast<int>(code); }

/// The day, UTC.
inline std::chrono::sys_days utc_today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

/// A variable of the environment; empty if it is not set.
inline std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

/// Bytes of main memory that the process may use.
double memory_bytes();

/// What a command reads and writes. Clock and environment are read through it, so that tests can
/// set them.
struct Context {
  std::ostream& out;                ///< data and tables
  std::ostream& err;                ///< progress and diagnostics
  std::vector<std::string> argv{};  ///< the program's name and the words of the command line
  std::shared_ptr<Session> session = std::make_shared<Session>();
  int exit_code = 0;
  std::function<std::chrono::sys_days()> today = utc_today;
  std::function<std::optional<std::string>(const std::string&)> variable = environment_variable;
  std::function<double()> memory_bytes = commands::memory_bytes;
  std::ostream* progress = nullptr;  ///< where progress is shown; null: on err
  bool hung = false;         ///< some threads never end; the process must end without joining them
  bool owns_process = true;  ///< an interrupt may end the process if a case takes too long

  /// Checks names in the session that runs the cases, so that each name is looked up once.
  CheckNames check_names() const {
    return {[own = session](const Case& where) { own->check_names(where); }, session->files()};
  }
  std::ostream& progress_stream() { return progress != nullptr ? *progress : err; }
};

/// The subjects of `list`: "transforms", "algorithms", ...
std::vector<std::string> list_subjects();

}  // namespace fftprec::commands
