#include "algorithms/transforms/elementwise.hpp"

#include <limits>

#include "algorithms/theory/expectation.hpp"

namespace fftprec {

/// Bound. With a = |z|, t = a + b, t+ = max(t, 0), hats for computed values:
/// 1. s^ = a^2 (1 + two roundings), so r^ = a (1 + d), |d| <= delta.
/// 2. t^ = (r^ + b)(1 + e): |t^ - t| <= delta a + u |r^ + b| <= [(1 + delta)(1 + u) - 1](a + |b|),
///    and the same of max(., 0), which moves no two numbers apart.
/// 3. |q^ z| = t^+ (a/r^)(1 + e') and each part of the product rounds: |y^ - t^+ z/a| <= kappa t^+.
/// So |y^ - y| <= (1 + kappa) |t^+ - t+| + kappa t+, and t+ <= a + |b|.
///
/// Expectation, in u^2. d has variance (0.181 * 3/4 + 0.199)/4 + 0.181 = 0.265 (the two squares
/// weigh cos^4 + sin^4, on average 3/4; a root halves), and moves y by d |b| where t > 0: d a in t,
/// less d t in the quotient. Sum, quotient and product round t: 0.199 + 2 * 0.181. For |z| Rayleigh
/// of E |z|^2 = 2 and b standard normal E [b^2; t > 0] = 1/2 + 2^(-5/2) = 0.677. There
/// E t^2 = 3 + 2 E a E b = 3, less the negative part of 0.05.
Prediction predict_modrelu(const Predictor& predictor, std::size_t n, std::size_t batch) {
  const double u = unit_roundoff(predictor.arithmetic().storage);
  const double delta = repeated_error(u, 2);
  const double kappa =
      delta < 1 ? (delta + delta) / (1 - delta) : std::numeric_limits<double>::infinity();
  constexpr double modulus = 0.265 * 0.677 / 2.95;
  constexpr double rest = 0.199 + 2 * 0.181;
  const auto mark = predictor.stage("modReLU", 1);
  const double worst = compose(compose(delta, u), kappa);
  return predictor.seen({.bound = {worst, worst, unknown},  // no linear map
                         .variance = (modulus + rest) * u * u,
                         .cost = on_vector_engine((batch * n) * Cost{{4, 2, 0}, 0, 0}, batch * n),
                         .output = Prediction::Output::storage},
                        ErrorSources::only(ErrorSource::products));
}

}  // namespace fftprec
