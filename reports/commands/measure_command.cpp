/// `fftprec measure`: the error of somebody else's result.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "experiments/cases/columns.hpp"
#include "experiments/cases/measured_limit.hpp"
#include "experiments/errors/worst_output.hpp"
#include "experiments/inputs/inputs_file.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/testing/measure_result.hpp"
#include "reports/commands/options.hpp"

namespace fftprec::commands {

namespace {

struct MeasureArguments {
  std::string input;
  std::string output;
  std::string transform = "fft";
  std::string format = "fp32";
  std::uint64_t n = 0;
  std::vector<std::string> limits;
  bool json = false;
};

/// What there is to say of a result.
struct Judged {
  Row row;
  Format format;
  std::vector<MeasuredLimit> limits;
  errors::WorstElement worst;

  bool all_hold() const {
    return std::all_of(limits.begin(), limits.end(),
                       [this](const MeasuredLimit& limit) { return holds(limit, row); });
  }
};

/// What of a row is known of a foreign result.
bool is_shown(const Column& column, const Row& row) {
  const bool of_case = column.name == "transform" || column.name == "n" || column.name == "batch";
  return of_case || ((column.metric || column.name == "truth_tier") && !column.text(row).empty());
}

void print(const Judged& judged, std::ostream& out) {
  for (const Column& column : columns())
    if (is_shown(column, judged.row))
      out << fmt::format("{:<16}{}\n", column.name, column.text(judged.row));
  out << fmt::format("{:<16}{}\n", "worst", text_of(judged.worst));
  for (const MeasuredLimit& limit : judged.limits)
    out << fmt::format("{}  {} = {}, limit {}\n", holds(limit, judged.row) ? "pass" : "FAIL",
                       limit.metric->name, shortest(measured_value(judged.row, *limit.metric)),
                       shortest(limit.largest));
}

/// JSON has no infinities: they stand as "inf".
nlohmann::ordered_json json_of(double value) {
  if (std::isfinite(value)) return value;
  return shortest(value);
}

nlohmann::ordered_json json_of(std::complex<double> value) {
  return {json_of(value.real()), json_of(value.imag())};
}

nlohmann::ordered_json json_of(const Judged& judged) {
  nlohmann::ordered_json result;
  for (const Column& column : columns()) {
    if (!is_shown(column, judged.row)) continue;
    const std::string text = column.text(judged.row);
    const std::optional<std::uint64_t> count = parse_unsigned(text);
    const std::optional<double> number = column.number(judged.row);
    nlohmann::ordered_json& value = result[std::string(column.name)];
    value = text;
    if (number) value = json_of(*number);
    if (count) value = *count;
  }
  result["format"] = to_string(judged.format);
  result["worst"] = {{"item", judged.worst.item},
                     {"index", judged.worst.index},
                     {"computed", json_of(judged.worst.computed)},
                     {"exact", json_of(judged.worst.exact)}};
  result["limits"] = nlohmann::ordered_json::array();
  for (const MeasuredLimit& limit : judged.limits)
    result["limits"].push_back({{"metric", limit.metric->name},
                                {"value", json_of(measured_value(judged.row, *limit.metric))},
                                {"limit", json_of(limit.largest)},
                                {"holds", holds(limit, judged.row)}});
  result["holds"] = judged.all_hold();
  return result;
}

/// The metric whose worst element is shown: the first that is above its limit.
const Column& decisive(const Row& row, const std::vector<MeasuredLimit>& limits) {
  const auto broken = std::find_if(limits.begin(), limits.end(),
                                   [&](const MeasuredLimit& limit) { return !holds(limit, row); });
  return broken != limits.end() ? *broken->metric : column_named("err_l2_rel");
}

ExitCode measure(const MeasureArguments& arguments, Context& context) {
  std::vector<MeasuredLimit> limits;
  for (const std::string& text : arguments.limits) limits.push_back(parse_measured_limit(text));
  const Format format = format_named(arguments.format);
  Samples input = read_samples(arguments.input);
  const Samples output = read_samples(arguments.output);
  const ForeignProblem asked = foreign_problem(arguments.transform, arguments.n, std::move(input));
  const Row row = measure_result(asked, output.values, format);
  const Judged judged{
      row, format, limits,
      errors::worst_element(output.values, asked.problem.truth, decisive(row, limits), format)};
  if (arguments.json)
    context.out << json_of(judged).dump(2) << '\n';
  else
    print(judged, context.out);
  return judged.all_hold() ? ExitCode::ok : ExitCode::gate_failed;
}

}  // namespace

void add_measure_command(CLI::App& app, Context& context) {
  Command command(
      app, "measure", "Judge the result of any program",
      "Examples:\n"
      "  fftprec measure --input x.npy --output y.npy\n"
      "  fftprec measure --input x.npy --output y.npy --transform rfft --max err_l2_rel=1e-6\n"
      "  fftprec measure --input s.npy --output x.npy --transform irfft --n 1024\n"
      "  fftprec measure --input x.npy --output y.npy --json\n"
      "Arrays hold one item after the other, in C order.\n"
      "Exit codes: 0, 1 a limit does not hold, 2 usage, names or files.");
  const auto arguments = std::make_shared<MeasureArguments>();
  command.add("--input", arguments->input, "What the program was given, .npy").required();
  command.add("--output", arguments->output, "What it gave, .npy").required();
  command.add("--transform", arguments->transform, "Which transform that should be; default fft");
  command
      .add("--n", arguments->n,
           "Its length; default the input's last axis, and of spectra of\n"
           "real data the even length that they belong to")
      .range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max());
  command.add("--format", arguments->format,
              "Format whose steps the ulp columns count; default fp32");
  command.add_list("--max", arguments->limits, "METRIC=LIMIT that must hold");
  command.add_flag("--json", arguments->json, "As JSON");
  command.run(context, [arguments, &context] { return measure(*arguments, context); });
}

}  // namespace fftprec::commands
