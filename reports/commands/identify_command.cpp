/// `fftprec identify`: which machine computes what a device computed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <ostream>
#include <set>

#include "arith/machines/parameters.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/machine_file.hpp"
#include "experiments/identify/fft_search.hpp"
#include "experiments/identify/probe_files.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

using identify::BatchResult;
using identify::Decision;
using identify::Failure;
using identify::Identification;

struct Counts {
  std::size_t outputs = 0;
  std::size_t differ = 0;
  std::size_t zero_signs = 0;
};

Counts counts_of(const Identification& found) {
  Counts counts;
  for (const BatchResult& batch : found.batches) {
    counts.outputs += batch.outputs;
    counts.differ += batch.differ;
    counts.zero_signs += batch.zero_signs;
  }
  return counts;
}

/// A custom format by its significand alone where the rest is fp32's.
std::string short_value(const std::string& value) {
  const std::size_t begin = value.find("p="), end = value.find(",emin=-126,emax=127,sub");
  if (!value.starts_with("custom(") || end == value.npos) return value;
  return value.substr(begin + 2, end - begin - 2) + " bits";
}

/// "1, 2, 3 and 70 others".
std::string some_of(const std::vector<std::string>& values, std::size_t most = 6) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(most, values.size()); ++i)
    shown.push_back(short_value(values[i]));
  return fmt::format(
      "{}{}", fmt::join(shown, ", "),
      values.size() > most ? fmt::format(" and {} others", values.size() - most) : "");
}

std::string decisions_text(const std::vector<Decision>& decisions) {
  std::string text;
  std::vector<std::string> left;
  text += fmt::format("\n  {:<30}{:<14}{}\n", "parameter", "value", "decided by");
  for (const Decision& each : decisions) {
    if (each.stopped) left.push_back(each.key);
    if (each.value == unread || (each.batch.empty() && each.open.empty())) continue;
    text += fmt::format("  {:<30}{:<14}", each.key, short_value(each.value));
    text += each.batch.empty() ? each.stopped ? "nothing so far" : "nothing"
                               : fmt::format("{}; {} misses {} outputs in all", each.batch,
                                             short_value(each.nearest), each.outputs);
    text += '\n';
  }
  std::string open;
  for (const Decision& each : decisions) {
    if (each.open.empty()) continue;
    std::string next = "no probe decides; perhaps they are equivalent";
    if (each.next_k > 0)
      next =
          fmt::format("{} would decide; `fftprec probe --k {}` writes it", each.next, each.next_k);
    else if (!each.next.empty())
      next = each.next + " would decide; it has no D.npy";
    open += fmt::format("  {:<30}{}\n{:32}{}\n", each.key, some_of(each.open), "", next);
  }
  if (!open.empty()) text += "\nOpen: other values that agree as well\n" + open;
  if (!left.empty())
    text +=
        fmt::format("\nNot all values were tried before the bound: {}\n", fmt::join(left, ", "));
  return text;
}

std::string failure_text(const Failure& failure) {
  std::string text = fmt::format(
      "\nThe shortest failing probe: batch {}, output ({}, {}), {} that {} not zero\n",
      failure.batch, failure.row, failure.column, counted(failure.products.size(), "product"),
      failure.products.size() == 1 ? "is" : "are");
  const auto line = [&](const std::string& name, const std::string& value) {
    text += fmt::format("  {:<10}{}\n", name, value);
  };
  if (failure.c) line("C", identify::binary(static_cast<double>(*failure.c)));
  constexpr std::size_t most = 24;
  for (std::size_t i = 0; i < std::min(most, failure.products.size()); ++i) {
    const Failure::Product& each = failure.products[i];
    const double a = static_cast<double>(each.a), b = static_cast<double>(each.b);
    line(fmt::format("k = {}", each.k), fmt::format("{} * {} = {}", identify::binary(a),
                                                    identify::binary(b), identify::binary(a * b)));
  }
  if (failure.products.size() > most)
    text += fmt::format("  and {} more\n", failure.products.size() - most);
  line("exact", identify::exact_sum(failure));
  line("device", identify::binary(static_cast<double>(failure.device)));
  line("machine", identify::binary(static_cast<double>(failure.machine)));
  return text;
}

std::string batches_text(const std::vector<BatchResult>& batches) {
  std::string text = "\n  batch                     outputs   differ\n";
  for (const BatchResult& batch : batches)
    if (batch.differ + batch.zero_signs > 0)
      text += fmt::format(
          "  {:<24}{:>9}{:>9}{}\n", batch.name, batch.outputs, batch.differ,
          batch.zero_signs > 0 ? fmt::format("  and {} signs of zeros", batch.zero_signs) : "");
  std::string agree;
  for (const BatchResult& batch : batches)
    if (batch.differ + batch.zero_signs == 0) agree += (agree.empty() ? "" : ", ") + batch.name;
  return text + (agree.empty() ? "  No batch agrees.\n" : "  These agree: " + agree + "\n");
}

/// The machine that fits, what decides each of its parameters and what stays open; or that none
/// fits, where the nearest one fails, and its shortest failing probe in binary.
std::string identification_text(const Identification& found, const identify::Operands& operands) {
  const Counts counts = counts_of(found);
  std::string text = fmt::format("{} outputs of {} batches, operands {}\n", counts.outputs,
                                 found.batches.size(), to_string(operands));
  if (!found.fits) {
    const std::string signs = fmt::format("{} signs of zeros", counts.zero_signs);
    if (counts.differ == 0)
      text += fmt::format(
          "{} agrees but for {}; no machine agrees in every bit{}.\n", found.machine.name, signs,
          found.stopped ? " of those tried before the search ended at its bound" : "");
    else
      text += fmt::format(
          "No machine fits: no preset, and none that the search made of the table of "
          "parameters{}.\n"
          "The nearest is {}; it misses {} outputs{}.\n",
          found.stopped ? " before it ended at its bound" : "", found.machine.name, counts.differ,
          counts.zero_signs > 0 ? " and " + signs : "");
    text += batches_text(found.batches);
    if (found.failure) text += failure_text(*found.failure);
    return text;
  }
  if (found.presets.empty())
    text +=
        fmt::format("No preset fits. This machine agrees in every bit: {}\n", found.machine.name);
  else
    text += fmt::format("Agrees in every bit: {}\n", fmt::join(found.presets, ", "));
  if (!found.up_to_sign.empty())
    text += fmt::format("Agrees but for signs of zeros: {}\n", fmt::join(found.up_to_sign, ", "));
  return text + decisions_text(found.decisions);
}

/// "n = 16, 64 and 256".
std::string lengths_text(const std::vector<std::size_t>& lengths) {
  if (lengths.size() == 1) return fmt::format("n = {}", lengths.front());
  const std::vector<std::size_t> first(lengths.begin(), lengths.end() - 1);
  return fmt::format("n = {} and {}", fmt::join(first, ", "), lengths.back());
}

/// What the outputs of one length show by themselves: their bits and error, and the table that the
/// impulses read out.
std::string evidence_text(const identify::FftEvidence& found) {
  std::string text = fmt::format(
      "n = {}: {} transforms; outputs of at most {} significant bits; relative error of noise "
      "{}{}{}\n",
      found.n, found.rows, found.bits, short_number(found.error),
      found.suspicion.empty() ? "" : "; ", found.suspicion);
  const std::vector<identify::TableReading> best = found.best_tables();
  if (best.empty()) return text + "  table: no source has an entry that an impulse reads\n";
  std::vector<std::string> names;
  for (const identify::TableReading& each : best) {
    names.push_back(each.source);
    names.insert(names.end(), each.alike.begin(), each.alike.end());
  }
  const bool by_row =
      best.front().row * found.column_entries >= best.front().column * found.row_entries;
  return text + fmt::format("  table: {} of {} entries that {} are those of {}\n",
                            by_row ? best.front().row : best.front().column,
                            by_row ? found.row_entries : found.column_entries,
                            by_row ? "the impulse at 1 reads" : "impulses read at output 1",
                            some_of(names, 4));
}

/// The axes of a case that name a variant.
struct VariantAxis {
  const char* name;
  std::string Case::*value;
};
constexpr VariantAxis variant_axes[] = {{"algorithm", &Case::algorithm},
                                        {"mode", &Case::mode},
                                        {"tables", &Case::tables},
                                        {"machine", &Case::machine},
                                        {"rounding_points", &Case::rounding_points}};

/// "-a algorithm=split-radix -a mode=fp32 ...".
std::string options_of(const Case& where) {
  std::string text;
  for (const auto& [name, value] : variant_axes)
    if (value != &Case::rounding_points || where.*value != Case{}.*value)
      text += fmt::format(" -a {}={}", name, shell_word(where.*value));
  return text;
}

/// What a twin has other than the named case: "algorithm=recursive, tables=exact:in=fp64".
std::string differences_of(const Case& twin, const Case& named) {
  std::string text;
  for (const auto& [name, value] : variant_axes)
    if (twin.*value != named.*value)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, twin.*value);
  return text;
}

/// "The algorithm and the mode are certain; open: tables (4 names)".
std::string certainty_text(const identify::FftName& named) {
  std::vector<std::string> certain, open;
  for (const auto& [name, value] : variant_axes) {
    std::set<std::string> values{named.where.*value};
    for (const Case& twin : named.twins) values.insert(twin.*value);
    if (values.size() == 1 && (value == &Case::rounding_points || value == &Case::machine))
      continue;
    if (values.size() == 1)
      certain.emplace_back(name);
    else
      open.push_back(fmt::format("{} ({} names)", name, values.size()));
  }
  return fmt::format("  certain among the candidates: {}; open: {}\n",
                     certain.empty() ? "nothing" : fmt::format("{}", fmt::join(certain, ", ")),
                     open.empty() ? "nothing" : fmt::format("{}", fmt::join(open, ", ")));
}

std::string name_text(const identify::FftName& named, const identify::FftIdentification& found) {
  std::string text = fmt::format("\nEvery bit of all rows at {}:\n", lengths_text(named.lengths));
  if (named.own_tables.empty())
    text += fmt::format("  fftprec run{} -a n={}\n", options_of(named.where),
                        fmt::join(named.lengths, ","));
  for (const auto& [n, tables] : named.own_tables) {
    Case with_table = named.where;
    with_table.tables = tables;
    text += fmt::format("  fftprec run{} -a n={}\n", options_of(with_table), n);
  }
  if (!named.own_tables.empty())
    text +=
        "  with its own twiddles, which its transforms of impulses show; "
        "`fftprec tables error FILE` judges them\n";
  if (named.wider)
    text += fmt::format("  and only the results are rounded to {}, which `run` does not do\n",
                        to_string(found.result));
  std::vector<std::size_t> missed;
  for (const identify::FftEvidence& each : found.lengths)
    if (std::ranges::find(named.lengths, each.n) == named.lengths.end()) missed.push_back(each.n);
  if (!missed.empty()) text += fmt::format("  not at {}\n", lengths_text(missed));
  if (!named.twins.empty()) {
    std::vector<std::string> twins;
    for (const Case& twin : named.twins) twins.push_back(differences_of(twin, named.where));
    text += fmt::format("  and {} with the same bits: {}\n", counted(twins.size(), "twin"),
                        some_of(twins));
  }
  return text + certainty_text(named);
}

std::string unnamed_text(const identify::FftIdentification::Unnamed& length) {
  std::string text = fmt::format("\nNothing fits n = {}. The nearest:\n", length.n);
  std::vector<text::TextCells> cells{
      {"algorithm", "mode", "tables", "machine", "equal parts", "equal rows", "difference"}};
  for (const identify::FftNear& each : length.nearest)
    cells.push_back({each.where.algorithm, each.where.mode,
                     each.own_table ? "its own" : each.where.tables, each.where.machine,
                     fmt::format("{} of {}", each.equal, each.parts), std::to_string(each.rows),
                     short_number(each.distance)});
  return text + text::terminal_table({cells, 4});
}

/// "Not tried at n = 4096: ...".
std::string left_out_text(const identify::FftLeftOut& left_out) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& what, const std::set<std::string>& algorithms) {
    const std::vector<std::string> names(algorithms.begin(), algorithms.end());
    if (!names.empty()) parts.push_back(fmt::format("{}: {}", what, some_of(names, 4)));
  };
  add("algorithms with n^2 products or table entries", left_out.algorithms);
  add("tables that the outputs do not suggest, in algorithms with n^2 of their entries",
      left_out.few_tables);
  if (left_out.tables > 0)
    parts.push_back(
        fmt::format("{} that the outputs do not suggest", counted(left_out.tables, "table")));
  if (left_out.modes) parts.emplace_back("modes that are not plain, and machines other than ieee");
  if (left_out.own_tables > 0)
    parts.push_back(fmt::format("{} with the program's own twiddles that fit no shorter length",
                                counted(left_out.own_tables, "algorithm")));
  if (left_out.candidates > 0)
    parts.push_back(
        fmt::format("{} after the bound of a search", counted(left_out.candidates, "candidate")));
  return fmt::format("\nNot tried at n = {}, for the time that they take:\n  {}\n", left_out.n,
                     fmt::join(parts, ";\n  "));
}

/// What would decide more.
std::string advice_text(const identify::FftIdentification& found) {
  std::string text;
  std::vector<std::size_t> lengths;
  for (const identify::FftEvidence& each : found.lengths) lengths.push_back(each.n);
  if (found.telling_length > 0) {
    lengths.push_back(found.telling_length);
    std::ranges::sort(lengths);
    text += fmt::format("\nn = {} tells {} from the first name: fftprec probe --fft {}\n",
                        found.telling_length, counted(found.told_apart, "twin"),
                        fmt::join(lengths, ","));
  } else if (!found.names.empty() && !found.names.front().twins.empty()) {
    text += "\nNo length that was tried tells the twins apart.\n";
  }
  bool is_complete = true;
  for (const identify::FftLeftOut& each : found.left_out) {
    const auto is_it = [&](const auto& length) { return length.n == each.n; };
    if (found.names.size() < 2 && std::ranges::none_of(found.unnamed, is_it)) continue;
    text += left_out_text(each);
    is_complete = false;
  }
  if (!is_complete)
    text += "Shorter lengths would decide more.\n";
  else if (!found.fits())
    text +=
        "\nNo candidate has these bits: another algorithm, another order of sums, or tables of its "
        "own. A table\nthat the program saves as .npy can be tried: fftprec tables error w.npy, "
        "-a tables=file:w.npy\n";
  return text;
}

std::string fft_identification_text(const identify::FftIdentification& found) {
  std::string text;
  for (const identify::FftEvidence& each : found.lengths) text += evidence_text(each);
  text += fmt::format("Outputs are numbers of {}. {} tried.\n", to_string(found.result),
                      counted(found.tried, "candidate"));
  for (const identify::FftName& each : found.names) text += name_text(each, found);
  for (const auto& each : found.unnamed) text += unnamed_text(each);
  return text + advice_text(found);
}

/// One line for each group of presets that no probe tells apart.
std::string preset_groups_text(const std::vector<std::vector<std::string>>& groups) {
  std::string text;
  for (const std::vector<std::string>& group : groups)
    text +=
        fmt::format("{}{}\n", fmt::join(group, ", "), group.size() > 1 ? ": not told apart" : "");
  return text;
}

struct IdentifyArguments {
  std::vector<std::string> axes;
  std::string directory;
  std::string output;
  bool presets = false;
  std::string operands = "bf16";
};

ExitCode show_presets(const IdentifyArguments& arguments, Context& context) {
  const identify::ProbeOptions options{.operands = identify::operands_named(arguments.operands)};
  context.out << preset_groups_text(
      identify::preset_groups(options.operands, identify::probe_batches(options)));
  return ExitCode::ok;
}

ExitCode show_fft(const identify::FftIdentification& found, Context& context) {
  context.out << fft_identification_text(found);
  return found.fits() ? ExitCode::ok : ExitCode::gate_failed;
}

/// Where an FFT answered.
ExitCode identify_ffts(const std::filesystem::path& directory, Context& context) {
  const std::vector<identify::FftAnswer> answers = identify::read_fft_probes(directory);
  identify::OwnTableAccess own{
      .file = [&](std::size_t n) { return directory / fmt::format("n{}", n) / "twiddles.npy"; }};
  try {
    for (const identify::FftAnswer& answer : answers) check_writable(own.file(answer.n));
  } catch (const InputError& reason) {
    own.file = nullptr;
    context.out << fmt::format("The program's own twiddles are not looked for: {}\n",
                               reason.what());
  }
  return show_fft(identify::identify_fft(answers, own), context);
}

/// The transforms of a case are asked for: of a program's, say.
ExitCode identify_case(const IdentifyArguments& arguments, Context& context) {
  std::vector<Case> cases = plan_cases({{}, arguments.axes, {}}, context.check_names()).cases.all();
  std::ranges::sort(cases, {}, &Case::n);
  const auto same_length = std::ranges::adjacent_find(cases, {}, &Case::n);
  if (same_length != cases.end())
    throw InputError(
        fmt::format("identify: -a gives {} cases at n={}; give one value to each axis but n",
                    std::ranges::count(cases, same_length->n, &Case::n), same_length->n));
  for (const Case& where : cases) {
    require(where.n >= 4 && where.n <= identify::longest_probe,
            fmt::format("identify: n={} is not in 4..{}", where.n, identify::longest_probe));
    require(where.transform == Case().transform,
            "identify: only forward FFTs without a factor have names; leave out -a transform");
  }
  const std::filesystem::path directory = arguments.output.empty() ? "." : arguments.output;
  create_writable_folder(directory);
  Session session;
  const auto transform = [&](std::size_t n, const ComplexArray<double>& x) {
    const auto asked = std::ranges::find(cases, n, &Case::n);
    Case where = *asked;
    where.batch = x.size() / n;
    const CasePlan plan = session.plan(where);
    if (const std::string reason = plan.inapplicable(); !reason.empty())
      throw NotApplicable(reason);
    ComplexArray<double> y = run_case(plan, x, {.round_trip = false}).values;
    for (std::size_t i = 0; i < y.size(); ++i)
      require(std::isfinite(y.re[i]) && std::isfinite(y.im[i]),
              fmt::format("identify: n={}: output {} of row {} is not finite", n, i % n, i / n));
    return y;
  };
  std::vector<identify::FftAnswer> answers;
  for (const Case& where : cases) {
    const ComplexArray<double> x = identify::fft_probe_rows(where.n);
    try {
      answers.push_back({static_cast<std::size_t>(where.n), x, transform(where.n, x)});
    } catch (const NotApplicable& reason) {
      context.out << fmt::format("n = {}: left out, {}\n", where.n, reason.what());
    }
  }
  require(!answers.empty(), "identify: the case takes none of these lengths");
  const auto ask = [&](std::size_t n, const std::vector<std::size_t>& places) {
    ComplexArray<double> x(places.size() * n);
    for (std::size_t i = 0; i < places.size(); ++i) x.re[i * n + places[i]] = 1;
    return transform(n, x);
  };
  return show_fft(
      identify::identify_fft(
          answers,
          {.ask = ask,
           .file = [&](std::size_t n) { return directory / fmt::format("twiddles_{}.npy", n); }}),
      context);
}

ExitCode identify_device(const IdentifyArguments& arguments, Context& context) {
  require(arguments.axes.empty() || (arguments.directory.empty() && !arguments.presets),
          "identify: give -a, a directory or --presets, not two of them");
  if (!arguments.axes.empty()) return identify_case(arguments, context);
  if (arguments.presets) return show_presets(arguments, context);
  require(!arguments.directory.empty(), "identify: name the directory of the probes, or --presets");
  const std::filesystem::path directory = arguments.directory;
  if (identify::holds_fft_probes(directory)) return identify_ffts(directory, context);
  identify::ProbeFiles probes = identify::read_probes(directory);
  const std::filesystem::path file = arguments.output.empty()
                                         ? directory / "machine.toml"
                                         : std::filesystem::path(arguments.output);
  check_writable(file);
  const identify::Identification found = identify::identify(
      probes.answers, {.operands = probes.operands, .unanswered = std::move(probes.unanswered)});
  context.out << identification_text(found, probes.operands);
  if (!found.fits) {
    if (std::filesystem::exists(file))
      context.out << fmt::format("\n{}: from before, not of these outputs.\n",
                                 printable(file.string()));
    return ExitCode::gate_failed;
  }
  replace_file(file, machine_file(found.machine, fmt::format("Agrees with all {} outputs in {}.",
                                                             counts_of(found).outputs,
                                                             printable(arguments.directory))));
  context.out << fmt::format("\n{0}: the machine; -a machine=file:{0} runs sweeps on it.\n",
                             printable(file.string()));
  return ExitCode::ok;
}

}  // namespace

void add_identify_command(CLI::App& app, Context& context) {
  Command command(app, "identify", "Find the machine that a device is, by its products or FFTs",
                  "Examples:\n"
                  "  fftprec probe -o probes       then run them on the device: docs/identify.md\n"
                  "  fftprec identify probes       writes probes/machine.toml if a machine fits\n"
                  "  fftprec run smoke -a machine=file:probes/machine.toml -o out\n"
                  "  fftprec identify --presets --operands fp16    presets that no probe tells "
                  "apart\n"
                  "  fftprec identify -a algorithm=program:./fft -a mode=fp32 -a n=16,64,1000\n"
                  "For FFTs it prints the `fftprec run` that gives equal bits: algorithm, mode, "
                  "tables, machine.\n"
                  "Exit codes: 0, 1 no machine fits, 2 names or files.");
  const auto arguments = std::make_shared<IdentifyArguments>();
  command.add("directory", arguments->directory,
              "The directory of `fftprec probe`, with D.npy or X.npy files");
  command.add_axes("AXIS=VALUE", arguments->axes,
                   "A case in place of DIR, its FFT unknown: a program's");
  command
      .add("-o,--output FILE.toml", arguments->output,
           "The machine's file; default DIR/machine.toml. With -a a\nfolder for twiddles that are "
           "read; default .")
      .check(not_empty);
  command.add_flag("--presets", arguments->presets,
                   "List the presets that the probes tell apart; needs no\ndevice");
  command.add("--operands FORMAT,...", arguments->operands, "For --presets; default bf16");
  command.run(context, [arguments, &context] { return identify_device(*arguments, context); });
}

}  // namespace fftprec::commands
