/// `fftprec design`: the smallest widths that meet a goal.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/search/widths.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/results/csv.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

using search::Design;
using search::DesignRequest;
using search::Goal;
using search::JudgedWidths;
using search::Widths;

struct DesignArguments {
  std::vector<std::string> axes;
  std::vector<std::string> at_least;
  std::vector<std::string> at_most;
  std::string free;
  std::string csv;
  unsigned threads = 1;
};

/// "data.bits=17, table.bits=13".
std::string widths_text(const DesignRequest& request, const Widths& widths) {
  std::string text;
  for (std::size_t i = 0; i < widths.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", request.free[i].name,
                        request.free[i].text(widths[i]));
  return text;
}

/// "min_snr_db": the worst row's.
std::string worst_name(const Goal& goal) {
  return (goal.at_most ? "max_" : "min_") + std::string(goal.metric->name);
}

/// "min_snr_db 61.254", or why there is none.
std::string worst_text(const std::vector<Goal>& goals, const JudgedWidths& seen) {
  std::string text = seen.reason;
  for (std::size_t i = 0; i < seen.worst.size(); ++i)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", worst_name(goals[i]),
                        short_number(seen.worst[i], 5));
  return text;
}

const char* judgement_of(const JudgedWidths& seen) {
  return seen.holds ? "holds" : seen.worst.empty() ? "no meaning" : "fails";
}

/// A line for each choice, below the names of the columns.
std::vector<text::TextCells> cells_of(const std::vector<Widths>& choices,
                                      const DesignRequest& request, const Design& result,
                                      std::string (*number)(double)) {
  std::vector<text::TextCells> lines(1);
  for (const search::FreeWidth& width : request.free) lines[0].push_back(width.name);
  lines[0].emplace_back("sum");
  for (const Goal& goal : result.goals) lines[0].push_back(worst_name(goal));
  lines[0].insert(lines[0].end(), {"judgement", "message"});
  for (const Widths& widths : choices) {
    const JudgedWidths& seen = result.judged.at(widths);
    text::TextCells line;
    for (std::size_t i = 0; i < widths.size(); ++i) line.push_back(request.free[i].text(widths[i]));
    line.push_back(std::to_string(std::accumulate(widths.begin(), widths.end(), 0)));
    for (const double worst : seen.worst) line.push_back(number(worst));
    line.resize(lines[0].size() - 2);
    const bool smallest = std::ranges::find(result.front, widths) != result.front.end();
    line.insert(line.end(), {smallest ? "smallest" : judgement_of(seen), seen.reason});
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string csv_of(const DesignRequest& request, const Design& result) {
  std::vector<Widths> choices;
  for (const auto& [widths, seen] : result.judged) choices.push_back(widths);
  std::string text;
  for (const text::TextCells& line : cells_of(choices, request, result, shortest))
    text += results::csv_line(line);
  return text;
}

/// The smallest choices, and those that have a width less than the first.
std::string table_of(const DesignRequest& request, const Design& result) {
  std::vector<Widths> choices = result.front;
  for (std::size_t i = 0; i < request.free.size(); ++i) {
    Widths narrower = result.front.front();
    if (--narrower[i] >= request.free[i].least) choices.push_back(narrower);
  }
  const auto number = [](double value) { return short_number(value, 5); };
  return text::terminal_table({cells_of(choices, request, result, number), 0,
                               request.free.size() + 1 + result.goals.size()});
}

/// The command that measures the cases.
std::string run_command_of(const std::vector<Case>& cases, const std::string& program) {
  std::string command = program + " run";
  for (const Column& axis : axis_columns()) {
    std::vector<std::string> values;
    for (const Case& where : cases) {
      const std::string value = axis.text(Row{.where = where});
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
    if (!axis.later || values != std::vector{axis.text(Row{})})
      command += " -a " + shell_word(fmt::format("{}={}", axis.name, fmt::join(values, ",")));
  }
  return command + " --csv -";
}

std::string goal_text(const DesignRequest& request, const Design& result) {
  const std::size_t others = request.cases.size() - 1;
  std::string text = short_text(request.cases.front()) +
                     (others == 0 ? "" : fmt::format(", and {} more", others)) + "\n";
  for (const Goal& goal : result.goals)
    text += fmt::format("{} {} {}, ", goal.metric->name,
                        goal.at_most ? "<=" : ">=", short_number(goal.limit, 5));
  return text + counted(result.judged.size(), "choice") + " judged\n\n";
}

std::string answer_text(const DesignRequest& request, const Design& result,
                        const std::string& program) {
  const auto seen = [&](const Widths& widths) {
    return fmt::format("{} ({})", widths_text(request, widths),
                       worst_text(result.goals, result.judged.at(widths)));
  };
  if (result.front.empty())
    return "the largest widths do not meet the goal: " + seen(result.most) + "\n";
  std::string text = table_of(request, result) + "\n";
  if (const std::size_t pairs = result.contradictions.size(); pairs > 0)
    text += fmt::format("not monotone: {} holds, yet {} fails; {} seen\n",
                        seen(result.contradictions.front().first),
                        seen(result.contradictions.front().second), counted(pairs, "such pair"));
  for (const std::string& name : result.idle)
    text += name + " makes no difference: its least value gives the bits of the largest\n";
  const Widths& best = result.front.front();
  return text + fmt::format("least sum: {}\n  {}\n", seen(best),
                            run_command_of(cases_with(request, best), program));
}

DesignRequest request_of(const DesignArguments& arguments) {
  DesignRequest request;
  request.cases = arguments.axes.empty()
                      ? std::vector<Case>(1)
                      : plan_cases({{}, arguments.axes, {}}, check_names).cases.all();
  for (const std::string& text : split_list(arguments.free)) {
    search::FreeWidth width = search::free_width(text, request.cases);
    for (const search::FreeWidth& other : request.free)
      require(other.name != width.name, "--free: ", width.name, " is given twice");
    request.free.push_back(std::move(width));
  }
  for (const std::string& text : arguments.at_least)
    request.goals.push_back(search::goal_from(text, false));
  for (const std::string& text : arguments.at_most)
    request.goals.push_back(search::goal_from(text, true));
  require(!request.goals.empty(),
          "design: no goal is given: --min METRIC=LIMIT, --max METRIC=LIMIT");
  request.threads = arguments.threads;
  return request;
}

ExitCode run_design(const DesignArguments& arguments, Context& context) {
  DesignRequest request = request_of(arguments);
  check_outputs(arguments.csv, "");
  request.on_judged = [&](const Widths& widths, const JudgedWidths& seen) {
    context.err << fmt::format("{}: {}, {}\n", widths_text(request, widths), judgement_of(seen),
                               worst_text(request.goals, seen));
  };
  const Design result = search::design(request);
  const std::string text =
      goal_text(request, result) + answer_text(request, result, text::program_of(context.argv));
  if (!arguments.csv.empty()) write_csv(arguments.csv, csv_of(request, result), context);
  (arguments.csv == "-" ? context.err : context.out) << text;
  return result.front.empty() ? ExitCode::nothing_matched : ExitCode::ok;
}

}  // namespace

void add_design_command(CLI::App& app, Context& context) {
  Command command(
      app, "design", "Find the smallest widths that meet a goal",
      "Examples:\n"
      "  fftprec design -a mode=q1.15 -a scale=stage:1/2 -a input=uniform -a seed=1..4 \\\n"
      "      --min snr_db=60 --free data.bits,table.bits,fixed.accumulator\n"
      "  fftprec design -a mode=bf16 -a 'machine=trn{casts=sr}' --max err_l2_rel=1.04x --free "
      "sr.bits\n"
      "The worst row of all cases counts. Widths: data.bits, the bits of fixed-point data or\nthe "
      "significand bits of a format such as bf16; table.bits, the bits of fixed-point\ntables; "
      "KEY, a machine parameter whose values are a range of numbers (fftprec show\nmachine:NAME); "
      "KEY.precision, the significand bits of a machine parameter that is a\nformat.\n"
      "Exit codes: 0, 2 names, 4 the largest widths do not meet the goal, or have no meaning.");
  const auto arguments = std::make_shared<DesignArguments>();
  command.add_axes("AXIS=VALUES", arguments->axes, "Others at default");
  command
      .add("--free WIDTH", arguments->free,
           "Widths to choose: NAME or NAME=A..B, as in\ndata.bits,table.bits=8..20")
      .required();
  command.add_list("--min METRIC=LIMIT", arguments->at_least, "What no row is below: snr_db=60");
  command.add_list("--max METRIC=LIMIT", arguments->at_most,
                   "What no row is above: err_l2_rel=1e-3, or\n"
                   "1.04x, that times the worst row at the largest widths");
  command.add("--csv FILE|-", arguments->csv, "All choices judged as CSV, - for standard output");
  command.add_threads(arguments->threads);
  command.run_if_applicable(context,
                            [arguments, &context] { return run_design(*arguments, context); });
}

}  // namespace fftprec::commands
