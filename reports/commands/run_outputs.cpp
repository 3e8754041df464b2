#include "reports/commands/run_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/support/printable.hpp"
#include "reports/figures/kinds.hpp"
#include "reports/gates/gate_baseline.hpp"
#include "reports/gates/gate_report.hpp"
#include "reports/text/error_table.hpp"
#include "reports/text/summary.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

std::vector<gates::Verdict> judge(const RunGates& run, const EachRow& each_row, std::ostream& err) {
  if (run.changed)
    err << "gates are not judged: -a or -f has changed what the sweep runs; fftprec gate judges\n";
  if (run.gates.empty()) return {};
  gates::GateOptions options = run.options;
  const gates::KeptRows kept = read_baselines(run.gates, options.no_baseline);
  for (const auto& [file, problem] : options.no_baseline)
    err << "fftprec: not judged: " << printable(problem) << "\n";
  gates::GateRun judge(run.gates, kept, options);
  each_row([&judge](const Row& row) { judge.add(row); });
  return judge.finish();
}

RunOutputs outputs_of(std::span<const gates::Verdict> verdicts) {
  return verdicts.empty() ? RunOutputs{} : RunOutputs{terminal_report(verdicts), code_of(verdicts)};
}

std::string errors(const text::ErrorTable& table) {
  if (table.lines.empty()) return {};
  std::string text = table.caption + "\n" + text::terminal_table(lines_of(table));
  if (!table.left_out.empty()) text += "not in this table: " + table.left_out + "\n";
  return text;
}

/// The first row with this status: why it was not measured, and the command that repeats it. If no
/// row was measured, also what could be measured.
std::string first_with(Status status, std::span<const Row> rows, const std::string& program) {
  const auto has = [rows](Status wanted) { return std::ranges::find(rows, wanted, &Row::status); };
  const auto row = has(status);
  if (row == rows.end()) return {};
  return fmt::format("first {}: {}\n  {} run {}\n", name_of(status),
                     printable(has(Status::ok) == rows.end() ? reason_of(*row) : row->message),
                     program, command_of(row->where));
}

}  // namespace

RunGates gates_of_run(const CaseRequest& request, const Plan& plan,
                      const gates::GateOptions& options) {
  const Sweep& sweep = plan.sweep;
  RunGates result{.options = options};
  if (sweep.gates.empty() && sweep.builtin_gates.empty()) return result;
  result.changed = !request.axes.empty() || !request.filters.empty();
  if (result.changed) return result;
  if (!sweep.builtin_gates.empty()) {
    result.gates = gates::parse_gates(sweep.builtin_gates, "built-in gates of " + request.sweep);
    return result;
  }
  try {
    result.gates =
        gates::read_gates(std::filesystem::path(request.sweep).parent_path() / sweep.gates);
  } catch (const InputError& error) {
    throw InputError(request.sweep + ": gates: " + error.what());
  }
  return result;
}

ExitCode code_of(std::span<const gates::Verdict> verdicts) {
  if (all_passed(verdicts)) return ExitCode::ok;
  const bool fails = std::ranges::any_of(
      verdicts, [&](const auto& verdict) { return verdict.judged && !verdict.passed(); });
  return fails ? ExitCode::gate_failed : ExitCode::baseline_missing;
}

RunOutputs judge_rows(const RunGates& gates, const EachRow& each_row, std::ostream& err) {
  return outputs_of(judge(gates, each_row, err));
}

RunOutputs write_run_outputs(const RunGates& gates, const Plan& plan,
                             const std::filesystem::path& directory, std::span<const Row> rows,
                             std::ostream& err) {
  const std::vector<gates::Verdict> verdicts = judge(
      gates, [rows](const auto& visit) { std::ranges::for_each(rows, visit); }, err);
  RunOutputs outputs = outputs_of(verdicts);
  figures::ImageFiles plots;
  try {
    std::vector<FigureRequest> requests = figures::default_figures(rows);
    const std::vector<FigureRequest> own = plots_of(plan.sweep);
    requests.insert(requests.end(), own.begin(), own.end());
    plots = write_images(figures::draw_all(rows, requests, registry_orders()), directory / "plots");
    if (!plots.problem.empty()) err << "no PNG images: " << printable(plots.problem) << "\n";
    if (plots.failed) outputs.code = ExitCode::usage;
  } catch (const InputError& error) {
    err << "fftprec: no plots: " << printable(error.what()) << "\n";
    outputs.code = ExitCode::usage;
  }
  try {
    text::write_summary(directory, rows, verdicts.empty() ? "" : markdown_report(verdicts),
                        plots.written, gates.options.made_by);
  } catch (const InputError& error) {
    err << "fftprec: no summary: " << printable(error.what()) << "\n";
    outputs.code = ExitCode::usage;
  }
  return outputs;
}

std::string reason_of(const Row& row) {
  if (row.status != Status::skipped) return row.message;
  Case where = row.where;
  where.input = Case{}.input;  // its file may be gone
  std::string refused = refusal(Session().plan(where));
  return refused.starts_with(row.message) ? refused : row.message;
}

std::string run_table(std::span<const Row> rows, const NameOrders& orders,
                      const std::string& program) {
  return errors(text::error_table(rows, orders, {.sizes = 5, .lines = 24})) +
         text::status_counts(rows) + "\n" + first_with(Status::failed, rows, program) +
         first_with(Status::skipped, rows, program);
}

}  // namespace fftprec::commands
