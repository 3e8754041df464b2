#include "algorithms/transforms/frames.hpp"

#include <algorithm>

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
        if (place == no_sample) continue;
        frames.re[to] = x.re[item * framing.length + place];
        frames.im[to] = x.im[item * framing.length + place];
      }
  return frames;
}

template ComplexArray<float> framed(const ComplexArray<float>&, const Framing&);
template ComplexArray<double> framed(const ComplexArray<double>&, const Framing&);
template ComplexArray<FloatPair> framed(const ComplexArray<FloatPair>&, const Framing&);
template ComplexArray<Quad> framed(const ComplexArray<Quad>&, const Framing&);

}  // namespace fftprec
