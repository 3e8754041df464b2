#include "reports/commands/cli.hpp"

#include <CLI/CLI.hpp>
#include <new>
#include <ostream>

#include "arith/support/error.hpp"
#include "arith/support/floating_point.hpp"
#include "reports/commands/attribute_command.hpp"
#include "reports/commands/claims_command.hpp"
#include "reports/commands/compare_command.hpp"
#include "reports/commands/doctor_command.hpp"
#include "reports/commands/env_command.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/commands/explain_command.hpp"
#include "reports/commands/gate_command.hpp"
#include "reports/commands/list_command.hpp"
#include "reports/commands/measure_command.hpp"
#include "reports/commands/merge_command.hpp"
#include "reports/commands/plot_command.hpp"
#include "reports/commands/recommend_command.hpp"
#include "reports/commands/report_command.hpp"
#include "reports/commands/run_arguments.hpp"
#include "reports/commands/search_command.hpp"
#include "reports/commands/show_command.hpp"
#include "reports/commands/usage_message.hpp"
#include "reports/results/build_info.hpp"

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
