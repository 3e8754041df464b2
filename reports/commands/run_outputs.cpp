#include "reports/commands/run_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <tuple>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/algorithms/programs.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/testing/measure_result.hpp"
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
std::string first_with(Status status, std::span<const Row> rows,
                       const std::vector<std::string>& argv) {
  const auto has = [rows](Status wanted) { return std::ranges::find(rows, wanted, &Row::status); };
  const auto row = has(status);
  if (row == rows.end()) return {};
  return fmt::format("first {}: {}\n  {}\n", name_of(status),
                     printable(has(Status::ok) == rows.end() ? reason_of(*row) : row->message),
                     text::reproduce_command(row->where, argv));
}

/// How many measured rows carry a remark, and the first of these.
std::string first_remark(std::span<const Row> rows, const std::vector<std::string>& argv) {
  const auto has_remark = [](const Row& row) {
    return row.status == Status::ok && !row.message.empty();
  };
  const auto row = std::ranges::find_if(rows, has_remark);
  if (row == rows.end()) return {};
  return fmt::format(
      "{} with a remark, first: {}\n  {}\n",
      counted(static_cast<std::size_t>(std::ranges::count_if(rows, has_remark)), "row"),
      printable(row->message), text::reproduce_command(row->where, argv));
}

/// What rounding in no format does to a whole result; a convention does more.
constexpr double most_of_rounding = 0.1;

bool is_suspicious(const Row& row) {
  return row.status == Status::ok && row.where.algorithm().starts_with(program_kind) &&
         row.err_l2_rel && !(*row.err_l2_rel <= most_of_rounding);
}

/// The likely cause of the error of a row, from its case run again; empty if none is found.
std::string cause_of(const Row& row, Session& session) {
  try {
    const CasePlan plan = session.plan(Case(row.where));
    const Problem problem = make_problem(plan);
    const Output output = run_case(plan, problem.input, {.round_trip = false});
    const ForeignProblem asked{.where = row.where, .problem = problem};
    const std::string lost = non_finite(asked, output.values);
    return lost.empty() ? suspicion(asked, output.values, result_format(plan)) : lost;
  } catch (const InputError&) {
    return {};
  }
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
                      const std::vector<std::string>& argv) {
  return errors(text::error_table(rows, orders, {.sizes = 5, .lines = 24})) +
         text::status_counts(rows) + "\n" + first_with(Status::failed, rows, argv) +
         first_with(Status::skipped, rows, argv) + first_remark(rows, argv);
}

std::string suspicious_rows(std::span<const Row> rows, Session& session) {
  std::map<std::pair<std::string, std::string>, std::vector<const Row*>> groups;
  for (const Row& row : rows)
    if (is_suspicious(row)) groups[{row.where.algorithm(), row.where.transform()}].push_back(&row);
  if (groups.empty()) return {};
  text::Table table{{{"algorithm", "transform", "rows", "err_l2_rel", "likely cause"}}, 2, 2};
  for (auto& [names, members] : groups) {
    // Noise tells mistakes apart best; few values, and special ones, fit several.
    constexpr std::size_t telling = 8;
    std::ranges::stable_sort(members, {}, [](const Row* row) {
      return std::tuple(row->where.input() != Case{}.input, row->where.n() < telling,
                        row->where.n());
    });
    std::string cause;
    for (std::size_t i = 0; i < std::min<std::size_t>(members.size(), 3) && cause.empty(); ++i)
      cause = cause_of(*members[i], session);
    table.lines.push_back({names.first, names.second, std::to_string(members.size()),
                           short_number(*members.front()->err_l2_rel),
                           cause.empty() ? "none of the usual mistakes" : cause});
  }
  return "suspicious rows\n" + text::terminal_table(table);
}

}  // namespace fftprec::commands
