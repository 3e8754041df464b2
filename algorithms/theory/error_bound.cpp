#include "algorithms/theory/error_bound.hpp"

#include <algorithm>
#include <cmath>

#include "arith/support/portable_math.hpp"

namespace fftprec {

double repeated_error(double error, std::size_t count) {
  double result = 0;
  for (double power = error; count > 0; count /= 2, power = compose(power, power))
    if (count % 2 == 1) result = compose(result, power);
  return result;
}

ErrorBound repeated_error(const ErrorBound& error, std::size_t count) {
  const double worst = repeated_error(error.worst, count);
  return {worst, repeated_error(error.certain, count) * (1 + worst),
          static_cast<double>(count) * error.square * square(1 + worst)};
}

ErrorBound orthogonal_sum(const ErrorBound& a, const ErrorBound& b) {
  return {portable::hypot(a.worst, b.worst), portable::hypot(a.certain, b.certain),
          a.square + b.square};
}

ErrorBound larger(const ErrorBound& a, const ErrorBound& b) {
  const auto most = [](double x, double y) {
    return std::isnan(x) || std::isnan(y) ? unknown : std::max(x, y);
  };
  return {most(a.worst, b.worst), most(a.certain, b.certain), most(a.square, b.square)};
}

std::optional<double> ErrorBound::probable(double count) const {
  constexpr double of_one = 5.38678;  // sqrt(2 ln(2e6)), rounded up
  if (!(square > 0)) return std::nullopt;
  const double factor = count == 1 ? of_one : std::sqrt(of_one * of_one + 2 * portable::log(count));
  return std::min(worst, certain + factor * std::sqrt(square));
}

}  // namespace fftprec
