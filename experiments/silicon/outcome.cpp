#include "experiments/silicon/outcome.hpp"

#include <algorithm>
#include <cmath>

namespace fftprec::silicon {

namespace {

constexpr int per_decade = 90;
constexpr double reach = 8;  // spreads to either side

/// The text nearest to an error.
int key_of(double error) {
  int exponent = static_cast<int>(std::floor(std::log10(error)));
  int mantissa = static_cast<int>(std::lround(error / std::pow(10.0, exponent - 1)));
  if (mantissa < 10)
    mantissa = static_cast<int>(std::lround(error / std::pow(10.0, --exponent - 1)));
  if (mantissa > 99) {
    ++exponent;
    mantissa = 10;
  }
  return per_decade * exponent + mantissa - 10;
}

/// What rounds to it.
PublishedValue interval_of(int key) {
  const int exponent = static_cast<int>(std::floor(static_cast<double>(key) / per_decade));
  const int mantissa = key - per_decade * exponent + 10;
  const double unit = std::pow(10.0, exponent - 1);
  const double half_below = mantissa == 10 ? 0.05 : 0.5;  // the next text below is 0.99
  return {"", 2, (mantissa - half_below) * unit, (mantissa + 0.5) * unit};
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
  const int first = key_of(std::exp(predicted.centre - reach * predicted.spread));
  const int last = key_of(std::exp(predicted.centre + reach * predicted.spread));
  Outcomes outcomes;
  double rest = 1;
  for (int key = first; key <= last; ++key) {
    const double probability = interval_probability(predicted, interval_of(key));
    outcomes[key] = probability;
    rest -= probability;
  }
  outcomes[key_of(std::exp(predicted.centre))] += std::max(0.0, rest);
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

}  // namespace fftprec::silicon
