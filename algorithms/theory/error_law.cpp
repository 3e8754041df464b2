#include "algorithms/theory/error_law.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "arith/support/portable_math.hpp"

namespace fftprec {

namespace {

/// Gauss's rules for which Boost has tables; nodes of others it finds by the C library's functions.
template <unsigned points>
requires(points == 7 || points == 10 || points == 15 ||
         points == 30) using Quadrature = boost::math::quadrature::gauss<double, points>;

/// The rules with two and four points: nodes in (0, 1) and their weights.
struct Node {
  double x;
  double weight;
};
constexpr std::array<Node, 1> two_points{{{0.57735026918962576, 1}}};
constexpr std::array<Node, 2> four_points{
    {{0.33998104358485626, 0.65214515486254614}, {0.86113631159405258, 0.34785484513745386}}};

template <std::size_t count, class Function>
double integral(const std::array<Node, count>& nodes, Function f, double begin, double end) {
  const double middle = (begin + end) / 2;
  const double half = (end - begin) / 2;
  double sum = 0;
  for (const auto& [x, weight] : nodes)
    sum += weight * (f(middle - half * x) + f(middle + half * x));
  return half * sum;
}

/// 2^(exponent of y) 2^(1 - precision).
double last_place(double y, int precision) {
  return std::ldexp(1.0, std::ilogb(y) - precision + 1);
}

/// E 2^(-2f), f uniform in [0, 1).
constexpr double mean_of_weights = 0.75 / (2 * std::numbers::ln2);

/// The density of a standard normal y.
double density(double y) { return portable::exp(-y * y / 2) / std::sqrt(2 * std::numbers::pi); }

/// P(y >= t).
double normal_tail(double t) { return portable::erfc(t / std::numbers::sqrt2) / 2; }

/// The law of the error of one result.
struct OneResult {
  double white;    ///< variance that does not depend on the result
  double local;    ///< variance that does
  double reached;  ///< the limit, for the error before the last rounding
  double missed;   ///< the share of results that no number is near enough to

  OneResult(const ErrorLaw& law, double white_variance, double result, bool is_coarse, double limit)
      : white(white_variance), local(law.local * result * result), reached(limit), missed(0) {
    if (!is_coarse || !(result > 0)) return;
    const double place = last_place(result, law.precision);
    if (place < 2 || limit <= 1) {
      reached = place * (std::ceil(limit / place) - 0.5);
      local = std::max(0.0, law.local - law.rounding) * result * result;
    }
    // Of results as coarse as 2, all but a share 1/place are no multiples of it.
    if (place >= 2 && limit <= 1) missed = 1 - 1 / place;
  }

  /// P(|e| >= limit), if the white variance is divided by `scale`.
  double exceeds(double scale = 1) const {
    const double variance = white / scale + local;
    const double tail = variance > 0 ? portable::erfc(reached / std::sqrt(2 * variance)) : 0;
    return missed + (1 - missed) * tail;
  }

  /// The integral over f in [0, 1) of the density of t = 2^-f y, 2^(f + 1) density(2^f t), times
  /// P(|e| >= limit), the white variance divided by 4^f. By s = 4^f - 1, in which the logarithms
  /// of all factors are nearly linear, up to where e^-25 of the integrand is left.
  double exceeds_weighted(double t) const {
    const double of_tail = reached * reached * white / ((white + local) * (white + 4 * local));
    const double fall = (t * t + (missed > 0 ? 0 : of_tail)) / 2;
    const auto integrand = [&](double s) {
      const double scale = 1 + s;
      return portable::exp(-scale * t * t / 2) / std::sqrt(scale) * exceeds(scale);
    };
    return Quadrature<15>::integrate(integrand, 0.0, std::min(3.0, 25 / fall)) /
           (std::numbers::ln2 * std::sqrt(2 * std::numbers::pi));
  }
};

}  // namespace

double ErrorLaw::deviation() const { return std::sqrt(white + local * rms * rms); }

/// The integral over results unit * t, t > 0, of their density times P(|e| >= limit), in pieces
/// that end at powers of two: between them the last place of results is the same, and the
/// integrand smooth. Results of one size have the density 2 density(t), those of a linear product,
/// t = sqrt(s) y with s uniform in [0, 1), 4 density(t) - 4 t P(y >= t).
double ErrorLaw::exceeds(double limit) const {
  if (!(limit > 0)) return 1;
  const bool is_weighted = sizes == ResultSizes::weighted;
  const double square = sizes == ResultSizes::linear ? 2 : is_weighted ? 1 / mean_of_weights : 1;
  const double unit = rms * std::sqrt(square);
  const double largest_white = white * (is_weighted ? square : 1);
  const bool is_coarse = last_place(std::max(8 * unit, 1e-300), precision) > limit / 64;
  if (local == 0 && !is_coarse && !is_weighted) return portable::erfc(limit / std::sqrt(2 * white));
  const auto integrand = [&](double t) {
    const OneResult one(*this, largest_white, t * unit, is_coarse, limit);
    if (is_weighted) return one.exceeds_weighted(t);
    const double of_results =
        sizes == ResultSizes::linear ? 4 * (density(t) - t * normal_tail(t)) : 2 * density(t);
    return of_results * one.exceeds();
  };
  const auto piece = [&](double begin, double end) {
    if (end <= 0.125) return integral(two_points, integrand, begin, end);
    if (end <= 0.5) return integral(four_points, integrand, begin, end);
    if (end <= 2) return Quadrature<7>::integrate(integrand, begin, end);
    return Quadrature<10>::integrate(integrand, begin, end);
  };
  double power = is_coarse ? std::ldexp(1.0, std::ilogb(unit)) / unit : 1;
  while (is_coarse && power > 0x1p-12 && last_place(power * unit, precision) > limit / 2048)
    power /= 2;
  double sum = Quadrature<10>::integrate(integrand, 0.0, power);
  for (; power < 13; power *= 2) {
    const double middle = 1.5 * power;
    sum += power < 1 ? piece(power, 2 * power) : piece(power, middle) + piece(middle, 2 * power);
    if (2 * normal_tail(2 * power) < 1e-9 * sum) break;
  }
  return std::min(1.0, sum);
}

double largest_exceeds(std::span<const ManyErrors> all, double limit) {
  double log_of_none = 0;
  for (const auto& [law, count] : all) {
    const double one = law.exceeds(limit);
    if (one >= 1 && count > 0) return 1;
    log_of_none += count * portable::log1p(-one);
  }
  return log_of_none == 0 ? 0 : -portable::expm1(log_of_none);
}

/// The integral of P(largest >= x): 1 up to `low`, nothing beyond `high`.
double expected_largest(std::span<const ManyErrors> all) {
  constexpr double neglected = 1e-8;
  double deviation = 0;
  double results = 0;
  for (const auto& [law, count] : all) {
    deviation = std::max(deviation, law.deviation());
    results += count;
  }
  if (!(deviation > 0) || !std::isfinite(deviation)) return deviation;
  double high = deviation * std::numbers::sqrt2 * portable::erfc_inverse(neglected / results);
  while (largest_exceeds(all, high) > neglected) high *= 1.25;
  double low = high / 1.25;  // 0 where many results are so coarse that they do not err
  while (low > 0 && largest_exceeds(all, low) < 1 - neglected)
    low = low < high / 100 ? 0 : low / 1.25;
  return low +
         Quadrature<30>::integrate([&](double x) { return largest_exceeds(all, x); }, low, high);
}

}  // namespace fftprec
