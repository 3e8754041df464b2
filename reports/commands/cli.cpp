#include "reports/commands/cli.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <new>
#include <ostream>

#include "arith/error.hpp"
#include "arith/floating_point.hpp"
#include "reports/commands/attribute_command.hpp"
#include "reports/commands/claims_command.hpp"
#include "reports/commands/compare_command.hpp"
#include "reports/commands/doctor_command.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/commands/explain_command.hpp"
#include "reports/commands/gate_command.hpp"
#include "reports/commands/list_command.hpp"
#include "reports/commands/measure_command.hpp"
#include "reports/commands/merge_command.hpp"
#include "reports/commands/plot_command.hpp"
#include "reports/commands/recommend_command.hpp"
#include "reports/commands/report_command.hpp"
#include "reports/commands/run_command.hpp"
#include "reports/commands/search_command.hpp"
#include "reports/commands/show_command.hpp"
#include "reports/commands/truth_request.hpp"
#include "reports/results/build_info.hpp"
#include "reports/results/environment.hpp"

namespace fftprec {

namespace {

constexpr const char* examples = R"(Examples:
  fftprec run smoke -o out/smoke            a built-in sweep; the same command resumes
  fftprec run -a algorithm=dft-gemm -a mode=bf16,ozaki -a n=64,128,256 --csv -
  fftprec run -a 'n[pow2]=[3:12]' -a seed=1..20 -n          how many cases, how long
  fftprec run paper -f 'mode=bf16 and n<=256' --csv rows.csv
  fftprec list modes                        what a name means
  fftprec show 'machine:trn{psum=bf16}'     every parameter of a machine
  fftprec show -a mode=bf16 -a n=256        a case in full: its error after each stage, ...
  fftprec gate out/smoke -g gates.toml      rules on rows
  fftprec report out/smoke                  a run as one page
  fftprec compare out/before out/after      what moved between two runs
  fftprec measure --input x.npy --output y.npy   the error of any program's result
  fftprec claims -o out/claims              published claims, settled by experiment
  fftprec attribute -a mode=bf16 -a n=256   which source makes how much of the error
  fftprec explain trn1                      which arithmetic fits errors of hardware
Exit codes: 0 ok, 1 a gate failed, 2 usage, names or files, 3 some cases failed, 4 nothing matched,
  5 a baseline is missing or cannot be compared, 130 interrupted: the same command resumes.)";

constexpr const char* axes_help =
    R"(Axes: transform algorithm mode machine tables n batch input seed
  -a mode=bf16,ozaki   a list; commas within brackets do not split
  -a seed=1..20        every integer; 0..100..10 in steps of 10
  -a 'n[pow2]=[3:20]'  2^3, 2^4, ..., 2^20; n[smooth]=[60:512], the lengths there
                       without a prime factor above 7; n[primes]=[3:97], the primes
Filters: COLUMN=VALUES, !=, <, <=, >, >=; several must all hold
  -f mode=bf16,ozaki -f 'n>=64 and n<=1024' -f seed=1..5)";

/// An option that may be given again and again and takes one value each time.
void add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
              const std::string& help) {
  command.add_option(name, values, help)->allow_extra_args(false)->take_all();
}

void add_case_options(CLI::App& command, CaseRequest& request) {
  command.add_option("sweep", request.sweep, "A TOML file or the name of a built-in sweep");
  add_list(command, "-a,--axis", request.axes, "AXIS=VALUES, in place of the sweep's");
  add_list(command, "-f,--filter", request.filters, "Only the cases for which this holds");
  command.footer(axes_help);
}

/// An empty text is a shell variable that is not set: the rows would go nowhere.
std::string not_empty(const std::string& text) { return text.empty() ? "is empty" : ""; }

Rerun rerun_named(const std::string& name) {
  if (name == "failed") return Rerun::failed;
  if (name == "all") return Rerun::all;
  throw unknown_name("value of --rerun", name, {"failed", "all"});
}

/// An option whose text `parse` takes apart; its InputError passes through. Given again, the last
/// one counts, so that a script's choice can be overruled.
template <class Parse>
void add_parsed(CLI::App& command, const std::string& name, const std::string& type, Parse parse,
                const std::string& help) {
  command.add_option_function<std::string>(name, parse, help)->type_name(type)->take_last();
}

void add_truth_options(CLI::App& run, TruthRequest& truth) {
  add_parsed(
      run, "--truth", "auto|mpfr|dd|td",
      [&truth](const std::string& tier) { truth.tier = tier_asked(tier); },
      "Arithmetic of truths: MPFR, double-double, triple-\n"
      "double, or the fastest that certifies enough (default)");
  add_parsed(
      run, "--truth-bits", "P",
      [&truth](const std::string& bits) { truth.bits = truth_bits_asked(bits); },
      "Bits to which every truth must be certified, 53..105");
  run.add_option("--truth-cache", truth.cache,
                 "Where truths are kept, or none; default\n"
                 "$XDG_CACHE_HOME/fftprec/truth or ~/.cache/fftprec/truth")
      ->check(not_empty)
      ->type_name("DIR|none")
      ->take_last();
  add_parsed(
      run, "--truth-cache-size", "BYTES",
      [&truth](const std::string& bytes) { truth.cache_bytes = bytes_asked(bytes); },
      "Size at which the oldest go; 10M, 4G; default 2G");
}

void add_run_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context,
                     const std::vector<std::string>& argv) {
  const auto request = std::make_shared<RunRequest>();
  request->argv = argv;
  CLI::App& run = *app.add_subcommand("run", "Run the cases of a sweep and keep their rows");
  add_case_options(run, request->cases);
  run.add_option("-o,--output", request->directory,
                 "Directory for rows, manifest, plots and summary; finished rows\n"
                 "there are kept; the sweep's gates are judged")
      ->check(not_empty);
  run.add_option("--csv", request->csv, "Write the rows to this file, - for standard output")
      ->check(not_empty);
  run.add_option("-j,--threads", request->threads, "Threads; default one per core")
      ->check(CLI::Range(1u, 4096u))
      ->type_name("N");
  run.add_flag("-n,--dry-run", request->dry_run, "Only tell the number of cases and the cost");
  run.add_option_function<std::string>(
         "--rerun", [request](const std::string& which) { request->rerun = rerun_named(which); },
         "Run finished rows again: failed, or all of them")
      ->type_name("failed|all");
  run.add_option("--shard", request->shard,
                 "Only part I of N, all about equally costly; in a Slurm job\n"
                 "array this task's part. fftprec merge puts them together")
      ->type_name("I/N")
      ->check(not_empty);
  run.add_option("--timeout", request->timeout_s,
                 "A case that takes longer is a failed row; needs -o")
      ->type_name("SECONDS")
      ->check(CLI::Range(1e-3, 1e7));
  run.add_flag_callback(
      "--no-times", [request] { request->times = false; },
      "Leave time_ns empty, so that runs are the same to the byte");
  run.add_option("--isa", request->isa, "Instruction set: baseline, avx2, avx512; same bits");
  add_truth_options(run, request->truth);
  run.callback([request, &functions, &context] {
    context.exit_code = run_command(*request, functions, context);
  });
}

void add_list_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context) {
  struct Request {
    std::string subject;
    CaseRequest cases;
  };
  const auto request = std::make_shared<Request>();
  CLI::App& list = *app.add_subcommand("list", "List what a name can be");
  list.add_option(
          "subject", request->subject,
          "transforms, algorithms, modes, machines, tables, inputs, metrics, sweeps, claims, cases")
      ->required();
  add_case_options(list, request->cases);
  list.callback([request, &functions, &context] {
    context.exit_code = list_command(request->subject, request->cases, functions, context);
  });
}

void add_env_command(CLI::App& app, CommandContext& context) {
  const auto json = std::make_shared<bool>(false);
  CLI::App& env = *app.add_subcommand("env", "Versions, compiler, processor");
  env.footer("");
  env.add_flag("--json", *json, "As JSON");
  env.callback([json, &context] {
    context.out << (*json ? environment_json(environment()) : environment_text(environment()));
  });
}

void add_doctor_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context) {
  const auto directory = std::make_shared<std::string>(".");
  CLI::App& doctor = *app.add_subcommand("doctor", "Check that results can be trusted here");
  doctor.footer("");
  doctor.add_option("-o,--output", *directory, "Directory that must be writable");
  doctor.callback([directory, &functions, &context] {
    context.exit_code = doctor_command(*directory, functions, context);
  });
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const auto& [dashes, list] :
         {std::pair{"--", option->get_lnames()}, std::pair{"-", option->get_snames()}})
      for (const std::string& name : list) names.push_back(dashes + name);
  return names;
}

/// "name a command: ..." or "gate: run is missing (what it is)"; empty if nothing is missing.
std::string what_is_missing(const CLI::App& app, const std::vector<std::string>& commands) {
  const std::vector<const CLI::App*> used = app.get_subcommands(nullptr);
  const auto command =
      std::find_if(used.begin(), used.end(), [](const CLI::App* each) { return each->parsed(); });
  if (command == used.end()) {
    std::string list;
    for (const std::string& name : commands) list += (list.empty() ? "" : ", ") + name;
    return "name a command: " + list;
  }
  for (const CLI::Option* option : (*command)->get_options())
    if (option->get_required() && option->count() == 0)
      return (*command)->get_name() + ": " + option->get_name() + " is missing (" +
             option->get_description() + ")";
  return {};
}

/// What CLI11 says, with the nearest known name where a command or an option is unknown.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& argv) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (argv.size() > 1 && !argv[1].starts_with('-') &&
      std::find(commands.begin(), commands.end(), argv[1]) == commands.end())
    return unknown_name("command", argv[1], commands).what();
  for (const CLI::App* command : app.get_subcommands())
    for (const std::string& rest : command->remaining())
      if (rest.starts_with('-')) return unknown_name("option", rest, option_names(*command)).what();
  if (error.get_name() == "RequiredError")
    if (const std::string missing = what_is_missing(app, commands); !missing.empty())
      return missing;
  return error.what();
}

/// Looking at a broken environment must be possible in it; anything else would measure nonsense.
bool may_run_anywhere(const std::vector<std::string>& argv) {
  return argv.size() > 1 && (argv[1] == "env" || argv[1] == "doctor" || argv[1].starts_with('-'));
}

int run_commands(const std::vector<std::string>& argv, const CaseFunctions& functions,
                 CommandContext& context) {
  CLI::App app(
      "Which error does this FFT have, in this arithmetic, on this accumulator, at this "
      "size?",
      "fftprec");
  app.set_version_flag("--version", "fftprec " + std::string(build_info().version));
  app.require_subcommand(1);
  app.footer(examples);
  add_run_command(app, functions, context, argv);
  add_list_command(app, functions, context);
  add_show_command(app, functions, context);
  add_gate_command(app, context);
  add_plot_command(app, context);
  add_report_command(app, context);
  add_merge_command(app, functions, context, argv);
  add_compare_command(app, context);
  add_measure_command(app, context);
  add_claims_command(app, functions, context);
  add_attribute_command(app, functions, context);
  add_explain_command(app, context);
  add_search_command(app, context);
  add_recommend_command(app, context);
  add_env_command(app, context);
  add_doctor_command(app, functions, context);
  try {
    std::vector<std::string> reversed(argv.rbegin(), argv.rend());
    if (!reversed.empty()) reversed.pop_back();
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == to_int(ExitCode::ok))  // --help, --version
      return app.exit(error, context.out, context.err);
    std::string command;
    for (const CLI::App* used : app.get_subcommands()) command = " " + used->get_name();
    throw InputError(usage_message(app, error, argv) + "; see fftprec" + command + " --help");
  }
  return context.exit_code;
}

}  // namespace

int run_cli(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
            const CaseFunctions& functions) {
  const std::vector<std::string> words(argv, argv + argc);
  CommandContext context{out, err};
  try {
    if (const std::vector<std::string> problems = check_floating_point_environment();
        !problems.empty() && !may_run_anywhere(words)) {
      err << "fftprec: the floating-point environment would change every result:\n";
      for (const std::string& problem : problems) err << "  " << problem << '\n';
      return to_int(ExitCode::usage);
    }
    const int code = run_commands(words, functions, context);
    out.flush();
    if (!out) throw InputError("standard output: cannot be written");
    return code;
  } catch (const std::bad_alloc&) {
    err << "fftprec: not enough memory\n";
    return to_int(ExitCode::usage);
  } catch (const std::exception& error) {
    err << "fftprec: " << error.what() << '\n';
    return to_int(ExitCode::usage);
  }
}

}  // namespace fftprec
