#include "reports/run_outputs.hpp"

#include <array>
#include <ostream>

#include "reports/gate_command.hpp"
#include "reports/gate_file.hpp"
#include "reports/gate_report.hpp"
#include "reports/plot_command.hpp"
#include "reports/summary.hpp"

namespace fftprec {

namespace {

bool has_gates(const Plan& plan) {
  return !plan.sweep.gates.empty() || !plan.sweep.builtin_gates.empty();
}

std::vector<Verdict> verdicts_of(const CaseRequest& request, const Plan& plan,
                                 std::span<const Row> rows, CommandContext& context) {
  if (!has_gates(plan)) return {};
  if (!request.axes.empty() || !request.filters.empty()) {
    context.err << "gates are not judged: -a or -f has changed what the sweep runs\n";
    return {};
  }
  const Sweep& sweep = plan.sweep;
  const std::vector<Verdict> verdicts =
      sweep.builtin_gates.empty()
          ? check_gate_file(std::filesystem::path(request.sweep).parent_path() / sweep.gates, rows,
                            {})
          : check_gates(parse_gates(sweep.builtin_gates, "built-in gates of " + request.sweep),
                        rows);
  context.out << terminal_report(verdicts);
  return verdicts;
}

}  // namespace

ExitCode write_run_outputs(const CaseRequest& request, const Plan& plan,
                           const std::filesystem::path& directory, std::span<const Row> rows,
                           CommandContext& context) {
  constexpr auto formats = std::to_array({PlotFormat::svg, PlotFormat::png});
  const PlotFiles plots = write_run_plots(rows, plan.sweep.plots, directory / "plots", formats);
  if (!plots.problem.empty()) context.err << "no images: " << plots.problem << "\n";
  const std::vector<Verdict> verdicts = verdicts_of(request, plan, rows, context);
  write_summary(directory, rows, verdicts, plots.written);
  context.err << "in " << directory.string()
              << ": results.csv, manifest.json, summary.md, plots/\n";
  return verdicts.empty() || all_passed(verdicts) ? ExitCode::ok : ExitCode::gate_failed;
}

}  // namespace fftprec
