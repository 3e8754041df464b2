#include "reports/commands/causes.hpp"

#include <fmt/format.h>

#include "arith/support/error.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/progress.hpp"

namespace fftprec::commands {

CauseRequest usual_cause_request(const CheckNames& check_names) {
  return {.set = hypotheses::parse_hypotheses(hypotheses::builtin_run_hypotheses(),
                                              "run_hypotheses.toml", check_names)};
}

ExplainedRows explain_rows(std::span<const Row> rows, const std::string& name,
                           const CauseRequest& request, Context& context) {
  require(!rows.empty(), name, ": nothing was measured: no row has err_l2_rel");
  const hypotheses::ChosenRows chosen =
      hypotheses::rows_to_replay(rows, request.most_rows, request.most_ns, *context.session);
  std::string left;
  if (chosen.others > 0) left += fmt::format("; {} more", chosen.others);
  if (chosen.too_long > 0)
    left += fmt::format("; {} left, since replays would take long, from n = {} on",
                        counted(chosen.too_long, "row"), chosen.shortest_too_long);
  if (chosen.rows.empty()) throw InputError(name + ": every row is too long to replay here" + left);
  const hypotheses::Measured measured =
      hypotheses::measured_as_named(chosen.rows, name, request.stand_ins, context.check_names());
  Progress progress(context.progress_stream());
  hypotheses::Replayer replayer(
      {.threads = request.threads, .extent = hypotheses::extent_for(measured.rows)},
      [&](const FinishedCase& finished) { progress.show(finished.state); });
  // Rows of an algorithm as fftprec has it are told apart to the spread of its replays.
  hypotheses::ExplainOptions options = request.options;
  options.further_spread = 0;
  options.may_repeat = true;
  hypotheses::Explanation explanation =
      hypotheses::explain(measured, request.set, options, replayer);
  if (explanation.none_fits() && request.options.further_spread > 0)
    explanation = hypotheses::explain(measured, request.set, request.options, replayer);
  progress.finish();
  return {std::move(explanation), left};
}

}  // namespace fftprec::commands
