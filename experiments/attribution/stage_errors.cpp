#include "experiments/attribution/stage_errors.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
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
  if (!resolved_.algorithm.is_predictable()) return std::nullopt;
  const bool of_input = input_rounded && choice({{0, input_rounding}}).has(ErrorSource::input);
  StageTrace trace(std::move(choice));
  ErrorModel prediction = traced_prediction(where_, resolved_, trace);
  if (!model_holds(where_, resolved_, prediction)) return std::nullopt;
  if (of_input) round_input(prediction, resolved_.arithmetic, resolved_.transform.operands);
  return expected_for(prediction, input);
}

std::vector<std::string> titles_of(const std::vector<StagePath>& paths) {
  std::vector<StagePath> shown = paths;
  while (begin_alike(shown))
    for (StagePath& path : shown)
      if (!is_around(path.front())) path.erase(path.begin());
  return names_by(shown, title_of);
}

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

StageErrors stage_errors(const Case& where, const Problem& problem, Isa isa) {
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

namespace {

/// An array whose elements arrive in any order.
class Gathered {
 public:
  void set(std::size_t place, double re, double im) {
    if (place >= seen_.size()) {
      seen_.resize(place + 1);
      values_.re.resize(place + 1);
      values_.im.resize(place + 1);
    }
    twice_ = twice_ || seen_[place];
    seen_[place] = true;
    values_.re[place] = re;
    values_.im[place] = im;
  }

  /// Whether every element arrived once.
  bool is_whole() const { return !twice_ && std::ranges::find(seen_, false) == seen_.end(); }
  ComplexArray<double> take() { return std::move(values_); }

 private:
  ComplexArray<double> values_{};
  std::vector<bool> seen_{};
  bool twice_ = false;
};

}  // namespace

std::vector<StageData> stage_data(const Case& where, const ComplexArray<double>& input,
                                  ErrorSources sources, Isa isa) {
  std::map<StagePath, Gathered> gathered;
  StageTrace trace([sources](const StagePath&) { return sources; });
  trace.keep([&](const StagePath& path, std::size_t place, double re, double im) {
    gathered[path].set(place, re, im);
  });
  TracedCase(where, isa).run(input, trace);
  std::erase_if(gathered, [](const auto& stage) { return !stage.second.is_whole(); });
  if (gathered.empty())
    throw NotApplicable("algorithm " + where.algorithm + " of " + where.transform +
                        " has no arrays between its stages; radix2-dit, radix2-dif, recursive, the "
                        "stockham algorithms, mixed-radix, four-step and dft-gemm have them");
  std::vector<StagePath> paths;
  for (const auto& [path, values] : gathered) paths.push_back(path);
  const std::vector<std::string> titles = titles_of(paths);
  std::vector<StageData> stages;
  for (std::size_t i = 0; i < paths.size(); ++i)
    stages.push_back({titles[i], gathered[paths[i]].take()});
  return stages;
}

namespace {

double relative_distance(const ComplexArray<double>& x, const ComplexArray<double>& exact) {
  const double norm = truth::l2_norm(exact);
  return truth::l2_norm(difference(x, exact)) / (norm > 0 ? norm : 1);
}

/// The first element that is no number, or else the one with the largest distance.
std::size_t most_different(const ComplexArray<double>& x, const ComplexArray<double>& y) {
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double distance = std::hypot(x.re[i] - y.re[i], x.im[i] - y.im[i]);
    if (!std::isfinite(distance)) return i;
    if (distance <= largest) continue;
    largest = distance;
    worst = i;
  }
  return worst;
}

}  // namespace

StageDivergence stage_divergence(const ComplexArray<double>& yours,
                                 const ComplexArray<double>& emulated,
                                 const ComplexArray<double>& exact, double unit, double factor) {
  const double error = relative_distance(yours, exact);
  const double own = relative_distance(emulated, exact);
  return {error, own, yours == emulated, !(error <= factor * std::max(own, unit)),
          most_different(yours, emulated)};
}

std::string untraceable(const Case& where) {
  try {
    TracedCase traced(where);
  } catch (const InputError& reason) {
    return reason.what();
  }
  return {};
}

}  // namespace fftprec::attribution
