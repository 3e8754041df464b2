/// `fftprec history DIR...`: how a metric moved from run to run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/figures/curves.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/page/data.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/row_sample.hpp"
#include "reports/results/run_reader.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct HistoryArguments {
  std::vector<std::string> runs;
  std::vector<std::string> filters;
  FigureRequest request{.name = "history", .y = "err_l2_rel", .x = "run"};
  std::string csv;
  std::string plot;
};

/// A run, with its time and version.
struct PastRun {
  std::string directory;
  std::string made;  ///< UTC, ISO 8601
  /// The version of the programs that gave the results; else of fftprec: the beginning of the hash
  /// of its commit, or its version.
  std::string version;
  std::vector<Row> rows{};  ///< those to follow
};

PastRun past_run(const std::string& directory) {
  const std::filesystem::path file = std::filesystem::path(directory) / "manifest.json";
  if (!std::filesystem::exists(file))
    throw InputError(directory + ": has no manifest.json, which says when it was run");
  const page::ManifestView manifest = page::parse_manifest(read_file(file), file.string());
  std::string made = manifest.entry("ended");
  if (made.empty()) made = manifest.entry("started");
  if (made.empty()) throw InputError(file.string() + ": does not say when it was run");
  std::string version = manifest.entry("results_version");
  if (version.empty()) version = manifest.entry("environment.git_hash").substr(0, 7);
  if (version.empty()) version = manifest.entry("version");
  return {directory, made, version};
}

/// The oldest first, without rows.
std::vector<PastRun> past_runs(const std::vector<std::string>& directories) {
  std::vector<PastRun> runs;
  for (const std::string& directory : directories) runs.push_back(past_run(directory));
  std::ranges::stable_sort(runs, {}, &PastRun::made);
  return runs;
}

/// The cases of several runs.
struct SharedCases {
  std::size_t shared = 0;  ///< in every run
  std::size_t others = 0;
  std::string note{};  ///< which of their rows are followed, if not all
};

using Wanted = std::function<bool(const Row&)>;

/// Reads the rows of the cases that every run has, from all runs side by side. Memory does not grow
/// with them: of many a sample is kept. None if the rows of a run are not sorted.
std::optional<SharedCases> read_side_by_side(std::vector<PastRun>& runs, const Wanted& wanted) {
  SharedCases cases;
  std::vector<std::unique_ptr<results::OrderedRun>> open;
  for (const PastRun& run : runs)
    open.push_back(std::make_unique<results::OrderedRun>(run.directory, wanted));
  std::vector<results::RowSample> samples;
  for (std::size_t i = 0; i < runs.size(); ++i)
    samples.emplace_back(results::most_shown_rows / runs.size());
  while (true) {
    std::optional<SharedCase> least;
    for (const auto& run : open)
      if (run->row() && (!least || run->key() < *least)) least = run->key();
    if (!least) break;
    const auto has_it = [&least](const auto& run) { return run->row() && run->key() == *least; };
    const bool in_all = std::ranges::all_of(open, has_it);
    ++(in_all ? cases.shared : cases.others);
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (!has_it(open[i])) continue;
      if (in_all) samples[i].add(*open[i]->row());
      if (!open[i]->advance()) return std::nullopt;
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].rows = samples[i].take();
    if (cases.note.empty()) cases.note = samples[i].note();
  }
  return cases;
}

/// Likewise, with all rows in memory.
SharedCases read_whole(std::vector<PastRun>& runs, const Wanted& wanted) {
  for (PastRun& run : runs) run.rows = results::read_run(run.directory, wanted);
  std::map<SharedCase, std::size_t> counts;
  for (const PastRun& run : runs)
    for (const Row& row : run.rows) ++counts[identity_of(row)];
  const std::size_t all = counts.size();
  std::erase_if(counts, [&runs](const auto& each) { return each.second < runs.size(); });
  for (PastRun& run : runs)
    std::erase_if(run.rows,
                  [&counts](const Row& row) { return !counts.contains(identity_of(row)); });
  return {counts.size(), all - counts.size()};
}

/// The metric of every series against the number of the run, from 1 on.
figures::Curves curves_of(const std::vector<PastRun>& runs, const FigureRequest& request) {
  std::vector<Row> rows;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    rows.insert(rows.end(), runs[i].rows.begin(), runs[i].rows.end());
    numbers.insert(numbers.end(), runs[i].rows.size(), static_cast<double>(i + 1));
  }
  return figures::gather_curves(rows, request, registry_orders(), [&](const Row& row) {
    return std::optional(numbers[static_cast<std::size_t>(&row - rows.data())]);
  });
}

figures::Figure figure_of(const figures::Curves& curves, const std::vector<PastRun>& runs) {
  figures::Figure figure = figures::curves_figure(curves);
  figures::Axis axis{.low = 0.5, .high = static_cast<double>(runs.size()) + 0.5};
  for (std::size_t i = 0; i < runs.size(); ++i)
    axis.ticks.push_back({static_cast<double>(i + 1),
                          {.text = runs[i].version + "\n" + runs[i].made.substr(0, 10)}});
  for (figures::Panel& panel : figure.panels) panel.x = axis;
  return figure;
}

std::string csv_of(const figures::Curves& curves, const std::vector<PastRun>& runs) {
  const FigureRequest& request = curves.request;
  std::string text = fmt::format("directory,made,version,{}{},metric,median,low,high,rows\n",
                                 request.panel.empty() ? "" : request.panel + ",", request.series);
  for (const figures::CurvePanel& panel : curves.panels)
    for (const figures::Series& series : panel.series)
      for (const figures::Point& point : series.points) {
        const PastRun& run = runs[static_cast<std::size_t>(point.x) - 1];
        text += fmt::format("{},{},{},{}{},{},{},{},{},{}\n", results::csv_cell(run.directory),
                            run.made, results::csv_cell(run.version),
                            request.panel.empty() ? "" : results::csv_cell(panel.name) + ",",
                            results::csv_cell(series.name), request.y, shortest(point.median),
                            shortest(point.low), shortest(point.high), point.count);
      }
  return text;
}

/// First, last, and where it moved most.
std::string table_of(const figures::Curves& curves) {
  const FigureRequest& request = curves.request;
  std::vector<text::TextCells> lines = {{}};
  if (!request.panel.empty()) lines[0].push_back(request.panel);
  lines[0].insert(lines[0].end(),
                  {request.series, "rows", "first", "last", "last/first", "largest step", "run"});
  for (const figures::CurvePanel& panel : curves.panels)
    for (const figures::Series& series : panel.series) {
      const std::vector<figures::Point>& points = series.points;
      const auto moved = [&](std::size_t i) {
        const double before = points[i - 1].median;
        const double now = points[i].median;
        return now == before || (std::isnan(now) && std::isnan(before)) ? 1 : now / before;
      };
      // 0/0 is no step; that to or from NaN is larger than any.
      const auto size = [&](double ratio) {
        return std::isnan(ratio) ? std::numeric_limits<double>::infinity()
                                 : std::fabs(std::log(ratio));
      };
      std::size_t most = 0;
      for (std::size_t i = 1; i < points.size(); ++i)
        if (size(moved(i)) > (most == 0 ? 0 : size(moved(most)))) most = i;
      text::TextCells cells;
      if (!request.panel.empty()) cells.push_back(panel.name);
      cells.insert(cells.end(),
                   {series.name, std::to_string(points.front().count),
                    short_number(points.front().median), short_number(points.back().median),
                    short_number(points.back().median / points.front().median),
                    most == 0 ? "none" : short_number(moved(most)),
                    most == 0 ? "" : fmt::format("{:.0f}", points[most].x)});
      lines.push_back(std::move(cells));
    }
  return text::terminal_table({lines, request.panel.empty() ? 1u : 2u});
}

ExitCode history(HistoryArguments arguments, Context& context) {
  FigureRequest& request = arguments.request = in_shown_names(arguments.request);
  if (!arguments.plot.empty()) figures::check_image_file(arguments.plot);
  if (arguments.runs.size() < 2) throw InputError("history: name two runs or more");
  request.title = request.y + " from run to run";
  check_plotted(request.y);
  const Selection where = select_rows(arguments.filters);
  const Plotted metric = plotted(request.y);
  const auto wanted = [&](const Row& row) {
    return row.status == Status::ok && metric(row) && selects(where, row);
  };
  std::vector<PastRun> runs = past_runs(arguments.runs);
  std::optional<SharedCases> cases = read_side_by_side(runs, wanted);
  if (!cases) cases = read_whole(runs, wanted);
  if (cases->shared == 0) {
    context.err << "fftprec history: no case is in all " << runs.size() << " runs with "
                << request.y << "\n";
    return ExitCode::nothing_matched;
  }
  if (!cases->note.empty()) context.err << "fftprec history: each run: " << cases->note << "\n";
  const figures::Curves curves = curves_of(runs, request);
  std::vector<text::TextCells> lines = {{"run", "made", "version", "directory"}};
  for (const PastRun& run : runs)
    lines.push_back({std::to_string(lines.size()), run.made, run.version, run.directory});
  context.out << text::terminal_table({lines, lines[0].size()}) << "\n"
              << request.y << (curves.pooled.empty() ? "" : ", median over " + curves.pooled)
              << "; " << curves.held << "\n"
              << table_of(curves)
              << fmt::format("{} in every run, {} not\n", counted(cases->shared, "case"),
                             cases->others);
  if (!arguments.csv.empty()) replace_file(arguments.csv, csv_of(curves, runs));
  if (!arguments.plot.empty())
    figures::write_image_file(arguments.plot, figure_of(curves, runs), context.err);
  return ExitCode::ok;
}

}  // namespace

void add_history_command(CLI::App& app, Context& context) {
  Command command(
      app, "history", "Follow a metric from run to run",
      "Examples:\n"
      "  fftprec history out/2025-*                 medians of each mode, oldest first\n"
      "  fftprec history nightly/* -f n=1024 --plot trend.svg --csv trend.csv\n"
      "Compares only cases that are in every run. Exit codes: 0, 2 files, 4 there is no such "
      "case.");
  const auto arguments = std::make_shared<HistoryArguments>();
  command.add("runs", arguments->runs, "Directories of runs, in any order").required();
  command.add("--metric METRIC", arguments->request.y, "Metric to follow; default err_l2_rel");
  command.add_list("-f,--filter", arguments->filters, "Only rows that match");
  command.add("--series AXIS", arguments->request.series,
              "One line per value of this column; default mode");
  command.add("--panel AXIS", arguments->request.panel,
              "One panel per value of this column, or none; default algorithm");
  command.add("--csv", arguments->csv, "Write every median").check(not_empty);
  command.add("--plot FILE.svg|FILE.png", arguments->plot, "Draw the metric");
  command.run(context, [arguments, &context] { return history(*arguments, context); });
}

}  // namespace fftprec::commands
