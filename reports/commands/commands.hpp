/// The commands of the program, and what each of them gets.
///
/// A command is one file. It holds a function `add_NAME_command` that describes the options
/// (options.hpp) and says what is done with them; a declaration here and a line in cli.cpp register
/// it. What a command throws as InputError becomes a message and ExitCode::usage.
#pragma once

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "arith/support/isa.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/sweeps/run.hpp"
#include "experiments/truths/truth_cache.hpp"

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

/// The measuring functions, which a test can replace.
struct CaseFunctions {
  std::function<Row(const Case&, const Problem&, Isa)> evaluate;
  /// The cache may be null.
  std::function<Problem(const ProblemKey&, const truth::TruthOptions&, TruthCache*)> make_problem;
  CheckNames check_names;
  RunCosts costs{};
  HoldShared hold{};
};

/// The functions of experiments/cases, with a session of their own.
CaseFunctions real_case_functions();

/// The day, UTC.
inline std::chrono::sys_days utc_today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

/// A variable of the environment; empty if it is not set.
inline std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

/// Of main memory, or as much of it as the process may have.
double memory_bytes();

/// What surrounds a command. Clock and environment are read through it, so that a test can say what
/// they are.
struct Context {
  std::ostream& out;                ///< data and tables
  std::ostream& err;                ///< progress and diagnostics
  std::vector<std::string> argv{};  ///< the program's name and the words of the command line
  CaseFunctions functions = real_case_functions();
  int exit_code = 0;
  std::function<std::chrono::sys_days()> today = utc_today;
  std::function<std::optional<std::string>(const std::string&)> variable = environment_variable;
  std::function<double()> memory_bytes = commands::memory_bytes;
  std::ostream* progress = nullptr;  ///< where progress is shown; null: on err
  bool owns_process = true;          ///< an interrupt may end it, where a case takes too long

  std::ostream& progress_stream() { return progress != nullptr ? *progress : err; }
};

/// The error budget of a case by source and stage. Exit codes: 0 attributed, 2 no one case is
/// named, or its error cannot be told apart.
void add_attribute_command(CLI::App& app, Context& context);

/// A script that completes command lines in a shell: bash, zsh or fish. Exit codes: 0, 2 an unknown
/// shell.
void add_completion_command(CLI::App& app, Context& context);

/// The manual page of the program, as roff.
void add_man_command(CLI::App& app, Context& context);

/// What `list` can list: "transforms", "algorithms", ...
std::vector<std::string> list_subjects();

/// Settles published claims. Exit codes: 0 all are settled, whatever the verdicts; 2 usage; 3 a
/// case failed or was skipped, so that a claim is not settled; 130 interrupted.
void add_claims_command(CLI::App& app, Context& context);

/// What moved between two runs. Exit codes: 0, also where something moved; 1 if so and --exit-code
/// is given; 2 usage or files; 4 no case is in both.
void add_compare_command(CLI::App& app, Context& context);

/// What a case computes, its truth and its stages as arrays. Exit codes: 0; 2 usage, names or
/// files; 4 the case has no meaning.
void add_compute_command(CLI::App& app, Context& context);

/// The smallest widths that meet a goal. Exit codes: 0; 2 usage or names; 4 the largest widths do
/// not meet it, or have no meaning.
void add_design_command(CLI::App& app, Context& context);

/// The first stage at which the arrays of somebody's FFT leave the emulation. Exit codes: 0; 1 a
/// stage diverges; 2 usage, names or files; 4 the case has no stages that leave arrays.
void add_diverge_command(CLI::App& app, Context& context);

/// Whether results can be trusted here: one line per check, ok, warning (something optional is
/// missing) or FAILED. Exit codes: 0, 2 a check failed.
void add_doctor_command(CLI::App& app, Context& context);

/// Versions, compiler and processor, as text or as JSON.
void add_env_command(CLI::App& app, Context& context);

/// Which hypotheses fit errors measured on hardware, and which test would tell them apart. Exit
/// codes: 0, also where no hypothesis fits; 2 usage, names or files.
void add_explain_command(CLI::App& app, Context& context);

/// Checks the rows of a run against rules. Exit codes: 0 all gates pass, 1 one fails, 2 usage or a
/// gate file in error, 4 the run has no rows, 5 a baseline is missing, cannot be read, or has
/// another version.
void add_gate_command(CLI::App& app, Context& context);

/// Which machine computes what a device computed in the products of `probe`. Exit codes: 0; 1 none
/// does; 2 usage or files.
void add_identify_command(CLI::App& app, Context& context);

/// The input of a case as an array. Exit codes: 0; 2 usage, names or files; 4 there is no such
/// input.
void add_input_command(CLI::App& app, Context& context);

/// The names of one kind, each with its meaning; or the cases that a run would have. Exit codes: 0,
/// 2 an unknown kind or a wrong sweep, 4 no case matches.
void add_list_command(CLI::App& app, Context& context);

/// The error of somebody else's result. Exit codes: 0; 1 if a measure is above its --max, or NaN; 2
/// usage or files.
void add_measure_command(CLI::App& app, Context& context);

/// Puts the runs of shards together in a directory that holds no run yet. Exit codes: 0, 2 anything
/// that merge_runs refuses or a file that cannot be written, 3 some cases failed.
void add_merge_command(CLI::App& app, Context& context);

/// Draws a run: the default figures, or the one that the options describe. Exit codes: 0, 2 usage,
/// or a PNG or PDF is missing because rsvg-convert is, 4 no row to draw.
void add_plot_command(CLI::App& app, Context& context);

/// Matrix products whose results tell what a device computes. Exit codes: 0; 2 usage or files.
void add_probe_command(CLI::App& app, Context& context);

/// The algorithm and mode of least work within an error budget. Exit codes: 0; 2 usage or names; 4
/// nothing is within the budget, or nothing takes that length.
void add_recommend_command(CLI::App& app, Context& context);

/// A run as one page, as Markdown, or as a table for LaTeX. Exit codes: 0, 2 usage or files, 4 the
/// run has no rows, 5 a baseline of the gates is missing (what was asked for is written all the
/// same). A gate that fails is shown, and is no failure of the report.
void add_report_command(CLI::App& app, Context& context);

/// Runs the cases of a sweep and keeps their rows (run_command.hpp).
void add_run_command(CLI::App& app, Context& context);

/// An input on which a case errs as much as possible. Exit codes: 0; 2 usage, names or files; 4 the
/// case has no meaning.
void add_search_command(CLI::App& app, Context& context);

/// What a name stands for, or one case in full. Exit codes: 0 shown, 2 an unknown name, or nothing
/// that can be shown, 3 the case fails.
void add_show_command(CLI::App& app, Context& context);

/// How far the table of another program is from exact roots. Exit codes: 0; 1 an entry errs by more
/// than --max-ulp; 2 usage or files.
void add_tables_command(CLI::App& app, Context& context);

}  // namespace fftprec::commands
