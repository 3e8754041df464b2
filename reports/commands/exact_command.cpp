/// `fftprec exact`: how many bits a digit may have, so that every coefficient of a product is
/// right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/search/exact_products.hpp"
#include "experiments/search/torus_noise.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/figures/exact.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/results/csv.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct ExactArguments {
  std::vector<std::string> axes;
  std::string failure = "2^-40";
  std::string given;
  std::string csv;
  std::string directory;
  search::ExactRequest request;
};

/// A probability, as 1e-9 or 2^-40.
double probability_from(const std::string& text) {
  const bool is_power = text.starts_with("2^-");
  const std::optional<double> number = parse_double(is_power ? text.substr(2) : text);
  const double probability = number ? (is_power ? std::exp2(*number) : *number) : 0;
  require(probability > 0 && probability < 1, "exact: --failure ", text,
          " is no probability between 0 and 1, such as 2^-40 or 1e-12");
  return probability;
}

std::vector<Case> cases_of(const ExactArguments& arguments, const CheckNames& check_names) {
  std::vector<std::string> axes = arguments.axes;
  const auto names = [&](std::string_view axis) {
    return std::ranges::any_of(
        axes, [&](const std::string& text) { return text.starts_with(std::string(axis) + "="); });
  };
  if (!names("transform")) axes.emplace_back("transform=product");
  if (!names("mode")) axes.emplace_back("mode=fp64");
  if (!names("input")) axes.emplace_back("input=integers");
  return plan_cases({{}, axes, {}}, check_names).cases.all();
}

/// What tells the cases apart, then the numbers.
std::vector<text::TextCells> lines_of(const std::vector<Case>& cases,
                                      const std::vector<std::string>& titles) {
  std::vector<text::TextCells> lines(1 + cases.size());
  for (const Column& axis : axis_columns()) {
    const auto text_of = [&](const Case& where) { return axis.text(Row{.where = where}); };
    const bool is_told = axis.name == "n" || axis.name == "mode" || axis.name == "transform" ||
                         std::ranges::any_of(cases, [&](const Case& where) {
                           return text_of(where) != text_of(cases.front());
                         });
    if (!is_told) continue;
    lines[0].emplace_back(axis.name);
    for (std::size_t i = 0; i < cases.size(); ++i) lines[i + 1].push_back(text_of(cases[i]));
  }
  lines[0].insert(lines[0].end(), titles.begin(), titles.end());
  return lines;
}

std::string bits_text(const search::DigitLimit& limit) {
  if (!limit.reason.empty()) return "-";
  return limit.bits ? short_number(*limit.bits, 5) : "none";
}

/// The command that runs the case with all seeds of `runs`.
std::string run_command(const Case& where, std::uint64_t runs, const Context& context) {
  const std::string last = runs > 1 ? ".." + std::to_string(where.seed + runs - 1) : "";
  return fmt::format("  {} run {} --csv -\n", text::program_of(context.argv),
                     command_of(SharedCase(where), std::to_string(where.seed) + last));
}

std::string at_failure(const ExactArguments& arguments) { return "fails in " + arguments.failure; }

/// The commands that show the three numbers of a case.
std::string commands_for(const search::DigitLimits& limits, const ExactArguments& arguments,
                         const Context& context) {
  std::string text;
  const auto add = [&](const search::DigitLimit& limit, const std::string& what,
                       std::uint64_t runs) {
    text += what + ": ";
    text += limit.bits
                ? short_number(*limit.bits, 5) + " bits\n" + run_command(limit.where, runs, context)
                : (limit.reason.empty() ? "not even digits of one bit" : limit.reason) + "\n";
  };
  add(limits.proven,
      fmt::format("proven for all digits, bound {} < 1/2", short_number(limits.proven.shown, 3)),
      1);
  add(limits.probable,
      fmt::format("wrong with probability {}", short_number(limits.probable.shown, 3)), 1);
  add(limits.measured,
      fmt::format("right in {}, largest error {}", counted(arguments.request.runs, "run"),
                  short_number(limits.measured.shown, 3)),
      arguments.request.runs);
  return text;
}

void draw(const std::vector<figures::ExactPoint>& points, const ExactArguments& arguments,
          Context& context) {
  const figures::Figure drawn[] = {figures::exact_figure(points, arguments.failure)};
  const figures::ImageFiles files = figures::write_images(drawn, arguments.directory);
  for (const std::filesystem::path& path : files.written)
    context.err << "written: " << path.string() << "\n";
  if (!files.problem.empty()) context.err << files.problem << "\n";
}

void print(const std::vector<text::TextCells>& lines, std::size_t names, const std::string& text,
           const ExactArguments& arguments, Context& context) {
  if (!arguments.csv.empty()) {
    std::string csv;
    for (const text::TextCells& line : lines) csv += results::csv_line(line);
    write_csv(arguments.csv, csv, context);
  }
  (arguments.csv == "-" ? context.err : context.out) << text::terminal_table({lines, names}) << "\n"
                                                     << text;
}

ExitCode most_bits(const std::vector<Case>& cases, const ExactArguments& arguments,
                   Context& context) {
  const std::vector<std::string> titles{"proven", at_failure(arguments),
                                        "right in " + counted(arguments.request.runs, "run")};
  std::vector<text::TextCells> lines = lines_of(cases, titles);
  const std::size_t names = lines[0].size() - titles.size();
  std::vector<figures::ExactPoint> points;
  std::string text;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const search::DigitLimits limits =
        search::digit_limits(*context.session, cases[i], arguments.request);
    for (const auto* limit : {&limits.proven, &limits.probable, &limits.measured})
      lines[i + 1].push_back(bits_text(*limit));
    points.push_back({cases[i], limits.proven.bits, limits.probable.bits, limits.measured.bits});
    if (cases.size() > 1)
      context.err << fmt::format("{}/{} cases: {}\n", i + 1, cases.size(), short_text(cases[i]));
    if (i + 1 == cases.size()) text = commands_for(limits, arguments, context);
  }
  if (cases.size() > 1) text = "Of the last line:\n" + text;
  print(lines, names, "Bits of a digit, with its sign.\n\n" + text, arguments, context);
  if (!arguments.directory.empty()) draw(points, arguments, context);
  return ExitCode::ok;
}

/// Digits that are given.
struct Given {
  bool is_exponent;
  std::uint64_t value;
};

Given given_from(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string key = text.substr(0, equals);
  require(key == "bits" || key == "exponent", "exact: --given ", text,
          " is none of bits=B, exponent=E and torus:base=B:levels=L:dimension=K");
  const Key value{key, equals < text.size() ? text.substr(equals + 1) : "", {}, ""};
  const bool is_exponent = key == "exponent";
  return {is_exponent,
          whole_number(value, "exact --given", is_exponent ? std::uint64_t{1} << 40 : 53)};
}

/// The cases with the given digits; with bits, also in more parts than one.
std::vector<Case> given_cases(const std::vector<Case>& cases, const Given& given,
                              Session& session) {
  constexpr std::size_t most_parts = 4;
  std::vector<Case> all;
  for (const Case& where : cases) {
    const search::Digits digits(session, where);
    if (given.is_exponent) {
      all.push_back(digits.with_exponent(given.value));
      continue;
    }
    Case with = digits.with(static_cast<int>(given.value) * digits.steps_per_bit());
    all.push_back(with);
    for (std::size_t parts = 2; digits.may_be_cut() && parts <= most_parts && parts <= given.value;
         ++parts) {
      Case cut = with;
      cut.transform = search::in_parts(where.transform, parts, static_cast<double>(given.value));
      all.push_back(cut);
    }
  }
  return all;
}

ExitCode at_given(const std::vector<Case>& named, const ExactArguments& arguments,
                  Context& context) {
  const Given given = given_from(arguments.given);
  std::vector<Case> cases;
  std::vector<search::ExactVerdict> verdicts;
  std::string left_out;
  for (const Case& where : given_cases(named, given, *context.session)) {
    try {
      verdicts.push_back(search::exact_verdict(*context.session, where, arguments.request));
      cases.push_back(where);
      context.err << fmt::format("judged: {}\n", short_text(where));
    } catch (const NotApplicable& reason) {
      left_out += fmt::format("left out: {}: {}\n", short_text(where), reason.what());
    }
  }
  if (cases.empty()) throw NotApplicable(left_out);
  const std::vector<std::string> titles{"bound",      "failure",         "largest error",
                                        "wrong runs", "multiplications", "verdict"};
  std::vector<text::TextCells> lines = lines_of(cases, titles);
  const std::size_t names = lines[0].size() - titles.size();
  const auto number = [](const std::optional<double>& value) {
    return value ? short_number(*value, 3) : std::string("-");
  };
  // The least length, then the least work.
  std::optional<std::size_t> proven;
  std::optional<std::size_t> probable;
  const auto is_less = [&](std::size_t a, const std::optional<std::size_t>& b) {
    return !b ||
           std::pair(cases[a].n, verdicts[a].work) < std::pair(cases[*b].n, verdicts[*b].work);
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const search::ExactVerdict& verdict = verdicts[i];
    const bool is_probable = verdict.is_probable(arguments.request.failure);
    lines[i + 1].insert(
        lines[i + 1].end(),
        {number(verdict.bound), number(verdict.failure), short_number(verdict.largest_error, 3),
         fmt::format("{} of {}", verdict.wrong_runs, arguments.request.runs),
         std::to_string(verdict.work),
         verdict.is_proven()       ? "proven"
         : is_probable             ? "probable"
         : verdict.wrong_runs == 0 ? "open"
                                   : "wrong"});
    if (verdict.is_proven() && is_less(i, proven)) proven = i;
    if ((verdict.is_proven() || is_probable) && is_less(i, probable)) probable = i;
  }
  std::string text;
  const auto add = [&](const std::string& what, const std::optional<std::size_t>& i) {
    text += what + ": ";
    text += i ? fmt::format("{} in {}, n = {}\n{}", cases[*i].transform, cases[*i].mode,
                            cases[*i].n, run_command(cases[*i], 1, context))
              : std::string("none of these\n");
  };
  add("least n and work that is proven", proven);
  add(fmt::format("least n and work that {} at most", at_failure(arguments)), probable);
  print(lines, names, text + left_out, arguments, context);
  return proven || probable ? ExitCode::ok : ExitCode::nothing_matched;
}

ExitCode at_torus(const std::vector<Case>& named, const ExactArguments& arguments,
                  Context& context) {
  const search::ExternalProduct product = search::external_product_named(arguments.given);
  std::vector<Case> cases;
  for (const Case& where : named) cases.push_back(search::with_external_product(where, product));
  const std::vector<std::string> titles{"expected", "log2 expected", "measured", "log2 measured"};
  std::vector<text::TextCells> lines = lines_of(cases, titles);
  const std::size_t names = lines[0].size() - titles.size();
  std::string unknown;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const search::TorusNoise noise =
        search::torus_noise(*context.session, cases[i], product, arguments.request);
    if (!noise.expected) unknown = "-: no error is expected of this algorithm or these digits\n";
    for (const std::optional<double>& deviation : {noise.expected, std::optional(noise.measured)}) {
      lines[i + 1].push_back(deviation ? short_number(*deviation, 4) : "-");
      lines[i + 1].push_back(deviation ? fmt::format("{:.2f}", std::log2(*deviation)) : "-");
    }
    context.err << fmt::format("{}/{} cases: {}\n", i + 1, cases.size(), short_text(cases[i]));
  }
  const std::string text = fmt::format(
      "Standard deviation of the FFT's noise in the phase of an external product, 1 the whole "
      "torus;\nto be added to the scheme's noise in variance. Measured in {}:\n{}",
      counted(arguments.request.runs, "run"),
      run_command(cases.back(), arguments.request.runs, context));
  print(lines, names, unknown + text, arguments, context);
  return ExitCode::ok;
}

ExitCode run_exact(ExactArguments& arguments, Context& context) {
  arguments.request.failure = probability_from(arguments.failure);
  check_outputs(arguments.csv, arguments.directory);
  const std::vector<Case> cases = cases_of(arguments, context.check_names());
  if (!arguments.given.empty()) {
    require(arguments.directory.empty(), "exact: --given has no figure");
    const bool is_torus = split_name(arguments.given).name == "torus";
    return is_torus ? at_torus(cases, arguments, context) : at_given(cases, arguments, context);
  }
  if (cases.size() == 1)
    arguments.request.on_step = [&](const std::string& line) { context.err << line << "\n"; };
  return most_bits(cases, arguments, context);
}

}  // namespace

void add_exact_command(CLI::App& app, Context& context) {
  Command command(
      app, "exact", "Find how many bits the digits of an exact product may have",
      "Examples:\n"
      "  fftprec exact -a transform=product:negacyclic:half -a n=2048\n"
      "  fftprec exact -a transform=product -a n=2^10,2^14 -a mode=fp64,fp32 -o out\n"
      "  fftprec exact -a transform=product:half -a n=2^20 --given bits=30\n"
      "  fftprec exact -a transform=product:cyclic:half:square:exponent=1 -a n=2^10,2^11,2^12 \\\n"
      "      --given exponent=44497\n"
      "  fftprec exact -a transform=product:negacyclic:half -a n=2048 \\\n"
      "      --given torus:base=2^23\n"
      "Three answers: proven by a theorem for all digits; wrong with a probability of at most\n"
      "--failure, by the law of errors of random digits; right in --runs runs. Defaults: "
      "transform\n"
      "product, mode fp64, input integers, whose bits are searched. A key exponent in the name of\n"
      "the transform asks for weighted digits; its value does not count.\n"
      "Exit codes: 0, 2 names, 4 nothing holds for the given digits, or no meaning.");
  const auto arguments = std::make_shared<ExactArguments>();
  constexpr std::uint64_t one = 1;
  command.add_axes("AXIS=VALUES", arguments->axes, "Others at default");
  command.add("--failure P", arguments->failure,
              "Largest probability that some coefficient is wrong:\n2^-40, the default, or 1e-12");
  command.add(
      "--given DIGITS", arguments->given,
      "Judge these digits instead: bits=B, also in parts, or\nexponent=E of a number modulo "
      "2^E - 1; or show the noise\nthat FFTs add to an external product on the torus:\n"
      "torus:base=B[:levels=L:dimension=K:bits=64]");
  command.add("--runs K", arguments->request.runs, "Seeds to run; default 10")
      .range(one, one << 30);
  command.add("-o,--output DIR", arguments->directory, "Directory for the figure: bits against n");
  command.add("--csv FILE|-", arguments->csv, "The table as CSV, - for standard output");
  command.add_threads(arguments->request.threads);
  command.run_if_applicable(context,
                            [arguments, &context] { return run_exact(*arguments, context); });
}

}  // namespace fftprec::commands
