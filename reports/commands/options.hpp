/// The options of a command, and those that several commands share.
///
/// Only options.cpp, cli.cpp and completion_command.cpp include CLI11, since its headers take
/// seconds to compile.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/commands/commands.hpp"

namespace CLI {
class Option;
}

namespace fftprec::commands {

/// Why the text of an option is invalid; empty if it is valid.
using Complaint = std::function<std::string(const std::string& text)>;

/// One option or positional argument of a command.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  Option& check(const Complaint& complaint);
  Option& last();  ///< may be repeated: the last one counts, so that users can override scripts

  /// For T = unsigned, std::uint64_t and double.
  template <class T>
  Option& range(T least, T most);

 private:
  CLI::Option* option_;
};

/// A command of the program while its options are described. Help calls the value of an option by
/// the word after its name, as in "-o,--output DIR". A name without a dash is a positional
/// argument. Variables must live as long as the command line is read and the command runs.
class Command {
 public:
  /// `footer` follows the options in the help: examples, exit codes.
  Command(CLI::App& app, const std::string& name, const std::string& summary,
          const std::string& footer);

  /// For T = std::string, unsigned, std::uint64_t, double and std::vector<std::string>, which takes
  /// all following words. Whole numbers may be 2^10, 1k or 1e4.
  template <class T>
  Option add(const std::string& name, T& value, const std::string& help);

  /// A duration, "500ms", "5s", "2m", "1h", or seconds.
  Option add_seconds(const std::string& name, double& seconds, const std::string& help);

  /// An option that may be repeated, with one value each time.
  Option add_list(const std::string& name, std::vector<std::string>& values,
                  const std::string& help);

  /// Calls `take` with the text. Its InputError reaches the user.
  Option add_parsed(const std::string& name, const std::function<void(const std::string&)>& take,
                    const std::string& help);

  Option add_flag(const std::string& name, bool& value, const std::string& help);

  /// -a, called `values` in help, and --programs. Programs that they name may be started.
  void add_axes(const std::string& values, std::vector<std::string>& axes, const std::string& help);

  /// -j, the number of threads; default: one per core.
  void add_threads(unsigned& threads);

  /// A sweep, -a and -f, with the help on axes and filters.
  void add_cases(CaseRequest& request);

  /// Sets the work of the command. Its exit code is stored in the context.
  void run(Context& context, const std::function<ExitCode()>& work);

  /// As `run`, for a single case. A case without meaning gives a message and
  /// ExitCode::nothing_matched.
  void run_if_applicable(Context& context, const std::function<ExitCode()>& work);

 private:
  CLI::App& command_;
};

/// Complains about an empty name of a file, which often comes from an unset shell variable.
std::string not_empty(const std::string& text);

/// Throws InputError if `csv` (a file, "-" or empty) or `directory` (created if missing; or empty)
/// cannot be written. For use before long work.
void check_outputs(const std::string& csv, const std::string& directory);

/// Writes a table as CSV to `file`, or, for "-", to standard output.
void write_csv(const std::string& file, const std::string& csv, Context& context);

/// The message for a plan without cases.
std::string no_case_matches(const CaseRequest& request);

/// As plan_cases. Also throws for a [[plot]] of an unknown kind.
Plan plan_run(const CaseRequest& request, const CheckNames& check_names);

/// A single case: axes, or a run and the case_id of one of its rows.
struct OneCaseRequest {
  std::string id{};                 ///< a case_id or its beginning
  std::string run{};                ///< a run's directory, or a CSV file
  std::vector<std::string> axes{};  ///< "AXIS=VALUE"
};

/// The argument `case`, and the options of add_run_and_axes.
void add_one_case(Command& command, OneCaseRequest& request);

/// Options --run and -a.
void add_run_and_axes(Command& command, OneCaseRequest& request);

struct OneCase {
  Case where;
  std::optional<Row> stored;  ///< its row in the run
};

/// Throws InputError if the request names no case or several, with their number; for a run that
/// cannot be read; and for unknown names.
OneCase one_case(const OneCaseRequest& request, const CheckNames& check_names);

/// "fft, radix2-dit, bf16, trn, tables exact, n = 8, batch 1, gaussian, seed 1", for titles.
std::string short_text(const Case& where);

}  // namespace fftprec::commands
