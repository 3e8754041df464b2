#include "arith/truth/pair_storage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "arith/support/error.hpp"
#include "arith/truth/loops/pair_steps.hpp"

namespace fftprec::truth {
namespace {

constexpr int largest_scale = 2000;  // two factors that double holds
constexpr double clear_of_radius = 0x1p10;

Bound root_of_twice(double x) { return sqrt(Bound(2) * Bound(x)); }

/// What storing one item did, both parts together.
StoredParts store(const PairChain& chain, std::size_t item, double threshold, std::size_t out,
                  Truth& truth) {
  const std::size_t n = chain.item_size();
  const int half = chain.scale[item] / 2;  // 2^scale may lie beyond double
  const double factor = std::ldexp(1.0, half);
  const double rest = std::ldexp(1.0, chain.scale[item] - half);
  const auto plane = [&](const AlignedVector<double>& hi, const AlignedVector<double>& lo,
                         AlignedVector<double>& out_hi, AlignedVector<double>& out_lo) {
    return with_tables<PairSteps>(chain.loops.isa, [&](auto steps) {
      return steps.store(hi.data() + item * n, lo.data() + item * n, out_hi.data() + out,
                         out_lo.data() + out, n, threshold, factor, rest);
    });
  };
  const ComplexPairs& x = chain.values;
  const StoredParts re = plane(x.hi.re, x.lo.re, truth.hi.re, truth.lo.re);
  const StoredParts im = plane(x.hi.im, x.lo.im, truth.hi.im, truth.lo.im);
  const StoredParts all{both(re.kept, im.kept), both(re.dropped, im.dropped)};
  require(std::isfinite(all.kept.largest * factor * rest),
          "truth: a result is beyond the range of double");
  return all;
}

/// At least sqrt(squares) (1 - 2^-20) 2^scale - less.
Real norm_at_least(double squares, int scale, const Bound& less) {
  Real norm(Bound::precision);
  mpfr_set_d(norm, squares, MPFR_RNDD);
  mpfr_sqrt(norm, norm, MPFR_RNDD);
  mpfr_mul_d(norm, norm, 1 - 0x1p-20, MPFR_RNDD);
  mpfr_mul_2si(norm, norm, scale, MPFR_RNDD);
  mpfr_sub(norm, norm, less.get(), MPFR_RNDD);
  return norm;
}

/// bound 2^scale
Bound scaled(const Bound& bound, int scale) {
  Real value(Bound::precision);
  mpfr_mul_2si(value, bound.get(), scale, MPFR_RNDU);
  return Bound(value);
}

}  // namespace

bool store_items(const PairChain& chain, std::size_t first, Truth& truth) {
  const std::size_t n = chain.item_size();
  bool clear = true;
  for (std::size_t item = 0; item < chain.items(); ++item) {
    const int scale = chain.scale[item];
    double& element_radius = truth.element_radius[first + item];
    if (std::abs(scale) > largest_scale) {
      truth.radius_rel = element_radius = std::numeric_limits<double>::infinity();
      continue;
    }
    const Bound& error = chain.error[item];
    const auto [kept, dropped] = store(chain, item, error.to_double(), (first + item) * n, truth);
    const auto count = static_cast<double>(n);
    const Bound underflow(scale < 0 ? 0x1p-1073 : 0);
    const Bound all_underflow = root_of_twice(count) * underflow;
    Bound lost = error;
    Bound of_element = error;
    if (dropped.largest > 0) {
      const Bound whole(1 + 0x1p-20);  // of hi, and of squares that may underflow
      lost = lost + whole * sqrt(Bound(dropped.squares)) + root_of_twice(count) * Bound(0x1p-511);
      of_element = of_element + whole * sqrt(Bound(2)) * Bound(dropped.largest);
    }
    clear = clear && kept.least >= clear_of_radius * of_element.to_double();
    element_radius = (scaled(of_element, scale) + Bound(2) * underflow).to_double();
    const Bound radius = scaled(lost, scale) + all_underflow;
    if (radius.is_zero()) continue;
    const Real norm = norm_at_least(kept.squares, scale, all_underflow);
    truth.radius_rel = std::max(truth.radius_rel, mpfr_sgn(mpfr_srcptr(norm)) > 0
                                                      ? (radius / Bound(norm)).to_double()
                                                      : std::numeric_limits<double>::infinity());
  }
  return clear;
}

}  // namespace fftprec::truth
