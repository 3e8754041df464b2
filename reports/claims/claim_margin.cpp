#include "reports/claims/claim_margin.hpp"

#include <cmath>
#include <limits>

namespace fftprec {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The gate with its upper threshold alone where it has two.
Gate one_sided(Gate gate) {
  for (PublishedFigure& figure : gate.figures) figure.value.low = 0;
  if (gate.max_ratio < infinity) gate.min_ratio = 0;
  if (gate.max_slope < infinity) gate.min_slope = -infinity;
  return gate;
}

}  // namespace

double margin_of(const Verdict& verdict) {
  if (!verdict.worst) return 1;
  const double ratio = verdict.worst->ratio;
  if (ratio > 1) return ratio;
  return ratio > 0 ? 1 / ratio : infinity;
}

std::optional<double> position(const Gate& gate, std::span<const Row> rows) {
  const Verdict verdict = check_gate(one_sided(gate), rows);
  if (!verdict.worst || !(verdict.worst->ratio > 0) || std::isinf(verdict.worst->ratio)) return {};
  return verdict.worst->ratio;
}

std::optional<double> deviation_of_logs(const std::vector<std::optional<double>>& values) {
  double sum = 0;
  for (const auto& value : values) {
    if (!value) return {};
    sum += std::log(*value);
  }
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const auto& value : values) squares += std::pow(std::log(*value) - mean, 2);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace fftprec
