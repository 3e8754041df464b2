/// `fftprec explain`: which hypotheses fit errors measured on hardware, and which experiment would
/// separate them.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

#include "arith/machines/machine.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/files/machine_file.hpp"
#include "experiments/hypotheses/explain.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/text_stream.hpp"
#include "reports/commands/options.hpp"
#include "reports/commands/progress.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/hypotheses/explanation_text.hpp"
#include "reports/results/run_reader.hpp"

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

hypotheses::HypothesisSet hypotheses_of(const ExplainArguments& arguments,
                                        const hypotheses::Measured& measured) {
  hypotheses::HypothesisSet set =
      arguments.hypotheses.empty()
          ? hypotheses::parse_hypotheses(hypotheses::builtin_hypotheses(), "hypotheses.toml",
                                         check_names)
          : hypotheses::parse_hypotheses(read_file(arguments.hypotheses), arguments.hypotheses,
                                         check_names);
  if (arguments.hypotheses.empty() && !measured.hypotheses.empty())
    hypotheses::keep(set, measured.hypotheses);
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

/// A table by name or of a file, or the rows of a run.
hypotheses::Measured measured_of(const std::string& name) {
  const std::filesystem::path path = name;
  const bool is_table =
      (compression_of(path) == Compression::none ? path : path.stem()).extension() == ".csv";
  if (!std::filesystem::is_directory(path) && !is_table)
    return hypotheses::load_measured(name, check_names);
  const auto measured = [](const Row& row) { return row.status == Status::ok && row.err_l2_rel; };
  return hypotheses::measured_from(results::read_run(path, measured), name, check_names);
}

ExitCode explain_measured(const ExplainArguments& arguments, Context& context) {
  const hypotheses::Measured measured = measured_of(arguments.measured);
  const hypotheses::HypothesisSet set = hypotheses_of(arguments, measured);
  const std::vector<hypotheses::MeasuredRow> candidates = candidates_of(arguments);
  check_outputs(arguments.csv, arguments.directory);
  Progress progress(context.progress_stream());
  hypotheses::Replayer replayer(
      {.threads = arguments.threads,
       .extent =
           std::max(hypotheses::extent_for(measured.rows), hypotheses::extent_for(candidates))},
      [&](const FinishedCase& finished) { progress.show(finished.state); });
  const hypotheses::Explanation explanation =
      hypotheses::explain(measured, set, arguments.options, replayer);
  const hypotheses::Design design = hypotheses::design_experiments(
      remaining_of(explanation), measured, candidates,
      {.further_spread = arguments.options.further_spread}, replayer);
  progress.finish();
  const std::string text = explanation_text(explanation) + design_text(design);
  if (arguments.csv != "-") context.out << text;
  if (!arguments.csv.empty()) write_csv(arguments.csv, explanation_csv(explanation), context);
  if (!arguments.directory.empty()) write_directory(arguments, explanation, text, context);
  return ExitCode::ok;
}

void add_hypothesis_options(Command& command, ExplainArguments& arguments) {
  command
      .add("--hypotheses", arguments.hypotheses, "A TOML file, in place of the built-in hypotheses")
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

/// Which hypotheses fit errors measured on hardware, and which experiment would separate them. Exit
/// codes: 0, also if no hypothesis fits; 2 usage, names or files.
void add_explain_command(CLI::App& app, Context& context) {
  Command command(
      app, "explain", "Find the arithmetic that fits errors measured on hardware",
      "Examples:\n"
      "  fftprec explain trn1                       a table that comes with the program\n"
      "  fftprec explain measured.toml -o out/why   and a figure, and every prediction as CSV\n"
      "  fftprec explain out/mine --presets         rows of a run, or of a list of results\n"
      "  fftprec explain trn1_butterflies --combine H5+H9 --spread 0.1\n"
      "Tables: trn1, trn2, trn1_butterflies, nki_fft1d, tt_fft, tt_fft_cut; the file's format: "
      "docs/explain.md.");
  const auto arguments = std::make_shared<ExplainArguments>();
  command
      .add("measured", arguments->measured,
           "Measured errors: a TOML file, the name of a built-in table,\na run's directory, or a "
           "CSV file")
      .required();
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
      .add("--spread S", arguments->options.further_spread,
           "Relative spread of every prediction, on top of the spread of\nits replays; default 0")
      .range(0.0, 1.0);
  command.add("--csv", arguments->csv, "Every prediction as CSV, - for standard output")
      .check(not_empty);
  command.add("-o,--output", arguments->directory, "Directory for the text, the CSV and a figure")
      .check(not_empty);
  command.add_threads(arguments->threads);
  command.run(context, [arguments, &context] { return explain_measured(*arguments, context); });
}

}  // namespace fftprec::commands
