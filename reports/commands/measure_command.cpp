#include "reports/commands/measure_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "arith/error.hpp"
#include "experiments/columns.hpp"
#include "experiments/decimal.hpp"
#include "experiments/inputs_file.hpp"
#include "experiments/measure_result.hpp"
#include "reports/commands/exit_code.hpp"

namespace fftprec {

namespace {

struct MeasureArguments {
  std::string input;
  std::string output;
  std::string format = "fp32";
  std::vector<std::string> limits;
  ForeignResult result;
};

/// A measure that must not be above `largest`.
struct Limit {
  const Column* metric;
  double largest;
};

Limit limit_from(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const Column& metric = column_named(text.substr(0, equals));
  const std::optional<double> largest =
      equals == text.size() ? std::nullopt : parse_double(text.substr(equals + 1));
  require(metric.metric && largest && *largest >= 0,
          "--max: '" + std::string(text) + "' is not METRIC=NUMBER, as in err_l2_rel=1e-6");
  return {&metric, *largest};
}

/// Whether the measure holds its limit; says so.
bool judge(const Row& row, const Limit& limit, std::ostream& out) {
  const std::optional<double> value = limit.metric->number(row);
  require(value.has_value(), "--max: " + std::string(limit.metric->name) +
                                 " is not measured of a result; fftprec list metrics");
  const bool holds = *value <= limit.largest;
  out << fmt::format("{}  {} = {}, limit {}\n", holds ? "pass" : "FAIL", limit.metric->name,
                     shortest(*value), shortest(limit.largest));
  return holds;
}

void print(const Row& row, std::ostream& out) {
  for (const Column& column : columns()) {
    const std::string value = column.text(row);
    const bool of_case = column.name == "transform" || column.name == "n" || column.name == "batch";
    const bool measured = (column.metric || column.name == "truth_tier") && !value.empty();
    if (of_case || measured) out << fmt::format("{:<16}{}\n", column.name, value);
  }
}

ExitCode measure(MeasureArguments& arguments, CommandContext& context) {
  std::vector<Limit> limits;
  for (const std::string& text : arguments.limits) limits.push_back(limit_from(text));
  arguments.result.format = format_named(arguments.format);
  arguments.result.input = read_samples(arguments.input);
  arguments.result.output = read_samples(arguments.output);
  const Row row = measure_result(arguments.result);
  print(row, context.out);
  bool all_hold = true;
  for (const Limit& limit : limits) all_hold = judge(row, limit, context.out) && all_hold;
  return all_hold ? ExitCode::ok : ExitCode::gate_failed;
}

}  // namespace

void add_measure_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("measure", "Judge the result of any program");
  command->footer(
      "Examples:\n"
      "  fftprec measure --input x.npy --output y.npy\n"
      "  fftprec measure --input x.npy --output y.npy --transform rfft --max err_l2_rel=1e-6\n"
      "  fftprec measure --input s.npy --output x.npy --transform irfft --n 1024\n"
      "Arrays hold one item after the other, in C order. Exit codes: 0, 1 a limit does not hold,\n"
      "2 files or names.");
  const auto arguments = std::make_shared<MeasureArguments>();
  command->add_option("--input", arguments->input, "What the program was given, .npy")->required();
  command->add_option("--output", arguments->output, "What it gave, .npy")->required();
  command->add_option("--transform", arguments->result.transform,
                      "Which transform that should be; default fft");
  command->add_option("--n", arguments->result.n, "Its length; default the input's last axis");
  command->add_option("--format", arguments->format,
                      "Format whose steps the ulp columns count; default fp32");
  command->add_option("--max", arguments->limits, "METRIC=LIMIT that must hold")
      ->allow_extra_args(false)
      ->take_all();
  command->callback(
      [arguments, &context] { context.exit_code = to_int(measure(*arguments, context)); });
}

}  // namespace fftprec
