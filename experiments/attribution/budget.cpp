#include "experiments/attribution/budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"

namespace fftprec::attribution {

namespace {

using Array = ComplexArray<double>;

void add_to(Array& sum, const Array& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum.re[i] += x.re[i];
    sum.im[i] += x.im[i];
  }
}

double square(double x) { return x * x; }

/// Runs of one case with chosen errors.
class Runs {
 public:
  Runs(const Case& where, const Problem& problem, Isa isa)
      : traced_(where, isa),
        problem_(problem),
        isa_(isa),
        format_(result_format(Session().plan(where))) {
    if (traced_.resolved().arithmetic.refinement_steps() > 0)
      throw NotApplicable("mode " + where.mode +
                          " refines: its later transforms correct the errors of the first one, so "
                          "its error cannot be attributed to sources");
    scale_ = truth::l2_norm(problem.truth.hi, isa);
    exact_ = run([](const StagePath&) { return ErrorSources{}; });
  }

  const Array& exact() const { return exact_; }

  Array run(StageTrace::Choice choice, std::set<StagePath>* seen = nullptr) const {
    StageTrace trace(std::move(choice), StageTrace::Operands::any);
    Array y = traced_.run(problem_.input, trace);
    if (seen != nullptr) *seen = trace.seen();
    return y;
  }
  Array run(ErrorSources sources) const {
    return run([sources](const StagePath&) { return sources; });
  }
  /// The error that these sources add at this stage alone.
  double added_at(const StagePath& stage, ErrorSources sources) const {
    return norm(difference(
        run([&](const StagePath& path) { return path == stage ? sources : ErrorSources{}; }),
        exact_));
  }

  double norm(const Array& x) const { return truth::l2_norm(x, isa_) / scale_; }
  double error(const Array& y) const {
    return truth::measure(y, problem_.truth, format_, isa_).l2_rel;
  }

  /// The expected error from these sources, if the model can separate them from the others.
  std::optional<double> expected(ErrorSources sources, bool input_rounded) const {
    return traced_.expected([sources](const StagePath&) { return sources; }, input_rounded,
                            problem_.input);
  }

 private:
  TracedCase traced_;
  const Problem& problem_;
  Isa isa_;
  Format format_;
  double scale_ = 1;
  Array exact_{};
};

}  // namespace

Budget error_budget(const Case& where, const Problem& problem, Isa isa) {
  const Runs runs(where, problem, isa);
  Budget budget{};
  const Array y = run_case(Session().plan(where), problem.input, {.isa = isa}).values;
  budget.error = runs.error(y);
  budget.floor_l2_rel = std::max(runs.error(runs.exact()), 0x1p-53);

  std::set<StagePath> stages;
  const Array all = runs.run([](const StagePath&) { return ErrorSources::all(); }, &stages);
  budget.modelled = runs.error(all);

  Array sum(y.size());
  double squares = 0;
  for (const auto& [source, name] : all_error_sources) {
    const Array part = difference(runs.run(ErrorSources::only(source)), runs.exact());
    const double alone = runs.norm(part);
    if (alone <= budget.floor_l2_rel) continue;
    add_to(sum, part);
    squares += square(alone);
    budget.sources.push_back({.source = source,
                              .name = std::string(name),
                              .alone = alone,
                              .removed = runs.error(runs.run(ErrorSources::all_but(source))),
                              .expected = std::nullopt});
  }
  const auto size = [](const SourcePart& part) {  // NaN first
    return std::isnan(part.alone) ? std::numeric_limits<double>::infinity() : part.alone;
  };
  std::ranges::stable_sort(budget.sources, [size](const SourcePart& a, const SourcePart& b) {
    return size(a) > size(b);
  });
  const bool input_rounded = std::ranges::any_of(
      budget.sources, [](const SourcePart& part) { return part.source == ErrorSource::input; });
  budget.expected = runs.expected(ErrorSources::all(), input_rounded);
  for (SourcePart& part : budget.sources)
    part.expected = runs.expected(ErrorSources::only(part.source), input_rounded);

  budget.quadrature = std::sqrt(squares);
  if (budget.error > 0) {
    budget.interaction = 1 - squares / square(budget.error);
    budget.correlation = (square(runs.norm(sum)) - squares) / square(budget.error);
  }

  const std::vector<StagePath> paths(stages.begin(), stages.end());
  const std::vector<std::string> titles = titles_of(paths);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    StageParts parts{titles[i], {}, runs.added_at(paths[i], ErrorSources::all())};
    for (const SourcePart& part : budget.sources)
      parts.alone.push_back(runs.added_at(paths[i], ErrorSources::only(part.source)));
    budget.stages.push_back(std::move(parts));
  }
  return budget;
}

}  // namespace fftprec::attribution
