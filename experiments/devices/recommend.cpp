#include "experiments/devices/recommend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::devices {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The metric without a theorem of its own is judged by what was measured
/// alone.
void check_judged(const RecommendRequest& request) {
  const std::string metric(request.budget.metric->name);
  if (metric != "err_l2_rel" && request.by != JudgedBy::measured)
    throw InputError("no theorem bounds " + metric +
                     "; judge it with --by measured, or give a budget for err_l2_rel");
}

/// Combinations that have a meaning and whose work is known.
std::vector<Choice> counted_choices(Session& session, const RecommendRequest& request,
                                    Recommendation& result) {
  std::vector<Choice> choices;
  for (const std::string& algorithm : request.algorithms)
    for (const std::string& mode : request.modes) {
      Case where = request.where;
      where.algorithm = algorithm;
      where.mode = mode;
      try {
        Case one = where;
        one.batch = 1;
        const Work work = counted_work(session, where);
        if (session.plan(one).cost().whole_ns() > 1e9 * request.most_seconds) {
          ++result.too_slow;
          continue;
        }
        choices.push_back({.algorithm = algorithm,
                           .mode = mode,
                           .work = work,
                           .published = published_time(where, request.hardware),
                           .measured = 0,
                           .bound = {},
                           .judged = infinity});
      } catch (const NotApplicable& reason) {
        if (result.not_applicable++ == 0) result.first_reason = reason.what();
      }
    }
  return choices;
}

std::vector<Case> cases_of(const RecommendRequest& request, const std::vector<Choice>& choices) {
  std::vector<Case> cases;
  for (const Choice& choice : choices)
    for (const std::string& input : request.inputs)
      for (std::uint64_t seed = 0; seed < request.seeds; ++seed) {
        Case where = request.where;
        where.algorithm = choice.algorithm;
        where.mode = choice.mode;
        where.batch = 1;
        where.input = input;
        where.seed = request.where.seed + seed;
        cases.push_back(where);
      }
  return cases;
}

/// The larger; a NaN counts as infinite.
double larger(double a, double b) { return std::isnan(b) ? infinity : std::max(a, b); }

/// Puts the rows of a choice together.
void judge(Choice& choice, const std::vector<Row>& rows, const RecommendRequest& request) {
  const Column& metric = *request.budget.metric;
  double bound = 0;
  for (const Row& row : rows) {
    choice.measured = larger(choice.measured, metric.number(row).value_or(infinity));
    bound = larger(bound, row.bound_l2_rel.value_or(infinity));
  }
  if (metric.name == "err_l2_rel" && std::isfinite(bound)) choice.bound = bound;
  const double worst_case = choice.bound.value_or(infinity);
  choice.judged = request.by == JudgedBy::measured ? choice.measured
                  : request.by == JudgedBy::bound  ? worst_case
                                                   : std::max(choice.measured, worst_case);
}

std::uint64_t calls_of(const Choice& choice) {
  return choice.work.calls.tensor + choice.work.calls.vector;
}

auto cost_order(const Choice& choice) {
  return std::tuple(choice.work.total_cycles(), calls_of(choice), choice.judged);
}

/// Whether `other` is as good in every respect and better in one.
bool beats(const Choice& other, const Choice& choice) {
  return other.work.total_cycles() <= choice.work.total_cycles() &&
         calls_of(other) <= calls_of(choice) && other.judged <= choice.judged &&
         cost_order(other) != cost_order(choice);
}

}  // namespace

MeasuredLimit error_budget_from(std::string_view text) {
  const MeasuredLimit limit = parse_measured_limit(text);
  require(limit.metric->is_error && limit.largest > 0, "--max: '", text,
          "' is not a limit above 0 of an error, as in err_l2_rel=1e-6");
  return limit;
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
  Recommendation result;
  Session session;
  std::vector<Choice> choices = counted_choices(session, request, result);
  if (choices.empty())
    throw NotApplicable("nothing to recommend: " +
                        (result.too_slow > 0 ? "emulating any choice takes longer than " +
                                                   exact_number(request.most_seconds) + " s"
                                             : result.first_reason));
  std::map<std::pair<std::string, std::string>, std::vector<Row>> rows;
  run_cases(session.plan(cases_of(request, choices)), {.threads = request.threads},
            [&](const FinishedCase& finished) {
              const SharedCase& where = finished.plan.where();
              rows[{where.algorithm(), where.mode()}].push_back(finished.row);
              if (sink) sink(finished);
            });
  for (Choice& choice : choices) {
    const std::vector<Row>& own = rows.at({choice.algorithm, choice.mode});
    const auto bad =
        std::ranges::find_if(own, [](const Row& row) { return row.status != Status::ok; });
    if (bad != own.end()) {
      if (result.not_applicable++ == 0) result.first_reason = bad->message;
      continue;
    }
    judge(choice, own, request);
    result.choices.push_back(std::move(choice));
  }
  if (result.choices.empty()) throw NotApplicable("nothing to recommend: " + result.first_reason);
  std::ranges::stable_sort(result.choices, [](const Choice& a, const Choice& b) {
    return cost_order(a) < cost_order(b);
  });
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    Choice& choice = result.choices[i];
    choice.on_front = std::ranges::none_of(
        result.choices, [&choice](const Choice& other) { return beats(other, choice); });
    if (choice.judged < result.choices[result.closest].judged) result.closest = i;
    if (!(choice.judged <= request.budget.largest)) continue;
    if (!result.best) result.best = i;
    if (choice.published &&
        (!result.fastest || choice.published->us < result.choices[*result.fastest].published->us))
      result.fastest = i;
  }
  return result;
}

}  // namespace fftprec::devices
