/// `fftprec report DIR|CSV`: a run as one page, as Markdown, or as a table for LaTeX.
#include <filesystem>
#include <memory>
#include <ostream>

#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/gates/gate_report.hpp"
#include "reports/page/page.hpp"
#include "reports/results/fixed_axes.hpp"
#include "reports/text/error_table.hpp"
#include "reports/text/summary.hpp"

namespace fftprec::commands {

namespace {

struct ReportArguments {
  std::string run;
  std::string page;
  std::string markdown;
  std::string latex;
  std::vector<std::string> gate_files;
  std::string stages;  ///< a case_id or its beginning
};

/// Beside the rows, unless only another form is asked for: then empty.
std::string page_of(const ReportArguments& arguments) {
  if (!arguments.page.empty()) return arguments.page;
  if (!arguments.markdown.empty() || !arguments.latex.empty()) return {};
  const std::filesystem::path run = arguments.run;
  const std::filesystem::path directory =
      std::filesystem::is_directory(run) ? run : run.parent_path();
  return (directory / "report.html").string();
}

void write_page(const std::string& file, const std::string& stages, const page::ReportData& data,
                const NameOrders& orders, Context& context) {
  check_writable(file);
  page::ReportFigures gathered =
      page::gather_report_figures(data.rows, orders, data.manifest.plots);
  gathered.stages = page::trace_for_report(data.rows, stages);
  replace_file(file, page::report_page(data, gathered, orders));
  context.out << file << "\n";
}

ExitCode run_report(const ReportArguments& arguments, Context& context) {
  const page::ReportData data = page::read_report_data(
      arguments.run, arguments.gate_files, {.today = context.today(), .made_by = context.argv});
  if (data.rows.empty()) {
    context.err << "fftprec report: " << arguments.run << " holds no rows\n";
    return ExitCode::nothing_matched;
  }
  const NameOrders orders = registry_orders();
  if (const std::string file = page_of(arguments); !file.empty())
    write_page(file, arguments.stages, data, orders, context);
  if (!arguments.markdown.empty()) {
    const std::string gates = data.verdicts.empty() ? "" : markdown_report(data.verdicts);
    const std::string note = data.aggregated.empty() ? "" : "\n" + data.aggregated + ".\n";
    replace_file(arguments.markdown,
                 text::markdown_summary(data.rows, gates, {}, orders, data.manifest.argv) + note);
    context.out << arguments.markdown << "\n";
  }
  if (!arguments.latex.empty()) {
    replace_file(arguments.latex, text::latex_table(data.rows, orders));
    context.out << arguments.latex << "\n";
  }
  if (!data.aggregated.empty()) context.err << "fftprec report: " << data.aggregated << "\n";
  for (const std::string& problem : data.no_baseline)
    context.err << "fftprec report: gates: " << printable(problem) << "\n";
  return data.no_baseline.empty() ? ExitCode::ok : ExitCode::baseline_missing;
}

}  // namespace

/// A gate that fails is shown, and is no failure of the report.
void add_report_command(CLI::App& app, Context& context) {
  Command command(
      app, "report", "Show a run as one page",
      "Examples:\n"
      "  fftprec report out/smoke                          out/smoke/report.html\n"
      "  fftprec report out/run -g gates.toml -o run.html  with the verdicts of these rules\n"
      "  fftprec report out/run --markdown run.md --latex run.tex\n"
      "Exit codes: 0 written, 4 the run has no rows, 5 written, but a baseline is missing.");
  const auto arguments = std::make_shared<ReportArguments>();
  command.add("run", arguments->run, "A run's directory, or a CSV file").required();
  command
      .add("-o,--output", arguments->page,
           "The page; default DIR/report.html, or none\nwith --markdown or --latex alone")
      .check(not_empty);
  command.add_list("-g,--gates", arguments->gate_files,
                   "Gate files (TOML), in place of the gates of the run's sweep");
  command.add("--stages CASE_ID", arguments->stages,
              "The case whose error is shown stage by stage:\nits case_id, or the beginning of it");
  command.add("--markdown", arguments->markdown, "Write the summary as Markdown").check(not_empty);
  command.add("--latex", arguments->latex, "Write the table of errors for LaTeX (booktabs)")
      .check(not_empty);
  command.run(context, [arguments, &context] { return run_report(*arguments, context); });
}

}  // namespace fftprec::commands
