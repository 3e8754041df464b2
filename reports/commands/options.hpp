/// The options of a command, and those that several commands share.
///
/// Only options.cpp, cli.cpp and completion_command.cpp see CLI11, whose headers cost seconds in
/// every file that includes them.
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

/// What is wrong with the text of an option; empty if nothing is.
using Complaint = std::function<std::string(const std::string& text)>;

/// One option or positional argument of a command.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  Option& type(const std::string& name);  ///< what help calls the value
  Option& check(const Complaint& complaint);
  Option& last();  ///< may be given again: the last one counts, so that a script can be overruled

  /// For T = unsigned, std::uint64_t and double.
  template <class T>
  Option& range(T least, T most);

 private:
  CLI::Option* option_;
};

/// A command of the program while its options are described. A name without a dash is a positional
/// argument. Variables must live as long as the command line is read and the command runs.
class Command {
 public:
  /// `footer` follows the options in the help: examples, exit codes.
  Command(CLI::App& app, const std::string& name, const std::string& summary,
          const std::string& footer);

  /// For T = std::string, unsigned, std::uint64_t, double and std::vector<std::string>, which takes
  /// every word that follows. Whole numbers may be 2^10, 1k or 1e4.
  template <class T>
  Option add(const std::string& name, T& value, const std::string& help);

  /// A duration, "500ms", "5s", "2m", "1h", or seconds.
  Option add_seconds(const std::string& name, double& seconds, const std::string& help);

  /// May be given again and again, and takes one value each time.
  Option add_list(const std::string& name, std::vector<std::string>& values,
                  const std::string& help);

  /// Hands the text to `take`, whose InputError passes through.
  Option add_parsed(const std::string& name, const std::function<void(const std::string&)>& take,
                    const std::string& help);

  Option add_flag(const std::string& name, bool& value, const std::string& help);

  /// -j. Sets `threads` to one per core, which it stays unless another number is given.
  void add_threads(unsigned& threads);

  /// A sweep, -a and -f, with the help on axes and filters.
  void add_cases(CaseRequest& request);

  /// What the command does; the exit code goes to the context.
  void run(Context& context, const std::function<ExitCode()>& work);

  /// The same of a single case: one without meaning is told of, and is no match.
  void run_if_applicable(Context& context, const std::function<ExitCode()>& work);

 private:
  CLI::App& command_;
};

/// An empty text, most often a shell variable that is not set, names no file.
std::string not_empty(const std::string& text);

/// Throws InputError if `csv` (a file, "-" or nothing) or `directory` (made if missing; or nothing)
/// cannot be written: to be asked before long work.
void check_outputs(const std::string& csv, const std::string& directory);

/// What to tell where a plan has no cases.
std::string no_case_matches(const CaseRequest& request);

/// As plan_cases; throws for a [[plot]] of an unknown kind, too.
Plan plan_run(const CaseRequest& request, const CheckNames& check_names);

/// Either axes, or a run and the case_id of one of its rows.
struct OneCaseRequest {
  std::string id{};                 ///< a case_id or its beginning
  std::string run{};                ///< a run's directory, or a CSV file
  std::vector<std::string> axes{};  ///< "AXIS=VALUE"
};

/// The argument `case`, and what add_run_and_axes adds.
void add_one_case(Command& command, OneCaseRequest& request);

/// Options --run and -a.
void add_run_and_axes(Command& command, OneCaseRequest& request);

struct OneCase {
  Case where;
  std::optional<Row> stored;  ///< as the run holds it
};

/// Throws InputError where the request names no case, or several, saying how many; for a run that
/// cannot be read; and for anything unknown.
OneCase one_case(const OneCaseRequest& request, const CheckNames& check_names);

/// "fft, radix2-dit, bf16, trn, tables exact, n = 8, batch 1, gaussian, seed 1", for titles.
std::string short_text(const Case& where);

}  // namespace fftprec::commands
