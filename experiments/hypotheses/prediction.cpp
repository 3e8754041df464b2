#include "experiments/hypotheses/prediction.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "arith/support/error.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::hypotheses {

namespace {

constexpr double order_of_sums = 0x1p-25;
constexpr double largest_floor = 0.1;

double logarithm(double error) { return std::log(std::max(error, exact_error)); }

/// P(ln(error) <= x).
double below(const Predictive& predicted, double x) {
  const double t = (x - predicted.centre) / predicted.spread;
  return boost::math::cdf(boost::math::students_t(predicted.freedom), t);
}

}  // namespace

Predictive predictive(std::span<const double> errors, double further_spread) {
  require(errors.size() >= 2, "predictive: a spread needs two replays at least");
  Predictive predicted;
  const auto count = static_cast<double>(errors.size());
  predicted.freedom = count - 1;
  for (const double error : errors) {
    if (!std::isfinite(error) || error < 0) return {};
    predicted.centre += logarithm(error) / count;
  }
  double squares = 0;
  for (const double error : errors) squares += std::pow(logarithm(error) - predicted.centre, 2);
  const double floor = std::min(largest_floor, order_of_sums / std::exp(predicted.centre));
  const double spread = std::max(std::sqrt(squares / (count - 1)), floor);
  predicted.spread = std::hypot(spread * std::sqrt(1 + 1 / count), further_spread);
  return predicted;
}

double interval_probability(const Predictive& predicted, const PublishedValue& value) {
  if (!predicted.defined()) return 0;
  double low = logarithm(value.low);
  double high = logarithm(value.high);
  if (value.low <= 0) low = -std::numeric_limits<double>::max();
  // Far tails are differences of small numbers only below the centre.
  const Predictive lower = {0, predicted.spread, predicted.freedom};
  if (low > predicted.centre) {
    const double mirrored = predicted.centre - low;
    low = predicted.centre - high;
    high = mirrored;
  } else {
    low -= predicted.centre;
    high -= predicted.centre;
  }
  return std::max(0.0, below(lower, high) - below(lower, low));
}

double tail_probability(const Predictive& predicted, const PublishedValue& value) {
  if (!predicted.defined()) return 0;
  const double at_most = below(predicted, logarithm(value.high));
  const double at_least =
      value.low <= 0
          ? 1.0
          : below({-predicted.centre, predicted.spread, predicted.freedom}, -logarithm(value.low));
  return std::min(1.0, 2 * std::min(at_most, at_least));
}

double predicted_error(const Predictive& predicted) {
  const double error = std::exp(predicted.centre);
  return error <= exact_error * (1 + 1e-9) ? 0 : error;
}

double half_width(const Predictive& predicted, double probability) {
  const boost::math::students_t student(predicted.freedom);
  return predicted.spread * boost::math::quantile(student, (1 + probability) / 2);
}

double miss(const Predictive& predicted, const PublishedValue& value) {
  if (!predicted.defined()) return std::numeric_limits<double>::infinity();
  return std::max(
      {0.0, logarithm(value.low) - predicted.centre, predicted.centre - logarithm(value.high)});
}

namespace {

constexpr double reach = 8;  // spreads to either side

/// The smallest number with this number of digits.
int smallest_of(int digits) { return static_cast<int>(std::lround(std::pow(10.0, digits - 1))); }

/// The text nearest to an error.
int key_of(double error, int digits) {
  const int smallest = smallest_of(digits);
  int exponent = static_cast<int>(std::floor(std::log10(error)));
  const auto mantissa_at = [&] {
    return static_cast<int>(std::lround(error / std::pow(10.0, exponent - digits + 1)));
  };
  int mantissa = mantissa_at();
  if (mantissa < smallest) {
    --exponent;
    mantissa = mantissa_at();
  }
  return 9 * smallest * exponent + mantissa - smallest;  // a power of ten is the next exponent's
}

/// The interval of errors that round to the text of `key`.
PublishedValue interval_of(int key, int digits) {
  const int smallest = smallest_of(digits);
  const int exponent = static_cast<int>(std::floor(key / (9.0 * smallest)));
  const int mantissa = key - 9 * smallest * exponent + smallest;
  const double unit = std::pow(10.0, exponent - digits + 1);
  const double half_below = mantissa == smallest ? 0.05 : 0.5;  // the next text below is 0.99
  return {"", digits, (mantissa - half_below) * unit, (mantissa + 0.5) * unit};
}

double entropy_bits(const Outcomes& outcomes) {
  double bits = 0;
  for (const auto& [key, probability] : outcomes)
    if (probability > 0) bits -= probability * std::log2(probability);
  return bits;
}

}  // namespace

Outcomes outcomes_of(const Predictive& predicted) {
  if (predicted_error(predicted) == 0) return {{exact_outcome, 1}};
  const auto key_at = [&](double spreads) {
    return key_of(std::exp(predicted.centre + spreads * predicted.spread), predicted.digits());
  };
  const int first = key_at(-reach);
  const int last = key_at(reach);
  Outcomes outcomes;
  double rest = 1;
  for (int key = first; key <= last; ++key) {
    const double probability =
        interval_probability(predicted, interval_of(key, predicted.digits()));
    outcomes[key] = probability;
    rest -= probability;
  }
  outcomes[key_at(0)] += std::max(0.0, rest);
  return outcomes;
}

double distance(const Outcomes& a, const Outcomes& b) {
  double shared = 0;
  for (const auto& [key, probability] : a)
    if (const auto other = b.find(key); other != b.end())
      shared += std::min(probability, other->second);
  return std::max(0.0, 1 - shared);
}

double information_bits(std::span<const Outcomes> predictions, std::span<const double> weights) {
  Outcomes mixture;
  double noise = 0;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    for (const auto& [key, probability] : predictions[i]) mixture[key] += weights[i] * probability;
    noise += weights[i] * entropy_bits(predictions[i]);
  }
  return std::max(0.0, entropy_bits(mixture) - noise);
}

namespace {

/// Whether library functions made the numbers, so that other libraries give other numbers.
bool is_made_by_functions(std::string_view input) {
  constexpr std::array<std::string_view, 6> made = {"torch_randn", "gaussian",   "wide",
                                                    "tone",        "cancelling", "chirp"};
  return std::ranges::find(made, split_name(input).name) != made.end();
}

}  // namespace

Case jittered_case(Case where, std::uint64_t k) {
  if (k == 0) return where;
  if (is_made_by_functions(where.input))
    where.input = "jitter:k=" + std::to_string(k) + ":inner=" + where.input;
  if (takes_cosines(where.tables)) where.tables += ":jitter=" + std::to_string(k);
  return where;
}

std::vector<Case> replays_of(const Case& where, bool seed_known, const ReplayPlan& plan) {
  require(plan.count >= 2, "a spread needs two replays at least");
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < plan.count; ++i) {
    Case replay = where;
    if (!seed_known) replay.seed = i + 1;
    cases.push_back(jittered_case(replay, plan.first_draw + i));
  }
  return cases;
}

void Replayer::run(std::span<const Case> cases) {
  std::vector<Case> missing;
  for (const Case& where : cases)
    if (!rows_.contains(where)) missing.push_back(where);
  normalise(missing);
  run_cases(session_->plan(missing), options_, [this](const FinishedCase& finished) {
    if (sink_) sink_(finished);
    rows_.emplace(finished.row.where, finished.row);
  });
}

Replayed replayed(const Case& ran, const MeasuredRow& row, const ReplayPlan& plan,
                  double further_spread, const Replayer& replayer) {
  std::vector<double> errors;
  for (const Case& replay : replays_of(ran, row.seed_known, plan)) {
    const Row& result = replayer.row(replay);
    const std::optional<double> error = row.metric->number(result);
    if (result.status != Status::ok || !error)
      return {.failure = result.message.empty() ? "not measured" : result.message};
    errors.push_back(*error);
  }
  Predictive predicted = predictive(errors, further_spread);
  predicted.is_gain = quantity_kind_of(row.metric->name) == QuantityKind::gain;
  return {predicted, predicted.defined() ? "" : "errors that are not finite"};
}

RowExtent extent_for(std::span<const MeasuredRow> rows) {
  const bool goes_back = std::ranges::any_of(
      rows, [](const MeasuredRow& row) { return row.metric->name == "err_roundtrip_l2_rel"; });
  return goes_back ? RowExtent::whole : RowExtent::result;
}

}  // namespace fftprec::hypotheses
