#include "algorithms/fft/convolution.hpp"

#include <bit>
#include <cmath>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// An inner transform and the rounding of its result to the storage format.
ErrorModel stored(const Predictor& predictor, const ErrorModel& transform) {
  const auto mark = predictor.stage(fft_stored, fft_stored_stage);
  return predictor.stored(transform);
}

double ratio(std::size_t a, std::size_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

void expect_less_of_padded(ErrorModel& whole, const ArithmeticSpec& arithmetic, double loss) {
  const AccumulatorModel& model = arithmetic.gemm().accumulate();
  if (whole.calls.tensor == 0 ||
      (model.rounding == Rounding::rne && model.sum != BlockSum::aligned))
    return;
  const double without = whole.variance + square(whole.bias - loss);
  if (without < square(0.8) * (whole.variance + square(whole.bias))) whole.variance = unknown;
}

ConvolutionShape padded_convolution(std::size_t inputs) {
  require(inputs > 0, "padded_convolution: no inputs");
  const std::size_t taps = 2 * inputs - 1;
  return {inputs, taps, std::bit_ceil(taps)};
}

std::string unsupported_inner(const char* name, std::size_t n, const ConvolutionShape& shape,
                              const FftModel& inner) {
  const std::string reason = inner.unsupported(shape.length);
  return reason.empty() ? ""
                        : std::string(name) + " of n = " + std::to_string(n) + " convolves in " +
                              std::to_string(shape.length) + " points: " + reason;
}

/// Bound. L inputs a, T = taps of modulus 1, M the length; A = F a, H = F h, Z = A H, z = F^-1 Z.
/// Hats are computed values.
/// 1. Z^ = (A + dA)(H + dH)(1 + d), ||dA|| <= B_f ||A||, ||dH|| <= B_h ||H||, |d| <= rho, so by
///    Cauchy-Schwarz ||Z^ - Z||_1 <= eps ||A||_2 ||H||_2 = eps M sqrt(T) ||a||.
/// 2. This moves every output of F^-1 by at most 1/M of it, the L used ones together by
///    eps sqrt(L T) ||a||, and all M together by at most ||Z^ - Z||_2 / sqrt(M) <= eps sqrt(M T)
///    ||a||.
/// 3. The inner inverse adds B_i ||F^-1 Z^||, and ||z|| <= ||a||_1 ||h||_2 <= sqrt(L T) ||a||
///    (Young), so that is B_i (sqrt(L T) + eps sqrt(M T)) ||a||.
/// Divided by sqrt(L) ||a||: the formula.
/// 4. What is below the normal numbers, as root mean squares: e_f of an element of F a, and of F h,
///    e_p of a product, e_i of F^-1. sqrt(M) e_f sqrt(M T) in ||Z^ - Z||_1 makes sqrt(T) e_f of a
///    used output, sqrt(M) e_p in ||Z^ - Z||_2 makes e_p / sqrt(L), and e_i, all of it there, e_i
///    sqrt(M/L); of F h it is M e_f ||a|| in ||Z^ - Z||_1, a share e_f of the result. An error of a
///    goes through sqrt(L) times a unitary map. Words and flushed operands lose what counts as
///    often as |H| <= T.
///
/// Expectation. The noise of every step is white over its M elements and independent of |H|, whose
/// mean square is T. The M outputs hold T ||a||^2 in all, and 1/M of that noise falls on each; the
/// L used ones are of size L ||a||^2: every variance counts T/M times. Where the tables of F give
/// each bin a factor 1 + g_k of its own, A and H have it in common: (2g)^2 = 2g^2 + 2g^2. Losses of
/// size are not noise: those of A, H and z add up.
///
/// A chirp of n = 2^t taps, M = 2n, is no random signal: h_j has the period n, and its even
/// elements are the chirp of n/4, twice over. So the first stage of radix 2 adds equal numbers; of
/// the two halves that the last one adds, FFTs of a chirp of half their period, one is zero in each
/// bin: there is no sum to round, and half of the results are products; between them stand the
/// stages of n/4. Half of the stages are exact, the others err as half of their products do. (Not
/// where stores between stages are most of the error: they round all results.)
ConvolutionPrediction predict_convolution(const Predictor& predictor, const ConvolutionShape& shape,
                                          const TableSpec& response, std::size_t batch,
                                          const FftModel& inner) {
  const std::size_t length = shape.length;
  const Predictor padded = predictor.on_lines(length, batch);
  const Predictor forward = predictor.of(Direction::forward);
  const Predictor of_data = forward.padded(ratio(shape.inputs, length));
  const Predictor inverse = predictor.of(Direction::inverse);
  const auto at = [&](std::string_view name, std::size_t number, const auto& what) {
    const auto mark = predictor.stage(name, number);
    return what();
  };
  const auto fft_of = [&](const Predictor& with) {
    return stored(padded, inner.predict(with, length, batch));
  };
  const ErrorModel data =
      at(forward_fft, forward_stage, [&] { return fft_of(of_data).from_padded(); });
  const ErrorModel taps =
      at(response_taps, response_stage, [&] { return predictor.values(response); });
  // What the FFT adds to the response, which is as long as the FFT.
  ErrorModel added = at(response_fft, response_fft_stage, [&] { return fft_of(forward); });
  if (shape.chirp && length == 2 * shape.inputs && added.sums_variance > 0 &&
      !predictor.arithmetic().stores().in_passes()) {
    added.variance = (added.variance - added.sums_variance) / 2;
    added.shared_variance /= 2;
  }
  const ErrorModel product = at(spectra_product, product_stage, [&] {
    return padded.stage_ended(predictor.computed_product(batch * length), end_of_pass);
  });
  const ErrorModel back =
      at(inverse_fft, inverse_stage, [&] { return inner.predict(inverse, length, batch); });

  const ErrorBound spectrum = compose(taps.bound, data.bound);
  const ErrorBound eps = compose(compose(spectrum, data.bound), product.bound);

  ErrorModel whole = data.compose(product).compose(back);
  whole.bound = std::sqrt(static_cast<double>(shape.taps)) *
                (eps + (1 + std::sqrt(ratio(length, shape.inputs)) * eps.worst) * back.bound);
  if (const ArithmeticSpec& arithmetic = predictor.arithmetic();
      !arithmetic.on_integers() && arithmetic.least_error() == 0) {
    const double used = static_cast<double>(shape.inputs),
                 of_taps = static_cast<double>(shape.taps);
    const bool loses_data = arithmetic.is_split() || arithmetic.machine().vector.flush;
    const double of_spectra =
        data.absolute_bound * (std::sqrt(of_taps) * (1 + eps.worst) + data.absolute_bound);
    const double of_products =
        product.absolute_bound * (loses_data ? of_taps : 1) / std::sqrt(used);
    whole.absolute_bound = (of_spectra + of_products) * (1 + back.bound.worst) +
                           back.absolute_bound * std::sqrt(ratio(length, shape.inputs));
    whole.growth = used;
    whole.bound =
        whole.bound + ErrorBound(data.absolute_bound * (1 + eps.worst) * (1 + back.bound.worst));
  }
  whole.elementwise = false;
  const double share = ratio(shape.taps, length);
  whole.variance = share * (whole.variance + taps.variance + added.variance +
                            2 * std::sqrt(data.shared_variance * added.shared_variance));
  whole.variance_unless_real *= share;
  whole.variance_unless_fp32 *= share;
  whole.shared_variance = 0;
  whole.mixes_phases = shape.chirp;
  whole.is_mirrored = false;
  whole.bias += taps.bias + added.bias;
  expect_less_of_padded(whole, predictor.arithmetic(), data.bias + added.bias);
  whole.scale_square *= data.scale_square;  // that of the spectrum
  // The spectrum takes the forward transform's tables once more, at the same time.
  whole.tables_met += taps.tables_met;
  whole.table_entries += length;
  return {data, at(inverse_fft, inverse_stage, [&] { return stored(padded, whole); })};
}

}  // namespace fftprec
