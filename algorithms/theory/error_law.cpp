#include "algorithms/theory/error_law.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

namespace fftprec {

namespace {

template <unsigned points>
using Quadrature = boost::math::quadrature::gauss<double, points>;

/// Results of one size.
struct OneSize {
  double rms;
  double white;
};

/// 2^(exponent of y) 2^(1 - precision).
double last_place(double y, int precision) {
  return std::ldexp(1.0, std::ilogb(y) - precision + 1);
}

/// P(|e| >= limit) of normal results: trapezia over y, whose error falls as exp(-2 pi d/step) with
/// the distance d of the integrand's singularities, y^2 = -white/(local rms^2), from the real axis.
double exceeds_at(const OneSize& size, const ErrorLaw& law, double limit) {
  constexpr double step = 0.125;
  constexpr double farthest = 13;
  const bool is_coarse = last_place(std::max(8 * size.rms, 1e-300), law.precision) > limit / 64;
  if (law.local == 0 && !is_coarse) return std::erfc(limit / std::sqrt(2 * size.white));
  double sum = 0;
  for (double y = 0; y < farthest; y += step) {
    const double result = y * size.rms;
    double variance = size.white + law.local * result * result;
    double reached = limit;
    double missed = 0;
    if (is_coarse && result > 0) {
      const double place = last_place(result, law.precision);
      // Of results as coarse as 2, all but a share 1/place are no multiples of it.
      if (place < 2 || limit <= 1) {
        reached = place * (std::ceil(limit / place) - 0.5);
        variance = size.white + std::max(0.0, law.local - law.rounding) * result * result;
      }
      if (place >= 2 && limit <= 1) missed = 1 - 1 / place;
    }
    const double tail = variance > 0 ? std::erfc(reached / std::sqrt(2 * variance)) : 0;
    sum += (y == 0 ? 0.5 : 1) * std::exp(-y * y / 2) * (missed + (1 - missed) * tail);
  }
  return std::min(1.0, sum * step * std::sqrt(2 / std::numbers::pi));
}

/// E 2^(-2f), f uniform in [0, 1).
constexpr double mean_of_weights = 0.75 / (2 * std::numbers::ln2);

}  // namespace

double ErrorLaw::deviation() const { return std::sqrt(white + local * rms * rms); }

double ErrorLaw::exceeds(double limit) const {
  if (!(limit > 0)) return 1;
  switch (sizes) {
    case ResultSizes::linear:
      return Quadrature<20>::integrate(
          [&](double share) {
            return exceeds_at({rms * std::sqrt(2 * share), white}, *this, limit);
          },
          0.0, 1.0);
    case ResultSizes::weighted:
      return Quadrature<20>::integrate(
          [&](double f) {
            const double square = std::exp2(-2 * f) / mean_of_weights;
            return exceeds_at({rms * std::sqrt(square), white * square}, *this, limit);
          },
          0.0, 1.0);
    default:
      return exceeds_at({rms, white}, *this, limit);
  }
}

double largest_exceeds(std::span<const ManyErrors> all, double limit) {
  double log_of_none = 0;
  for (const auto& [law, count] : all) {
    const double one = law.exceeds(limit);
    if (one >= 1 && count > 0) return 1;
    log_of_none += count * std::log1p(-one);
  }
  return log_of_none == 0 ? 0 : -std::expm1(log_of_none);
}

namespace {

/// A limit that the largest error reaches with about this probability, to 2^-steps of it.
double limit_within(std::span<const ManyErrors> all, double probability, int steps) {
  double low = 0;
  double high = 0;
  for (const ManyErrors& some : all) high = std::max(high, some.law.deviation());
  if (!(high > 0) || !std::isfinite(high)) return high;
  while (largest_exceeds(all, high) > probability) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < steps; ++i) {
    const double middle = (low + high) / 2;
    (largest_exceeds(all, middle) > probability ? low : high) = middle;
  }
  return high;
}

}  // namespace

double limit_at(std::span<const ManyErrors> all, double probability) {
  return limit_within(all, probability, 32);
}

/// The integral of P(largest >= x): 1 up to `low`, nothing beyond `high`.
double expected_largest(std::span<const ManyErrors> all) {
  constexpr double neglected = 1e-8;
  const double high = limit_within(all, neglected, 4);
  if (!(high > 0) || !std::isfinite(high)) return high;
  const double low = limit_within(all, 1 - neglected, 8) * (1 - 0x1p-7);
  return low +
         Quadrature<30>::integrate([&](double x) { return largest_exceeds(all, x); }, low, high);
}

}  // namespace fftprec
