/// `fftprec compare A B`: what moved between two runs.
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>

#include "experiments/cases/filter.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/text_stream.hpp"
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

/// Whether a row matches the filters for both sides and for this side.
std::function<bool(const Row&)> matching(std::vector<std::string> filters,
                                         const std::vector<std::string>& own) {
  filters.insert(filters.end(), own.begin(), own.end());
  return [filter = parse_filters(filters)](const Row& row) { return matches(filter, row); };
}

/// Which version made the rows, of a directory with a manifest.
std::string version_text(const std::filesystem::path& run) {
  if (!std::filesystem::exists(run / "manifest.json")) return "of unknown version";
  const results::ManifestVersion made = results::read_manifest_version(run / "manifest.json");
  return fmt::format("version {}, numerics {}", printable(made.version), made.numerics_version);
}

/// A comparison to be made, in one of two ways.
struct Comparison {
  const CompareArguments& arguments;
  const Column& metric;
  std::vector<const Column*> ignored;
  std::function<bool(const Row&)> matches_before;
  std::function<bool(const Row&)> matches_after;

  text::RunComparer comparer() const {
    text::RunComparer comparer(
        metric, ignored,
        arguments.limit == 0 ? std::numeric_limits<std::size_t>::max() : arguments.limit);
    if (!arguments.csv.empty()) comparer.keep_csv();
    return comparer;
  }
};

/// Reads both runs side by side, as long as their rows are in the order of the pairs; none if they
/// are not, or if two rows have one partner.
std::optional<text::RunComparer> compared_side_by_side(const Comparison& comparison) {
  const auto key = [&comparison](const Row& row) {
    return text::pairing_key(row, comparison.ignored);
  };
  text::RunComparer comparer = comparison.comparer();
  results::OrderedRun before(comparison.arguments.before, comparison.matches_before, key);
  results::OrderedRun after(comparison.arguments.after, comparison.matches_after, key);
  while (before.row() || after.row()) {
    const bool alone_before = !after.row() || (before.row() && before.key() < after.key());
    const bool alone_after = !before.row() || (after.row() && after.key() < before.key());
    if (alone_before)
      comparer.add_missing(*before.row());
    else if (alone_after)
      comparer.add_new(*after.row());
    else
      comparer.add(*before.row(), *after.row());
    if (!alone_after && !before.advance()) return std::nullopt;
    if (!alone_before && !after.advance()) return std::nullopt;
  }
  return comparer;
}

text::RunComparer compared_in_memory(const Comparison& comparison) {
  text::RunComparer comparer = comparison.comparer();
  compare_rows(results::read_run(comparison.arguments.before, comparison.matches_before),
               results::read_run(comparison.arguments.after, comparison.matches_after),
               comparison.ignored, comparer);
  return comparer;
}

void write_csv(const std::string& file, text::RunComparer& comparer) {
  TextWriter writer(file);
  comparer.write_csv([&writer](std::string_view piece) { writer.write(piece); });
  writer.finish();
}

ExitCode compare(const CompareArguments& arguments, Context& context) {
  Comparison comparison{arguments,
                        metric_named(arguments.metric),
                        {},
                        matching(arguments.filters, arguments.filters_before),
                        matching(arguments.filters, arguments.filters_after)};
  if (!arguments.ignore.empty())
    for (const std::string& name : split_list(arguments.ignore))
      comparison.ignored.push_back(&axis_columns()[axis_index(name)]);
  std::optional<text::RunComparer> comparer;
  if (results::reads_again(arguments.before) && results::reads_again(arguments.after))
    comparer = compared_side_by_side(comparison);
  if (!comparer) comparer = compared_in_memory(comparison);
  if (!arguments.csv.empty()) write_csv(arguments.csv, *comparer);
  const text::RunComparison result = comparer->finish();
  context.out << fmt::format("before: {}, {}\nafter:  {}, {}\n", arguments.before,
                             version_text(arguments.before), arguments.after,
                             version_text(arguments.after))
              << text::comparison_text(result, comparison.metric);
  if (result.cases == 0) {
    context.err << "fftprec compare: no case is in both runs\n";
    return ExitCode::nothing_matched;
  }
  return arguments.exit_code && !result.same() ? ExitCode::gate_failed : ExitCode::ok;
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
              "Pair rows that differ only in these axes; rows that are not\n"
              "sorted by the others are held in memory");
  command.add("--metric METRIC", arguments->metric, "Metric to compare; default err_l2_rel");
  command.add("--limit", arguments->limit,
              "Largest number of cases to print, 0 for all; default 20");
  command.add("--csv", arguments->csv, "Write every moved, new and missing case");
  command.add_flag("--exit-code", arguments->exit_code,
                   "Exit with 1 if a row moved, or is in only one run");
  command.run(context, [arguments, &context] { return compare(*arguments, context); });
}

}  // namespace fftprec::commands
