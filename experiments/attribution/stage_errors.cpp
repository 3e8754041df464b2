#include "experiments/attribution/stage_errors.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/attribution/flow_errors.hpp"
#include "experiments/attribution/traced_case.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"

namespace fftprec::attribution {

namespace {

/// All sources up to and including a stage; later stages are exact.
StageTrace::Choice up_to(const StagePath& last) {
  return
      [last](const StagePath& path) { return path <= last ? ErrorSources::all() : ErrorSources{}; };
}

/// Measures results one after the other.
class Judge {
 public:
  Judge(const truth::Truth& truth, const Format& format, Isa isa)
      : truth_(truth), format_(format), isa_(isa), norm_(truth::l2_norm(truth.hi, isa)) {}

  /// The next result. The first one has an error but adds nothing.
  StageError next(std::string title, ComplexArray<double> y) {
    const truth::Errors errors = truth::measure(y, truth_, format_, isa_);
    const double added =
        before_.size() == 0 ? 0 : truth::l2_norm(difference(y, before_), isa_) / norm_;
    before_ = std::move(y);
    return {std::move(title), errors.l2_rel, errors.linf_rel, added, std::nullopt};
  }

 private:
  const truth::Truth& truth_;
  Format format_;
  Isa isa_;
  double norm_;
  ComplexArray<double> before_{};
};

/// The stages of the case that can have errors.
std::vector<StagePath> paths_of(const TracedCase& traced, const ComplexArray<double>& input) {
  StageTrace trace([](const StagePath&) { return ErrorSources::all(); });
  traced.run(input, trace);
  return {trace.seen().begin(), trace.seen().end()};
}

}  // namespace

namespace {

StageErrors traced_stage_errors(const Case& where, const Problem& problem, Isa isa) {
  const TracedCase traced(where, isa);
  const CasePlan plan = Session().plan(where);
  const int steps = plan.resolved().arithmetic.refinement_steps();
  const ComplexArray<double>& input = problem.input;
  Judge judge(problem.truth, result_format(plan), isa);
  StageErrors result{};

  StageTrace exact([](const StagePath&) { return ErrorSources{}; });
  result.floor_l2_rel = std::max(judge.next("", traced.run(input, exact)).err_l2_rel, 0x1p-53);

  const std::vector<StagePath> paths = paths_of(traced, input);
  const std::vector<std::string> titles = titles_of(paths);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    StageTrace trace(up_to(paths[i]));
    StageError stage = judge.next(titles[i], traced.run(input, trace));
    // What the first row adds to nothing shows whether there was anything to round.
    const bool input_rounded =
        !result.stages.empty() ? result.stages[0].added_l2_rel > 0 : stage.added_l2_rel > 0;
    stage.expected_l2_rel = traced.expected(up_to(paths[i]), input_rounded, input);
    result.stages.push_back(std::move(stage));
  }
  for (int step = 1; step <= steps; ++step)
    result.stages.push_back(
        judge.next("refinement, step " + std::to_string(step),
                   run_case(plan, input, {.isa = isa, .refinement_steps = step}).values));
  return result;
}

}  // namespace

StageErrors flow_stage_errors(const Case& where, const Problem& problem, Isa isa) {
  const CasePlan plan = Session().plan(where);
  const Resolved& resolved = plan.resolved();
  const FlowErrors errors = flow_errors(where, problem.input, isa);
  const double norm = truth::l2_norm(problem.truth.hi, isa);
  const auto measured = [&](const Output& output) {
    return truth::measure(output.values, without_rest(problem.truth, output.rest),
                          result_format(plan), isa);
  };
  StageErrors result{};
  result.floor_l2_rel = std::max(measured(output_of(errors.exact)).l2_rel, 0x1p-63);
  const bool input_rounded = rounds_input(resolved, problem.input, isa);
  FlowValues after = errors.exact;
  for (std::size_t i = 0; i < errors.stages.size(); ++i) {
    const FlowStageErrors& stage = errors.stages[i];
    const FlowValues added = stage.all();
    after = sum_of(after, added);
    const bool is_last = i + 1 == errors.stages.size();
    const truth::Errors measures = measured(is_last ? errors.output : output_of(after));
    StageError error{.title = stage.title,
                     .err_l2_rel = measures.l2_rel,
                     .err_linf_rel = measures.linf_rel,
                     .added_l2_rel = norm_of(added) / norm,
                     .expected_l2_rel = std::nullopt};
    if (is_last)
      error.expected_l2_rel = expected_of_result(plan, problem, errors.output);
    else if (!resolved.arithmetic.has_absolute_errors() && !resolved.arithmetic.shares_scales())
      error.expected_l2_rel =
          expected_of(where, resolved, up_to(stage.path), input_rounded, problem.input);
    result.stages.push_back(std::move(error));
  }
  return result;
}

namespace {

/// The plan of the case without its input; none if a name is unknown.
std::optional<CasePlan> plan_if_known(Case where) {
  where.input = Case{}.input;  // its file may be gone
  try {
    return Session().plan(where);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<double> expected_of_result(const CasePlan& plan, const Problem& problem,
                                         const Output& output) {
  Row row;
  if (plan.resolved().algorithm.is_predictable())
    predict_into(row, plan, &problem, output.input_rounded, output.overflow_count > 0);
  return row.expected_l2_rel;
}

StageErrors stage_errors(const Case& where, const Problem& problem, Isa isa) {
  return goes_by_flow(where) ? flow_stage_errors(where, problem, isa)
                             : traced_stage_errors(where, problem, isa);
}

bool goes_by_flow(const Case& where) {
  if (why_not_traced(where).empty() || !why_no_flow(where).empty()) return false;
  const std::optional<CasePlan> plan = plan_if_known(where);
  return plan && plan->inapplicable().empty() &&
         plan->resolved().arithmetic.refinement_steps() == 0;
}

std::string untraceable(const Case& where) {
  return goes_by_flow(where) ? std::string() : why_not_traced(where);
}

}  // namespace fftprec::attribution
