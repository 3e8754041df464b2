#include "experiments/tables/windows.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "algorithms/theory/roundings.hpp"
#include "algorithms/transforms/short_time.hpp"
#include "arith/formats/round.hpp"
#include "arith/truth/roots.hpp"
#include "arith/truth/stft.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec {

namespace {

constexpr mpfr_prec_t bits = 256;
constexpr double u32 = 0x1p-24;

using Values = std::vector<double>;
using Memory = std::shared_ptr<TableMemory>;

Values exact_window(const Framing& framing, const Format& format) {
  const truth::ComplexReals window = truth::frame_window(framing, bits);
  Values values(framing.n);
  for (std::size_t j = 0; j < framing.n; ++j) values[j] = truth::round_unit(window.re[j], format);
  return values;
}

Values exact_reciprocals(const Framing& framing, const Format& format) {
  const truth::WindowSums sums = truth::window_sums(framing, bits);
  truth::Real reciprocal(bits);
  Values values(framing.length);
  for (std::size_t i = 0; i < framing.length; ++i) {
    if (mpfr_zero_p(sums.values[i]) != 0) continue;
    mpfr_ui_div(reciprocal, 1, sums.values[i], MPFR_RNDN);
    values[i] = truth::round_unit(reciprocal, format);
  }
  return values;
}

/// Entry j of the window in fp32.
float entry(const RootFunction& roots, Window window, std::size_t j, std::size_t m) {
  const auto cosine = [&](std::size_t exponent) {
    return static_cast<float>(roots(exponent, m, fp32).real());
  };
  switch (window) {
    case Window::hann:
      return 0.5F - 0.5F * cosine(j);
    case Window::hamming:
      return 0.54F - 0.46F * cosine(j);
    case Window::blackman:
      return (0.08F * cosine(2 * j) - 0.5F * cosine(j)) + 0.42F;
    case Window::bartlett: {
      const float rise = static_cast<float>(j) * (2.0F / static_cast<float>(m));
      return 2 * j > m ? 2.0F - rise : rise;
    }
    case Window::rectangular:
      break;
  }
  return 1;
}

std::vector<float> float_window(const RootFunction& roots, const Framing& framing) {
  std::vector<float> values(framing.n);
  for (std::size_t j = 0; j < framing.window_length; ++j)
    values[window_start(framing) + j] = entry(roots, framing.window, j, framing.window_length);
  return values;
}

Values float_reciprocals(const RootFunction& roots, const Framing& framing, const Format& format) {
  const std::vector<float> window = float_window(roots, framing);
  std::vector<float> sums(padded_length(framing));
  for (std::size_t frame = 0; frame < framing.frames(); ++frame)
    for (std::size_t j = 0; j < framing.n; ++j)
      sums[frame * framing.hop + j] += window[j] * window[j];
  Values values(framing.length);
  for (std::size_t i = 0; i < framing.length; ++i)
    if (const float sum = sums[framing.margin() + i]; sum > 0)
      values[i] = round(static_cast<double>(1 / sum), format, Rounding::rne);
  return values;
}

/// Of an fp32 entry. A cosine off by e (table_error_bound) counts with its coefficient. Roundings:
/// each of a number of at most 1, and of the smaller constants and products in proportion: 1 for
/// hann, 2.5 for hamming (0.54, 0.46 twice, the sum 1), 2.2 for blackman; 3 makes up for entries a
/// little above 1. bartlett: fl(2/m) and the product are two roundings of at most 2, the difference
/// one of at most 1: 5, and 5.1 with their product.
double float_error(const TableErrorBound& of_roots, const Framing& framing) {
  const auto extent = [&](std::size_t times) {
    const std::size_t last = times * (framing.window_length - 1);
    return TableExtent{static_cast<double>(last) / static_cast<double>(framing.window_length),
                       framing.window_length - 1};
  };
  const auto cosine = [&](std::size_t times) { return of_roots(extent(times), fp32); };
  switch (framing.window) {
    case Window::hann:
      return 0.5 * cosine(1) + 3 * u32;
    case Window::hamming:
      return 0.46 * cosine(1) + 3 * u32;
    case Window::blackman:
      return 0.5 * cosine(1) + 0.08 * cosine(2) + 3 * u32;
    case Window::bartlett:
      return 5.1 * u32;
    case Window::rectangular:
      break;
  }
  return 0;
}

/// An fp32 entry of at most 1 + e is off by another (1 + e) u in a narrower format.
double window_error(const TableErrorBound& of_roots, const Framing& framing, const Format& format) {
  if (framing.window == Window::rectangular) return 0;
  const double error = float_error(of_roots, framing);
  return format.precision >= fp32.precision ? error : error + (1 + error) * unit_roundoff(format);
}

/// With e the error of the fp32 entries, c overlaps, s a sum of squares, kappa = e sqrt(c/s): the
/// sum over w^ is off by sum (2 w e + e^2) <= 2 e sqrt(c s) + c e^2 (Cauchy, Schwarz), (1 +
/// kappa)^2 - 1 of s; squares and sums round c times one after the other; 1/(1 + x) is off by
/// |x|/(1 - |x|); the quotient and the format round once each.
double reciprocal_error(const TableErrorBound& of_roots, TableMemory& memory,
                        const Framing& framing, const Format& format) {
  const double rounding = unit_roundoff(format);
  const double error = float_error(of_roots, framing);
  const double overlaps = static_cast<double>(most_overlaps(framing));
  const double least = least_overlap(framing, *memory.window(framing, fp64));
  const double kappa = error * std::sqrt(overlaps / least);
  const double sum = compose(compose(kappa, kappa), repeated_error(u32, most_overlaps(framing)));
  if (sum >= 1) return std::numeric_limits<double>::infinity();
  const double in_fp32 = compose(sum / (1 - sum), u32);
  return format.precision >= fp32.precision ? in_fp32 : compose(in_fp32, rounding);
}

}  // namespace

std::shared_ptr<const TableMemory::Window> TableMemory::window(const Framing& framing,
                                                               const Format& format) {
  return windows_.get({framing.window, framing.n, framing.window_length, format.precision,
                       format.emin, format.system, 0, 0, false},
                      framing.n * sizeof(double), [&] { return exact_window(framing, format); });
}

std::shared_ptr<const TableMemory::Window> TableMemory::reciprocals(const Framing& framing,
                                                                    const Format& format) {
  return windows_.get({framing.window, framing.n, framing.window_length, format.precision,
                       format.emin, format.system, framing.hop, framing.length, framing.center},
                      framing.length * sizeof(double),
                      [&] { return exact_reciprocals(framing, format); });
}

WindowSource window_source(std::string_view name, Memory memory) {
  if (!memory) memory = std::make_shared<TableMemory>();
  WindowSource source;
  if (name == exact_tables) {
    source.window = [memory](const Framing& framing, const Format& format) {
      return *memory->window(framing, format);
    };
    source.reciprocals = [memory](const Framing& framing, const Format& format) {
      return *memory->reciprocals(framing, format);
    };
    source.window_error = [](const Framing& framing, const Format& format) {
      return framing.window == Window::rectangular ? 0 : unit_roundoff(format) / 2;
    };
    source.reciprocal_error = [](const Framing&, const Format& format) {
      return unit_roundoff(format) * (1 + 0x1p-50);
    };
    return source;
  }
  const TableErrorBound of_roots = table_error_bound(name, memory);
  source.window_error = [of_roots](const Framing& framing, const Format& format) {
    return window_error(of_roots, framing, format);
  };
  source.reciprocal_error = [of_roots, memory](const Framing& framing, const Format& format) {
    return reciprocal_error(of_roots, *memory, framing, format);
  };
  const RootFunction roots = table_source(name, memory);
  source.window = [roots](const Framing& framing, const Format& format) {
    const std::vector<float> window = float_window(roots, framing);
    Values values(window.size());
    std::ranges::transform(window, values.begin(), [&](float w) {
      return round(static_cast<double>(w), format, Rounding::rne);
    });
    return values;
  };
  source.reciprocals = [roots](const Framing& framing, const Format& format) {
    return float_reciprocals(roots, framing, format);
  };
  return source;
}

}  // namespace fftprec
