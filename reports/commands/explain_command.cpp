/// `fftprec explain`: which hypotheses fit errors measured on hardware, and which experiment would
/// separate them; and the likely cause of the errors of a run.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "arith/machines/machine.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/files/machine_file.hpp"
#include "experiments/hypotheses/explain.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/text_stream.hpp"
#include "reports/commands/causes.hpp"
#include "reports/commands/options.hpp"
#include "reports/commands/progress.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/hypotheses/explanation_text.hpp"
#include "reports/hypotheses/likely_cause.hpp"
#include "reports/results/run_reader.hpp"
#include "reports/text/compare.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct ExplainArguments {
  std::string measured;
  std::string hypotheses;
  std::vector<std::string> machines;
  std::vector<std::string> combinations;
  bool presets = false;
  std::string experiments;
  hypotheses::ExplainOptions options{};
  double spread = -1;  ///< below 0: the usual one
  std::string against;
  std::vector<std::string> filters;
  std::vector<std::string> stand_ins;
  unsigned most_rows = 6;
  std::string csv;
  std::string directory;
  unsigned threads = 1;
};

/// "H5+H9" as its parts.
std::vector<std::string> ids_of(const std::string& combination) {
  std::vector<std::string> ids;
  std::istringstream text(combination);
  for (std::string id; std::getline(text, id, '+');) ids.push_back(id);
  if (combination.empty() || combination.ends_with('+')) ids.emplace_back();
  return ids;
}

/// The built-in hypotheses about hardware, as --hypotheses names them.
constexpr std::string_view silicon = "silicon";

/// The set that --hypotheses names, or `usual`.
hypotheses::HypothesisSet named_set(const std::string& name, std::string_view usual) {
  if (name.empty()) return hypotheses::parse_hypotheses(usual, "hypotheses.toml", check_names);
  if (name == silicon)
    return hypotheses::parse_hypotheses(hypotheses::builtin_hypotheses(), "hypotheses.toml",
                                        check_names);
  return hypotheses::parse_hypotheses(read_file(name), name, check_names);
}

hypotheses::HypothesisSet hypotheses_of(const ExplainArguments& arguments, std::string_view usual,
                                        const std::vector<std::string>& kept = {}) {
  hypotheses::HypothesisSet set = named_set(arguments.hypotheses, usual);
  if (arguments.hypotheses.empty() && !kept.empty()) hypotheses::keep(set, kept);
  for (const std::string& combination : arguments.combinations)
    hypotheses::combine(set, ids_of(combination));
  for (const std::string& name : arguments.machines) {
    const std::string machine = faulty_machine_named(machine_of_file(name)).name;
    set.hypotheses.push_back({"machine " + machine, machine, {machine}});
  }
  if (arguments.presets) hypotheses::add_presets(set);
  return set;
}

std::vector<hypotheses::MeasuredRow> candidates_of(const ExplainArguments& arguments) {
  if (arguments.experiments.empty())
    return hypotheses::candidates_from(hypotheses::builtin_experiments(), "experiments.toml",
                                       check_names);
  return hypotheses::candidates_from(read_file(arguments.experiments), arguments.experiments,
                                     check_names);
}

/// What fits, or the nearest few: an experiment may be wanted for these as well.
std::vector<hypotheses::JudgedVariant> remaining_of(const hypotheses::Explanation& explanation) {
  std::vector<hypotheses::JudgedVariant> remaining;
  const std::size_t count = shown_count(explanation);
  for (std::size_t i = 0; i < count; ++i)
    for (hypotheses::JudgedVariant& each : hypothesis_representatives(explanation.ranked[i]))
      remaining.push_back(std::move(each));
  return remaining;
}

void write_directory(const ExplainArguments& arguments, const hypotheses::Explanation& explanation,
                     const std::string& text, Context& context) {
  const std::filesystem::path directory = arguments.directory;
  replace_file(directory / "explain.csv", explanation_csv(explanation));
  replace_file(directory / "explain.txt", text);
  const figures::Figure figure = explanation_figure("explain", explanation);
  const figures::ImageFiles files = figures::write_images({&figure, 1}, directory);
  if (files.failed) throw InputError(files.problem);
  if (!files.problem.empty())
    context.err << "fftprec explain: " << printable(files.problem) << "\n";
}

bool is_run(const std::string& name) {
  const std::filesystem::path path = name;
  const std::filesystem::path plain =
      compression_of(path) == Compression::none ? path : path.stem();
  return std::filesystem::is_directory(path) || plain.extension() == ".csv";
}

/// The measured rows of a run that the filters select.
std::vector<Row> measured_rows(const std::string& run, const std::vector<std::string>& filters) {
  const Filter filter = parse_filters(filters);
  return results::read_run(run, [&filter](const Row& row) {
    return row.status == Status::ok && row.err_l2_rel && matches(filter, row);
  });
}

/// A table by name or of a file, or the rows of a run.
hypotheses::Measured measured_of(const ExplainArguments& arguments) {
  if (!is_run(arguments.measured))
    return hypotheses::load_measured(arguments.measured, check_names);
  return hypotheses::measured_from(measured_rows(arguments.measured, arguments.filters),
                                   arguments.measured, check_names);
}

/// "all with mode=fp32": axes that have one value in the moved cases, and others in the rest.
std::string common_axes(const std::vector<text::MovedCase>& moved, std::span<const Row> rows) {
  std::string text;
  for (const Column& axis : axis_columns()) {
    const std::string value = axis.text(Row{.where = moved.front().where});
    const auto has_value = [&](const Case& where) {
      return axis.text(Row{.where = where}) == value;
    };
    const bool is_common = std::ranges::all_of(
        moved, [&](const text::MovedCase& each) { return has_value(each.where); });
    if (is_common &&
        !std::ranges::all_of(rows, [&](const Row& row) { return has_value(row.where); }))
      text += fmt::format("{}{}={}", text.empty() ? ", all with " : " ", axis.name, value);
  }
  return text;
}

/// Values of an axis in rows, the first few.
std::string values_text(const std::set<std::string>& values) {
  constexpr std::size_t most = 3;
  const std::vector<std::string> first(
      values.begin(),
      std::next(values.begin(), std::min<std::ptrdiff_t>(most, std::ssize(values))));
  return fmt::format("{}{}", fmt::join(first, ", "), values.size() > most ? ", ..." : "");
}

/// Why two runs have no case in common: "; mode is fp32 there and bf16 here". Axes come that have
/// no value in both.
std::string why_no_common(std::span<const Row> before, const std::string& before_name,
                          std::span<const Row> after, const std::string& after_name) {
  for (const auto& [rows, name] : {std::pair{before, before_name}, {after, after_name}})
    if (rows.empty()) return fmt::format(": {} has no measured row that is selected", name);
  std::string text;
  for (const Column& axis : axis_columns()) {
    const auto values_of = [&axis](std::span<const Row> rows) {
      std::set<std::string> values;
      for (const Row& row : rows) values.insert(axis.text(row));
      return values;
    };
    const std::set<std::string> old = values_of(before);
    const std::set<std::string> now = values_of(after);
    if (std::ranges::none_of(old, [&](const std::string& value) { return now.contains(value); }))
      text += fmt::format("{}{} is {} in {}, {} in {}", text.empty() ? ": " : "; ", axis.name,
                          values_text(old), before_name, values_text(now), after_name);
  }
  return text.empty() ? ": no axis differs in all cases, but the first is " +
                            command_of(before.front().where) + " in " + before_name + ", " +
                            command_of(after.front().where) + " in " + after_name
                      : text;
}

/// The cases that moved: before, after and their ratio.
std::string moved_table(const std::vector<text::MovedCase>& moved) {
  constexpr std::size_t most = 12;
  const auto value = [](const std::optional<double>& error) {
    return error ? short_number(*error) : std::string("-");
  };
  text::Table table{{{"before", "after", "ratio", "case"}}, 0, 3};
  for (std::size_t i = 0; i < std::min(most, moved.size()); ++i)
    table.lines.push_back({value(moved[i].before), value(moved[i].after),
                           moved[i].ratio ? short_number(*moved[i].ratio) : "-",
                           command_of(moved[i].where)});
  std::string text = text::terminal_table(table);
  if (moved.size() > most) text += fmt::format("and {} more\n", moved.size() - most);
  return text;
}

/// Rows of `run` whose cases moved, worst first.
std::vector<Row> rows_of(const std::vector<text::MovedCase>& moved, std::span<const Row> run) {
  std::map<SharedCase, const Row*> by_case;
  for (const Row& row : run) by_case.emplace(identity_of(row), &row);
  std::vector<Row> rows;
  for (const text::MovedCase& each : moved)
    if (const auto found = by_case.find(SharedCase(each.where)); found != by_case.end())
      rows.push_back(*found->second);
  return rows;
}

CauseRequest cause_request(const ExplainArguments& arguments, Context& context) {
  CauseRequest request{
      .set = hypotheses_of(arguments, hypotheses::builtin_run_hypotheses()),
      .stand_ins = hypotheses::parse_stand_ins(arguments.stand_ins, context.check_names())};
  request.options.level = arguments.options.level;
  request.options.replays = arguments.options.replays;
  if (arguments.spread >= 0) request.options.further_spread = arguments.spread;
  request.most_rows = arguments.most_rows;
  request.threads = arguments.threads;
  return request;
}

std::string joined_lines(const std::vector<std::string>& lines) {
  return fmt::format("{}\n", fmt::join(lines, "\n  "));
}

/// What explains the rows, in three lines, then in detail.
ExitCode tell_cause(const ExplainedRows& found, const std::string& head,
                    const ExplainArguments& arguments, Context& context) {
  const std::string text = head + joined_lines(likely_cause(found.explanation)) + "\n" +
                           explanation_text(found.explanation);
  if (arguments.csv != "-") context.out << text;
  if (!arguments.csv.empty()) write_csv(arguments.csv, explanation_csv(found.explanation), context);
  if (!arguments.directory.empty()) write_directory(arguments, found.explanation, text, context);
  return ExitCode::ok;
}

/// The likely cause of the errors of a run.
ExitCode explain_run(const ExplainArguments& arguments, Context& context) {
  check_outputs(arguments.csv, arguments.directory);
  const CauseRequest request = cause_request(arguments, context);
  const std::vector<Row> rows =
      hypotheses::farthest_first(measured_rows(arguments.measured, arguments.filters));
  const ExplainedRows found = explain_rows(rows, arguments.measured, request, context);
  const std::size_t explained = found.explanation.measured.rows.size();
  const std::string head = fmt::format(
      "{}: {} of {}{}{}\n", arguments.measured, explained, counted(rows.size(), "measured row"),
      explained < rows.size() ? ", those farthest above their expected error" : "", found.left);
  return tell_cause(found, head, arguments, context);
}

/// Which cases moved against another run, and the likely cause, before and after.
ExitCode explain_move(const ExplainArguments& arguments, Context& context) {
  check_outputs(arguments.csv, arguments.directory);
  const CauseRequest request = cause_request(arguments, context);
  const std::vector<Row> before = measured_rows(arguments.against, arguments.filters);
  const std::vector<Row> after = measured_rows(arguments.measured, arguments.filters);
  const text::RunComparison comparison =
      text::compare_runs(before, after, column_named("err_l2_rel"));
  if (comparison.cases == 0)
    throw InputError(fmt::format(
        "{} and {} have no measured case in common{}", arguments.measured, arguments.against,
        why_no_common(before, arguments.against, after, arguments.measured)));
  std::vector<text::MovedCase> moved = comparison.moved;
  std::erase_if(moved, [](const text::MovedCase& each) { return each.before == each.after; });
  std::string head =
      fmt::format("{} of {} moved from {} to {}", moved.size(),
                  counted(comparison.cases, "common case"), arguments.against, arguments.measured);
  if (moved.empty()) {
    context.out << head << '\n';
    return ExitCode::ok;
  }
  head += common_axes(moved, after) + "\n" + moved_table(moved);
  const ExplainedRows was =
      explain_rows(rows_of(moved, before), arguments.against, request, context);
  const ExplainedRows is =
      explain_rows(rows_of(moved, after), arguments.measured, request, context);
  head += fmt::format("before: {}\nafter: {}\n\n", what_fits(was.explanation),
                      what_fits(is.explanation));
  return tell_cause(is, head, arguments, context);
}

ExitCode explain_measured(const ExplainArguments& arguments, Context& context) {
  const bool of_run = is_run(arguments.measured);
  require(of_run || (arguments.against.empty() && arguments.filters.empty() &&
                     arguments.stand_ins.empty()),
          "--against, -f and -a are for the rows of a run: ", arguments.measured,
          " is neither a run's directory nor a CSV file");
  require(
      arguments.hypotheses.empty() || (arguments.against.empty() && arguments.stand_ins.empty()),
      "--hypotheses searches the machine of all rows; --against and -a keep the names of rows");
  if (!arguments.against.empty()) return explain_move(arguments, context);
  if (of_run && arguments.hypotheses.empty()) return explain_run(arguments, context);
  const hypotheses::Measured measured = measured_of(arguments);
  const hypotheses::HypothesisSet set =
      hypotheses_of(arguments, hypotheses::builtin_hypotheses(), measured.hypotheses);
  const std::vector<hypotheses::MeasuredRow> candidates = candidates_of(arguments);
  check_outputs(arguments.csv, arguments.directory);
  Progress progress(context.progress_stream());
  hypotheses::Replayer replayer(
      {.threads = arguments.threads,
       .extent =
           std::max(hypotheses::extent_for(measured.rows), hypotheses::extent_for(candidates))},
      [&](const FinishedCase& finished) { progress.show(finished.state); });
  hypotheses::ExplainOptions options = arguments.options;
  options.further_spread = std::max(0.0, arguments.spread);
  const hypotheses::Explanation explanation = hypotheses::explain(measured, set, options, replayer);
  const hypotheses::Design design =
      hypotheses::design_experiments(remaining_of(explanation), measured, candidates,
                                     {.further_spread = options.further_spread}, replayer);
  progress.finish();
  const std::string text = explanation_text(explanation) + design_text(design);
  if (arguments.csv != "-") context.out << text;
  if (!arguments.csv.empty()) write_csv(arguments.csv, explanation_csv(explanation), context);
  if (!arguments.directory.empty()) write_directory(arguments, explanation, text, context);
  return ExitCode::ok;
}

void add_hypothesis_options(Command& command, ExplainArguments& arguments) {
  command
      .add("--hypotheses", arguments.hypotheses,
           "A TOML file, in place of the built-in hypotheses; silicon: those\nabout hardware, for "
           "the rows of a run")
      .check(not_empty);
  command.add_list("--machine MACHINE", arguments.machines, "Another machine to try");
  command.add_list("--combine", arguments.combinations,
                   "Hypotheses that may hold together, such as H5+H9");
  command.add_flag("--presets", arguments.presets, "Also try every preset of a machine");
  command
      .add("--experiments", arguments.experiments,
           "A sweep of cases that could be measured,\nin place of the built-in ones")
      .check(not_empty);
}

}  // namespace

/// Which hypotheses fit errors measured on hardware, and which experiment would separate them; the
/// likely cause of the errors of a run, or of what moved between two. Exit codes: 0, also if no
/// hypothesis fits; 2 usage, names or files.
void add_explain_command(CLI::App& app, Context& context) {
  Command command(
      app, "explain", "Find the arithmetic that fits measured errors",
      "Examples:\n"
      "  fftprec explain trn1                       a table that comes with the program\n"
      "  fftprec explain measured.toml -o out/why   and a figure, and every prediction as CSV\n"
      "  fftprec explain out/mine                   rows of a run, or of a list of results\n"
      "  fftprec explain out/new --against out/old  which cases moved, and why\n"
      "  fftprec explain out/mine -a mode=fp32      what a name of your own stands for\n"
      "  fftprec explain out/mine --hypotheses silicon --presets\n"
      "  fftprec explain trn1_butterflies --combine H5+H9 --spread 0.1\n"
      "Tables: trn1, trn2, trn1_butterflies, nki_fft1d, tt_fft, tt_fft_cut; the file's format: "
      "docs/explain.md.");
  const auto arguments = std::make_shared<ExplainArguments>();
  command
      .add("measured", arguments->measured,
           "Measured errors: a TOML file, the name of a built-in table,\na run's directory, or a "
           "CSV file")
      .required();
  command.add("--against RUN", arguments->against, "The run before: explains the cases that moved")
      .check(not_empty);
  command.add_list("-f,--filter FILTER", arguments->filters, "Only these rows of a run");
  command.add_axes("AXIS=VALUE", arguments->stand_ins,
                   "Algorithm, mode, machine or tables that a name of a run's rows\nstands for");
  command.add("--rows K", arguments->most_rows, "At most so many rows of a run; default 6")
      .range(1u, 100u);
  add_hypothesis_options(command, *arguments);
  command
      .add("--replays K", arguments->options.replays.count,
           "Replays of every row under every variant; default 16")
      .range(3u, 1000u);
  command
      .add("--level P", arguments->options.level,
           "Probability of refuting a true variant; default 0.01")
      .range(1e-9, 0.5);
  command
      .add("--spread S", arguments->spread,
           "Relative spread of every prediction, on top of the spread of\nits replays; default 0, "
           "of a run 0.1 if nothing fits without")
      .range(0.0, 1.0);
  command.add("--csv", arguments->csv, "Every prediction as CSV, - for standard output")
      .check(not_empty);
  command.add("-o,--output", arguments->directory, "Directory for the text, the CSV and a figure")
      .check(not_empty);
  command.add_threads(arguments->threads);
  command.run(context, [arguments, &context] { return explain_measured(*arguments, context); });
}

}  // namespace fftprec::commands
