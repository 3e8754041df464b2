#include "reports/commands/gate_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "arith/error.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/gates/gate_baseline.hpp"
#include "reports/gates/gate_file.hpp"
#include "reports/gates/gate_report.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/durable.hpp"

namespace fftprec {

namespace {

struct GateArguments {
  std::string run;
  std::vector<std::string> gate_files;
  std::string markdown;
  std::string junit;
  bool update_baseline = false;
  GateOptions options;
};

void print_updates(std::ostream& out, const std::vector<BaselineUpdate>& updates) {
  for (const BaselineUpdate& update : updates) {
    out << update.file << ": " << update.added << " added, " << update.changed.size()
        << " changed, " << update.unchanged << " unchanged\n";
    for (const std::string& line : update.changed) out << "  " << line << "\n";
  }
}

ExitCode run_gates(const GateArguments& arguments, CommandContext& context) {
  std::vector<Gate> gates;
  for (const std::string& file : arguments.gate_files)
    for (const Gate& gate : read_gates(file)) gates.push_back(gate);
  const std::vector<Row> rows = read_run(arguments.run);
  if (rows.empty()) {
    context.err << "fftprec gate: " << arguments.run << " holds no rows\n";
    return ExitCode::nothing_matched;
  }
  if (arguments.update_baseline) print_updates(context.out, update_baselines(gates, rows));
  const std::vector<Verdict> verdicts =
      check_gates(gates, rows, read_baselines(gates), arguments.options);
  context.out << terminal_report(verdicts);
  if (!arguments.markdown.empty()) replace_file(arguments.markdown, markdown_report(verdicts));
  if (!arguments.junit.empty()) replace_file(arguments.junit, junit_report(verdicts));
  return all_passed(verdicts) ? ExitCode::ok : ExitCode::gate_failed;
}

}  // namespace

std::vector<Row> read_run(const std::filesystem::path& where) {
  return read_csv(std::filesystem::is_directory(where) ? where / "results.csv" : where);
}

std::vector<Verdict> check_gate_file(const std::filesystem::path& file, std::span<const Row> rows,
                                     const GateOptions& options) {
  const std::vector<Gate> gates = read_gates(file);
  return check_gates(gates, rows, read_baselines(gates), options);
}

void add_gate_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("gate", "Check the rows of a run against rules");
  command->footer(
      "Examples:\n"
      "  fftprec gate out/smoke -g gates/smoke.toml\n"
      "  fftprec gate rows.csv -g gates.toml --md verdicts.md --junit verdicts.xml\n"
      "  fftprec gate out/run -g gates.toml --update-baseline     keep these rows to compare with\n"
      "Exit codes: 0 all gates pass, 1 a gate failed, 4 the run has no rows, 5 a baseline is "
      "missing.");
  const auto arguments = std::make_shared<GateArguments>();
  command->add_option("run", arguments->run, "A run's directory, or a CSV file")->required();
  command->add_option("-g,--gates", arguments->gate_files, "Gate files (TOML)")->required();
  command->add_option("--md", arguments->markdown, "Write the verdicts as Markdown");
  command->add_option("--junit", arguments->junit, "Write the verdicts as JUnit XML");
  command->add_flag("--update-baseline", arguments->update_baseline,
                    "Put this run's rows into the baselines, and list what moved");
  command->add_flag("--require-baseline", arguments->options.require_baseline,
                    "A row without a kept row fails");
  command->callback([arguments, &context] {
    try {
      context.exit_code = to_int(run_gates(*arguments, context));
    } catch (const BaselineError& error) {
      context.err << "fftprec gate: " << error.what() << "\n";
      context.exit_code = to_int(ExitCode::baseline_missing);
    }
  });
}

}  // namespace fftprec
