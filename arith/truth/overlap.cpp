#include "arith/truth/overlap.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/window.hpp"

namespace fftprec::truth {
namespace {

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

}  // namespace

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
            "istft: the squared windows sum up to less than 1e-11 at sample " + std::to_string(i));
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
  PairChain y{
      ComplexPairs(v.items() * framing.length), norms(v), v.scale, v.loops, v.probed, v.in_triples};
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

}  // namespace fftprec::truth
