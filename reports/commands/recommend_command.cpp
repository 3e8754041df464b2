#include "reports/commands/recommend_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/devices/latencies.hpp"
#include "experiments/devices/recommend.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/split.hpp"
#include "reports/commands/common_options.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/plots/plot_recommend.hpp"
#include "reports/results/durable.hpp"
#include "reports/text/cells.hpp"

namespace fftprec {

namespace {

struct RecommendArguments {
  std::string budget;
  std::string by = "both";
  std::string algorithms;
  std::string modes;
  std::string inputs;
  std::string csv;
  std::string directory;
  RecommendRequest request;
};

std::string microseconds(double ns) { return fmt::format("{:.4g}", ns / 1e3); }

std::string bound_text(const Choice& choice) {
  return choice.bound ? text::error_text(*choice.bound) : "";
}

/// The front, dearest first line last; the recommended one is marked.
std::string front_of(const Recommendation& result) {
  std::vector<std::vector<std::string>> cells{
      {"", "algorithm", "mode", "time us", "launch us", "engines us", "measured", "bound"}};
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const Choice& choice = result.choices[i];
    if (!choice.on_front && result.best != i) continue;
    cells.push_back({result.best == i ? "*" : "", choice.algorithm, choice.mode,
                     microseconds(choice.time.total_ns()), microseconds(choice.time.launch_ns),
                     microseconds(choice.time.total_ns() - choice.time.launch_ns),
                     text::error_text(choice.measured), bound_text(choice)});
  }
  return text::text_table(cells, 3);
}

std::string csv_of(const Recommendation& result, const std::string& metric) {
  std::string text = "algorithm,mode,time_ns,tensor_ns,vector_ns,dma_ns,launch_ns," + metric +
                     ",bound_l2_rel,on_front,recommended\n";
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const Choice& choice = result.choices[i];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", choice.algorithm, choice.mode,
                        shortest(choice.time.total_ns()), shortest(choice.time.tensor_ns),
                        shortest(choice.time.vector_ns), shortest(choice.time.dma_ns),
                        shortest(choice.time.launch_ns), shortest(choice.measured),
                        choice.bound ? shortest(*choice.bound) : "", choice.on_front ? 1 : 0,
                        result.best == i ? 1 : 0);
  }
  return text;
}

/// What the times are worth.
std::string model_text(const std::string& generation) {
  const Calibration& calibration = calibration_of(generation);
  std::size_t fitted = 0;
  for (const LatencyCheck& check : calibration.checks) fitted += check.measured.fitted ? 1 : 0;
  return fmt::format(
      "Times: cycles of {} by its documentation; {} us per kernel call with a matrix product, {} "
      "us\nper other call, {} us per chain of these, fitted to {} published latencies of {}. Each "
      "left\nout of its own fit, the model is off by a factor of {:.2f} in the median, {:.2f} at "
      "most.\n",
      generation, microseconds(calibration.launch.tensor_ns),
      microseconds(calibration.launch.vector_ns), microseconds(calibration.launch.chain_ns), fitted,
      calibration.generation, calibration.median_factor, calibration.largest_factor);
}

std::string case_text(const RecommendRequest& request) {
  return fmt::format("{}, n = {}, batch {}, machine {}, tables {}", request.where.transform,
                     request.where.n, request.where.batch, request.where.machine,
                     request.where.tables);
}

std::string budget_text(const RecommendRequest& request) {
  const char* by = request.by == JudgedBy::measured ? "measured"
                   : request.by == JudgedBy::bound  ? "bound"
                                                    : "measured and bound";
  return fmt::format("{} <= {}, {}", request.budget.metric, shortest(request.budget.largest), by);
}

/// What bounds, which hold for every input, cost against what was measured.
std::string by_measured_alone(const Recommendation& result, const RecommendRequest& request) {
  if (request.by == JudgedBy::measured) return {};
  const auto within =
      std::find_if(result.choices.begin(), result.choices.end(),
                   [&](const Choice& choice) { return choice.measured <= request.budget.largest; });
  if (within == result.choices.end()) return "--by measured: nothing either\n";
  if (result.best && within == result.choices.begin() + static_cast<std::ptrdiff_t>(*result.best))
    return {};
  return fmt::format("--by measured: {} in {}, {} us; measured {}\n", within->algorithm,
                     within->mode, microseconds(within->time.total_ns()),
                     text::error_text(within->measured));
}

std::string verdict_of(const Recommendation& result, const RecommendRequest& request) {
  const std::size_t at = result.best.value_or(result.closest);
  const Choice& choice = result.choices[at];
  const std::string name = choice.algorithm + " in " + choice.mode;
  const std::string errors =
      "measured " + text::error_text(choice.measured) +
      (choice.bound ? ", bound " + text::error_text(*choice.bound) : std::string());
  Case where = request.where;
  where.algorithm = choice.algorithm;
  where.mode = choice.mode;
  where.input = request.inputs.front();
  const std::string again = "\n  " + text::reproduce_command(where) + "\n";
  if (result.best)
    return fmt::format("recommended: {}, {} us; {}{}", name, microseconds(choice.time.total_ns()),
                       errors, again) +
           by_measured_alone(result, request);
  return fmt::format("nothing is within the budget; closest: {}, {:.3g} times too large; {}{}",
                     name, choice.judged / request.budget.largest, errors, again) +
         by_measured_alone(result, request);
}

void draw(const Recommendation& result, const RecommendArguments& arguments,
          CommandContext& context) {
  const Calibration calibrations[] = {calibration_of("trn1"), calibration_of("trn2")};
  const Drawing drawings[] = {recommend_drawing(result, arguments.request),
                              latency_drawing(calibrations)};
  const PlotFormat formats[] = {PlotFormat::svg, PlotFormat::png};
  const PlotFiles files = write_drawings(drawings, arguments.directory, formats);
  for (const std::filesystem::path& path : files.written)
    context.err << "written: " << path.string() << "\n";
  if (!files.problem.empty()) context.err << files.problem << "\n";
}

RecommendRequest request_of(const RecommendArguments& arguments) {
  RecommendRequest request = arguments.request;
  request.budget = error_budget_from(arguments.budget);
  request.by = judged_by_named(arguments.by);
  request.algorithms =
      arguments.algorithms.empty() ? timed_algorithms() : split_list(arguments.algorithms);
  request.modes = arguments.modes.empty() ? timed_modes() : split_list(arguments.modes);
  if (!arguments.inputs.empty()) request.inputs = split_list(arguments.inputs);
  for (const std::string& input : request.inputs) {
    Case where = request.where;
    where.input = input;
    check_names(where);
  }
  return request;
}

std::string counts_of(const Recommendation& result) {
  std::string text = fmt::format("{} choices, {} without a meaning or a time",
                                 result.choices.size(), result.not_applicable);
  if (result.too_slow > 0) text += fmt::format(", {} too slow to emulate", result.too_slow);
  return text + "; those that no other beats:\n\n";
}

ExitCode run(RecommendArguments& arguments, CommandContext& context) {
  arguments.request = request_of(arguments);
  check_outputs(arguments.csv, arguments.directory);
  std::size_t tenths = 0;
  arguments.request.on_progress = [&](std::size_t done, std::size_t total) {
    if (10 * done / total <= tenths) return;
    tenths = 10 * done / total;
    context.err << fmt::format("{} of {} cases measured\n", done, total);
  };
  const RecommendRequest& request = arguments.request;
  const Recommendation result = recommend(request);
  if (!arguments.directory.empty()) draw(result, arguments, context);
  std::string text = case_text(request) + "; " + budget_text(request) + "\n" + counts_of(result) +
                     front_of(result) + "\n" + verdict_of(result, request) +
                     model_text(request.generation);
  if (arguments.csv == "-") {
    context.out << csv_of(result, request.budget.metric);
    context.err << text;
  } else {
    if (!arguments.csv.empty()) replace_file(arguments.csv, csv_of(result, request.budget.metric));
    context.out << text;
  }
  return result.best ? ExitCode::ok : ExitCode::nothing_matched;
}

}  // namespace

void add_recommend_command(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("recommend", "The cheapest algorithm and mode within an error budget");
  command->footer(
      "Examples:\n"
      "  fftprec recommend --n 1024 --max err_l2_rel=1e-5\n"
      "  fftprec recommend --n 256 --batch 512 --max err_l2_rel=1e-2 --by measured --hardware "
      "trn2\n"
      "Exit codes: 0, 2 names, 4 nothing is within the budget or takes that length.");
  const auto arguments = std::make_shared<RecommendArguments>();
  Case& where = arguments->request.where;
  const auto one_or_more = CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40);
  command->add_option("--n", where.n, "Transform length")
      ->required()
      ->check(one_or_more)
      ->type_name("N");
  command->add_option("--max", arguments->budget, "METRIC=LIMIT, as in err_l2_rel=1e-5")
      ->required();
  command
      ->add_option("--by", arguments->by,
                   "Which error must hold the limit: measured (the largest\nover inputs and "
                   "seeds), bound (a theorem) or both, the default")
      ->type_name("measured|bound|both");
  command->add_option("--transform", where.transform, "Default fft; rfft for real data");
  command->add_option("--machine", where.machine, "Whose arithmetic; default trn");
  command->add_option("--hardware", arguments->request.generation,
                      "Whose clocks: trn1 (default), trn2, trn3");
  command->add_option("--tables", where.tables, "Default exact");
  command->add_option("--batch", where.batch, "Transforms per call; default 1")
      ->check(one_or_more)
      ->type_name("B");
  command->add_option("--algorithm", arguments->algorithms, "Only these; default all");
  command->add_option("--mode", arguments->modes, "Only these; default all that run on the device");
  command->add_option("--input", arguments->inputs,
                      "Inputs to measure with; default gaussian,\nuniform,tone,wide");
  command->add_option("--seeds", arguments->request.seeds, "Seeds of each; default 2")
      ->check(one_or_more)
      ->type_name("N");
  command
      ->add_option("--patience", arguments->request.most_seconds,
                   "Leave out what takes longer to emulate, per input, by\nestimate; default 1")
      ->check(CLI::Range(1e-9, 1e9))
      ->type_name("SECONDS");
  command->add_option("-o,--output", arguments->directory,
                      "Directory for figures: error against time, and the\nmodel against measured "
                      "latencies");
  command->add_option("--csv", arguments->csv, "All choices as CSV, - for standard output")
      ->type_name("FILE|-");
  add_threads_option(*command, arguments->request.threads);
  command->callback([arguments, &context] {
    try {
      context.exit_code = to_int(run(*arguments, context));
    } catch (const NotApplicable& reason) {
      context.err << "fftprec: " << reason.what() << '\n';
      context.exit_code = to_int(ExitCode::nothing_matched);
    }
  });
}

}  // namespace fftprec
