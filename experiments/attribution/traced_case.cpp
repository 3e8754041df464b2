#include "experiments/attribution/traced_case.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "algorithms/arithmetic/traced_arithmetic.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::attribution {

namespace {

/// The tables of the case, but exact tables for fp64.
SourceTables traced_tables(const Case& where, const SourceTables& own, const SourceTables& exact) {
  if (where.tables == exact_tables) return own;
  const auto choose = [](const auto& in_fp64, const auto& given) {
    return [in_fp64, given](const Framing& framing, const Format& format) {
      return format == fp64 ? in_fp64(framing, format) : given(framing, format);
    };
  };
  WindowSource windows = own.windows;
  windows.window = choose(exact.windows.window, own.windows.window);
  windows.reciprocals = choose(exact.windows.reciprocals, own.windows.reciprocals);
  const RootFunction roots = [exact = exact.roots, given = own.roots](
                                 std::span<const RootIndex> entries, const Format& format,
                                 double* re, double* im) {
    (format == fp64 ? exact : given).fill(entries, format, re, im);
  };
  return {own.roots.reduces() ? roots : roots.not_reduced(), std::move(windows)};
}

bool is_around(const StageMark& mark) {
  return mark.name == input_rounding || mark.name == result_rounding;
}

/// Whether all paths with several names begin with one name, and there is such a path.
bool begin_alike(const std::vector<StagePath>& paths) {
  const StageMark* first = nullptr;
  for (const StagePath& path : paths) {
    if (!path.empty() && is_around(path.front())) continue;
    if (path.size() < 2 || (first != nullptr && path.front() != *first)) return false;
    first = &path.front();
  }
  return first != nullptr;
}

/// Throws NotApplicable for a combination without meaning.
Resolved applicable(Case where) {
  where.input = Case{}.input;  // its file may be gone
  const CasePlan plan = Session().plan(where);
  check_applicable(plan);
  return plan.resolved();
}

}  // namespace

TracedCase::TracedCase(const Case& where, Isa isa)
    : where_(where), resolved_(applicable(where)), isa_(isa) {
  if (resolved_.algorithm.kind == AlgorithmKind::fft &&
      !resolved_.algorithm.make.in<TracedArithmetic>())
    throw NotApplicable(
        "algorithm " + where.algorithm +
        ": the order of its operations is not known, so its stages cannot be separated");
  StageTrace trace([](const StagePath&) { return ErrorSources{}; });
  TracedArithmetic(resolved_.arithmetic, trace, isa);  // refuses modes
  resolved_.tables = traced_tables(where, resolved_.tables, resolved_.exact);
}

ComplexArray<double> TracedCase::run(const ComplexArray<double>& input, StageTrace& trace) const {
  const TracedArithmetic arithmetic(resolved_.arithmetic, trace, isa_);
  const TracedArithmetic maker = arithmetic;  // as of a plan that is kept
  const auto transform = resolved_.transform.make.in<TracedArithmetic>()(
      maker, resolved_.algorithm, where_.n, resolved_.tables);
  ComplexArray<double> x;
  {
    const auto mark = arithmetic.stage(input_rounding, 0);
    x = arithmetic.stored(scaled_input(resolved_, input));
  }
  ComplexArray<double> y = transform(arithmetic, std::move(x));
  if (resolved_.arithmetic.stores().in_passes()) {
    const auto mark = arithmetic.stage(result_rounding, last_stage);
    arithmetic.end_stage(view_of(y, 1, y.size()), end_of_transform);
  }
  return without_scale(std::move(y), result_scale(resolved_, where_.n));
}

std::optional<double> TracedCase::expected(StageTrace::Choice choice, bool input_rounded,
                                           const ComplexArray<double>& input) const {
  return expected_of(where_, resolved_, std::move(choice), input_rounded, input);
}

std::optional<double> expected_of(const Case& where, const Resolved& resolved,
                                  StageTrace::Choice choice, bool input_rounded,
                                  const ComplexArray<double>& input) {
  if (!resolved.algorithm.is_predictable()) return std::nullopt;
  const bool of_input = input_rounded && choice({{0, input_rounding}}).has(ErrorSource::input);
  StageTrace trace(std::move(choice));
  ErrorModel prediction = traced_prediction(where, resolved, trace);
  if (!model_holds(where, resolved, prediction)) return std::nullopt;
  if (of_input) round_input(prediction, resolved.arithmetic, resolved.transform.operands);
  return expected_for(prediction, input);
}

std::vector<std::string> titles_of(const std::vector<StagePath>& paths) {
  std::vector<StagePath> shown = paths;
  while (begin_alike(shown))
    for (StagePath& path : shown)
      if (!is_around(path.front())) path.erase(path.begin());
  return names_by(shown, title_of);
}

std::string why_not_traced(const Case& where) {
  try {
    TracedCase traced(where);
  } catch (const InputError& reason) {
    return reason.what();
  }
  return {};
}

}  // namespace fftprec::attribution
