#include "experiments/errors/stage_errors.hpp"

#include <algorithm>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/cases/case_output.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/errors/traced_case.hpp"

namespace fftprec::errors {

namespace {

/// As the case does them up to and with a stage, then exactly.
StageTrace::Choice up_to(const StagePath& last) {
  return
      [last](const StagePath& path) { return path <= last ? ErrorSources::all() : ErrorSources{}; };
}

/// Measures results one after the other.
class Judge {
 public:
  Judge(const truth::Truth& truth, const Format& format, Isa isa)
      : truth_(truth), format_(format), isa_(isa), norm_(truth::l2_norm(truth.hi, isa)) {}

  /// Of the first result the error, nothing added.
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

/// Where the case does something that can err.
std::vector<StagePath> paths_of(const TracedCase& traced, const ComplexArray<double>& input) {
  StageTrace trace([](const StagePath&) { return ErrorSources::all(); });
  traced.run(input, trace);
  return {trace.seen().begin(), trace.seen().end()};
}

}  // namespace

StageErrors stage_errors(const Case& where, const Problem& problem, Isa isa) {
  const TracedCase traced(where, isa);
  Resolved resolved = traced.resolved();
  const int steps = resolved.arithmetic.refinement_steps;
  const ComplexArray<double>& input = problem.input;
  Judge judge(problem.truth, result_format(where, resolved), isa);
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
    stage.expected_l2_rel = traced.expected(up_to(paths[i]), input_rounded);
    result.stages.push_back(std::move(stage));
  }
  for (int step = 1; step <= steps; ++step) {
    resolved.arithmetic.refinement_steps = step;
    result.stages.push_back(judge.next("refinement, step " + std::to_string(step),
                                       run_case(where, resolved, input, isa).values));
  }
  return result;
}

std::string untraceable(const Case& where) {
  try {
    TracedCase traced(where);
  } catch (const NotApplicable& reason) {
    return reason.what();
  }
  return {};
}

}  // namespace fftprec::errors
