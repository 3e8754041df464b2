/// `fftprec compare A B`: what moved between two runs.
#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <ostream>

#include "experiments/cases/filter.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/run_reader.hpp"
#include "reports/text/compare.hpp"

namespace fftprec::commands {

namespace {

struct CompareArguments {
  std::string before;
  std::string after;
  std::vector<std::string> filters;
  std::vector<std::string> filters_before;
  std::vector<std::string> filters_after;
  std::string ignore;
  std::string metric = "err_l2_rel";
  std::size_t limit = 20;
  std::string csv;
  bool exit_code = false;
};

/// The rows of a run that match the filters for both sides and for this side.
std::vector<Row> matching_rows(const std::string& run, std::vector<std::string> filters,
                               const std::vector<std::string>& own) {
  filters.insert(filters.end(), own.begin(), own.end());
  const Filter filter = parse_filters(filters);
  return results::read_run(run, [&filter](const Row& row) { return matches(filter, row); });
}

/// Which version made the rows, of a directory with a manifest.
std::string version_text(const std::filesystem::path& run) {
  if (!std::filesystem::exists(run / "manifest.json")) return "of unknown version";
  const results::ManifestVersion made = results::read_manifest_version(run / "manifest.json");
  return fmt::format("version {}, numerics {}", printable(made.version), made.numerics_version);
}

ExitCode compare(const CompareArguments& arguments, Context& context) {
  const Column& metric = metric_named(arguments.metric);
  std::vector<const Column*> ignored;
  if (!arguments.ignore.empty())
    for (const std::string& name : split_list(arguments.ignore))
      ignored.push_back(&axis_columns()[axis_index(name)]);
  const std::vector<Row> before =
      matching_rows(arguments.before, arguments.filters, arguments.filters_before);
  const std::vector<Row> after =
      matching_rows(arguments.after, arguments.filters, arguments.filters_after);
  const text::RunComparison comparison = text::compare_runs(before, after, metric, ignored);
  if (!arguments.csv.empty()) replace_file(arguments.csv, text::comparison_csv(comparison, metric));
  context.out << fmt::format("before: {}, {}\nafter:  {}, {}\n", arguments.before,
                             version_text(arguments.before), arguments.after,
                             version_text(arguments.after))
              << text::comparison_text(comparison, metric,
                                       arguments.limit == 0
                                           ? std::numeric_limits<std::size_t>::max()
                                           : arguments.limit);
  if (comparison.cases == 0) {
    context.err << "fftprec compare: no case is in both runs\n";
    return ExitCode::nothing_matched;
  }
  return arguments.exit_code && !comparison.same() ? ExitCode::gate_failed : ExitCode::ok;
}

}  // namespace

void add_compare_command(CLI::App& app, Context& context) {
  Command command(
      app, "compare", "Show what moved between two runs",
      "Examples:\n"
      "  fftprec compare out/before out/after\n"
      "  fftprec compare old.csv new.csv -f mode=bf16 --metric err_max_ulp --limit 0\n"
      "  fftprec compare out/before out/after --exit-code    for scripts: 1 if anything moved\n"
      "  fftprec compare out out --ignore machine --filter-before machine=trn1 --filter-after "
      "machine=trn2\n"
      "Times are not compared. Exit codes: 0, 1 with --exit-code, 2 files, 4 no case in both.");
  const auto arguments = std::make_shared<CompareArguments>();
  command.add("before", arguments->before, "A run's directory, or a CSV file").required();
  command.add("after", arguments->after, "A later run").required();
  command.add_list("-f,--filter", arguments->filters, "Only rows that match");
  command.add_list("--filter-before", arguments->filters_before,
                   "Only matching rows of the first run");
  command.add_list("--filter-after", arguments->filters_after,
                   "Only matching rows of the second run");
  command.add("--ignore AXIS[,AXIS...]", arguments->ignore,
              "Pair rows that differ only in these axes");
  command.add("--metric METRIC", arguments->metric, "Metric to compare; default err_l2_rel");
  command.add("--limit", arguments->limit,
              "Largest number of cases to print, 0 for all; default 20");
  command.add("--csv", arguments->csv, "Write every moved, new and missing case");
  command.add_flag("--exit-code", arguments->exit_code,
                   "Exit with 1 if a row moved, or is in only one run");
  command.run(context, [arguments, &context] { return compare(*arguments, context); });
}

}  // namespace fftprec::commands
