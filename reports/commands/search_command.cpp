/// `fftprec search`: an input with the largest error of a case.
#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/search/least_bits.hpp"
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
  std::string metric;
  std::string least;
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

/// What a score of least_energy stands for: "9.99e+15", or "-" where every coefficient is right.
std::string energy_text(double score) { return score > 0 ? short_number(1 / score, 9) : "-"; }

std::string table_of(const search::SearchResult& result, const std::string& metric) {
  const bool is_energy = metric == search::least_energy;
  std::vector<std::vector<std::string>> cells{{"family", "worst input", "inputs"}};
  if (is_energy) cells[0].emplace_back("least sum of squares");
  if (!is_energy) cells[0].insert(cells[0].end(), {metric, "/ worst random"});
  for (const FoundLine& line : lines_of(result)) {
    cells.push_back({line.family, line.name, std::to_string(line.judged)});
    if (is_energy) cells.back().push_back(energy_text(line.score));
    if (!is_energy)
      cells.back().insert(cells.back().end(),
                          {text::error_text(line.score), ratio_text(line.score, result)});
  }
  return text::terminal_table({cells, 2});
}

std::string csv_of(const search::SearchResult& result, const std::string& metric) {
  if (metric == search::least_energy) {
    std::string text = "family,worst_input,inputs,least_sum_of_squares\n";
    for (const FoundLine& line : lines_of(result))
      text +=
          fmt::format("{},{},{},{}\n", results::csv_cell(line.family), results::csv_cell(line.name),
                      line.judged, line.score > 0 ? shortest(1 / line.score) : "");
    return text;
  }
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

std::string share_text(double error, double bound, const std::string& of) {
  return fmt::format("  {:.3g} % of its bound {} ({})\n", 100 * error / bound,
                     text::error_text(bound), of);
}

/// Of the coefficients of a product.
std::string coefficients_text(const Row& row) {
  std::string text;
  if (row.bound_linf_abs)
    text += share_text(*row.err_linf_abs, *row.bound_linf_abs, "bound_linf_abs");
  const std::uint64_t wrong = row.wrong_coefficients.value_or(0);
  return text + (wrong == 0 ? "  no coefficient is wrong\n"
                            : fmt::format("  {} wrong\n", counted(wrong, "coefficient")));
}

std::string found_text(const search::SearchResult& result, const Row& row,
                       const SearchArguments& from, const std::vector<std::string>& argv) {
  std::string text;
  if (from.metric == search::least_energy) {
    text = result.best_score > 0
               ? fmt::format("least found: a sum of squares of {} makes a coefficient wrong\n",
                             exact_number(1 / result.best_score))
               : fmt::format("no wrong coefficient was found; worst: err_linf_abs = {}\n",
                             exact_number(*row.err_linf_abs));
  } else {
    const double found = from.metric == search::linf_over_bound
                             ? *row.err_linf_abs / row.bound_linf_abs.value()
                             : *plotted_value(row, from.metric);
    text = fmt::format("worst found: {} = {}, {} times the worst of {}\n", from.metric,
                       exact_number(found), ratio_text(result.best_score, result),
                       counted(from.random, "random input"));
  }
  if (row.bound_l2_rel && from.metric == "err_l2_rel")
    text +=
        fmt::format("  {:.1f} % of its bound {} ({})\n", 100 * *row.err_l2_rel / *row.bound_l2_rel,
                    text::error_text(*row.bound_l2_rel), row.bound_name);
  if (row.wrong_coefficients) text += coefficients_text(row);
  if (result.not_finite > 0)
    text += fmt::format(
        "  not finite on {} of {} inputs, since results overflow or the true result is 0; first: "
        "{}\n",
        result.not_finite, result.judged + from.random, result.first_not_finite);
  return text + fmt::format("kept in {}; the same error again:\n  {}\n", from.output,
                            text::reproduce_command(row.where, argv));
}

/// Writes the input that was found, and measures it as a run would.
Row kept(const search::SearchResult& result, Case where, bool digits,
         const SearchArguments& arguments) {
  replace_file(arguments.output, npy_bytes(result.best.values, {.real = digits}));
  where.input = with_file_hash(file_input_name(arguments.output));
  return row_of(where);
}

void print(const std::string& csv, const std::string& table, const std::string& found,
           const SearchArguments& arguments, Context& context) {
  if (!arguments.csv.empty()) write_csv(arguments.csv, csv, context);
  if (arguments.csv == "-") {
    context.err << found;
  } else {
    context.out << table << "\n" << found;
  }
}

/// Bit by bit: what was found among the digits of so many bits.
void search_bits(const Case& where, const search::SearchOptions& options,
                 const SearchArguments& arguments, Context& context) {
  std::vector<std::vector<std::string>> cells{{"bits", "bound", "worst found", "family"}};
  std::string csv = "bits,bound_linf_abs,err_linf_abs,family\n";
  const std::vector<search::BitsTried> tried = search::search_least_bits(
      *context.session, where, options, arguments.threads, [&](const search::BitsTried& at) {
        context.err << fmt::format("{} bits: worst {}\n", at.bits,
                                   text::error_text(at.result.best_score));
        cells.push_back({std::to_string(at.bits), at.bound ? text::error_text(*at.bound) : "-",
                         text::error_text(at.result.best_score), at.result.best.family});
        csv +=
            fmt::format("{},{},{},{}\n", at.bits, at.bound ? shortest(*at.bound) : "",
                        shortest(at.result.best_score), results::csv_cell(at.result.best.family));
      });
  require(!tried.empty(), "search: digits of up to 53 bits are proven to be right");
  const search::BitsTried& last = tried.back();
  std::string found =
      last.is_wrong() ? fmt::format("least found: {} bits make a coefficient wrong\n", last.bits)
                      : "no wrong coefficient was found\n";
  if (tried.front().bits > 1)
    found += fmt::format("proven to be right: {} bits\n", tried.front().bits - 1);
  found += found_text(last.result, kept(last.result, last.where, true, arguments), arguments,
                      context.argv);
  print(csv, text::terminal_table({cells, 0}), found, arguments, context);
}

/// The metric by which the digits of products, or values, are searched.
std::string metric_of(const SearchArguments& arguments, bool digits) {
  require(arguments.least.empty() || digits,
          "search: --least is of the digits of products; transform=product has digits");
  require(arguments.least.empty() || arguments.metric.empty(),
          "search: --least and --metric each set what is searched, so one of them is too many");
  if (arguments.least == "energy") return std::string(search::least_energy);
  if (!arguments.metric.empty()) return arguments.metric;
  return digits ? "err_linf_abs" : "err_l2_rel";
}

ExitCode run_search(SearchArguments arguments, Context& context) {
  Case where = one_case(arguments.which, check_names).where;
  const bool digits = context.session->transform(where.transform)->integers;
  if (digits && where.input == Case{}.input) where.input = "integers";
  arguments.metric = metric_of(arguments, digits);
  if (arguments.output.empty()) arguments.output = "worst-" + case_id(where) + ".npy";
  check_writable(arguments.output);
  check_outputs(arguments.csv, "");
  std::uint64_t tenths = 0;
  search::SearchOptions options{
      .budget = arguments.budget, .random = arguments.random, .seed = where.seed};
  if (arguments.least == "bits") {
    search_bits(where, options, arguments, context);
    return ExitCode::ok;
  }
  const search::InputJudge judge(where, arguments.metric, arguments.threads);
  options.on_progress = [&](std::uint64_t judged, double best) {
    if (10 * judged / arguments.budget <= tenths) return;
    tenths = 10 * judged / arguments.budget;
    context.err << fmt::format("{} of {} judged, {}\n", judged, counted(arguments.budget, "input"),
                               arguments.metric != search::least_energy
                                   ? "worst " + text::error_text(best)
                               : best > 0 ? "least sum of squares " + energy_text(best)
                                          : "worst " + text::error_text(best + 1));
  };
  const search::SearchResult result = search::search_worst_input(judge, options);
  const Row row = kept(result, where, digits, arguments);
  std::string table = table_of(result, arguments.metric);
  if (arguments.metric != search::least_energy)
    table = fmt::format("{} of {}: median {}, worst {} (seed {})\n\n", arguments.metric,
                        counted(arguments.random, digits ? "random input" : "gaussian input"),
                        text::error_text(result.random_median),
                        text::error_text(result.random_worst), result.random_worst_seed) +
            table;
  print(csv_of(result, arguments.metric), table, found_text(result, row, arguments, context.argv),
        arguments, context);
  return ExitCode::ok;
}

}  // namespace

void add_search_command(CLI::App& app, Context& context) {
  Command command(
      app, "search", "Search the input with the largest error",
      "Examples:\n"
      "  fftprec search -a algorithm=radix2-dit -a mode=bf16 -a n=256\n"
      "  fftprec search -a algorithm=dft-gemm -a machine=trn-rz -a n=128 --metric err_over_bound\n"
      "  fftprec search -a transform=product -a mode=fp64 -a n=64 -a input=integers:bits=24\n"
      "  fftprec search -a transform=product -a mode=fp64 -a n=64 --least bits\n"
      "The input found does not depend on the number of threads. The seed of the case is also "
      "the\nseed of the search. Exit codes: 0, 2 names or files, 4 the case has no meaning.");
  const auto arguments = std::make_shared<SearchArguments>();
  constexpr std::uint64_t one = 1;
  add_one_case(command, arguments->which);
  command.add("--metric METRIC", arguments->metric,
              "Metric to maximise: an err_ column of numbers\nor err_over_bound; default "
              "err_l2_rel. Of\nproducts also linf_over_bound; default err_linf_abs");
  command
      .add("--least WHAT", arguments->least,
           "Digits with a wrong coefficient that have the\nleast bits, or the least energy (sum of "
           "squares)")
      .check([](const std::string& text) {
        return text == "bits" || text == "energy" ? "" : "must be bits or energy";
      });
  command.add("--budget N", arguments->budget, "Inputs to try; default 20000")
      .range(one, one << 40);
  command.add("--random N", arguments->random, "Random inputs to compare with; default 1000")
      .range(one, one << 30);
  command.add("-o,--output FILE.npy", arguments->output,
              "File for the input found; default worst-CASE_ID.npy");
  command.add("--csv FILE|-", arguments->csv, "The table as CSV, - for standard output");
  command.add_threads(arguments->threads);
  command.run_if_applicable(context,
                            [arguments, &context] { return run_search(*arguments, context); });
}

}  // namespace fftprec::commands
