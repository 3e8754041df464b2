#include "algorithms/transforms/short_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/theory/table_statistics.hpp"

namespace fftprec {

namespace {

/// Stands for a zero of the padding.
constexpr std::size_t no_sample = static_cast<std::size_t>(-1);

/// Which sample stands at each place of the padded signal.
std::vector<std::size_t> padded_places(const Framing& framing) {
  const std::size_t margin = framing.margin();
  const std::size_t length = framing.length;
  std::vector<std::size_t> places(padded_length(framing), no_sample);
  for (std::size_t i = 0; i < length; ++i) places[margin + i] = i;
  for (std::size_t i = 1; i <= margin; ++i) {
    std::size_t& before = places[margin - i];
    std::size_t& after = places[margin + length - 1 + i];
    switch (framing.padding) {
      case Padding::reflect:
        before = i;
        after = length - 1 - i;
        break;
      case Padding::replicate:
        before = 0;
        after = length - 1;
        break;
      case Padding::circular:
        before = length - i;
        after = i - 1;
        break;
      case Padding::constant:
        break;
    }
  }
  return places;
}

}  // namespace

std::size_t most_overlaps(const Framing& framing) {
  return std::min(framing.frames(), (framing.window_length + framing.hop - 1) / framing.hop);
}

std::string unsupported_frames(const Framing& framing) {
  const auto number = [](std::size_t value) { return std::to_string(value); };
  if (framing.window_length > framing.n)
    return "a window of " + number(framing.window_length) +
           " is longer than n = " + number(framing.n);
  if (padded_length(framing) < framing.n)
    return "no frame of n = " + number(framing.n) + " fits into " + number(framing.length) +
           " samples";
  const std::size_t margin = framing.margin();
  const bool reflects = framing.padding == Padding::reflect;
  if ((reflects && margin >= framing.length) ||
      (framing.padding == Padding::circular && margin > framing.length))
    return "padding by " + number(margin) + " samples asks for more than the " +
           number(framing.length) + " of the signal";
  return "";
}

std::vector<double> overlap_sums(const Framing& framing, const std::vector<double>& values) {
  std::vector<double> sums(padded_length(framing));
  for (std::size_t frame = 0; frame < framing.frames(); ++frame)
    for (std::size_t j = 0; j < framing.n; ++j) sums[frame * framing.hop + j] += values[j];
  const auto first = sums.begin() + static_cast<std::ptrdiff_t>(framing.margin());
  return {first, first + static_cast<std::ptrdiff_t>(framing.length)};
}

std::string unsupported_overlap(const Framing& framing, const std::vector<double>& window) {
  std::vector<double> squares(window.size());
  std::transform(window.begin(), window.end(), squares.begin(), [](double w) { return w * w; });
  const std::vector<double> sums = overlap_sums(framing, squares);
  const std::size_t end = (framing.frames() - 1) * framing.hop + framing.n;  // of the padded signal
  for (std::size_t i = 0; i < framing.length && framing.margin() + i < end; ++i)
    if (sums[i] < least_window_sum)
      return "the squared windows sum up to less than 1e-11 at sample " + std::to_string(i);
  return "";
}

template <class Real>
ComplexArray<Real> framed(const ComplexArray<Real>& x, const Framing& framing) {
  const std::vector<std::size_t> places = padded_places(framing);
  const std::size_t items = x.size() / framing.length;
  ComplexArray<Real> frames(items * framing.frames() * framing.n);
  std::size_t to = 0;
  for (std::size_t item = 0; item < items; ++item)
    for (std::size_t frame = 0; frame < framing.frames(); ++frame)
      for (std::size_t j = 0; j < framing.n; ++j, ++to) {
        const std::size_t place = places[frame * framing.hop + j];
        if (place != no_sample) put(frames, to, x, item * framing.length + place);
      }
  return frames;
}

template ComplexArray<float> framed(const ComplexArray<float>&, const Framing&);
template ComplexArray<double> framed(const ComplexArray<double>&, const Framing&);
template ComplexArray<FloatPair> framed(const ComplexArray<FloatPair>&, const Framing&);

namespace {

std::vector<double> squares(std::vector<double> values) {
  for (double& value : values) value = square(value);
  return values;
}

/// `multiply` of `count` elements by the window, in data of the same power everywhere.
ErrorModel windowed(const Predictor& predictor, const Framing& framing, std::uint64_t count) {
  const WindowSource& source = predictor.tables().windows;
  TableStatistics statistics{};
  double error = 0;
  if (source.window) {
    const Format& format = predictor.arithmetic().table_format();
    statistics = real_table_statistics(source.window(framing, format),
                                       predictor.tables().exact_windows.window(framing, fp64),
                                       std::vector<double>(framing.n, 1.0), format);
    error = source.window_error(framing, format);
  }
  return predictor.real_product(statistics, error, framing.n, count);
}

/// What the sums of an overlap-add round. After k of c frames a sample has the variance P_k of its
/// squared windows so far, and each sum but the first, to zero, rounds once: the error is
/// r_i^2 sum_(k>1) P_k of a rounding's variance, where the signal is r_i^2 s_i = r_i.
double overlap_variance(const Framing& framing, const std::vector<double>& square_window,
                        const std::vector<double>& sums, double u) {
  std::vector<double> so_far(padded_length(framing));
  std::vector<double> rounded(padded_length(framing));
  for (std::size_t frame = 0; frame < framing.frames(); ++frame)
    for (std::size_t j = 0; j < framing.n; ++j) {
      const std::size_t place = frame * framing.hop + j;
      const bool first = so_far[place] == 0 || square_window[j] == 0;
      so_far[place] += square_window[j];
      if (!first) rounded[place] += so_far[place];
    }
  double error = 0;
  double signal = 0;
  for (std::size_t i = 0; i < framing.length; ++i) {
    if (sums[i] == 0) continue;
    error += rounded[framing.margin() + i] / square(sums[i]);
    signal += 1 / sums[i];
  }
  return signal == 0 ? 0 : error / signal * value_variance(u);
}

}  // namespace

double least_overlap(const Framing& framing, const std::vector<double>& window) {
  double least = std::numeric_limits<double>::infinity();
  for (const double sum : overlap_sums(framing, squares(window)))
    if (sum > 0) least = std::min(least, sum);
  return least;
}

/// Proof. Every frame element x is off by (mu + rho (1 + mu)) |x| after its product, and w <= 1, so
/// the frames are off by [(1 + mu)(1 + rho) - 1] ||X||, and of size at most (1 + mu)(1 + rho)
/// ||X||. The FFT, g times a unitary map, adds b of that; what it adds to bins 0 .. n/2 is
/// part of what it adds to all.
ErrorModel predict_stft(const Predictor& predictor, const Framing& framing, std::size_t batch,
                        const FftModel& fft) {
  const std::size_t frames = batch * framing.frames();
  ErrorModel done;
  {
    const auto mark = predictor.stage(window_product, 1);
    done = windowed(predictor, framing, frames * framing.n);
    done.growth = 1;  // of an error, at most
    done = predictor.on_lines(framing.n, frames).stage_ended(done, end_of_pass);
  }
  const auto mark = predictor.stage(frame_ffts, 2);
  const Predictor forward = predictor.of({Direction::forward, predictor.dft().norm});
  return done.compose(fft.predict(forward, framing.n, frames).from_real());
}

/// Proof. v^ = v + dv with ||dv|| <= b ||v||, ||v|| <= g ||V|| =: N; w^ = w + dw, |dw| <=
/// mu where w is under the window, else 0. With E = (1 + rho)^2 (1 + u)^(c-1) (1 + delta) - 1, y^_i
/// = r_i sum_f w^ v^ (1 + e_f), |e_f| <= E, so
///   |y^_i - y_i| <= r_i sum_f [(1 + E)(|w^| |dv| + |dw| |v|) + E w |v|].
/// By Cauchy and Schwarz r_i sum_f w a_f <= s_i^(-1/2) ||a|| and r_i sum_f mu a_f <= s_i^(-1/2)
/// kappa ||a||, each element a_f belongs to one i alone, and s_i >= s: with the sum over i,
/// ||y^ - y|| <= s^(-1/2) N [(1 + E)((1 + kappa) b + kappa) + E], which is the formula.
ErrorModel predict_istft(const Predictor& predictor, const Framing& framing, std::size_t batch,
                         const FftModel& fft) {
  const Predictor inverse = predictor.of({Direction::inverse, predictor.dft().norm});
  const std::size_t frames = batch * framing.frames();
  const std::uint64_t elements = frames * framing.n;
  ErrorModel result;
  {
    const auto mark = predictor.stage(frame_ffts, 1);
    result = fft.predict(inverse, framing.n, frames).to_real();
  }
  ErrorModel product;
  ErrorModel kept;
  {
    const auto mark = predictor.stage(window_product, 2);
    const Predictor on_frames = predictor.on_lines(framing.n, frames);
    result = on_frames.stored(result);
    product = windowed(predictor, framing, elements);
    kept = on_frames.stage_ended(kept, end_of_pass);
  }
  TableStatistics statistics{};
  double delta = 0;
  std::optional<double> added;  // by the sums
  const TableSource& source = predictor.tables();
  if (source.windows.window) {
    const std::vector<double> window = source.exact_windows.window(framing, fp64);
    const std::vector<double> all = overlap_sums(framing, squares(window));
    const double mu = source.windows.window_error(framing, predictor.arithmetic().table_format());
    const double overlaps = static_cast<double>(most_overlaps(framing));
    const double kappa = mu * std::sqrt(overlaps / least_overlap(framing, window));
    product.bound = compose(ErrorBound(kappa), predictor.real_product({}, 0, 0, 0).bound);
    added = overlap_variance(framing, squares(window), all,
                             unit_roundoff(predictor.arithmetic().operation_format()));
    delta = source.windows.reciprocal_error(framing, predictor.arithmetic().table_format());
    statistics = real_table_statistics(
        source.windows.reciprocals(framing, predictor.arithmetic().table_format()),
        source.exact_windows.reciprocals(framing, fp64), all,
        predictor.arithmetic().table_format());
  }
  {
    const auto mark = predictor.stage(overlap_add, 3);
    ErrorModel sums = predictor.sums(most_overlaps(framing) - 1, 2 * elements);
    if (added) sums.variance = *added;
    sums = predictor.seen(sums, ErrorSources::only(ErrorSource::additions));
    result = result.compose(product).compose(kept).compose(sums);
  }
  const auto mark = predictor.stage(window_division, 4);
  result.bound.square = unknown;  // sums of frames are no unitary map
  return result.compose(
      predictor.real_product(statistics, delta, framing.length, batch * framing.length));
}

}  // namespace fftprec
