#include "reports/commands/attribute_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "experiments/errors/budget.hpp"
#include "experiments/gates/gate.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/commands/one_case.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/figures/stages.hpp"
#include "reports/text/budget_text.hpp"
#include "reports/text/cells.hpp"

namespace fftprec {

namespace {

struct AttributeArguments {
  OneCaseRequest request;
  std::string plot;
};

int attribute(const AttributeArguments& arguments, const CaseFunctions& functions,
              CommandContext& context) {
  if (!arguments.plot.empty()) figures::check_image_file(arguments.plot);
  const Case where = one_case(arguments.request, functions.check_names).where;
  const Problem problem = functions.make_problem(problem_key(where), {}, nullptr);
  const errors::Budget budget = errors::error_budget(where, problem);
  context.out << short_text(where) << "\n" << text::budget_text(budget);
  context.out << "\n" << text::reproduce_command(where) << "\n";
  if (!arguments.plot.empty())
    figures::write_image_file(
        arguments.plot, figures::budget_figure("budget", short_text(where), budget), context.err);
  return to_int(ExitCode::ok);
}

}  // namespace

void add_attribute_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context) {
  const auto arguments = std::make_shared<AttributeArguments>();
  CLI::App& command =
      *app.add_subcommand("attribute", "Tell which source and stage makes how much of an error");
  command.footer(
      "Examples:\n"
      "  fftprec attribute -a algorithm=dft-gemm -a n=1024 -a tables=fp32-angle\n"
      "  fftprec attribute 7c1d --run out/smoke --plot budget.svg");
  command.add_option("case", arguments->request.id,
                     "The case_id of a row of --run, or its beginning");
  add_one_case_options(command, arguments->request);
  command.add_option("--plot", arguments->plot, "Draw the budget, stage by stage")
      ->type_name("FILE.svg|FILE.png");
  command.callback([arguments, &functions, &context] {
    context.exit_code = attribute(*arguments, functions, context);
  });
}

}  // namespace fftprec
