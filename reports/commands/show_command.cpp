#include "reports/commands/show_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <vector>

#include "arith/machines/parameters.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/case_output.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/commands/show_case.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/figures/stages.hpp"

namespace fftprec {

namespace {

using Line = std::array<std::string, 6>;  // mark and columns

/// Columns as wide as their widest cell, two spaces between them.
void print(const std::vector<Line>& lines, std::ostream& out) {
  std::array<std::size_t, std::tuple_size_v<Line>> widths{};
  for (const Line& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  for (const Line& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i)
      text += fmt::format("{}{:<{}}", i > 1 ? "  " : "", line[i], widths[i]);
    out << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
  }
}

void show_machine(const NamedMachine& machine, std::ostream& out) {
  out << machine.name << '\n' << machine.summary << "\n\n";
  std::vector<Line> lines{{"  ", "parameter", "value", "confidence", "meaning", "values"}};
  for (const MachineRow& row : describe(machine))
    lines.push_back(
        {row.as_trn ? "  " : "* ", row.key, row.value, row.confidence, row.meaning, row.values});
  print(lines, out);
  out << "\n* not as on trn. -: read by nothing. Confidence, of trn's own values: D documented, M "
         "measured,\nI inferred, U unknown.\n";
}

struct ShowArguments {
  OneCaseRequest request;  ///< its id is the subject
  std::string plot;
};

void draw_stages(const std::string& file, const CaseView& view, CommandContext& context) {
  if (!view.stages) throw InputError("--plot " + file + ": " + view.no_stages);
  figures::write_image_file(
      file, figures::stages_figure("stages", short_text(view.row.where), *view.stages),
      context.err);
}

/// Everything that can be found out about the case.
CaseView look_at(const OneCase& chosen, const CaseFunctions& functions) {
  const Problem problem = functions.make_problem(problem_key(chosen.where), {}, nullptr);
  CaseView view{functions.evaluate(chosen.where, problem, best_isa()), chosen.stored};
  if (view.row.status != Status::ok) {
    view.no_stages = view.row.message;
    return view;
  }
  const Resolved resolved = resolve(chosen.where);
  const Format format = result_format(chosen.where, resolved);
  view.worst = errors::worst_outputs(run_case(chosen.where, resolved, problem.input, best_isa()),
                                     problem.truth, format);
  view.no_stages = errors::untraceable(chosen.where);
  if (view.no_stages.empty()) view.stages = errors::stage_errors(chosen.where, problem);
  return view;
}

int show_case(const ShowArguments& arguments, const CaseFunctions& functions,
              CommandContext& context) {
  if (!arguments.plot.empty()) figures::check_image_file(arguments.plot);
  const CaseView view = look_at(one_case(arguments.request, functions.check_names), functions);
  context.out << case_text(view);
  if (!arguments.plot.empty()) draw_stages(arguments.plot, view, context);
  return to_int(view.row.status == Status::failed ? ExitCode::cases_failed : ExitCode::ok);
}

int show(const ShowArguments& arguments, const CaseFunctions& functions, CommandContext& context) {
  const std::string kind = "machine:";
  const std::string& subject = arguments.request.id;
  if (subject.starts_with(kind)) {
    show_machine(machine_named(subject.substr(kind.size())), context.out);
    return to_int(ExitCode::ok);
  }
  if (subject.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw InputError("'" + subject + "' cannot be shown; what can: machine:NAME, as in machine:" +
                     "trn (fftprec list machines), or a case, by -a AXIS=VALUE or by its case_id " +
                     "and --run DIR");
  return show_case(arguments, functions, context);
}

}  // namespace

void add_show_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App& command = *app.add_subcommand("show", "Show what a name stands for, or a case in full");
  command.footer(
      "Examples:\n"
      "  fftprec show machine:trn-rz\n"
      "  fftprec show -a algorithm=bluestein -a mode=bf16 -a n=997 --plot stages.svg\n"
      "  fftprec show 7c1d --run out/smoke         the row whose case_id begins so, checked");
  command.add_option(
      "subject", arguments->request.id,
      "machine:NAME, the parameters of a machine; or the case_id\nof a row of --run, "
      "or its beginning");
  add_one_case_options(command, arguments->request);
  command.add_option("--plot", arguments->plot, "Draw the error after each stage")
      ->type_name("FILE.svg|FILE.png");
  command.callback([arguments, &functions, &context] {
    context.exit_code = show(*arguments, functions, context);
  });
}

}  // namespace fftprec
