#include "arith/truth/stft.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec::truth {
namespace {

constexpr mpfr_prec_t guard_bits = 32;

/// 100 w = a + b cos t + c cos 2t.
using CosineTerms = std::array<long, 3>;

/// Evaluated in the precision of `value`: three products and two sums of terms up to 54, a quotient
/// by 100, and cosines within 2^-precision: within 2^(5 - precision) of the formula.
void cosine_sum(mpfr_ptr value, const CosineTerms& terms, mpfr_srcptr cos_t, mpfr_srcptr cos_2t) {
  Real term(mpfr_get_prec(value));
  mpfr_mul_si(value, cos_t, terms[1], MPFR_RNDN);
  mpfr_mul_si(term, cos_2t, terms[2], MPFR_RNDN);
  mpfr_add(value, value, term, MPFR_RNDN);
  mpfr_add_si(value, value, terms[0], MPFR_RNDN);
  mpfr_div_ui(value, value, 100, MPFR_RNDN);
}

/// (m - |2j - m|) / m
void triangle(mpfr_ptr value, std::size_t j, std::size_t m) {
  const std::size_t distance = 2 * j > m ? 2 * j - m : m - 2 * j;
  mpfr_set_ui(value, m - distance, MPFR_RNDN);
  mpfr_div_ui(value, value, m, MPFR_RNDN);
}

CosineTerms terms_of(Window window) {
  switch (window) {
    case Window::hann:
      return {50, -50, 0};
    case Window::hamming:
      return {54, -46, 0};
    case Window::blackman:
      return {42, -50, 8};
    case Window::rectangular:
    case Window::bartlett:
      break;
  }
  return {100, 0, 0};
}

/// Calls visit(f n + j, i) for every element of a frame that lies on a sample i of the signal.
template <class Visit>
void for_each_overlap(const Framing& framing, Visit visit) {
  for (std::size_t f = 0; f < framing.frames(); ++f)
    for (std::size_t j = 0; j < framing.n; ++j) {
      const std::size_t place = f * framing.hop + j;
      if (place >= framing.margin() && place < framing.margin() + framing.length)
        visit(f * framing.n + j, place - framing.margin());
    }
}

/// At most so many frames reach one sample.
std::size_t most_overlaps(const Framing& framing) {
  return std::min(framing.frames(), (framing.n + framing.hop - 1) / framing.hop);
}

void check_framing(std::string_view name, const Framing& framing) {
  require(framing.n >= 1, name, ": n = 0");
  require(framing.hop >= 1, name, ": hop = 0");
  require(framing.length >= 1, name, ": length = 0");
  require(framing.window_length >= 1 && framing.window_length <= framing.n, name,
          ": window_length = ", framing.window_length, " is not in 1..", framing.n);
  require(framing.length + 2 * framing.margin() >= framing.n, name, ": no frame of n = ", framing.n,
          " fits ", framing.length, " samples");
  const std::size_t reach = framing.margin() + (framing.padding == Padding::reflect ? 1 : 0);
  const bool folds = framing.padding == Padding::reflect || framing.padding == Padding::circular;
  require(!folds || reach <= framing.length, name, ": padding by ", framing.margin(),
          " samples asks for more than the ", framing.length, " of the signal");
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
  return npos;
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

/// What divide_by takes on each workbench.
WindowSums divisors(const MpfrBench& bench, const Framing& framing) {
  return window_sums(framing, bench.precision);
}
PairChain divisors(const PairBench& bench, const Framing& framing) {
  return reciprocals(window_sums(framing, 128), bench.loops);
}
void divide_by(PairChain& y, const PairChain& reciprocals) { multiply(y, reciprocals); }

auto windows(const Framing& framing) {
  return OncePerBench([framing](const auto& bench) {
    return table(bench, [framing](mpfr_prec_t precision) {
      return Chain{frame_window(framing, precision), window_error(precision)};
    });
  });
}

}  // namespace

ComplexReals frame_window(const Framing& framing, mpfr_prec_t precision) {
  const std::size_t m = framing.window_length;
  assert(1 <= m && m <= framing.n);
  const ComplexReals roots = table_of_roots(m, m, precision + guard_bits);
  const std::size_t first = (framing.n - m) / 2;
  ComplexReals frame(framing.n, precision);
  Real value(precision + guard_bits);
  for (std::size_t j = 0; j < m; ++j) {
    if (framing.window == Window::bartlett)
      triangle(value, j, m);
    else
      cosine_sum(value, terms_of(framing.window), roots.re[j], roots.re[2 * j % m]);
    mpfr_set(frame.re[first + j], value, MPFR_RNDN);
  }
  return frame;
}

WindowSums window_sums(const Framing& framing, mpfr_prec_t precision) {
  precision += 64;
  const ComplexReals window = frame_window(framing, precision);
  WindowSums sums{RealArray(framing.length, precision), Bound(), Real(precision)};
  std::vector<bool> reached(framing.length);
  Real square(precision);
  for_each_overlap(framing, [&](std::size_t element, std::size_t i) {
    mpfr_sqr(square, window.re[element % framing.n], MPFR_RNDN);
    mpfr_add(sums.values[i], sums.values[i], square, MPFR_RNDN);
    reached[i] = true;
  });
  mpfr_set_inf(sums.least, 1);
  for (std::size_t i = 0; i < framing.length; ++i) {
    if (!reached[i]) continue;
    require(mpfr_cmp_d(sums.values[i], least_window_sum) >= 0,
            "istft: the squared windows sum up to less than 1e-11 at sample ", i);
    mpfr_min(sums.least, sums.least, sums.values[i], MPFR_RNDD);
  }
  const std::size_t count = most_overlaps(framing);
  const Bound overlaps(static_cast<double>(count));
  const Bound mu = window_error(precision);
  sums.error = overlaps * (mu * (Bound(2) + mu) + repeated_rounding(count + 1, precision));
  mpfr_sub(sums.least, sums.least, sums.error.get(), MPFR_RNDD);
  return sums;
}

Chain overlap_added(const Chain& v, const Framing& framing) {
  Chain y{ComplexReals(framing.length, v.precision())};
  for_each_overlap(framing, [&](std::size_t element, std::size_t i) {
    mpfr_add(y.values.re[i], y.values.re[i], v.values.re[element], MPFR_RNDN);
  });
  const std::size_t count = most_overlaps(framing);
  y.error = sqrt(Bound(static_cast<double>(count))) *
            (v.error + repeated_rounding(count, v.precision()) * norm(v.values));
  return y;
}

PairChain overlap_added(const PairChain& v, const Framing& framing) {
  const std::size_t count = most_overlaps(framing);
  PairChain y{ComplexPairs(v.items() * framing.length), norms(v), v.scale, v.loops, v.probed};
  for_each_overlap(framing, [&](std::size_t element, std::size_t i) {
    for (std::size_t item = 0; item < v.items(); ++item) {
      const std::size_t place = item * framing.length + i;
      const DoubleDouble sum =
          y.values.at(place).re + v.values.at(item * v.item_size() + element).re;
      y.values.hi.re[place] = sum.hi;
      y.values.lo.re[place] = sum.lo;
    }
  });
  const auto overlaps = static_cast<double>(count);
  const Bound rounding = Bound(3 * overlaps * 0x1p-106 * (1 + 0x1p-20));
  for (std::size_t item = 0; item < v.items(); ++item)
    y.error[item] = sqrt(Bound(overlaps)) * (v.error[item] + rounding * y.error[item]);
  return y;
}

PairChain reciprocals(const WindowSums& sums, const Loops& loops) {
  const mpfr_prec_t precision = sums.values.precision();
  Chain all{ComplexReals(sums.values.size(), precision)};
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!mpfr_zero_p(sums.values[i])) mpfr_ui_div(all.values.re[i], 1, sums.values[i], MPFR_RNDN);
  Real least(Bound::precision);
  mpfr_set(least, mpfr_srcptr(sums.least), MPFR_RNDD);
  all.error = (sums.error / Bound(least) + unit_roundoff(precision)) / Bound(least);
  return rounded_to_pairs(all, loops);
}

void divide_by(Chain& y, const WindowSums& sums) {
  for (std::size_t i = 0; i < y.size(); ++i)
    if (!mpfr_zero_p(sums.values[i]))
      mpfr_div(y.values.re[i], y.values.re[i], sums.values[i], MPFR_RNDN);
  const Bound u = unit_roundoff(y.precision());
  const Bound size = (Bound(1) + Bound(2) * u) * norm(y.values);
  Real least(Bound::precision);
  mpfr_set(least, mpfr_srcptr(sums.least), MPFR_RNDD);
  y.error = (y.error + sums.error * size) / Bound(least) + u * size;
}

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
        transform(frames, framing.n, 1, Direction::forward, *bench.plans);
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
                         transform(v, framing.n, 1, Direction::inverse, *bench.plans);
                         drop_imaginary(v);
                         divide(v, framing.n);
                         multiply(v, window(bench));
                         auto y = overlap_added(v, framing);
                         divide_by(y, sums(bench));
                         return y;
                       });
}

}  // namespace evaluation

}  // namespace fftprec::truth
