#include "arith/truth/stft.hpp"

#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/hermitian.hpp"
#include "arith/truth/overlap.hpp"
#include "arith/truth/window.hpp"

namespace fftprec::truth {
namespace {

void check_framing(const std::string& name, const Framing& framing) {
  const auto number = [](std::size_t value) { return std::to_string(value); };
  require(framing.n >= 1, name + ": n = 0");
  require(framing.hop >= 1, name + ": hop = 0");
  require(framing.length >= 1, name + ": length = 0");
  require(framing.window_length >= 1 && framing.window_length <= framing.n,
          name + ": window_length = " + number(framing.window_length) + " is not in 1.." +
              number(framing.n));
  require(framing.length + 2 * framing.margin() >= framing.n,
          name + ": no frame of n = " + number(framing.n) + " fits " + number(framing.length) +
              " samples");
  const std::size_t reach = framing.margin() + (framing.padding == Padding::reflect ? 1 : 0);
  const bool folds = framing.padding == Padding::reflect || framing.padding == Padding::circular;
  require(!folds || reach <= framing.length, name + ": padding by " + number(framing.margin()) +
                                                 " samples asks for more than the " +
                                                 number(framing.length) + " of the signal");
}

/// Which sample stands `i` places behind the first; i may be negative or beyond the last.
std::size_t padded_source(std::ptrdiff_t i, const Framing& framing) {
  const auto length = static_cast<std::ptrdiff_t>(framing.length);
  if (0 <= i && i < length) return static_cast<std::size_t>(i);
  switch (framing.padding) {
    case Padding::reflect:
      return static_cast<std::size_t>(i < 0 ? -i : 2 * (length - 1) - i);
    case Padding::replicate:
      return static_cast<std::size_t>(i < 0 ? 0 : length - 1);
    case Padding::circular:
      return static_cast<std::size_t>(i < 0 ? i + length : i - length);
    case Padding::constant:
      break;
  }
  return nothing;
}

/// Of every element of every frame.
std::vector<std::size_t> frame_sources(const Framing& framing) {
  std::vector<std::size_t> sources;
  sources.reserve(framing.frames() * framing.n);
  for (std::size_t f = 0; f < framing.frames(); ++f)
    for (std::size_t j = 0; j < framing.n; ++j)
      sources.push_back(padded_source(static_cast<std::ptrdiff_t>(f * framing.hop + j) -
                                          static_cast<std::ptrdiff_t>(framing.margin()),
                                      framing));
  return sources;
}

auto windows(const Framing& framing) {
  return OncePerBench([framing](const auto& bench) {
    return table(bench, [framing](mpfr_prec_t precision) {
      return Chain{frame_window(framing, precision), window_error(precision)};
    });
  });
}

}  // namespace

namespace evaluation {

Evaluation stft(const ComplexArray<double>& x, const Framing& framing) {
  check_framing("stft", framing);
  check_items("stft", x, framing.length);
  check_real("stft", x);
  return evaluation_of(
      "stft by frames", x.size() / framing.length, framing.frames() * framing.bins(),
      [&x, framing, window = windows(framing), sources = frame_sources(framing)](
          const auto& bench, std::size_t first, std::size_t items) {
        auto frames = gathered(
            exact_values(bench, x, first * framing.length, framing.length, items), sources);
        multiply(frames, window(bench));
        transform(frames, framing.n, 1, Direction::forward);
        auto y = one_sided(frames, framing.n);
        for (std::size_t bin = 0; bin < y.item_size(); bin += framing.bins()) {
          drop_imaginary(y, bin);
          if (framing.n % 2 == 0) drop_imaginary(y, bin + framing.n / 2);
        }
        return y;
      });
}

Evaluation istft(const ComplexArray<double>& x, const Framing& framing) {
  check_framing("istft", framing);
  const std::size_t count = framing.frames() * framing.bins();
  check_items("istft", x, count);
  const OncePerBench sums([framing](const auto& bench) { return divisors(bench, framing); });
  return evaluation_of("istft by frames", x.size() / count, framing.length,
                       [&x, framing, count, sums, window = windows(framing)](
                           const auto& bench, std::size_t first, std::size_t items) {
                         auto v = two_sided(exact_values(bench, x, first * count, count, items),
                                            framing.n);
                         transform(v, framing.n, 1, Direction::inverse);
                         drop_imaginary(v);
                         divide(v, framing.n);
                         multiply(v, window(bench));
                         auto y = overlap_added(v, framing);
                         divide_by(y, sums(bench));
                         return y;
                       });
}

}  // namespace evaluation

Truth stft(const ComplexArray<double>& x, const Framing& framing, const TruthOptions& options) {
  return certify(evaluation::stft(x, framing), options);
}

Truth istft(const ComplexArray<double>& x, const Framing& framing, const TruthOptions& options) {
  return certify(evaluation::istft(x, framing), options);
}

}  // namespace fftprec::truth
