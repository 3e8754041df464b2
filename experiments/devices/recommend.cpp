#include "experiments/devices/recommend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "arith/support/error.hpp"
#include "arith/support/isa.hpp"
#include "arith/truth/parallel.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::devices {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t problem_bytes = std::size_t{1} << 28;  // of inputs and truths at a time

/// The metric without a theorem of its own is judged by what was measured
/// alone.
void check_judged(const RecommendRequest& request) {
  const std::string metric(request.budget.metric->name);
  if (metric != "err_l2_rel" && request.by != JudgedBy::measured)
    throw InputError("no theorem bounds " + metric +
                     "; judge it with --by measured, or give a budget for err_l2_rel");
}

/// The larger; a NaN counts as infinite.
double larger(double a, double b) { return std::isnan(b) ? infinity : std::max(a, b); }

std::uint64_t calls_of(const Choice& choice) {
  return choice.work.calls.tensor + choice.work.calls.vector;
}

auto work_of(const Choice& choice) {
  return std::pair(choice.work.total_cycles(), calls_of(choice));
}

auto cost_order(const Choice& choice) { return std::pair(work_of(choice), choice.judged); }

/// Errors of a choice: measured, a lower limit of both, or estimated.
struct ErrorPair {
  double judged;
  double measured;
};

/// Whether `other` with `theirs` does and errs as little as `choice` with `own`, and less in one.
bool beats(const Choice& other, const ErrorPair& theirs, const Choice& choice,
           const ErrorPair& own) {
  return other.work.total_cycles() <= choice.work.total_cycles() &&
         calls_of(other) <= calls_of(choice) && theirs.judged <= own.judged &&
         (work_of(other) != work_of(choice) || theirs.judged < own.judged);
}

/// Whether the RMS model is derived for that input: independent draws of a normal or uniform law of
/// mean 0, at its usual size.
bool is_model_input(std::string_view input) { return input == "gaussian" || input == "uniform"; }

/// Whether theory for the case can be had without a run: blocks that share a scale round an input
/// of several lines line by line.
bool has_theory(const CasePlan& plan) {
  const Resolved& resolved = plan.resolved();
  return !resolved.arithmetic.shares_scales() ||
         resolved.transform.item_shape(plan.n()).input.size() <= 1;
}

/// Adds the theory columns to a row, measured or not, as the whole row has them.
Row with_theory(Row row, const CasePlan& plan, const Problem& problem) {
  const Resolved& resolved = plan.resolved();
  const bool overflowed = resolved.arithmetic.counts_overflows() && row.overflows.value_or(0) > 0;
  const ErrorModel model = predict_into(
      row, plan, &problem, rounds_input(resolved, problem.input, best_isa()), overflowed);
  if (row.err_l2_rel) leave_out_bound(row, plan, problem, model);
  return row;
}

/// A choice while its cases are measured.
struct Candidate {
  Choice choice;
  std::vector<CasePlan> plans;           ///< a case for each input and seed
  std::size_t measured = 0;              ///< how many of them are
  double error = 0;                      ///< the largest measured
  double bound = 0;                      ///< the largest known; infinite if a case has none
  std::optional<std::string> problem{};  ///< why a case has no row

  bool is_measured() const { return measured == plans.size(); }
  bool has_estimate() const { return measured > 0 || choice.expected; }

  /// If the expected error may be too large by this factor.
  ErrorPair errors(JudgedBy by, double margin) const {
    const double least =
        is_measured() ? error : std::max(error, choice.expected.value_or(0) / margin);
    return {by == JudgedBy::measured ? least
            : by == JudgedBy::bound  ? bound
                                     : std::max(least, bound),
            least};
  }
};

/// The choices, measured until no answer depends on the others.
class Contest {
 public:
  Contest(const RecommendRequest& request, const RowSink& sink) : request_(request), sink_(sink) {
    for (const std::string& algorithm : request.algorithms)
      for (const std::string& mode : request.modes) enter(algorithm, mode);
    if (candidates_.empty())
      throw NotApplicable("nothing to recommend: " +
                          (result_.too_slow > 0 ? "emulating any choice takes longer than " +
                                                      exact_number(request.most_seconds) + " s"
                                                : result_.first_reason));
  }

  Recommendation run() {
    if (!request_.all && is_l2()) predict();
    for (std::vector<CasePlan> next = next_cases(); !next.empty(); next = next_cases())
      measure(std::move(next));
    collect();
    return std::move(result_);
  }

 private:
  /// Errors of the choices at the same places; empty where none are known.
  using Known = std::vector<std::optional<ErrorPair>>;

  bool is_l2() const { return request_.budget.metric->name == "err_l2_rel"; }

  void leave_out(const std::string& reason) {
    if (result_.not_applicable++ == 0) result_.first_reason = reason;
  }

  /// Adds a combination that has a meaning and whose work is known.
  void enter(const std::string& algorithm, const std::string& mode) {
    if (places_.contains({algorithm, mode})) return;
    Case where = request_.where;
    where.algorithm = algorithm;
    where.mode = mode;
    try {
      Candidate candidate{.choice = {.algorithm = algorithm,
                                     .mode = mode,
                                     .work = counted_work(session_, where),
                                     .published = published_time(where, request_.hardware),
                                     .judged = infinity}};
      where.batch = 1;
      if (session_.plan(where).cost().whole_ns() > 1e9 * request_.most_seconds) {
        ++result_.too_slow;
        return;
      }
      for (const std::string& input : request_.inputs)
        for (std::uint64_t seed = 0; seed < request_.seeds; ++seed) {
          where.input = input;
          where.seed = request_.where.seed + seed;
          candidate.plans.push_back(session_.plan(where));
        }
      places_[{algorithm, mode}] = candidates_.size();
      candidates_.push_back(std::move(candidate));
    } catch (const NotApplicable& reason) {
      leave_out(reason.what());
    }
  }

  /// Bounds and expected errors of all cases.
  void predict() {
    const std::size_t cases = request_.inputs.size() * request_.seeds;
    for (std::size_t i = 0; i < cases; ++i)
      truth::in_parallel(
          candidates_.size(), request_.threads, [] { return 0; },
          [&](int, std::size_t place) { predict(candidates_[place], i); });
  }

  void predict(Candidate& candidate, std::size_t place) {
    const CasePlan& plan = candidate.plans[place];
    if (!has_theory(plan)) return;
    try {
      const auto problem = problems_.get(problem_key(plan.where()), 48 * plan.n(),
                                         [&] { return make_problem(plan); });
      learn(candidate, with_theory({.where = plan.where()}, plan, *problem), false);
    } catch (const std::exception& reason) {
      candidate.problem = reason.what();
    }
  }

  void measure(std::vector<CasePlan> plans) {
    const bool is_whole = request_.budget.metric->name == "err_roundtrip_l2_rel" ||
                          !std::ranges::all_of(plans, has_theory);
    run_cases(std::move(plans),
              {.threads = request_.threads,
               .extent = is_whole ? RowExtent::whole : RowExtent::result,
               .problems = &problems_},
              [&](const FinishedCase& finished) {
                const SharedCase& where = finished.plan.where();
                Candidate& candidate = candidates_[places_.at({where.algorithm(), where.mode()})];
                const Row& row = finished.row;
                if (row.status != Status::ok)
                  candidate.problem = row.message;
                else if (is_whole || !is_l2())
                  learn(candidate, row, true);
                else
                  learn(candidate, with_theory(row, finished.plan, *finished.problem), true);
                if (sink_) sink_(finished);
              });
  }

  void learn(Candidate& candidate, const Row& row, bool measured) {
    candidate.bound = larger(candidate.bound, row.bound_l2_rel.value_or(infinity));
    std::optional<double>& expected = candidate.choice.expected;
    if (is_l2() && row.expected_l2_rel && is_model_input(row.where.input()))
      expected = std::max(expected.value_or(0), *row.expected_l2_rel);
    if (!measured) return;
    candidate.error =
        larger(candidate.error, request_.budget.metric->number(row).value_or(infinity));
    ++candidate.measured;
  }

  Known measured_errors() const {
    Known known(candidates_.size());
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (const Candidate& each = candidates_[i]; !each.problem && each.is_measured())
        known[i] = each.errors(request_.by, infinity);
    return known;
  }

  Known estimated_errors() const {
    Known known(candidates_.size());
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (const Candidate& each = candidates_[i]; !each.problem && each.has_estimate())
        known[i] = each.errors(request_.by, 1);
    return known;
  }

  /// Whether a choice whose errors are `own` is part of an answer beside those that are known: on
  /// the front, the fastest, or the least work within the budget by measured errors.
  bool is_answer(std::size_t place, const ErrorPair& own, const Known& known) const {
    const Choice& choice = candidates_[place].choice;
    const double budget = request_.budget.largest;
    bool on_front = true;
    bool fastest = choice.published && own.judged <= budget;
    bool first = request_.by != JudgedBy::measured && own.measured <= budget;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (i == place || !known[i]) continue;
      const Choice& other = candidates_[i].choice;
      const bool has_less_work = work_of(other) < work_of(choice);
      on_front = on_front && !beats(other, *known[i], choice, own);
      if (fastest && other.published && known[i]->judged <= budget)
        fastest = other.published->us > choice.published->us ||
                  (other.published->us == choice.published->us && !has_less_work);
      if (has_less_work && known[i]->measured <= budget) first = false;
    }
    return on_front || fastest || first;
  }

  /// Cases of choices that may change an answer: all of those that the estimates say do, and one of
  /// each that has no estimate; then one of each other choice, and then the rest.
  std::vector<CasePlan> next_cases() const {
    const Known measured = measured_errors();
    const Known estimated = estimated_errors();
    std::vector<std::size_t> open;
    std::vector<std::size_t> likely;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Candidate& each = candidates_[i];
      if (each.problem || each.is_measured()) continue;
      if (!request_.all && !is_answer(i, each.errors(request_.by, expected_margin), measured))
        continue;
      open.push_back(i);
      if (request_.all || (estimated[i] && is_answer(i, *estimated[i], estimated)))
        likely.push_back(i);
    }
    std::vector<CasePlan> cases;
    for (const std::size_t i : open) {
      const Candidate& each = candidates_[i];
      const bool is_likely = std::ranges::binary_search(likely, i);
      const bool whole = is_likely || (likely.empty() && each.measured > 0);
      const bool one = each.measured == 0 && (likely.empty() || !each.has_estimate());
      const auto first = each.plans.begin() + static_cast<std::ptrdiff_t>(each.measured);
      if (whole || one) cases.insert(cases.end(), first, whole ? each.plans.end() : first + 1);
    }
    return cases;
  }

  RuledOut reason(std::size_t place, const Known& measured) const {
    const Candidate& candidate = candidates_[place];
    if (candidate.is_measured()) return RuledOut::no;
    if (is_answer(place, candidate.errors(request_.by, infinity), measured))
      return RuledOut::by_prediction;
    return candidate.measured > 0 ? RuledOut::by_error : RuledOut::by_bound;
  }

  void collect() {
    const Known measured = measured_errors();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      Candidate& each = candidates_[i];
      if (each.problem) {
        leave_out(*each.problem);
        continue;
      }
      Choice& choice = each.choice;
      choice.ruled_out = reason(i, measured);
      if (each.is_measured()) choice.measured = each.error;
      if (is_l2() && std::isfinite(each.bound)) choice.bound = each.bound;
      choice.judged = each.errors(request_.by, 1).judged;
      result_.choices.push_back(std::move(choice));
    }
  }

  const RecommendRequest& request_;
  const RowSink& sink_;
  Recommendation result_;
  Session session_;
  std::vector<Candidate> candidates_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  ProblemCache problems_{problem_bytes};
};

}  // namespace

MeasuredLimit error_budget_from(std::string_view text) {
  const MeasuredLimit limit = parse_measured_limit(text);
  require(limit.metric->is_error && limit.largest > 0, "--max: '", text,
          "' is not a limit above 0 of an error, as in err_l2_rel=1e-6");
  return limit;
}

std::string_view name_of(RuledOut reason) {
  constexpr std::string_view names[] = {"", "bound", "error", "prediction"};
  return names[static_cast<std::size_t>(reason)];
}

JudgedBy judged_by_named(std::string_view name) {
  constexpr std::string_view names[] = {"measured", "bound", "both"};
  return static_cast<JudgedBy>(index_named(names, "value of --by", name));
}

std::vector<std::string> counted_algorithms() {
  std::vector<std::string> names;
  for (const std::string& name : algorithm_names())
    if (const AlgorithmEntry entry = algorithm_named(name);
        !entry.is_choice && !entry.takes_cores && entry.is_predictable())
      names.push_back(name);
  return names;
}

Work counted_work(Session& session, const Case& where) {
  const CasePlan plan = session.plan(where);
  check_applicable(plan);
  const Resolved& resolved = plan.resolved();
  if (!resolved.algorithm.is_predictable())
    throw NotApplicable(where.algorithm + ": its operations are not known");
  if (resolved.arithmetic.type() == ArithmeticType::doubles)
    throw NotApplicable("mode " + where.mode + " computes on the host");
  const ErrorModel& once = *plan.costs();
  const std::uint64_t passes = transforms_of(resolved);
  return {{passes * once.calls.tensor, passes * once.calls.vector},
          {passes * once.cost.cycles.tensor, passes * once.cost.cycles.vector}};
}

std::vector<std::string> counted_modes() {
  std::vector<std::string> names;
  for (const Mode& mode : modes())
    if (!on_host(mode)) names.push_back(mode.name);
  return names;
}

Recommendation recommend(const RecommendRequest& request, const RowSink& sink) {
  check_judged(request);
  check_hardware(request.hardware);
  require(!request.inputs.empty() && request.seeds > 0, "recommend: no inputs to measure with");
  Recommendation result = Contest(request, sink).run();
  if (result.choices.empty()) throw NotApplicable("nothing to recommend: " + result.first_reason);
  std::ranges::stable_sort(result.choices, {}, cost_order);
  const auto errors = [](const Choice& choice) {
    return ErrorPair{choice.judged, choice.measured.value_or(infinity)};
  };
  std::optional<std::size_t> closest;
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    Choice& choice = result.choices[i];
    if (!choice.measured) continue;
    choice.on_front = std::ranges::none_of(result.choices, [&](const Choice& other) {
      return other.measured && beats(other, errors(other), choice, errors(choice));
    });
    if (!closest || choice.judged < result.choices[*closest].judged) closest = i;
    if (!(choice.judged <= request.budget.largest)) continue;
    if (!result.best) result.best = i;
    if (choice.published &&
        (!result.fastest || choice.published->us < result.choices[*result.fastest].published->us))
      result.fastest = i;
  }
  result.closest = closest.value();
  return result;
}

}  // namespace fftprec::devices
