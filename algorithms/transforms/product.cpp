#include "algorithms/transforms/product.hpp"

#include <cmath>

#include "algorithms/fft/convolution.hpp"

namespace fftprec {

std::string unsupported(const ProductShape& shape) {
  if (shape.form == ProductForm::half && shape.length() % 2 != 0)
    return "the half form needs an even number of points, got " + std::to_string(shape.length());
  if (shape.form == ProductForm::pair && shape.square)
    return "the pair form is of two sequences, and a square has one";
  if (shape.form == ProductForm::pair && shape.parts > 1) return "the pair form takes no parts";
  if (shape.form == ProductForm::pair && shape.terms > 1) return "the pair form takes no terms";
  if (shape.parts > 1 && shape.terms > 1) return "products in parts are not summed to terms";
  if (shape.exponent > 0 && shape.ring != ProductRing::cyclic)
    return "weights belong to cyclic products";
  if (shape.exponent > 0 && shape.factors() > 1)
    return "weighted sequences take no parts, and no terms";
  if (shape.exponent > 0 && shape.exponent < shape.n)
    return "exponent=" + std::to_string(shape.exponent) +
           " leaves some of n = " + std::to_string(shape.n) + " digits without a bit";
  return "";
}

namespace {

using product_stages::Stage;

/// A stage on each side of the product of half length: sums, the products of half of the energy,
/// sums.
ErrorModel recombined(const Predictor& predictor, const ProductShape& shape, std::size_t length,
                      std::size_t rows) {
  const std::uint64_t count = length * rows;
  const ErrorModel sums = predictor.sums(1, 4 * count);
  return predictor.on_lines(length, rows)
      .stage_ended(sums.compose(predictor.product(shape.unpacking(), 0.5, count))
                       .compose(predictor.sums(1, 2 * count)),
                   end_of_pass);
}

/// The sums of products of spectra. A sum of t terms of energy 1 rounds sums of the energies 2,
/// ..., t.
ErrorModel summed(const Predictor& predictor, const ProductShape& shape, std::uint64_t count) {
  if (shape.factors() == 1) return {};
  double energy = 0;
  double rounded = 0;
  std::size_t most = 0;
  std::size_t sums_of_all = 0;
  for (std::size_t s = 0; s < shape.products(); ++s) {
    std::size_t terms = 0;
    shape.for_pairs(s, [&](std::size_t, std::size_t) { ++terms; });
    energy += static_cast<double>(terms);
    rounded += static_cast<double>(terms * (terms + 1)) / 2 - 1;
    most = std::max(most, terms - 1);
    sums_of_all += terms - 1;
  }
  ErrorModel sums = predictor.sums(most, 2 * count * sums_of_all / shape.products());
  sums.variance *= rounded / energy / static_cast<double>(most);
  return sums;
}

}  // namespace

/// Bound. M points, A and B the spectra as they are multiplied, ||A||_2 ||B||_2 = M R (over both
/// sides of a spectrum of real data, of which one is computed). Hats are computed values.
/// 1. Weights, twist, FFT, store and unpacking err by at most B_f of the norm of their result. With
///    rho of a product, C^ = (A + dA)(B + dB)(1 + d), and ||C^ - C||_1 <= eps M R, 1 + eps =
///    (1 + B_f)^2 (1 + rho)(1 + u)^(p-1) for p parts or terms, by Cauchy and Schwarz. Of a pair,
///    |C_k| comes from |Z_k|^2/4 + |Z_-k|^2/4, whose sum over k is at most ||Z||^2/2 = M R.
/// 2. Every result is a mean over M points of C_k by factors of modulus 1, so it moves by at most
///    eps R. (Of spectra of half length, C_0 and C_h are real where the table is exact. Otherwise
///    what makes them complex counts twice: 2 eps.)
/// 3. Where each stage of the inverse errs element by element by at most a share of the moduli of
///    what it sums, B_i in all, its result errs by at most B_i ||C^||_1 / M <= B_i (1 + eps) R
///    (Percival 2003, theorem 5.1). Packing is such a stage; it and the inverse of half length
///    count twice, since the modulus of a pair of results takes both: 2 B_i (1 + eps) R.
/// 4. Other inverses err by at most B_i of their norm, ||C^||_2 / sqrt(M) <= sqrt(M) (1 + eps) R.
/// 5. Last products are of values of at most R (1 + what came before).
///
/// Expectation. The noise of a spectrum is white and independent of the other spectrum. Both
/// spectra take the factors 1 + g_k of the tables together, (2g)^2 = 2 g^2 + 2 g^2. Of the M
/// outputs, those that are used keep their share of it. A square of normal A_k has E |A|^4 = 2 (E
/// |A|^2)^2, and its error 2 A dA has 4 (v + m) where E |dA|^2 = v has the share m in proportion to
/// |A|^2. So squares, and pairs, which have squares, err by 2 v + 2 m of the product. In the
/// complex form the noise is real where the sequences are and each step treats k and -k alike.
/// After a twist it is not, and half of it is dropped. Where the FFT does not treat k and -k alike,
/// a share that is not derived is real (0.57 to 0.83 of it was measured): nothing is expected then.
/// Nothing is expected of FFTs by a chirp: the spectrum of the chirp is the same in all three, and
/// what its errors take from the size of results adds up; 0.8 to 1.4 times the errors were
/// measured.
ErrorModel predict_product(const Predictor& predictor, const ProductShape& shape,
                           const WeightErrors& weights, std::size_t batch, const FftModel& fft) {
  const std::size_t points = shape.points();
  const std::size_t spectra = shape.spectra() * batch;
  const std::size_t results = shape.products() * batch;
  const bool is_complex = shape.form == ProductForm::complex;
  const bool is_real = is_complex && !shape.is_twisted();
  const double used = static_cast<double>(shape.outputs()) / static_cast<double>(shape.length());
  const auto at = [&](const Stage& stage, const auto& what) {
    const auto mark = predictor.stage(stage.name, stage.number);
    return what();
  };
  const auto weighted = [&](const Stage& stage, const TableStatistics& table, std::size_t rows) {
    return at(stage, [&] {
      const std::uint64_t count = shape.n * rows;
      return predictor.on_lines(shape.n, rows)
          .stage_ended(predictor.real_product(table, weights.largest, shape.n, count), end_of_pass);
    });
  };
  const auto twisted = [&](const Stage& stage, std::size_t rows) {
    return at(stage, [&] {
      return predictor.on_lines(points, rows)
          .stage_ended(predictor.product(shape.twist(), 1, points * rows), end_of_pass);
    });
  };

  ErrorModel spectrum;
  if (shape.exponent > 0)
    spectrum = weighted(product_stages::weights, weights.weights, shape.sequences() * batch);
  if (shape.is_twisted()) spectrum = spectrum.compose(twisted(product_stages::twist, spectra));
  spectrum = at(product_stages::forward, [&] {
    const double filled = static_cast<double>(shape.n) / static_cast<double>(shape.length());
    ErrorModel forward =
        fft.predict(predictor.of(Direction::forward).padded(filled), points, spectra);
    if (filled < 1) {
      const double whole = forward.variance;
      forward = forward.from_padded();
      // Zeros take the same share of what only complex data have.
      if (whole > 0) forward.variance_unless_real *= forward.variance / whole;
    }
    if (is_real) forward = forward.from_real();
    return predictor.on_lines(points, spectra).stored(spectrum.compose(forward));
  });
  if (shape.is_unpacked())
    spectrum = spectrum.compose(at(product_stages::unpacked, [&] {
      return recombined(predictor, shape, points + 1, spectra);
    }));

  const ErrorModel product = at(product_stages::product, [&] {
    const std::size_t length = points + (shape.is_unpacked() ? 1 : 0);
    const std::uint64_t count = length * results;
    ErrorModel formed =
        predictor.computed_product(count * shape.parts * shape.factors() / shape.products());
    formed = formed.compose(shape.form == ProductForm::pair ? predictor.sums(1, 2 * count)
                                                            : summed(predictor, shape, count));
    return predictor.on_lines(length, results).stage_ended(formed, end_of_pass);
  });

  ErrorModel back;
  if (shape.is_unpacked())
    back =
        at(product_stages::packed, [&] { return recombined(predictor, shape, points, results); });
  back = at(product_stages::inverse, [&] {
    const ErrorModel inverse = fft.predict(predictor.of(Direction::inverse), points, results);
    return back.compose(shape.form == ProductForm::half ? inverse : inverse.to_real());
  });
  ErrorModel last;
  if (shape.is_twisted()) {
    back = predictor.on_lines(points, results).stored(back);
    last = twisted(product_stages::untwist, results);
    if (shape.form != ProductForm::half) last.variance *= 0.75;
  }
  if (shape.exponent > 0) {
    back = predictor.on_lines(shape.n, results).stored(back);
    last = last.compose(weighted(product_stages::unweight, weights.inverses, results));
  }
  if (const double factor = shape.last_factor(); factor != 1)
    last = last.compose(predictor.scale_by(factor, shape.outputs() * results));

  const ErrorBound eps = compose(compose(spectrum.bound, spectrum.bound), product.bound);
  ErrorModel whole = spectrum.compose(product).compose(back).compose(last);
  const double twice = shape.is_unpacked() ? 2 : 1;
  const double of_ends = shape.is_unpacked() && !predictor.tables().is_exact ? 2 : 1;
  const ErrorBound in_inverse = back.elementwise
                                    ? twice * back.bound
                                    : std::sqrt(static_cast<double>(points)) * twice * back.bound;
  const ErrorBound known = compose(of_ends * eps, in_inverse);
  whole.bound = last.elementwise ? compose(known, last.bound) : ErrorBound(unknown);
  whole.elementwise = last.elementwise;
  const double kept = used * (is_complex && shape.is_twisted() ? 0.5 : 1);
  const bool has_squares = shape.square || shape.form == ProductForm::pair;
  whole.variance = kept * (2 * spectrum.variance + 2 * spectrum.shared_variance +
                           (has_squares ? 2 * spectrum.local_variance : 0) + product.variance) +
                   back.variance + last.variance;
  if (back.mixes_phases || (is_real && !spectrum.is_mirrored)) whole.variance = unknown;
  whole.variance_unless_fp32 = kept * 2 * spectrum.variance_unless_fp32;
  whole.bias += spectrum.bias;
  whole.fp64_loss += spectrum.fp64_loss;
  whole.local_variance += back.shared_variance / 2;  // of factors 1 + g its real part
  expect_less_of_padded(whole, predictor.arithmetic(), used < 1 ? 2 * spectrum.bias : 0);
  whole.scale_square *= spectrum.scale_square;
  whole.tables_met += spectrum.tables_met;
  if (predictor.arithmetic().has_absolute_errors()) {  // they do not shrink with small values
    whole.bound = unknown;
    whole.variance = unknown;
  }
  whole.theorem = "product";
  return whole;
}

}  // namespace fftprec
