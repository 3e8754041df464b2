/// `fftprec show`: the meaning of a name, and one case in full.
#include "reports/commands/show_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <vector>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/formats/format.hpp"
#include "arith/machines/parameters.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/attribution/real_operations.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "experiments/attribution/vectors.hpp"
#include "experiments/attribution/worst_output.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/files/machine_file.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"
#include "reports/commands/arrays.hpp"
#include "reports/commands/options.hpp"
#include "reports/commands/run_outputs.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/figures/stages.hpp"
#include "reports/text/gappa.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

void show_machine(const std::string& name, std::ostream& out) {
  const FaultyMachine machine = faulty_machine_named(machine_of_file(name));
  out << machine.name << '\n' << machine.summary << "\n\n";
  std::vector<text::TextCells> lines{{"  parameter", "value", "confidence", "meaning", "values"}};
  for (const MachineRow& row : faulty_machines().describe(machine))
    lines.push_back(
        {(row.as_trn ? "  " : "* ") + row.key, row.value, row.confidence, row.meaning, row.values});
  out << text::terminal_table({lines, lines.front().size()});
  out << "\n* not as on trn. -: read by nothing. Confidence, of trn's own values: D documented, M "
         "measured,\nI inferred, U unknown.\n";
}

void show_system(const NumberSystem& system, bool tapers, std::ostream& out) {
  const bool is_list = !system.codes.empty();
  const auto text = [&](std::uint64_t code, double value) {
    if (!system.beyond_fp64) return exact_number(value);
    const auto [significand, exponent] = scaled_value_of_code(code, system);
    return fmt::format("{} * 2^{}", exact_number(significand), exponent);
  };
  out << fmt::format(
      "{}\n{}\n\n"
      "  significant bits  {}{}\n"
      "  smallest          {}\n"
      "  largest           {}\n",
      system.name, system.summary, system.precision,
      is_list  ? " at most"
      : tapers ? " around 1, fewer farther away"
               : "",
      text(1, system.least_positive), text(system.largest_code, system.ends.largest));
  if (is_list && system.ends.is_signed)
    out << fmt::format("  least             {}\n", exact_number(-system.sides[1].ends.largest));
}

void show_format(const std::string& name, std::ostream& out) {
  const Format format = format_named(name, read_list);
  std::string summary = "of its own";
  for (const NamedFormat& each : named_formats())
    if (each.format == format) summary = each.summary;
  if (format.system) {
    show_system(*format.system, format.tapers(), out);
    return;
  }
  const double quantum = power_of_two(quantum_exponent(format));
  if (format.is_fixed()) {
    out << fmt::format(
        "{}\nfixed point of {} bits, which {}\n\n"
        "  quantum  {} = 2^{}\n"
        "  least    {}\n"
        "  largest  {}\n",
        to_string(format), width_of(format),
        format.overflow == Overflow::wrap ? "wraps" : "saturates", exact_number(quantum),
        quantum_exponent(format), exact_number(min_finite(format)),
        exact_number(max_finite(format)));
    return;
  }
  out << fmt::format(
      "{}\n{}\n\n"
      "  unit roundoff       {} = 2^{}\n"
      "  largest             {}\n"
      "  smallest normal     {} = 2^{}\n"
      "  smallest subnormal  {}\n"
      "  as custom           {}\n",
      to_string(format), summary, exact_number(power_of_two(-format.precision)), -format.precision,
      exact_number(max_finite(format)), exact_number(power_of_two(format.emin)), format.emin,
      format.subnormals ? exact_number(quantum) : "none", custom_text(format));
}

void show_mode(const std::string& name, std::ostream& out) {
  const Mode mode = mode_named(name, read_list);
  const Format storage = storage_format(mode);
  out << fmt::format("{}\n{}\n\n  data are {}{}\n", mode.name, mode.summary,
                     storage == fp32_pair ? "pairs of fp32" : to_string(storage),
                     on_host(mode) ? ", on the host" : "");
}

/// The keys that a name takes, each with the value it has here and those that it can have.
void show_keys(const std::vector<Key>& keys, std::ostream& out) {
  std::vector<text::TextCells> lines;
  for (const Key& key : keys)
    lines.push_back({"  " + key.name, key.value.empty() ? "NAME" : key.value,
                     (key.choices.empty() ? "" : "of ") + values_text(key)});
  if (!lines.empty()) out << "\n" << text::terminal_table({lines, 3});
}

/// Of a list, a name with the keys that it takes. `check` throws for keys that mean nothing.
template <std::vector<Named> (*list)(), auto check>
void show_listed(const std::string& name, std::ostream& out) {
  const auto [base, text] = split_name(name);
  const std::vector<Named> all = list();
  const auto entry = std::ranges::find(all, base, &Named::name);
  if (entry == all.end() || base.size() < name.size()) check(name);
  if (entry == all.end()) return;
  out << name << '\n' << entry->summary << '\n';
  if (!entry->keys.empty()) show_keys(with_values(entry->keys, text, entry->name), out);
}

/// A value of an axis, or several joined by +. Its list has one name for values that differ only in
/// a number.
void show_value(const Axis& axis, const std::string& name, std::ostream& out) {
  const std::string canonical = axis.canonical == nullptr
                                    ? item_named(axis.list(), "value", name).name
                                    : axis.canonical(name);
  out << canonical << '\n';
  const std::vector<Named> all = axis.list();
  for (std::size_t begin = 0; begin <= canonical.size();) {
    const std::size_t end = std::min(canonical.find('+', begin), canonical.size());
    const std::string_view part = std::string_view(canonical).substr(begin, end - begin);
    const auto like = [&](const Named& each) {
      return each.name == part || split_name(each.name).name == split_name(part).name;
    };
    const auto same = std::ranges::find(all, part, &Named::name);
    const auto found = same != all.end() ? same : std::ranges::find_if(all, like);
    if (found != all.end()) out << found->summary << '\n';
    begin = end + 1;
  }
}

std::vector<Named> listed_formats() { return named(named_formats()); }
std::vector<Named> listed_roundings() { return named(named_roundings()); }

void show_rounding(const std::string& name, std::ostream& out) {
  rounding_named(name);
  const Named entry = item_named(listed_roundings(), "rounding", name);
  out << entry.name << '\n' << entry.summary << '\n';
}

void check_input(const std::string& name) { input_named(name); }
void check_tables(const std::string& name) { table_source(name); }

/// What a name can be, the names that are listed, and how one is shown; throws InputError for a
/// name of another kind.
struct NameKind {
  std::string name;
  std::vector<Named> (*list)();
  std::function<void(const std::string& name, std::ostream& out)> show;
};

const std::vector<NameKind>& name_kinds() {
  static const std::vector<NameKind> all = [] {
    std::vector<NameKind> kinds = {
        {"machine", list_machines, show_machine},
        {"mode", list_modes, show_mode},
        {"format", listed_formats, show_format},
        {"rounding", listed_roundings, show_rounding},
        {"algorithm", list_algorithms, show_listed<list_algorithms, algorithm_named>},
        {"transform", list_transforms, show_listed<list_transforms, transform_named>},
        {"tables", list_tables, show_listed<list_tables, check_tables>},
        {"input", list_inputs, show_listed<list_inputs, check_input>},
    };
    for (const Column& column : axis_columns()) {
      const bool is_there = std::ranges::any_of(
          kinds, [&](const NameKind& kind) { return kind.name == column.name; });
      if (!is_there && column.axis->list != nullptr)
        kinds.push_back({std::string(column.name), column.axis->list,
                         [axis = *column.axis](const std::string& name, std::ostream& out) {
                           show_value(axis, name, out);
                         }});
    }
    return kinds;
  }();
  return all;
}

/// Every meaning of a name: bf16 is a mode and a format. Empty if it has none. Throws InputError
/// for wrong keys of a listed name.
std::string meanings_of(const std::string& name) {
  std::string shown;
  std::optional<InputError> wrong;
  for (const NameKind& kind : name_kinds()) {
    std::ostringstream text;
    try {
      kind.show(name, text);
      shown += fmt::format("{}{} {}", shown.empty() ? "" : "\n", kind.name, text.str());
    } catch (const InputError& error) {
      const std::string base = name.substr(0, name.find_first_of(":{"));
      const std::vector<Named> listed = kind.list();
      if (!wrong &&
          std::ranges::any_of(listed, [&](const Named& each) { return each.name == base; }))
        wrong = error;
    }
  }
  if (shown.empty() && wrong) throw *wrong;
  return shown;
}

InputError cannot_be_shown(const std::string& name) {
  std::vector<std::string> known;
  for (const NameKind& kind : name_kinds())
    for (const Named& each : kind.list()) known.push_back(each.name);
  std::string near = preset_of_device(name);
  if (near.empty()) near = nearest_name(name, known);
  return InputError("'" + name + "' cannot be shown" +
                    (near.empty() ? "" : "; did you mean '" + near + "'?") +
                    "; what can: a name that fftprec list modes (machines, formats, algorithms, "
                    "...) knows, or a case, by -a AXIS=VALUE or by its case_id and --run DIR");
}

/// What is known of a case.
struct CaseView {
  Row row;                    ///< as measured now
  std::optional<Row> stored;  ///< as a run holds it
  std::optional<attribution::WorstOutputs> worst{};
  std::optional<attribution::StageErrors> stages{};
  std::string no_stages{};  ///< why there are none
  std::vector<attribution::FixedStage> fixed_stages{};
  std::vector<attribution::Overflow> overflows{};  ///< of fixed point
};

std::string columns_text(const Row& row) {
  std::vector<text::TextCells> lines;
  for (const Column& column : columns())
    if (std::string text = read_text(column, row); !text.empty())
      lines.push_back({std::string(column.name), std::move(text), std::string(column.meaning)});
  return text::terminal_table({lines, 3});
}

std::string ratio(double error, double whole) {
  return whole == 0 ? "-" : short_number(error / whole);
}

std::string theory_text(const Row& row) {
  if (!row.err_l2_rel) return {};
  std::string text = "error " + text::error_text(*row.err_l2_rel);
  text += row.expected_l2_rel
              ? fmt::format(" | expected {}, {} of it", text::error_text(*row.expected_l2_rel),
                            ratio(*row.err_l2_rel, *row.expected_l2_rel))
              : std::string(" | expected: not known");
  text += row.bound_l2_rel
              ? fmt::format(" | bound {} ({}), {} of it", text::error_text(*row.bound_l2_rel),
                            row.bound_name, ratio(*row.err_l2_rel, *row.bound_l2_rel))
              : std::string(" | bound: not known");
  return text + "\n";
}

std::string complex_text(std::complex<double> z) {
  return fmt::format("{} {} {}i", exact_number(z.real()), z.imag() < 0 ? "-" : "+",
                     exact_number(z.imag() < 0 ? -z.imag() : z.imag()));
}

std::string worst_text(const attribution::WorstOutput& worst, std::string_view why) {
  return fmt::format(
      "{}: item {}, index {}\n  computed  {}\n  true      {}\n  error     {}: {} of max|t|, "
      "{} of the worse part, {} ulp\n",
      why, worst.item, worst.index, complex_text(worst.computed), complex_text(worst.exact),
      complex_text(worst.error), short_number(worst.rel_to_largest), short_number(worst.part_rel),
      short_number(worst.ulp));
}

/// What differs from the stored row beside times and truth: "err_l2_rel 1e-3, stored 2e-3; ...";
/// empty if nothing does.
std::string differences(const Row& now, const Row& stored) {
  // How long it took is another every time; which truth judged it may be.
  constexpr std::array<std::string_view, 3> incidental = {"time_ns", "truth_bits", "truth_tier"};
  std::string text;
  for (const Column& column : columns()) {
    if (std::ranges::find(incidental, column.name) != incidental.end()) continue;
    if (!differ(column, now, stored)) continue;
    const std::string here = read_text(column, now);
    const std::string there = read_text(column, stored);
    text += fmt::format("{}{} {}, stored {}", text.empty() ? "" : "; ", column.name,
                        here.empty() ? "empty" : printable(here),
                        there.empty() ? "empty" : printable(there));
  }
  return text;
}

std::string stored_text(const Row& now, const Row& stored) {
  const std::string moved = differences(now, stored);
  return moved.empty() ? "the stored row agrees: output_hash and every measure are the same\n"
                       : "the stored row differs: " + moved + "\n";
}

std::string stages_text(const attribution::StageErrors& errors) {
  std::vector<text::TextCells> lines = {
      {"after", "err_l2_rel", "expected", "added", "growth", "err_linf_rel"}};
  double before = 0;
  for (const attribution::StageError& stage : errors.stages) {
    const bool told = before > 2 * errors.floor_l2_rel;
    lines.push_back({stage.title, text::error_text(stage.err_l2_rel),
                     stage.expected_l2_rel ? text::error_text(*stage.expected_l2_rel) : "",
                     text::error_text(stage.added_l2_rel),
                     told ? fmt::format("{:.3f}", stage.err_l2_rel / before) : "",
                     text::error_text(stage.err_linf_rel)});
    before = stage.err_l2_rel;
  }
  return text::terminal_table({lines, 1}) +
         fmt::format(
             "Each line: this stage and the stages above in the case's own arithmetic, all later "
             "stages exact.\nadded is the size of the stage's change, growth the ratio to the line "
             "above. Errors below {},\nthe error of binary64 with exact tables, cannot be "
             "resolved.\n",
             text::error_text(errors.floor_l2_rel));
}

/// Each stage of fixed point, and where the first result leaves the range.
std::string fixed_stages_text(const CaseView& view) {
  std::vector<text::TextCells> lines = {{"after", "snr_db", "gain", "overflows", "exponents"}};
  for (const attribution::FixedStage& stage : view.fixed_stages) {
    std::string exponents;
    if (stage.exponents) {
      const auto [least, largest] = *stage.exponents;
      exponents =
          least == largest ? std::to_string(least) : fmt::format("{} .. {}", least, largest);
    }
    lines.push_back({stage.title, short_number(stage.snr_db, 4), short_number(stage.gain, 6),
                     std::to_string(stage.overflows), exponents});
  }
  std::string text;
  if (lines.size() > 1)
    text = "\nData after each stage\n" + text::terminal_table({lines, 1}) +
           "Beside stages of 50 bits with exact tables, from the input before it is rounded.\n";
  if (view.overflows.empty()) return text;
  const attribution::Overflow& first = view.overflows.front();
  return text + fmt::format(
                    "\nThe first of {}: {}, {}{} is {}, {} beyond the range (--overflows FILE.csv "
                    "lists all)\n",
                    counted(view.overflows.size(), "overflow"), first.stage,
                    first.is_imaginary ? "im" : "re",
                    first.place ? fmt::format(" of index {}", *first.place) : "",
                    exact_number(first.value), exact_number(first.beyond));
}

/// Every column with its meaning; error against expectation and bound; the error after each stage;
/// the worst outputs; the command that repeats it; how it agrees with the stored row.
std::string case_text(const CaseView& view, const std::vector<std::string>& argv) {
  const Row& row = view.row;
  std::string text = columns_text(row) + "\n" + theory_text(row);
  if (view.stored) text += stored_text(row, *view.stored);
  if (view.stages) text += "\nError after each stage\n" + stages_text(*view.stages);
  text += fixed_stages_text(view);
  if (!view.no_stages.empty() && view.fixed_stages.empty())
    text += "\nNo errors after stages: " + view.no_stages + "\n";
  if (view.worst)
    text += "\n" + worst_text(view.worst->by_magnitude, "largest error (err_linf_rel)") +
            worst_text(view.worst->by_part, "largest relative error of a part (err_re/im_max_rel)");
  return text + "\n" + text::reproduce_command(row.where, argv) + "\n";
}

struct ShowArguments {
  OneCaseRequest request;  ///< its id is the subject
  std::string plot;
  std::string overflows;
  enum class Gappa { none, bound, error } gappa = Gappa::none;  ///< the goal of a script
  double range = 1;        ///< of the parts of the input in that script
  bool own_input = false;  ///< they are those of the case
};

void read_goal(const std::string& text, ShowArguments& arguments) {
  if (text != "bound" && text != "error") throw InputError("--gappa " + text + ": bound or error");
  arguments.gappa = text == "bound" ? ShowArguments::Gappa::bound : ShowArguments::Gappa::error;
}

void read_range(const std::string& text, ShowArguments& arguments) {
  arguments.own_input = text == "input";
  if (arguments.own_input) return;
  const auto range = parse_double(text);
  if (!range || !(*range > 0) || std::isinf(*range))
    throw InputError("--within " + text + ": a number above 0, or input");
  arguments.range = *range;
}

/// The script alone.
ExitCode show_gappa(const ShowArguments& arguments, Context& context) {
  const Case where = one_case(arguments.request, context.check_names()).where;
  ComplexArray<double> input(where.n);
  input.re.assign(where.n, arguments.range);
  input.im.assign(where.n, arguments.range);
  if (arguments.own_input) input = make_problem(context.session->plan(where)).input;
  double range = 0;
  for (const auto* part : {&input.re, &input.im})
    for (const double x : *part) range = std::max(range, std::abs(x));
  const attribution::RealOperations operations = attribution::real_operations(where, range);
  text::GappaRequest script{.title = short_text(where),
                            .range = range,
                            .bound = attribution::bound_of_parts(where, input),
                            .proves_bound = arguments.gappa == ShowArguments::Gappa::bound};
  if (arguments.own_input) script.input = std::move(input);
  context.out << text::gappa_script(operations, script);
  return ExitCode::ok;
}

void draw_stages(const std::string& file, const CaseView& view, Context& context) {
  if (!view.stages) throw InputError("--plot " + file + ": " + view.no_stages);
  figures::write_image_file(
      file, figures::stages_figure("stages", short_text(view.row.where), *view.stages),
      context.err);
}

/// Measures the case and everything that `show` prints about it.
CaseView look_at(const OneCase& chosen, Session& session) {
  const CasePlan plan = session.plan(chosen.where);
  const Problem problem = make_problem(plan);
  CaseView view{evaluate(plan, problem), chosen.stored};
  if (view.row.status != Status::ok) {
    view.no_stages = reason_of(view.row);
    return view;
  }
  view.worst =
      attribution::worst_outputs(run_case(plan, problem.input), problem.truth, result_format(plan));
  view.no_stages = attribution::untraceable(chosen.where);
  if (view.no_stages.empty()) try {
      view.stages = attribution::stage_errors(chosen.where, problem);
    } catch (const NotApplicable& reason) {
      view.no_stages = reason.what();
    }
  if (plan.resolved().arithmetic.counts_overflows()) {
    if (view.row.overflows.value_or(0) > 0)
      view.overflows = attribution::overflows_of(plan, problem.input);
    try {
      view.fixed_stages = attribution::fixed_stages(plan, problem.input);
    } catch (const NotApplicable& reason) {
      if (!view.stages) view.no_stages = reason.what();
    }
  }
  return view;
}

ExitCode show_case(const ShowArguments& arguments, Context& context) {
  if (!arguments.plot.empty()) figures::check_image_file(arguments.plot);
  const CaseView view =
      look_at(one_case(arguments.request, context.check_names()), *context.session);
  context.out << case_text(view, context.argv);
  if (!arguments.overflows.empty()) write_overflows(arguments.overflows, view.overflows);
  if (!arguments.plot.empty()) draw_stages(arguments.plot, view, context);
  return view.row.status == Status::failed ? ExitCode::cases_failed : ExitCode::ok;
}

/// "x7c1d", or digits enough to be no name.
bool is_id_like(const std::string& subject) {
  const bool has_letter = subject.starts_with('x');
  const std::string digits = subject.substr(has_letter ? 1 : 0);
  return digits.size() >= (has_letter ? 1 : 6) &&
         digits.find_first_not_of("0123456789abcdef") == std::string::npos;
}

ExitCode show(const ShowArguments& arguments, Context& context) {
  const std::string& subject = arguments.request.id;
  if (arguments.gappa != ShowArguments::Gappa::none) return show_gappa(arguments, context);
  const bool of_run = !arguments.request.run.empty() || !arguments.request.axes.empty();
  if (subject.empty() || of_run) return show_case(arguments, context);
  const std::size_t colon = std::min(subject.find(':'), subject.size());
  const std::string meanings = meanings_of(subject);
  for (const NameKind& kind : name_kinds())  // input:2^-4 is a scale
    if (meanings.empty() && colon < subject.size() &&
        kind.name == shown_name(subject.substr(0, colon))) {
      kind.show(subject.substr(colon + 1), context.out);
      return ExitCode::ok;
    }
  if (meanings.empty() && is_id_like(subject)) return show_case(arguments, context);
  if (meanings.empty()) throw cannot_be_shown(subject);
  context.out << meanings;
  return ExitCode::ok;
}

}  // namespace

std::vector<std::pair<std::string, std::vector<std::string>>> names_by_kind() {
  std::vector<std::pair<std::string, std::vector<std::string>>> all;
  for (const NameKind& kind : name_kinds())
    all.emplace_back(kind.name, names_by(kind.list(), &Named::name));
  return all;
}

/// The meaning of a name, or one case in full. Exit codes: 0 shown, 2 an unknown name, or nothing
/// to show, 3 the case fails.
void add_show_command(CLI::App& app, Context& context) {
  const auto arguments = std::make_shared<ShowArguments>();
  Command command(
      app, "show", "Explain a name, or show a case in full",
      "Examples:\n"
      "  fftprec show bf16                         the format and the mode\n"
      "  fftprec show machine:trn-rz               every parameter of a machine\n"
      "  fftprec show -a algorithm=bluestein -a mode=bf16 -a n=997 --plot stages.svg\n"
      "  fftprec show x7c1d --run out/smoke        the row whose case_id begins so, checked");
  command.add(
      "subject KIND:NAME", arguments->request.id,
      "A name (bf16, trn-rz, radix2-dit) or KIND:NAME (mode:bf16);\nor the case_id of a row "
      "of --run, or its beginning");
  add_run_and_axes(command, arguments->request);
  command.add("--plot FILE.svg|FILE.png", arguments->plot, "Draw the error after each stage");
  command.add("--overflows FILE.csv", arguments->overflows,
              "Each result that leaves the range of fixed point");
  command.add_parsed(
      "--gappa GOAL", [arguments](const std::string& text) { read_goal(text, *arguments); },
      "Print a script of Gappa for a case of n <= 32 instead: bound proves the\nbound of each "
      "result, error finds the least bounds");
  command.add_parsed(
      "--within R|input", [arguments](const std::string& text) { read_range(text, *arguments); },
      "Parts of the input, in that script: in [-R, R] (default 1), or the\ninput of the case");
  command.run(context, [arguments, &context] { return show(*arguments, context); });
}

}  // namespace fftprec::commands
