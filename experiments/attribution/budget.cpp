#include "experiments/attribution/budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/attribution/flow_errors.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "experiments/attribution/traced_case.hpp"
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

namespace {

/// Of a traced budget.
ErrorSources sources_of(const SourcePart& part) {
  return ErrorSources::only(std::get<ErrorSource>(part.source));
}

void sort_parts(std::vector<SourcePart>& parts) {
  const auto size = [](const SourcePart& part) {  // NaN first
    return std::isnan(part.alone) ? std::numeric_limits<double>::infinity() : part.alone;
  };
  std::ranges::stable_sort(
      parts, [size](const SourcePart& a, const SourcePart& b) { return size(a) > size(b); });
}

Budget traced_budget(const Case& where, const Problem& problem, Isa isa) {
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
  sort_parts(budget.sources);
  const bool input_rounded = std::ranges::any_of(budget.sources, [](const SourcePart& part) {
    return part.source == BudgetSource(ErrorSource::input);
  });
  budget.expected = runs.expected(ErrorSources::all(), input_rounded);
  for (SourcePart& part : budget.sources)
    part.expected = runs.expected(sources_of(part), input_rounded);

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
      parts.alone.push_back(runs.added_at(paths[i], sources_of(part)));
    budget.stages.push_back(std::move(parts));
  }
  return budget;
}

/// What a stage adds by a source of the flow graph; empty: nothing.
FlowValues added_by(const FlowStageErrors& stage, const BudgetSource& source) {
  const bool is_input = stage.path == StagePath{{0, input_rounding}};
  if (source == BudgetSource(FlowSource::overflow)) return stage.overflow;
  if (source == BudgetSource(FlowSource::shifts)) return stage.shifts;
  if (source == BudgetSource(ErrorSource::tables)) return stage.tables;
  if ((source == BudgetSource(ErrorSource::input)) != is_input) return {};
  return stage.operations;
}

}  // namespace

Budget flow_budget(const Case& where, const Problem& problem, Isa isa) {
  const CasePlan plan = Session().plan(where);
  const FlowErrors errors = flow_errors(where, problem.input, isa);
  const double norm = truth::l2_norm(problem.truth.hi, isa);
  const auto error_of = [&](const Output& output) {
    return truth::measure(output.values, without_rest(problem.truth, output.rest),
                          result_format(plan), isa)
        .l2_rel;
  };
  FlowValues all = errors.exact;
  for (const FlowStageErrors& stage : errors.stages) all = sum_of(all, stage.all());
  Budget budget{};
  budget.error = error_of(errors.output);
  budget.expected = expected_of_result(plan, problem, errors.output);
  budget.modelled = error_of(output_of(all));
  budget.floor_l2_rel = std::max(error_of(output_of(errors.exact)), 0x1p-63);

  const std::pair<BudgetSource, std::string_view> sources[] = {
      {ErrorSource::input, "input rounding"},
      {ErrorSource::tables, "tables"},
      {FlowSource::shifts, "shifts"},
      {FlowSource::operations, "products, sums and stores"},
      {FlowSource::overflow, "overflow"}};
  FlowValues sum;
  double squares = 0;
  for (const auto& [source, name] : sources) {
    FlowValues part;
    for (const FlowStageErrors& stage : errors.stages) part = sum_of(part, added_by(stage, source));
    const double alone = norm_of(part) / norm;
    if (alone <= budget.floor_l2_rel) continue;
    squares += square(alone);
    sum = sum_of(sum, part);
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = all[i] - part[i];
    budget.sources.push_back({.source = source,
                              .name = std::string(name),
                              .alone = alone,
                              .removed = error_of(output_of(part)),
                              .expected = std::nullopt});
  }
  sort_parts(budget.sources);
  budget.quadrature = std::sqrt(squares);
  if (budget.error > 0) {
    budget.interaction = 1 - squares / square(budget.error);
    budget.correlation = (square(norm_of(sum) / norm) - squares) / square(budget.error);
  }
  for (const FlowStageErrors& stage : errors.stages) {
    StageParts parts{stage.title, {}, norm_of(stage.all()) / norm};
    for (const SourcePart& part : budget.sources)
      parts.alone.push_back(norm_of(added_by(stage, part.source)) / norm);
    budget.stages.push_back(std::move(parts));
  }
  return budget;
}

Budget error_budget(const Case& where, const Problem& problem, Isa isa) {
  return goes_by_flow(where) ? flow_budget(where, problem, isa)
                             : traced_budget(where, problem, isa);
}

}  // namespace fftprec::attribution
