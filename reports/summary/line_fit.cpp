#include "reports/summary/line_fit.hpp"

#include <cassert>
#include <cstddef>

namespace fftprec {

Line fit_line(std::span<const double> x, std::span<const double> y) {
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
  const double slope = covariance / variance;
  return {slope, mean_y - slope * mean_x};
}

}  // namespace fftprec
