#include "experiments/search/exact_products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec::search {

namespace {

constexpr std::string_view whole_input = "integers";

KeyedChange input_keys(const std::string& input) { return {list_inputs(), input, "input"}; }
KeyedChange product_keys(const std::string& transform) {
  return {list_transforms(), transform, "transform"};
}

/// All digits of both operands at their limits.
std::string at_limits(const std::string& input) {
  if (split_name(input).name != whole_input) return input;
  KeyedChange keys = input_keys(input);
  keys.set("pattern", "limit");
  if (keys["inner"] != "itself") keys.set("inner", at_limits(keys["inner"]));
  return keys.text();
}

}  // namespace

void run_seeds(Session& session, const Case& where, const ExactRequest& request, RowExtent extent,
               const RowSink& sink, const std::atomic<bool>* stop) {
  const CasePlan plan = session.plan(where);
  check_applicable(plan);
  std::vector<CasePlan> plans;
  for (std::uint64_t i = 0; i < request.runs; ++i)
    plans.push_back(Session::plan(plan, where.batch, where.seed + i));
  run_cases(std::move(plans),
            {.threads = request.threads, .extent = extent, .times = false, .stop = stop}, sink);
}

std::string in_parts(const std::string& transform, std::size_t parts, double bits) {
  KeyedChange keys = product_keys(transform);
  keys.set("parts", std::to_string(parts));
  if (parts == 1) return keys.reset("base").text();
  const auto of_part = static_cast<int>(std::ceil(bits / static_cast<double>(parts)));
  return keys.set("base", shortest(std::ldexp(1.0, of_part))).text();
}

Digits::Digits(Session& session, const Case& where) : where_(where) {
  require(session.transform(where.transform)->integers, "exact: transform=", where.transform,
          " is no product of whole numbers; transform=product is, with its keys");
  if (where_.input == Case{}.input) where_.input = whole_input;
  require(split_name(where_.input).name == whole_input, "exact: input=", where.input,
          " has no bits to be searched; input=integers has");
  require(input_keys(where_.input)["mod"] == "none",
          "exact: mod sets the digits of the input, so there are no bits to be searched");
  const KeyedChange keys = product_keys(where.transform);
  weighted_ = keys["exponent"] != "none";
  parts_ = std::stoul(keys["parts"]);
  may_be_cut_ = !weighted_ && parts_ == 1 && keys["form"] != "pair";
}

double Digits::bits(int steps) const {
  return static_cast<double>(steps) / static_cast<double>(steps_per_bit());
}

Case Digits::with_exponent(std::uint64_t exponent) const {
  Case with = where_;
  with.input = input_keys(where_.input).set("exponent", std::to_string(exponent)).text();
  with.transform = product_keys(where_.transform).set("exponent", std::to_string(exponent)).text();
  return with;
}

Case Digits::with(int steps) const {
  if (weighted_)
    return with_exponent(
        static_cast<std::uint64_t>(std::llround(bits(steps) * static_cast<double>(where_.n))));
  Case with = where_;
  with.input = input_keys(where_.input).set("bits", std::to_string(steps)).text();
  if (parts_ > 1) with.transform = in_parts(where_.transform, parts_, bits(steps));
  return with;
}

Case Digits::at_limit(int steps) const {
  Case limit = with(steps);
  limit.input = at_limits(limit.input);
  return limit;
}

std::optional<double> bound_at_limit(Session& session, const Case& limit) {
  const CasePlan plan = session.plan(limit);
  check_applicable(plan);
  const ComplexArray<double> operands =
      plan.resolved().transform.make_input(plan.input(), plan.n(), plan.batch(), limit.seed);
  return result_bound(plan, operands, rounds_input(plan.resolved(), operands, best_isa()));
}

namespace {

/// The bound; NaN if there is none.
double bound_for(Session& session, const Case& limit, std::string& reason) {
  const std::optional<double> bound = bound_at_limit(session, limit);
  if (!bound) reason = "no bound is derived for " + limit.algorithm + " in " + limit.mode;
  return bound.value_or(std::numeric_limits<double>::quiet_NaN());
}

/// The probability of failure; NaN if no law is known.
double failure_for(Session& session, const Case& where, std::string& reason) {
  const CasePlan plan = session.plan(where);
  check_applicable(plan);
  if (!plan.resolved().algorithm.is_predictable()) {
    reason = "no error is expected of " + where.algorithm;
    return std::numeric_limits<double>::quiet_NaN();
  }
  const Problem problem = make_problem(plan);
  Row row{.where = where};
  predict_into(row, plan, &problem, rounds_input(plan.resolved(), problem.input, best_isa()));
  if (!row.failure_prob)
    reason = has_mean(where.input) ? "the law of errors is of digits about 0"
                                   : "no error is expected of this combination";
  return row.failure_prob.value_or(std::numeric_limits<double>::quiet_NaN());
}

struct Runs {
  double largest_error = 0;
  std::uint64_t wrong = 0;
  std::uint64_t done = 0;
};

/// Runs the seeds, until the first wrong one if `stop_at_wrong`.
Runs runs_of(Session& session, const Case& where, const ExactRequest& request, bool stop_at_wrong) {
  Runs runs;
  std::atomic<bool> stop = false;
  const auto count = [&](const FinishedCase& finished) {
    const Row& row = finished.row;
    if (row.status != Status::ok || !row.wrong_coefficients)
      throw NotApplicable(row.message.empty() ? "results are no whole numbers" : row.message);
    ++runs.done;
    runs.largest_error = std::max(runs.largest_error, row.err_linf_abs.value_or(0));
    if (std::isnan(row.err_linf_abs.value_or(0)))
      runs.largest_error = std::numeric_limits<double>::infinity();
    runs.wrong += *row.wrong_coefficients > 0;
    if (stop_at_wrong && runs.wrong > 0) stop = true;
  };
  run_seeds(session, where, request, RowExtent::result, count, &stop);
  return runs;
}

/// The most steps, from `least` - 1 on, for which holds(steps); it holds up to a point, or seldom
/// beyond.
template <class Holds>
int most_that_holds(int least, int most, int guess, Holds holds) {
  int low = least - 1;
  int high = most + 1;
  for (int step = 1, at = std::clamp(guess, least, most); high - low > 1;) {
    if (holds(at)) {
      low = at;
      at = high == most + 1 ? std::min(at + step, most) : (low + high) / 2;
    } else {
      high = at;
      at = low == least - 1 ? std::max(at - step, least) : (low + high) / 2;
    }
    step *= 2;
    if (at <= low || at >= high) at = (low + high) / 2;
  }
  return low;
}

}  // namespace

DigitLimits digit_limits(Session& session, const Case& where, const ExactRequest& request) {
  const Digits digits(session, where);
  const int least = digits.steps_per_bit();
  const int most = digits.most_steps();
  const auto tell = [&](const char* evidence, int steps, double shown) {
    if (request.on_step)
      request.on_step(fmt::format("{}, {} bits: {}", evidence, short_number(digits.bits(steps), 5),
                                  short_number(shown, 3)));
  };
  // The largest steps for which what `shown` gives is in the limits.
  const auto search = [&](DigitLimit& limit, int guess, auto shown, auto is_within) {
    double of_best = 0;
    const int best = most_that_holds(least, most, guess, [&](int steps) {
      if (!limit.reason.empty()) return false;
      const double value = shown(steps);
      const bool holds = is_within(value);
      if (holds) of_best = value;
      return holds;
    });
    if (best >= least && limit.reason.empty()) {
      limit.bits = digits.bits(best);
      limit.where = digits.with(best);
      limit.shown = of_best;
    }
    return best;
  };
  DigitLimits limits;
  const int proven = search(
      limits.proven, 16 * least,
      [&](int steps) {
        const double bound = bound_for(session, digits.at_limit(steps), limits.proven.reason);
        tell("bound", steps, bound);
        return bound;
      },
      [](double bound) { return bound < 0.5; });
  const int probable = search(
      limits.probable, std::max(proven, least) + 4 * least,
      [&](int steps) {
        const double failure = failure_for(session, digits.with(steps), limits.probable.reason);
        tell("probability of failure", steps, failure);
        return failure;
      },
      [&](double failure) { return failure <= request.failure; });
  search(
      limits.measured, std::max({proven, probable, least}) + least,
      [&](int steps) {
        const Runs runs = runs_of(session, digits.with(steps), request, true);
        tell("largest error", steps, runs.largest_error);
        return runs.wrong > 0 ? std::numeric_limits<double>::infinity() : runs.largest_error;
      },
      [](double error) { return std::isfinite(error); });
  return limits;
}

ExactVerdict exact_verdict(Session& session, const Case& where, const ExactRequest& request) {
  ExactVerdict verdict;
  std::string reason;
  Case limit = where;
  limit.input = at_limits(where.input);
  if (const double bound = bound_for(session, limit, reason); !std::isnan(bound))
    verdict.bound = bound;
  if (const double failure = failure_for(session, where, reason); !std::isnan(failure))
    verdict.failure = failure;
  const Runs runs = runs_of(session, where, request, false);
  verdict.largest_error = runs.largest_error;
  verdict.wrong_runs = runs.wrong;
  verdict.work = session.plan(where).costs()->cost.real_multiplications;
  return verdict;
}

}  // namespace fftprec::search
