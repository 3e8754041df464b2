#include "algorithms/transforms/kernels.hpp"

#include <cmath>
#include <limits>

#include "algorithms/fft/convolution.hpp"
#include "algorithms/theory/roundings.hpp"

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
ErrorModel predict_modrelu(const Predictor& predictor, std::size_t n, std::size_t batch) {
  const double u = unit_roundoff(predictor.arithmetic().operation_format());
  const double delta = repeated_error(u, 2);
  const double kappa =
      delta < 1 ? (delta + delta) / (1 - delta) : std::numeric_limits<double>::infinity();
  constexpr double modulus = 0.265 * 0.677 / 2.95;
  constexpr double rest = variance_of_products + 2 * variance_of_value;
  const auto mark = predictor.stage("modReLU", 1);
  const double worst = compose(compose(delta, u), kappa);
  return predictor.seen({.bound = {worst, worst, unknown},  // no linear map
                         .variance = (modulus + rest) * u * u,
                         .growth = unknown,
                         .absolute_bound = unknown,
                         .peak_range = std::numeric_limits<double>::infinity(),
                         .cost = on_vector_engine((batch * n) * Cost{{4, 2, 0}, 0, 0}, batch * n),
                         .output = ErrorModel::Output::storage},
                        ErrorSources::only(ErrorSource::products));
}

namespace {

double root_of(std::size_t n) { return std::sqrt(static_cast<double>(n)); }

}  // namespace

/// Proof. Output k errs by sqrt(2) gamma sum_j |h_j||x_(k-j)| (computed_gemm), a convolution of
/// moduli, whose norm is at most ||h||_1 ||x||_2 (Young) <= sqrt(taps) ||h||_2 ||x||_2.
ErrorModel predict_direct_convolution(const Predictor& predictor, const FilterShape& shape,
                                      std::size_t batch) {
  const auto mark = predictor.stage("matrix product", 1);
  ErrorModel result = predictor.computed_gemm(shape.taps, 1, batch * shape.outputs());
  result.bound = root_of(shape.taps) * result.bound;
  result.theorem = "convolution";
  return result;
}

/// Proof. A = F x, H = F h, unscaled: ||A|| ||H|| = M ||x|| ||h||. Z^ = (A + dA)(H + dH)(1 + d)
/// with relative errors B_f, B_f and rho, so ||Z^ - A H||_1 <= eps ||A|| ||H|| (Cauchy, Schwarz).
/// Through F^-1 this moves each output by at most 1/M of it, eps ||x|| ||h||, C of them by sqrt(C)
/// times that, and all M together by ||Z^ - A H||_2 / sqrt(M) <= sqrt(M) eps ||x|| ||h||. The
/// inverse adds B_i times the norm of its exact result, ||y|| + that, and ||y|| <= sqrt(T) ||x||
/// ||h|| (Young, with the shorter of the two in the 1-norm). Signals of a batch add in squares.
///
/// Expectation. The noise of the spectra and of their product is white over M outputs, of which C
/// are used; the signal lies in those alone. The inverse rounds where the signal is. Biases are a
/// loss of size of the signal. Products of two normal spectra are not normal, and the largest of
/// them, whose grid slices of the others have, is not known.
ErrorModel predict_fft_convolution(const Predictor& predictor, const FilterShape& shape,
                                   std::size_t batch, const FftModel& fft) {
  const std::size_t length = shape.padded();
  const auto of_signal = [&](std::size_t inputs) {
    const auto mark = predictor.stage(filter_forward, 1);
    const double filled = static_cast<double>(inputs) / static_cast<double>(length);
    return fft.predict(predictor.of(Direction::forward).padded(filled), length, batch + 1)
        .from_padded();
  };
  ErrorModel spectra = of_signal(shape.n);
  const ErrorModel taps = of_signal(shape.taps);
  const double before_store = spectra.variance;
  ErrorModel product;
  {
    const auto mark = predictor.stage(filter_product, 2);
    spectra = predictor.on_lines(length, batch + 1).stored(spectra);
    product = predictor.on_lines(length, batch)
                  .stage_ended(predictor.computed_product(batch * length), end_of_pass);
  }
  const auto mark = predictor.stage(filter_inverse, 3);
  const ErrorModel back = fft.predict(predictor.of(Direction::inverse), length, batch);

  const ErrorBound eps = compose(compose(spectra.bound, spectra.bound), product.bound);
  ErrorModel whole = spectra.compose(product).compose(back);
  whole.bound = root_of(shape.outputs()) * eps +
                (root_of(std::min(shape.n, shape.taps)) + root_of(length) * eps.worst) * back.bound;
  const double used = static_cast<double>(shape.outputs()) / static_cast<double>(length);
  const double of_taps = spectra.variance - before_store + taps.variance;
  const bool of_largest = back.calls.tensor > 0 && predictor.arithmetic().gemm().shares_grids();
  whole.variance =
      of_largest ? unknown : used * (spectra.variance + of_taps + product.variance) + back.variance;
  whole.variance_unless_fp32 = used * (spectra.variance_unless_fp32 + taps.variance_unless_fp32);
  whole.bias += spectra.bias;
  expect_less_of_padded(whole, predictor.arithmetic(), 2 * spectra.bias);
  whole.scale_square *= spectra.scale_square;
  whole.tables_met += spectra.tables_met;
  whole.theorem = "convolution";
  return whole;
}

}  // namespace fftprec
