#include "experiments/support/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace fftprec {

double median(std::vector<double> values) {
  const auto is_nan = [](double value) { return std::isnan(value); };
  if (values.empty() || std::ranges::any_of(values, is_nan))
    return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const double low = values[(values.size() - 1) / 2];
  const double high = values[values.size() / 2];
  return low == high ? low : low + (high - low) / 2;
}

double ratio_of(double value, double limit) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (std::isnan(value) || std::isnan(limit) || std::isinf(value)) return infinity;
  if (value < 0 || limit <= 0) return value <= limit ? 0 : infinity;
  return value / limit;
}

double fitted_slope(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / static_cast<double>(x.size());
    mean_y += y[i] / static_cast<double>(x.size());
  }
  double covariance = 0;
  double variance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - mean_x) * (y[i] - mean_y);
    variance += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return covariance / variance;
}

}  // namespace fftprec
