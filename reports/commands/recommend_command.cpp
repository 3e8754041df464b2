/// `fftprec recommend`: the algorithm and mode of least work within an error budget.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/devices/latencies.hpp"
#include "experiments/devices/recommend.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/commands/progress.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/figures/recommend.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct RecommendArguments {
  std::string budget;
  std::string by = "both";
  std::string algorithms;
  std::string modes;
  std::string inputs;
  std::string csv;
  std::string directory;
  devices::RecommendRequest request;
};

std::uint64_t calls_of(const devices::Choice& choice) {
  return choice.work.calls.tensor + choice.work.calls.vector;
}

auto count_of(const devices::Recommendation& result, devices::RuledOut reason) {
  return std::ranges::count(result.choices, reason, &devices::Choice::ruled_out);
}

std::string work_text(const devices::Choice& choice) {
  return fmt::format("{} cycles in {}", choice.work.total_cycles(),
                     counted(calls_of(choice), "call"));
}

/// "1179 us", "1238 us, interpolated", "1833 us, older SDK".
std::string published_text(const devices::PublishedTime& time) {
  return fmt::format("{} us{}{}{}", short_number(time.us, 4),
                     time.interpolated ? ", interpolated" : "", time.note.empty() ? "" : ", ",
                     time.note);
}

bool any_published(const devices::Recommendation& result) {
  return std::ranges::any_of(
      result.choices, [](const devices::Choice& choice) { return choice.published.has_value(); });
}

std::string bound_text(const devices::Choice& choice) {
  return choice.bound ? text::error_text(*choice.bound) : "";
}

/// The front, the least work first; "*" marks the recommended one, "+" the fastest by published
/// latencies. Without any there is no column of times.
std::string front_of(const devices::Recommendation& result) {
  const bool times = any_published(result);
  std::vector<text::TextCells> cells{{"", "algorithm", "mode", "cycles", "calls"}};
  if (times) cells[0].emplace_back("published");
  cells[0].insert(cells[0].end(), {"measured", "bound"});
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const devices::Choice& choice = result.choices[i];
    if (!choice.on_front && result.best != i && result.fastest != i) continue;
    text::TextCells line = {
        std::string(result.best == i ? "*" : "") + (result.fastest == i ? "+" : ""),
        choice.algorithm, choice.mode, std::to_string(choice.work.total_cycles()),
        std::to_string(calls_of(choice))};
    if (times) line.push_back(choice.published ? published_text(*choice.published) : "");
    line.insert(line.end(), {text::error_text(choice.measured.value()), bound_text(choice)});
    cells.push_back(std::move(line));
  }
  return text::terminal_table({cells, 3});
}

std::string cell(std::optional<double> value) { return value ? shortest(*value) : ""; }

std::string csv_of(const devices::Recommendation& result, std::string_view metric) {
  std::string text =
      "algorithm,mode,tensor_cycles,vector_cycles,tensor_calls,vector_calls,published_us,"
      "interpolated," +
      std::string(metric) +
      ",bound_l2_rel,on_front,recommended,fastest,expected_l2_rel,ruled_out\n";
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const devices::Choice& choice = result.choices[i];
    const devices::Work& work = choice.work;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", choice.algorithm,
                        choice.mode, work.cycles.tensor, work.cycles.vector, work.calls.tensor,
                        work.calls.vector, choice.published ? shortest(choice.published->us) : "",
                        choice.published ? (choice.published->interpolated ? "1" : "0") : "",
                        cell(choice.measured), cell(choice.bound), choice.on_front ? 1 : 0,
                        result.best == i ? 1 : 0, result.fastest == i ? 1 : 0,
                        cell(choice.expected), name_of(choice.ruled_out));
  }
  return text;
}

/// What is not certain.
std::string predictions_text(const devices::Recommendation& result) {
  if (count_of(result, devices::RuledOut::by_prediction) == 0) return {};
  return fmt::format(
      "Ruled out by prediction: even 1/{} of the expected error would change no answer. --all "
      "measures\nthese choices, too.\n",
      short_number(expected_margin));
}

/// How the choices are ranked.
std::string ranks_text(const devices::Recommendation& result,
                       const devices::RecommendRequest& request) {
  const std::string& hardware = request.hardware;
  const std::string& machine = request.where.machine;
  const std::string other = devices::is_trainium(machine)
                                ? ""
                                : fmt::format(
                                      "Machine {} decides only the arithmetic and the errors: the "
                                      "ranks do not describe its time.\n",
                                      machine);
  return "Ranked by counted work: cycles of both engines of a Trainium core, by its documentation, "
         "for the\nwhole batch; then by kernel calls. The time of a call, and moving data, are not "
         "counted.\n" +
         (any_published(result)
              ? fmt::format(
                    "Times are latencies published for {}, or interpolated between two of them.\n",
                    hardware)
              : fmt::format("No latency of these choices was published for {}: no times.\n",
                            hardware)) +
         predictions_text(result) + other;
}

std::string case_text(const devices::RecommendRequest& request) {
  return fmt::format("{}, n = {}, batch {}, machine {}, tables {}", request.where.transform,
                     request.where.n, request.where.batch, request.where.machine,
                     request.where.tables);
}

std::string budget_text(const devices::RecommendRequest& request) {
  const char* by = request.by == devices::JudgedBy::measured ? "measured"
                   : request.by == devices::JudgedBy::bound  ? "bound"
                                                             : "measured and bound";
  return fmt::format("{} <= {}, {}", request.budget.metric->name,
                     exact_number(request.budget.largest), by);
}

/// What --by measured would choose instead, since it needs no bound for every input.
std::string by_measured_alone(const devices::Recommendation& result,
                              const devices::RecommendRequest& request) {
  if (request.by == devices::JudgedBy::measured) return {};
  const auto within = std::ranges::find_if(result.choices, [&](const devices::Choice& choice) {
    return choice.measured && *choice.measured <= request.budget.largest;
  });
  if (within == result.choices.end()) return "--by measured: no choice, either\n";
  if (result.best && within == result.choices.begin() + static_cast<std::ptrdiff_t>(*result.best))
    return {};
  return fmt::format("--by measured: {} in {}, {}; measured {}\n", within->algorithm, within->mode,
                     work_text(*within), text::error_text(*within->measured));
}

std::string errors_text(const devices::Choice& choice) {
  return "measured " + text::error_text(choice.measured.value()) +
         (choice.bound ? ", bound " + text::error_text(*choice.bound) : std::string());
}

/// The fastest choice by published latencies, if it is another one.
std::string by_latency(const devices::Recommendation& result,
                       const devices::RecommendRequest& request) {
  if (!result.fastest || result.fastest == result.best) return {};
  const devices::Choice& choice = result.choices[*result.fastest];
  return fmt::format("by latencies published for {}: {} in {}, {}; {}\n", request.hardware,
                     choice.algorithm, choice.mode, published_text(*choice.published),
                     errors_text(choice));
}

std::string verdict_of(const devices::Recommendation& result,
                       const devices::RecommendRequest& request,
                       const std::vector<std::string>& argv) {
  const devices::Choice& choice = result.choices[result.best.value_or(result.closest)];
  const std::string name = choice.algorithm + " in " + choice.mode;
  Case where = request.where;
  where.algorithm = choice.algorithm;
  where.mode = choice.mode;
  where.input = request.inputs.front();
  const std::string again = "\n  " + text::reproduce_command(where, argv) + "\n";
  if (result.best)
    return fmt::format("recommended: {}, {}{}; {}{}", name, work_text(choice),
                       choice.published ? ", " + published_text(*choice.published) : "",
                       errors_text(choice), again) +
           by_latency(result, request) + by_measured_alone(result, request);
  return fmt::format("nothing is within the budget; closest: {}, {} times too large; {}{}", name,
                     short_number(choice.judged / request.budget.largest), errors_text(choice),
                     again) +
         by_measured_alone(result, request);
}

void draw(const devices::Recommendation& result, const RecommendArguments& arguments,
          Context& context) {
  const figures::Figure drawn[] = {figures::recommend_figure(result, arguments.request)};
  const figures::ImageFiles files = figures::write_images(drawn, arguments.directory);
  for (const std::filesystem::path& path : files.written)
    context.err << "written: " << path.string() << "\n";
  if (!files.problem.empty()) context.err << files.problem << "\n";
}

devices::RecommendRequest request_of(const RecommendArguments& arguments,
                                     const CheckNames& check_names) {
  devices::RecommendRequest request = arguments.request;
  request.budget = devices::error_budget_from(arguments.budget);
  request.by = devices::judged_by_named(arguments.by);
  request.algorithms = arguments.algorithms.empty() ? devices::counted_algorithms()
                                                    : split_list(arguments.algorithms);
  request.modes = arguments.modes.empty() ? devices::counted_modes() : split_list(arguments.modes);
  for (std::string& mode : request.modes) mode = canonical_value(axis_index("mode"), mode);
  request.where.machine = canonical_value(axis_index("machine"), request.where.machine);
  request.where.tables = with_file_hash(request.where.tables);
  if (!arguments.inputs.empty()) request.inputs = split_list(arguments.inputs);
  for (std::string& input : request.inputs) {
    input = canonical_value(axis_index("input"), input);
    Case where = request.where;
    where.input = input;
    check_names(where);
  }
  return request;
}

/// "2 measured; ruled out: 5 by bound, 1 by error, 3 by prediction".
std::string measured_text(const devices::Recommendation& result) {
  using enum devices::RuledOut;
  std::string text = fmt::format("{} measured", count_of(result, no));
  const char* before = "; ruled out: ";
  for (const devices::RuledOut reason : {by_bound, by_error, by_prediction})
    if (const auto count = count_of(result, reason); count > 0) {
      text += fmt::format("{}{} by {}", before, count, name_of(reason));
      before = ", ";
    }
  return text;
}

std::string counts_of(const devices::Recommendation& result) {
  std::string text = fmt::format("{}, {} impossible or not counted",
                                 counted(result.choices.size(), "choice"), result.not_applicable);
  if (result.too_slow > 0) text += fmt::format(", {} too slow to emulate", result.too_slow);
  return text + "\n" + measured_text(result) + "\nThe choices that no other beats:\n\n";
}

ExitCode run(RecommendArguments& arguments, Context& context) {
  arguments.request = request_of(arguments, context.check_names());
  check_outputs(arguments.csv, arguments.directory);
  const devices::RecommendRequest& request = arguments.request;
  Progress progress(context.progress_stream());
  const devices::Recommendation result =
      recommend(request, [&](const FinishedCase& finished) { progress.show(finished.state); });
  progress.finish();
  if (!arguments.directory.empty()) draw(result, arguments, context);
  std::string text = case_text(request) + "; " + budget_text(request) + "\n" + counts_of(result) +
                     front_of(result) + "\n" + verdict_of(result, request, context.argv) +
                     ranks_text(result, request);
  if (!arguments.csv.empty())
    write_csv(arguments.csv, csv_of(result, request.budget.metric->name), context);
  (arguments.csv == "-" ? context.err : context.out) << text;
  return result.best ? ExitCode::ok : ExitCode::nothing_matched;
}

}  // namespace

void add_recommend_command(CLI::App& app, Context& context) {
  Command command(
      app, "recommend", "Find the algorithm and mode with the least work within an error budget",
      "Examples:\n"
      "  fftprec recommend --n 1024 --max err_l2_rel=1e-5\n"
      "  fftprec recommend --n 256 --batch 512 --max err_l2_rel=1e-2 --by measured --hardware "
      "trn2\n"
      "Exit codes: 0, 2 names, 4 nothing is within the budget or can do this length.");
  const auto arguments = std::make_shared<RecommendArguments>();
  Case& where = arguments->request.where;
  constexpr std::uint64_t one = 1;
  constexpr std::uint64_t most = one << 40;
  command.add("--n N", where.n, "Transform length").required().range(one, most);
  command.add("--max METRIC=LIMIT", arguments->budget, "As in err_l2_rel=1e-5").required();
  command.add("--by measured|bound|both", arguments->by,
              "The error that must be within the limit: measured (the\nlargest over inputs and "
              "seeds), bound (a theorem) or both,\nthe default");
  command.add("--transform TRANSFORM", where.transform, "Default fft; rfft for real data");
  command.add("--machine MACHINE", where.machine, "Machine whose arithmetic is used; default trn");
  command.add("--hardware", arguments->request.hardware,
              "Chip whose published latencies are shown: trn1 (default),\ntrn2, trn3");
  command.add("--tables TABLES", where.tables, "Default exact");
  command.add("--batch B", where.batch, "Transforms per call; default 1").range(one, most);
  command.add("--algorithm ALGORITHM,...", arguments->algorithms, "Only these; default all");
  command.add("--mode MODE,...", arguments->modes,
              "Only these; default all that run on the device");
  command.add("--input INPUT,...", arguments->inputs,
              "Inputs to measure with; default gaussian,\nuniform,tone,wide");
  command.add("--seeds N", arguments->request.seeds, "Seeds per input; default 2").range(one, most);
  command
      .add_seconds(
          "--patience", arguments->request.most_seconds,
          "Leave out choices that take longer to emulate per input,\nby estimate; default 1s")
      .range(1e-9, 1e9);
  command.add_flag("--all", arguments->request.all,
                   "Measure every choice, also those that bounds or\npredictions rule out");
  command.add("-o,--output", arguments->directory, "Directory for the figure: error against work");
  command.add("--csv FILE|-", arguments->csv, "All choices as CSV, - for standard output");
  command.add_threads(arguments->request.threads);
  command.run_if_applicable(context, [arguments, &context] { return run(*arguments, context); });
}

}  // namespace fftprec::commands
