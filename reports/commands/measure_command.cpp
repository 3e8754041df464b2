/// `fftprec measure`: the error of the result of any program.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/attribution/worst_output.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/measured_limit.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"
#include "experiments/testing/error_causes.hpp"
#include "experiments/testing/measure_result.hpp"
#include "reports/commands/arrays.hpp"
#include "reports/commands/options.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/merge.hpp"
#include "reports/results/result_manifest.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct MeasureArguments {
  std::vector<std::string> files;  ///< a list of results; with --why the input and the output
  bool why = false;
  std::string list;
  std::string directory;
  std::string input;
  std::string output;
  std::string transform = "fft";
  std::string norm = "backward";
  std::string format;
  std::uint64_t n = 0;
  std::vector<std::string> limits;
  NamedWords words;  ///< of input and output
  std::string output_words;
  std::string exponents;  ///< of the output
  std::vector<std::string> axes;
  double within = expected_margin;
  bool json = false;
};

/// A judged result.
struct Judged {
  Row row;
  Format format;
  std::vector<MeasuredLimit> limits;
  attribution::WorstElement worst;
  std::string non_finite{};
  std::string remark{};
  std::vector<TheoryVerdict> theory{};  ///< if a case was named

  bool all_hold() const {
    return non_finite.empty() &&
           std::ranges::all_of(limits,
                               [this](const MeasuredLimit& limit) { return holds(limit, row); }) &&
           std::ranges::all_of(theory, &TheoryVerdict::holds);
  }
};

/// Whether a column of the row is known for a foreign result.
bool is_shown(const Column& column, const Judged& judged) {
  if (column.axis)
    return column.name == "transform" || column.name == "n" || column.name == "batch" ||
           (!judged.theory.empty() && (column.name == "algorithm" || column.name == "mode" ||
                                       column.name == "machine" || column.name == "tables"));
  const bool known = column.metric || column.name == "truth_tier" || column.name == "bound_name";
  return known && !column.text(judged.row).empty();
}

/// "pass  err_l2_rel = 2.9e-7 is 1.02 of expected_l2_rel = 2.84e-7, limit 2".
std::string text_of(const TheoryVerdict& verdict, const Row& row) {
  if (!verdict.theory)
    return fmt::format("none  {}: {}", verdict.column,
                       verdict.column == "bound_l2_rel"
                           ? "no theorem applies to this case and input"
                           : "the model of errors does not hold for this case and input");
  const double share = ratio_of(verdict.error, *verdict.theory);
  return fmt::format("{}  err_l2_rel = {} is {} of {} = {}{}", verdict.holds() ? "pass" : "FAIL",
                     short_number(verdict.error), short_number(share), verdict.column,
                     short_number(*verdict.theory),
                     verdict.column == "bound_l2_rel" ? " (" + row.bound_name + ")"
                                                      : ", limit " + short_number(verdict.factor));
}

void print(const Judged& judged, std::ostream& out) {
  for (const Column& column : columns())
    if (is_shown(column, judged))
      out << fmt::format("{:<15} {}\n", column.name, read_text(column, judged.row));
  out << fmt::format("{:<16}{}\n", "worst", text_of(judged.worst));
  if (!judged.non_finite.empty()) out << "FAIL  " << judged.non_finite << '\n';
  if (!judged.remark.empty()) out << judged.remark << '\n';
  for (const MeasuredLimit& limit : judged.limits)
    out << fmt::format("{}  {} = {}, limit {}\n", holds(limit, judged.row) ? "pass" : "FAIL",
                       limit.metric->name, exact_number(measured_value(judged.row, *limit.metric)),
                       exact_number(limit.largest));
  for (const TheoryVerdict& verdict : judged.theory) out << text_of(verdict, judged.row) << '\n';
}

/// JSON has no infinities, so they become "inf".
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
    if (!is_shown(column, judged)) continue;
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
  for (const TheoryVerdict& verdict : judged.theory)
    result["theory"].push_back(
        {{"column", verdict.column},
         {"factor", verdict.factor},
         {"value", verdict.error},
         {"limit", verdict.theory ? json_of(verdict.limit()) : nlohmann::ordered_json()},
         {"holds",
          verdict.theory ? nlohmann::ordered_json(verdict.holds()) : nlohmann::ordered_json()}});
  if (!judged.non_finite.empty()) result["non_finite"] = judged.non_finite;
  if (!judged.remark.empty()) result["remark"] = judged.remark;
  result["holds"] = judged.all_hold();
  return result;
}

/// The metric whose worst element is shown: the first that is above its limit.
const Column& decisive(const Row& row, const std::vector<MeasuredLimit>& limits) {
  const auto broken =
      std::ranges::find_if(limits, [&](const MeasuredLimit& limit) { return !holds(limit, row); });
  return broken != limits.end() ? *broken->metric : column_named("err_l2_rel");
}

/// Rows in a directory that every command takes for a run.
void write_rows(std::vector<Row> rows, const MeasureArguments& arguments, const std::string& list,
                const std::set<std::string>& versions, const Context& context) {
  std::ranges::sort(rows, {}, &Row::where);
  for (std::size_t i = 1; i < rows.size(); ++i)
    require(rows[i].where != rows[i - 1].where, arguments.list,
            ": two results of one case: ", command_of(rows[i].where),
            "; give one of them another algorithm, mode or machine");
  const std::string csv = results::csv_text(rows);
  std::vector<SharedCase> cases;
  for (const Row& row : rows) cases.push_back(row.where);
  results::Manifest manifest{.environment = results::environment(),
                             .argv = context.argv,
                             .results_version = fmt::format("{}", fmt::join(versions, ", ")),
                             .sweep_name = std::filesystem::path(arguments.list).stem().string(),
                             .sweep_text = list};
  manifest.started = manifest.ended = results::utc_now();
  results::describe_cases(manifest, cases);
  results::describe_results(manifest, rows, csv);
  results::write_run(arguments.directory, csv, results::manifest_json(manifest));
}

/// The row of every result of a list.
ExitCode measure_list(const MeasureArguments& arguments, Context& context) {
  require(arguments.input.empty() && arguments.output.empty(),
          "--input and --output name one result, ", arguments.list, " lists several: give one");
  require(arguments.axes.empty(),
          "-a names the case of one result; in a list `claims` names that of each");
  std::vector<MeasuredLimit> limits;
  for (const std::string& text : arguments.limits) limits.push_back(parse_measured_limit(text));
  const std::string list = read_file(arguments.list);
  if (!arguments.directory.empty()) create_writable_folder(arguments.directory);
  std::vector<Row> rows;
  std::vector<std::vector<std::string>> cells{
      {"result", "algorithm", "mode", "n", "err_l2_rel", "of bound", "of expected", ""}};
  ExitCode code = ExitCode::ok;
  std::set<std::string> versions;
  for (const results::ListedResult& result : results::parse_result_list(list, arguments.list)) {
    const results::JudgedResult judged = results::judge(result);
    const Row& row = judged.row;
    const auto over = [&](const std::optional<double>& limit) {
      return row.err_l2_rel && limit && *limit > 0 ? short_number(*row.err_l2_rel / *limit) : "-";
    };
    std::string remark = row.message.empty() ? judged.remark : row.message;
    const bool measured = row.status == Status::ok;
    const bool good = measured && row.message.empty() &&
                      std::ranges::all_of(limits, [&](const MeasuredLimit& limit) {
                        if (holds(limit, row)) return true;
                        remark += fmt::format("{}{} is above {}", remark.empty() ? "" : "; ",
                                              limit.metric->name, exact_number(limit.largest));
                        return false;
                      });
    if (!measured)
      code = ExitCode::cases_failed;
    else if (!good && code == ExitCode::ok)
      code = ExitCode::gate_failed;
    cells.push_back({result.output.string(), row.where.algorithm(), row.where.mode(),
                     std::to_string(row.where.n()),
                     row.err_l2_rel ? text::error_text(*row.err_l2_rel) : "-",
                     over(row.bound_l2_rel), over(row.expected_l2_rel),
                     measured ? printable(remark) : "FAILED: " + printable(remark)});
    rows.push_back(row);
    if (!result.version.empty()) versions.insert(result.version);
  }
  context.out << text::terminal_table({cells, 3});
  if (!arguments.directory.empty()) write_rows(std::move(rows), arguments, list, versions, context);
  return code;
}

/// The command that shows the error of a cause.
std::string command_of(const ErrorCause& cause, const MeasureArguments& arguments) {
  const Case& where = *cause.shown;
  std::string text = cause.by_diverge
                         ? fmt::format("fftprec diverge --input {} --result {}",
                                       shell_word(arguments.input), shell_word(arguments.output))
                         : std::string("fftprec run");
  for (const auto& [name, value] : {std::pair{"transform", &Case::transform},
                                    {"algorithm", &Case::algorithm},
                                    {"mode", &Case::mode},
                                    {"machine", &Case::machine},
                                    {"tables", &Case::tables}})
    text += fmt::format(" -a {}={}", name, shell_word(where.*value));
  text += fmt::format(" -a n={}", where.n);
  if (cause.by_diverge) return text;
  return text + fmt::format(" -a batch={} -a {}", where.batch,
                            shell_word("input=" + file_input_name(arguments.input)));
}

/// What is wrong with one result, or that nothing is.
ExitCode explain_error(const MeasureArguments& arguments, const ForeignProblem& asked,
                       const Samples& output, const Format& format, Context& context) {
  const ErrorCauses found = error_causes(asked, output.values, format);
  if (found.row.err_l2_rel)
    context.out << fmt::format("err_l2_rel {}\n", text::error_text(*found.row.err_l2_rel));
  if (!found.as_expected.empty()) {
    context.out << fmt::format("Nothing is wrong: {}.\n", found.as_expected);
    return ExitCode::ok;
  }
  if (found.causes.empty()) {
    context.out
        << "More than rounding, and no cause that is emulated has this error: no convention, "
           "table, chirp,\nentry or narrower format. fftprec diverge --stages looks into "
           "arrays after stages.\n";
    return ExitCode::gate_failed;
  }
  context.out << "Likely causes, the likeliest first:\n";
  std::size_t number = 0;
  for (const ErrorCause& cause : found.causes) {
    context.out << fmt::format("{}. {}\n", ++number, printable(cause.says));
    if (cause.correlation)
      context.out << fmt::format("   its error and the measured one correlate by {:.4f}\n",
                                 *cause.correlation);
    if (cause.shown) context.out << fmt::format("   {}\n", command_of(cause, arguments));
  }
  return ExitCode::gate_failed;
}

ExitCode measure(MeasureArguments arguments, Context& context) {
  if (arguments.why && arguments.files.size() == 2) {
    require(arguments.input.empty() && arguments.output.empty(),
            "--why takes X and Y, or --input and --output, not both");
    arguments.input = arguments.files[0];
    arguments.output = arguments.files[1];
  } else if (!arguments.files.empty()) {
    require(!arguments.why, "--why takes two files, the input and the output of one program");
    require(arguments.files.size() == 1, "measure takes one list of results, not ",
            arguments.files.size());
    arguments.list = arguments.files[0];
  }
  if (!arguments.list.empty()) return measure_list(arguments, context);
  require(!arguments.input.empty() && !arguments.output.empty(),
          "measure needs --input and --output, or a list of results");
  require(arguments.directory.empty(),
          "-o keeps the rows of a list of results; name one in place of --input and --output");
  std::vector<MeasuredLimit> limits;
  for (const std::string& text : arguments.limits) limits.push_back(parse_measured_limit(text));
  const std::optional<Case> claimed =
      arguments.axes.empty()
          ? std::nullopt
          : std::optional(claimed_case(fmt::format("{}", fmt::join(arguments.axes, ","))));
  const std::optional<Format> named =
      arguments.format.empty() ? std::nullopt
                               : std::optional(format_named(arguments.format, read_list));
  NamedWords given = arguments.words;
  const std::string mode = claimed ? claimed->mode : "";
  const TransformEntry transform = transform_named(arguments.transform);
  Samples input =
      read_samples(arguments.input, 0, {.words = input_words(given, mode, transform.real_input)});
  if (!arguments.output_words.empty()) given.format = arguments.output_words;
  given.exponents = arguments.exponents;
  const Samples output = read_samples(
      arguments.output, 0,
      {.dtype = {}, .finite = false, .words = result_words(given, mode, transform.real_output)});
  const Format format = named.value_or(output.format);
  const ForeignProblem asked =
      in_norm(foreign_problem(arguments.transform, arguments.n, std::move(input)),
              norm_named(arguments.norm));
  if (arguments.why) {
    require(!claimed && limits.empty() && !arguments.json,
            "--why looks for the cause by itself: it takes no -a, --max and --json");
    return explain_error(arguments, asked, output, format, context);
  }
  Row row = measure_result(asked, output.values, format);
  std::vector<TheoryVerdict> theory;
  if (claimed) {
    predict_result(row, asked, *claimed);
    theory = theory_verdicts(row, arguments.within);
  }
  const Judged judged{
      row,
      format,
      limits,
      attribution::worst_element(output.values, asked.problem.truth, decisive(row, limits), format),
      non_finite(asked, output.values),
      suspicion(asked, output.values, format),
      theory};
  if (arguments.json)
    context.out << json_of(judged).dump(2) << '\n';
  else
    print(judged, context.out);
  return judged.all_hold() ? ExitCode::ok : ExitCode::gate_failed;
}

}  // namespace

void add_measure_command(CLI::App& app, Context& context) {
  Command command(
      app, "measure", "Measure the error of any program's result",
      "Examples:\n"
      "  fftprec measure --input x.npy --output y.npy\n"
      "  fftprec measure --input x.npy --output y.npy --transform rfft --max err_l2_rel=1e-6\n"
      "  fftprec measure --input x.npy --output y.npy -a mode=fp32 -a machine=ieee\n"
      "  fftprec measure --input s.npy --output x.npy --transform irfft --n 1024\n"
      "  fftprec measure --input x.npy --output y.npy --json\n"
      "  fftprec measure --input x.hex --output y.hex --words q1.15 --norm forward    X/N in "
      "words\n"
      "  fftprec measure --why x.npy y.npy             what is wrong, if anything\n"
      "  fftprec measure results.toml -o out/mine      rows that gate, plot, report and compare "
      "take\n"
      "The items of a batch follow one another.\n"
      "Exit codes: 0, 1 a limit or a verdict does not hold or a value is infinite or NaN, 2 "
      "usage,\n"
      "names or files, 3 a result of a list cannot be measured. With --why: 0 nothing is wrong, 1 "
      "else.");
  const auto arguments = std::make_shared<MeasureArguments>();
  command.add("files FILE", arguments->files,
              "A list of results, TOML or CSV; with --why the input and the\noutput");
  command.add_flag("--why", arguments->why,
                   "Name the likely causes of the error, each with a command\nthat shows it");
  command.add("-o DIR", arguments->directory, "Directory for the rows of a list");
  command.add("--input FILE", arguments->input,
              "Input of the program: .npy, or words: .hex, .mem, .csv");
  command.add("--output FILE", arguments->output, "Output of the program");
  add_words(command, arguments->words);
  command.add("--output-words FORMAT", arguments->output_words,
              "Fixed point of the output; default that of the input");
  command.add("--exponents FILE.csv", arguments->exponents,
              "Block exponents of the output; default y.exponents.csv\nbeside y.hex");
  command.add("--transform TRANSFORM", arguments->transform,
              "Transform to compare with; default fft");
  command.add("--norm", arguments->norm,
              "backward (1 and 1/N, default), ortho (1/sqrt(N) both)\nor forward (1/N and 1)");
  command
      .add("--n", arguments->n,
           "Its length; default the input's last axis, for spectra of real\ndata the even length")
      .range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max());
  command.add("--format FORMAT", arguments->format,
              "Format of the ulp columns; default the output's");
  command.add_list("--max METRIC=LIMIT", arguments->limits, "Limit that must hold");
  command.add_axes("AXIS=VALUE", arguments->axes,
                   "Judge by the theory of this case: algorithm, mode, machine or\ntables; the "
                   "others as in run");
  command
      .add("--within FACTOR", arguments->within,
           "With -a: how many times its expected error a result may have;\ndefault " +
               short_number(expected_margin))
      .range(1e-3, 1e6);
  command.add_flag("--json", arguments->json, "As JSON");
  command.run(context, [arguments, &context] { return measure(*arguments, context); });
}

}  // namespace fftprec::commands
