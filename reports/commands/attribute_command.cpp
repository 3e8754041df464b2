/// `fftprec attribute`: the error budget of a case by source and stage.
#include <memory>
#include <ostream>

#include "experiments/attribution/budget.hpp"
#include "reports/commands/options.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/figures/stages.hpp"
#include "reports/text/budget_text.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct AttributeArguments {
  OneCaseRequest request;
  std::string plot;
};

ExitCode attribute(const AttributeArguments& arguments, Context& context) {
  if (!arguments.plot.empty()) figures::check_image_file(arguments.plot);
  const Case where = one_case(arguments.request, context.check_names()).where;
  const Problem problem = make_problem(problem_key(where));
  const attribution::Budget budget = attribution::error_budget(where, problem);
  context.out << short_text(where) << "\n" << text::budget_text(budget);
  context.out << "\n" << text::reproduce_command(where, context.argv) << "\n";
  if (!arguments.plot.empty())
    figures::write_image_file(
        arguments.plot, figures::budget_figure("budget", short_text(where), budget), context.err);
  return ExitCode::ok;
}

}  // namespace

/// The error budget of a case by source and stage. Exit codes: 0 attributed, 2 not exactly one case
/// is named, or its error cannot be divided among sources.
void add_attribute_command(CLI::App& app, Context& context) {
  const auto arguments = std::make_shared<AttributeArguments>();
  Command command(app, "attribute", "Break an error down by source and by stage",
                  "Examples:\n"
                  "  fftprec attribute -a algorithm=dft-gemm -a n=1024 -a tables=fp32-angle\n"
                  "  fftprec attribute 7c1d --run out/smoke --plot budget.svg");
  add_one_case(command, arguments->request);
  command.add("--plot FILE.svg|FILE.png", arguments->plot, "Draw the budget, stage by stage");
  command.run(context, [arguments, &context] { return attribute(*arguments, context); });
}

}  // namespace fftprec::commands
