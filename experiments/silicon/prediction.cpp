#include "experiments/silicon/prediction.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "arith/support/error.hpp"

namespace fftprec::silicon {

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

}  // namespace fftprec::silicon
