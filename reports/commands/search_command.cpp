/// `fftprec search`: an input with the largest error of a case.
#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/search/worst_input.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/quantity.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct SearchArguments {
  OneCaseRequest which;
  std::string metric = "err_l2_rel";
  std::string output;
  std::string csv;
  std::uint64_t budget = search::SearchOptions{}.budget;
  std::uint64_t random = search::SearchOptions{}.random;
  unsigned threads = 1;
};

/// A line of the table and of the CSV: a family's best, or what the local search made of them.
struct FoundLine {
  std::string family;
  std::uint64_t judged;
  double score;
  std::string name;
};

std::vector<FoundLine> lines_of(const search::SearchResult& result) {
  std::vector<FoundLine> lines;
  std::uint64_t structured = 0;
  for (const search::FamilyBest& family : result.families) {
    lines.push_back({family.family, family.tried, family.score, family.name});
    structured += family.tried;
  }
  if (result.judged > structured)
    lines.push_back(
        {"local search", result.judged - structured, result.best_score,
         fmt::format("{} moves from {}: {}", result.moves, result.best.family, result.best.name)});
  return lines;
}

/// "3.21"; "-" where every random input is exact.
std::string ratio_text(double score, const search::SearchResult& result) {
  return result.random_worst > 0 ? fmt::format("{:.2f}", score / result.random_worst) : "-";
}

std::string table_of(const search::SearchResult& result, const std::string& metric) {
  std::vector<std::vector<std::string>> cells{
      {"family", "worst input", "inputs", metric, "/ worst random"}};
  for (const FoundLine& line : lines_of(result))
    cells.push_back({line.family, line.name, std::to_string(line.judged),
                     text::error_text(line.score), ratio_text(line.score, result)});
  return text::terminal_table({cells, 2});
}

std::string csv_of(const search::SearchResult& result, const std::string& metric) {
  std::string text = "family,worst_input,inputs," + metric + ",over_worst_random\n";
  for (const FoundLine& line : lines_of(result))
    text += fmt::format("{},{},{},{},{}\n", results::csv_cell(line.family),
                        results::csv_cell(line.name), line.judged, shortest(line.score),
                        result.random_worst > 0 ? shortest(line.score / result.random_worst) : "");
  return text;
}

/// The row of the input as a run would measure it.
Row row_of(const Case& where) {
  Row row = evaluate(where);
  require(row.status == Status::ok, "search: ", row.message);
  return row;
}

std::string found_text(const search::SearchResult& result, const Row& row,
                       const SearchArguments& from, const std::vector<std::string>& argv) {
  std::string text =
      fmt::format("worst found: {} = {}, {} times the worst of {}\n", from.metric,
                  exact_number(*plotted_value(row, from.metric)),
                  ratio_text(result.best_score, result), counted(from.random, "random input"));
  if (row.bound_l2_rel && from.metric == "err_l2_rel")
    text +=
        fmt::format("  {:.1f} % of its bound {} ({})\n", 100 * *row.err_l2_rel / *row.bound_l2_rel,
                    text::error_text(*row.bound_l2_rel), row.bound_name);
  if (result.not_finite > 0)
    text += fmt::format(
        "  not finite on {} of {} inputs, since results overflow or the true result is 0; first: "
        "{}\n",
        result.not_finite, result.judged + from.random, result.first_not_finite);
  return text + fmt::format("kept in {}; the same error again:\n  {}\n", from.output,
                            text::reproduce_command(row.where, argv));
}

ExitCode run_search(SearchArguments arguments, Context& context) {
  const Case where = one_case(arguments.which, check_names).where;
  require(where.input == Case{}.input,
          "search: the command searches the input, so -a input=", where.input, " has no meaning");
  if (arguments.output.empty()) arguments.output = "worst-" + case_id(where) + ".npy";
  check_writable(arguments.output);
  check_outputs(arguments.csv, "");
  const search::InputJudge judge(where, arguments.metric, arguments.threads);
  std::uint64_t tenths = 0;
  const search::SearchResult result = search::search_worst_input(
      judge, {.budget = arguments.budget,
              .random = arguments.random,
              .seed = where.seed,
              .on_progress = [&](std::uint64_t judged, double best) {
                if (10 * judged / arguments.budget <= tenths) return;
                tenths = 10 * judged / arguments.budget;
                context.err << fmt::format("{} of {} judged, worst {}\n", judged,
                                           counted(arguments.budget, "input"),
                                           text::error_text(best));
              }});
  replace_file(arguments.output, npy_bytes(result.best.values));
  Case kept = where;
  kept.input = with_file_hash(file_input_name(arguments.output));
  const Row row = row_of(kept);
  if (!arguments.csv.empty()) write_csv(arguments.csv, csv_of(result, arguments.metric), context);
  if (arguments.csv == "-") {
    context.err << found_text(result, row, arguments, context.argv);
    return ExitCode::ok;
  }
  context.out << fmt::format("{} of {}: median {}, worst {} (seed {})\n\n", arguments.metric,
                             counted(arguments.random, "gaussian input"),
                             text::error_text(result.random_median),
                             text::error_text(result.random_worst), result.random_worst_seed)
              << table_of(result, arguments.metric) << "\n"
              << found_text(result, row, arguments, context.argv);
  return ExitCode::ok;
}

}  // namespace

void add_search_command(CLI::App& app, Context& context) {
  Command command(
      app, "search", "Search the input with the largest error",
      "Examples:\n"
      "  fftprec search -a algorithm=radix2-dit -a mode=bf16 -a n=256\n"
      "  fftprec search -a algorithm=dft-gemm -a machine=trn-rz -a n=128 --metric err_over_bound\n"
      "The input found does not depend on the number of threads. The seed of the case is also "
      "the\nseed of the search. Exit codes: 0, 2 names or files, 4 the case has no meaning.");
  const auto arguments = std::make_shared<SearchArguments>();
  constexpr std::uint64_t one = 1;
  add_one_case(command, arguments->which);
  command.add("--metric METRIC", arguments->metric,
              "Metric to maximise: an err_ column of numbers\nor err_over_bound; default "
              "err_l2_rel");
  command.add("--budget N", arguments->budget, "Inputs to try; default 20000")
      .range(one, one << 40);
  command.add("--random N", arguments->random, "Gaussian inputs to compare with; default 1000")
      .range(one, one << 30);
  command.add("-o,--output FILE.npy", arguments->output,
              "File for the input found; default worst-CASE_ID.npy");
  command.add("--csv FILE|-", arguments->csv, "The table as CSV, - for standard output");
  command.add_threads(arguments->threads);
  command.run_if_applicable(context,
                            [arguments, &context] { return run_search(*arguments, context); });
}

}  // namespace fftprec::commands
