#include "reports/commands/cli.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <new>
#include <ostream>
#include <span>
#include <utility>

#include "arith/support/error.hpp"
#include "arith/support/floating_point.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/printable.hpp"
#include "reports/results/environment.hpp"

namespace fftprec::commands {

/// Each in a file of its own.
using AddCommand = void(CLI::App&, Context&);
AddCommand add_run_command, add_list_command, add_show_command, add_gate_command, add_plot_command,
    add_report_command, add_merge_command, add_compare_command, add_history_command,
    add_input_command, add_compute_command, add_vectors_command, add_diverge_command,
    add_measure_command, add_tables_command, add_claims_command, add_attribute_command,
    add_explain_command, add_probe_command, add_identify_command, add_search_command,
    add_recommend_command, add_design_command, add_exact_command, add_env_command,
    add_doctor_command, add_completion_command, add_man_command;

namespace {

/// In the order of the help.
constexpr AddCommand* add_commands[] = {
    add_run_command,       add_list_command,      add_show_command,       add_gate_command,
    add_plot_command,      add_report_command,    add_merge_command,      add_compare_command,
    add_history_command,   add_input_command,     add_compute_command,    add_vectors_command,
    add_diverge_command,   add_measure_command,   add_tables_command,     add_claims_command,
    add_attribute_command, add_explain_command,   add_probe_command,      add_identify_command,
    add_search_command,    add_recommend_command, add_design_command,     add_exact_command,
    add_env_command,       add_doctor_command,    add_completion_command, add_man_command};

constexpr const char* examples = R"(Examples:
  fftprec run smoke -o out/smoke            a built-in sweep; the same command resumes
  fftprec run -a algorithm=dft-gemm -a mode=bf16,ozaki -a n=64,128,256 --csv -
  fftprec run -a 'n[pow2]=[3:12]' -a seed=1..20 -n          how many cases, how long
  fftprec run paper -f 'mode=bf16 and n<=256' --csv rows.csv
  fftprec list modes                        what a name means; show NAME says more
  fftprec show 'machine:trn{psum=bf16}'     every parameter of a machine
  fftprec show -a mode=bf16 -a n=256        a case in full: its error after each stage, ...
  fftprec gate out/smoke -g gates.toml      rules on rows
  fftprec report out/smoke                  a run as one page
  fftprec compare out/before out/after      what moved between two runs
  fftprec measure --input x.npy --output y.npy   the error of any program's result
  fftprec claims -o out/claims              published claims, checked by experiment
  fftprec attribute -a mode=bf16 -a n=256   break the error down by source and stage
  fftprec explain trn1                      which arithmetic fits errors measured on hardware
  fftprec identify probes                   which machine a device is, from its products
Exit codes: 0 ok, 1 a gate failed, 2 usage, names or files, 3 some cases failed, 4 nothing matched,
  5 a baseline is missing or cannot be compared, 130 interrupted: the same command resumes.)";

/// Looking at a broken environment must be possible in it; anything else would measure nonsense.
bool may_run_anywhere(const std::vector<std::string>& argv) {
  return argv.size() > 1 &&
         (argv[1] == "env" || argv[1] == "doctor" || argv[1] == "help" || argv[1].starts_with('-'));
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const auto& [dashes, list] :
         {std::pair{"--", option->get_lnames()}, std::pair{"-", option->get_snames()}})
      for (const std::string& name : list) names.push_back(dashes + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  return names_by(app.get_subcommands({}),
                  [](const CLI::App* command) { return command->get_name(); });
}

/// "name a command: ..." or "gate: run is missing (what it is)"; empty if nothing is missing.
std::string what_is_missing(const CLI::App& app, const std::vector<std::string>& commands) {
  const std::vector<const CLI::App*> used = app.get_subcommands(nullptr);
  const auto command =
      std::ranges::find_if(used, [](const CLI::App* each) { return each->parsed(); });
  if (command == used.end()) return fmt::format("name a command: {}", fmt::join(commands, ", "));
  for (const CLI::Option* option : (*command)->get_options())
    if (option->get_required() && option->count() == 0)
      return (*command)->get_name() + ": " + option->get_name() + " is missing (" +
             option->get_description() + ")";
  return {};
}

/// The error for a word that is not among `known`, with a suggestion. The help lists all words.
InputError unknown_word(std::string_view kind, std::string_view word,
                        const std::vector<std::string>& known) {
  constexpr std::pair<std::string_view, std::string_view> elsewhere[] = {
      {"version", "--version"}, {"-v", "--version"}, {"-V", "--version"}};
  std::string meant = nearest_name(word.substr(0, word.find('=')), known);
  for (const auto& [other, own] : elsewhere)
    if (word == other && std::ranges::find(known, own) != known.end()) meant = own;
  return unknown_name(kind, word, {}, meant);
}

bool is_axis(std::string_view name) {
  return std::any_of(axis_columns().begin(), axis_columns().end(),
                     [name](const Column& axis) { return is_called(axis, name); });
}

/// "mode=bf16" of "mode" where "bf16" comes next, or "mode=VALUES".
std::string axis_with_values(const std::string& axis, std::span<const std::string> following) {
  const bool has_values = !following.empty() && !following.front().starts_with('-');
  return axis + "=" + (has_values ? following.front() : "VALUES");
}

/// Refuses "-a mode bf16", whose last word would be taken for a sweep.
void check_axes_have_values(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if ((words[i] == "-a" || words[i] == "--axis") && is_axis(words[i + 1]))
      throw InputError(
          fmt::format("'{} {}' has no values; did you mean '{} {}'?", words[i], words[i + 1],
                      words[i], axis_with_values(words[i + 1], std::span(words).subspan(i + 2))));
}

/// The error for an option that a command does not have. If it has the name of an axis, suggests
/// -a.
InputError unknown_option(const std::string& word, const CLI::App& command,
                          const std::vector<std::string>& argv) {
  const std::vector<std::string> known = option_names(command);
  const std::size_t end = std::min(word.find('='), word.size());
  const std::string axis = word.starts_with("--") ? word.substr(2, end - 2) : "";
  if (!is_axis(axis) || std::ranges::find(known, "--axis") == known.end())
    return unknown_word("option", word, known);
  const auto at = std::ranges::find(argv, word);
  const auto next = at == argv.end() ? at : at + 1;
  return unknown_name(
      "option", word, {},
      "-a " + (end < word.size()
                   ? word.substr(2)
                   : axis_with_values(axis, std::span(argv).subspan(
                                                static_cast<std::size_t>(next - argv.begin())))));
}

/// What is wrong with a command line: what CLI11 says, with the nearest known name where a command
/// or an option is unknown, and the meaning of what is missing.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& argv) {
  const std::vector<std::string> commands = command_names(app);
  if (argv.size() > 1 && std::ranges::find(commands, argv[1]) == commands.end()) {
    std::vector<std::string> known = option_names(app);
    const bool is_option = argv[1].starts_with('-');
    if (!is_option) known.insert(known.end(), commands.begin(), commands.end());
    if (!is_option || std::ranges::find(known, argv[1]) == known.end())
      return unknown_word(is_option ? "option" : "command", argv[1], known).what();
  }
  for (const CLI::App* command : app.get_subcommands())
    for (const std::string& rest : command->remaining())
      if (rest.starts_with('-')) return unknown_option(rest, *command, argv).what();
  if (error.get_name() == "RequiredError")
    if (const std::string missing = what_is_missing(app, commands); !missing.empty())
      return missing;
  return error.what();
}

void run_commands(Context& context) {
  const std::vector<std::string>& argv = context.argv;
  CLI::App app(
      "Which error does this FFT have, in this arithmetic, on this accumulator, at this "
      "size?",
      "fftprec");
  app.set_version_flag("--version", "fftprec " + results::program_version());
  app.require_subcommand(1);
  app.footer(examples);
  for (const auto add : add_commands) add(app, context);
  try {
    std::vector<std::string> words(argv.empty() ? argv.begin() : argv.begin() + 1, argv.end());
    if (!words.empty() && words.front() == "help") {  // help COMMAND is COMMAND --help
      words.erase(words.begin());
      const std::vector<std::string> known = command_names(app);
      if (!words.empty() && std::ranges::find(known, words.front()) == known.end())
        throw unknown_word("command", words.front(), known);
      words.push_back("--help");
    }
    check_axes_have_values(words);
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == to_int(ExitCode::ok)) {  // --help, --version
      app.exit(error, context.out, context.err);
      return;
    }
    std::string command;
    for (const CLI::App* used : app.get_subcommands()) command = " " + used->get_name();
    throw InputError(usage_message(app, error, argv) + "; see fftprec" + command + " --help");
  }
}

}  // namespace

double memory_bytes() {
  const double all =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
             ? std::min(all, static_cast<double>(limit.rlim_cur))
             : all;
}

int run_cli(Context& context) {
  std::ostream& err = context.err;
  try {
    if (const std::vector<std::string> problems = check_floating_point_environment();
        !problems.empty() && !may_run_anywhere(context.argv)) {
      err << "fftprec: the floating-point environment would change every result:\n";
      for (const std::string& problem : problems) err << "  " << problem << '\n';
      return context.exit_code = to_int(ExitCode::usage);
    }
    run_commands(context);
    context.out.flush();
    if (!context.out) throw InputError("standard output: cannot be written");
    return context.exit_code;
  } catch (const std::bad_alloc&) {
    err << "fftprec: not enough memory\n";
  } catch (const std::filesystem::filesystem_error& error) {
    err << "fftprec: " << printable(error.path1().string()) << ": " << error.code().message()
        << '\n';
  } catch (const std::exception& error) {
    err << "fftprec: " << printable(error.what()) << '\n';
  }
  return context.exit_code = to_int(ExitCode::usage);
}

}  // namespace fftprec::commands
