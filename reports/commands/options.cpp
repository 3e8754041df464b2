#include "reports/commands/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "arith/support/error.hpp"
#include "experiments/algorithms/programs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/text_stream.hpp"
#include "experiments/sweeps/run.hpp"
#include "reports/figures/kinds.hpp"
#include "reports/results/run_reader.hpp"

namespace fftprec::commands {

namespace {

constexpr const char* axes_help =
    R"(Axes: {}
  -a mode=bf16,ozaki   a list; commas within brackets do not split
  -a seed=1..20        every integer; 0..100..10 in steps of 10
  -a n=2^10,4k,1e4     1024, 4096, 10000: k, M, G are powers of 1024
  -a 'n[pow2]=[3:20]'  2^3, 2^4, ..., 2^20; n[smooth]=[60:512], the lengths there
                       without a prime factor above 7; n[primes]=[3:97], the primes
Filters: COLUMN=VALUES, !=, <, <=, >, >=; several must all hold
  -f mode=bf16,ozaki -f 'n>=64 and n<=1024' -f seed=1..5)";

bool parse_number(const std::string& text, double& value) {
  const std::optional<double> parsed = parse_double(text);
  value = parsed.value_or(0);
  return parsed && !std::isnan(value);
}

/// CLI11 would read -1 as 2^64 - 1.
template <class T>
bool parse_number(const std::string& text, T& value) {
  const std::optional<std::uint64_t> parsed = parse_unsigned(text);
  value = static_cast<T>(parsed.value_or(0));
  return parsed && *parsed <= std::numeric_limits<T>::max();
}

std::string case_count(std::size_t count) {
  return count == 0 ? "no case" : counted(count, "case");
}

/// The axes in which the cases differ: "n, seed".
std::string axes_that_differ(const std::vector<Case>& cases) {
  std::string names;
  for (const Column& column : axis_columns()) {
    const auto text = [&](const Case& where) { return column.text(Row{.where = where}); };
    const bool differ = std::ranges::any_of(
        cases, [&](const Case& where) { return text(where) != text(cases.front()); });
    if (differ) names += (names.empty() ? "" : ", ") + std::string(column.name);
  }
  return names;
}

OneCase from_axes(const OneCaseRequest& request, const CheckNames& check_names) {
  const std::vector<Case> cases = plan_cases({{}, request.axes, {}}, check_names).cases.all();
  if (cases.size() != 1)
    throw InputError("the axes name " + case_count(cases.size()) + ", not one" +
                     (cases.empty() ? "" : ": give a single value for " + axes_that_differ(cases)));
  return {cases.front(), std::nullopt};
}

OneCase from_run(const OneCaseRequest& request, const CheckNames& check_names) {
  results::RunReader reader(request.run);
  std::optional<Row> first;
  std::size_t found = 0, all = 0;
  for (const Row* row = reader.next(); row != nullptr; row = reader.next(), ++all)
    if (id_begins(row->where, request.id) && found++ == 0) first = *row;
  if (found != 1)
    throw InputError(
        request.run + " holds " + case_count(found) +
        (request.id.empty() ? "" : " whose case_id begins with '" + request.id + "'") +
        (found == 0 ? " among its " + std::to_string(all)
                    : ", not one: give more of the case_id, such as " + case_id(first->where)));
  check_names(first->where);
  return {first->where, first};
}

/// "--csv" of "--csv FILE".
std::string without_type(const std::string& name) { return name.substr(0, name.find(' ')); }

/// The option with what follows its name there as the type that help shows.
Option typed(CLI::Option* option, const std::string& name) {
  if (const std::size_t blank = name.find(' '); blank != name.npos)
    option->type_name(name.substr(blank + 1));
  return Option(option);
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::check(const Complaint& complaint) {
  option_->check(complaint);
  return *this;
}

Option& Option::last() {
  option_->take_last();
  return *this;
}

template <class T>
Option& Option::range(T least, T most) {
  return check([least, most](const std::string& text) {
    T value{};  // NaN is in no range
    return parse_number(text, value) && value >= least && value <= most
               ? ""
               : fmt::format("'{}' is no number from {} to {}", text, least, most);
  });
}

template Option& Option::range(unsigned, unsigned);
template Option& Option::range(std::uint64_t, std::uint64_t);
template Option& Option::range(double, double);

Command::Command(CLI::App& app, const std::string& name, const std::string& summary,
                 const std::string& footer)
    : command_(*app.add_subcommand(name, summary)) {
  command_.footer(footer);
}

template <class T>
Option Command::add(const std::string& name, T& value, const std::string& help) {
  CLI::Option* const added = command_.add_option(without_type(name), value, help);
  Option option = typed(added, name);
  if constexpr (std::is_integral_v<T>)
    added->transform([](const std::string& text) {
      const std::optional<std::uint64_t> count = parse_count(text);
      return count ? std::to_string(*count) : text;
    });
  if constexpr (std::is_arithmetic_v<T>)
    option.check([](const std::string& text) {
      T parsed{};
      if (parse_number(text, parsed)) return std::string();
      return "'" + text + "' is no " + (std::is_integral_v<T> ? "whole number" : "number");
    });
  return option;
}

template Option Command::add(const std::string&, std::string&, const std::string&);
template Option Command::add(const std::string&, unsigned&, const std::string&);
template Option Command::add(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add(const std::string&, double&, const std::string&);
template Option Command::add(const std::string&, std::vector<std::string>&, const std::string&);

Option Command::add_seconds(const std::string& name, double& seconds, const std::string& help) {
  CLI::Option* const added = command_.add_option(name, seconds, help);
  added->transform([](const std::string& text) {
    const std::optional<double> value = parse_seconds(text);
    if (!value)
      throw CLI::ValidationError(
          "'" + text + "' is no duration such as 500ms, 5s, 2m or 1h, and no number of seconds");
    return shortest(*value);
  });
  return typed(added, name + " DURATION");
}

Option Command::add_list(const std::string& name, std::vector<std::string>& values,
                         const std::string& help) {
  return typed(
      command_.add_option(without_type(name), values, help)->allow_extra_args(false)->take_all(),
      name);
}

Option Command::add_parsed(const std::string& name,
                           const std::function<void(const std::string&)>& take,
                           const std::string& help) {
  return typed(command_.add_option_function<std::string>(without_type(name), take, help), name);
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Option(command_.add_flag(name, value, help));
}

void Command::add_threads(unsigned& threads) {
  threads = default_threads();
  add("-j,--threads N", threads, "Threads; default one per core").range(1u, 4096u);
}

void Command::add_axes(const std::string& values, std::vector<std::string>& axes,
                       const std::string& help) {
  command_.add_option("-a,--axis", axes, help)
      ->allow_extra_args(false)
      ->take_all()
      ->type_name(values)
      ->each(add_programs_at);
  add_parsed(
      "--programs FILE.toml", [](const std::string& file) { add_programs(file); },
      "Programs that run as algorithm=program:NAME; no other file starts one");
}

void Command::add_cases(CaseRequest& request) {
  add("sweep SWEEP", request.sweep, "A TOML file or the name of a built-in sweep");
  add_axes("AXIS=VALUES", request.axes, "In place of the sweep's");
  add_list("-f,--filter FILTER", request.filters, "Only cases that match");
  command_.footer(fmt::format(axes_help, fmt::join(axis_names(), " ")));
}

void Command::run(Context& context, const std::function<ExitCode()>& work) {
  command_.callback([&context, work] { context.exit_code = to_int(work()); });
}

void Command::run_if_applicable(Context& context, const std::function<ExitCode()>& work) {
  run(context, [&context, work] {
    try {
      return work();
    } catch (const NotApplicable& reason) {
      context.err << "fftprec: " << printable(reason.what()) << '\n';
      return ExitCode::nothing_matched;
    }
  });
}

std::string not_empty(const std::string& text) { return text.empty() ? "is empty" : ""; }

void check_outputs(const std::string& csv, const std::string& directory) {
  if (!csv.empty() && csv != "-") check_writable(csv);
  if (!directory.empty()) create_writable_folder(directory);
}

void write_csv(const std::string& file, const std::string& csv, Context& context) {
  if (file == "-")
    context.out << csv;
  else
    replace_text(file, csv);
}

std::string no_case_matches(const CaseRequest& request) {
  std::string filters;
  for (const std::string& filter : request.filters) filters += " -f '" + filter + "'";
  return "fftprec: no case" + (filters.empty() ? " is left" : " matches" + filters) + "\n";
}

Plan plan_run(const CaseRequest& request, const CheckNames& check_names) {
  Plan plan = plan_cases(request, check_names);
  for (const FigureRequest& plot : plan.sweep.plots) figures::completed(plot);
  return plan;
}

void add_one_case(Command& command, OneCaseRequest& request) {
  command.add("case CASE", request.id, "The case_id of a row of --run, or its beginning");
  add_run_and_axes(command, request);
}

void add_run_and_axes(Command& command, OneCaseRequest& request) {
  command.add("--run DIR|CSV", request.run,
              "A run's directory, or a CSV file, that holds the case");
  command.add_axes("AXIS=VALUE", request.axes, "In place of CASE; others at default");
}

std::string short_text(const Case& where) {
  std::string text = fmt::format("{}, {}, {}, {}, tables {}, n = {}, batch {}, {}, seed {}",
                                 where.transform, where.algorithm, where.mode, where.machine,
                                 where.tables, where.n, where.batch, where.input, where.seed);
  for (const LaterAxis& axis : later_axes)
    if (!axis.is_default(where)) text += fmt::format(", {} {}", axis.name, where.*axis.value);
  return text;
}

OneCase one_case(const OneCaseRequest& request, const CheckNames& check_names) {
  const bool of_run = !request.run.empty() || !request.id.empty();
  if (of_run && !request.axes.empty())
    throw InputError("a case is named by -a, or by a case_id and --run, not by both");
  if (!of_run && request.axes.empty())
    throw InputError("name a case: by -a AXIS=VALUE, or by its case_id and --run DIR");
  if (!of_run) return from_axes(request, check_names);
  if (request.run.empty())
    throw InputError("'" + request.id + "' names no case: give -a AXIS=VALUE, or a case_id with " +
                     "--run DIR, the run that has the case");
  return from_run(request, check_names);
}

}  // namespace fftprec::commands
