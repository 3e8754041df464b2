#include "arith/truth/expansion_roots.hpp"

#include <limits>

#include "arith/truth/real.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec::truth {
namespace {

constexpr mpfr_prec_t coarse_precision = 208;
constexpr mpfr_prec_t fine_precision = 320;   // 1 - cos of an angle above 2^-38 cancels 77 bits
constexpr std::uint64_t fewest_coarse = 512;  // so that |fine| <= 2 pi/511

std::uint64_t coarse_count(std::uint64_t order, int fine_bits) {
  return ((order - 1) >> fine_bits) + 1;
}

/// Whether every octant of the circle has the same coarse angles.
bool has_octants(std::uint64_t order, int fine_bits) {
  return order % (std::uint64_t{8} << fine_bits) == 0;
}

/// The split of exponents that asks MPFR for the fewest angles.
int best_fine_bits(std::uint64_t order) {
  int best = 0;
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (int bits = 0; bits == 0 || coarse_count(order, bits) >= fewest_coarse; ++bits) {
    const std::uint64_t coarse = coarse_count(order, bits);
    const std::uint64_t angles =
        (has_octants(order, bits) ? coarse / 8 + 1 : coarse) + (std::uint64_t{1} << bits);
    if (angles >= fewest) continue;
    fewest = angles;
    best = bits;
  }
  return best;
}

/// The double nearest to x, that nearest to the rest, and so on. `rest` has the precision of x, at
/// which differences are exact: multiples of x's last bit below x.
void set_nearest(DoubleDouble& value, mpfr_srcptr x, mpfr_ptr rest) {
  value.hi = mpfr_get_d(x, MPFR_RNDN);
  mpfr_sub_d(rest, x, value.hi, MPFR_RNDN);
  value.lo = mpfr_get_d(rest, MPFR_RNDN);
}
void set_nearest(TripleDouble& value, mpfr_srcptr x, mpfr_ptr rest) {
  value.hi = mpfr_get_d(x, MPFR_RNDN);
  mpfr_sub_d(rest, x, value.hi, MPFR_RNDN);
  value.mid = mpfr_get_d(rest, MPFR_RNDN);
  mpfr_sub_d(rest, rest, value.mid, MPFR_RNDN);
  value.lo = mpfr_get_d(rest, MPFR_RNDN);
}

/// Cosine and sine of octant angles (octants.hpp), rounded.
template <class Number>
class OctantNumbers {
 public:
  explicit OctantNumbers(std::uint64_t order) : order_(order) {}

  ComplexOf<Number> operator()(std::uint64_t numerator) {
    ComplexOf<Number> value{};
    value.re.hi = 1;
    if (numerator == 0) return value;
    octant_cos_sin(cos_, sin_, numerator, order_);
    set_nearest(value.re, cos_, rest_);
    set_nearest(value.im, sin_, rest_);
    return value;
  }

 private:
  std::uint64_t order_;
  Real cos_{coarse_precision};
  Real sin_{coarse_precision};
  Real rest_{coarse_precision};
};

template <class Number>
ComplexOf<Number> unfolded(const OctantAngle& angle, const ComplexOf<Number>& cos_sin) {
  constexpr int cos_label = 1;
  constexpr int sin_label = 2;
  const auto part = [&cos_sin](int label) {
    const Number value = label * label == 1 ? cos_sin.re : cos_sin.im;
    return label > 0 || value.hi == 0 ? value : -value;
  };
  const auto [re, im] = unfold(angle, cos_label, sin_label);
  return {part(re), part(im)};
}

template <class Array>
Array coarse_roots(std::uint64_t order, int fine_bits) {
  Array roots(coarse_count(order, fine_bits));
  OctantNumbers<typename Array::Number> cos_sin(order);
  if (!has_octants(order, fine_bits)) {
    for (std::uint64_t h = 0; h < roots.size(); ++h) {
      const OctantAngle angle = octant_angle(h << fine_bits, order);
      roots.set(h, unfolded(angle, cos_sin(angle.numerator)));
    }
    return roots;
  }
  const std::uint64_t step = std::uint64_t{4} << fine_bits;  // of the numerators that occur
  Array octant(order / (2 * step) + 1);
  for (std::uint64_t i = 0; i < octant.size(); ++i) octant.set(i, cos_sin(i * step));
  for (std::uint64_t h = 0; h < roots.size(); ++h) {
    const OctantAngle angle = octant_angle(h << fine_bits, order);
    roots.set(h, unfolded(angle, octant.at(angle.numerator / step)));
  }
  return roots;
}

/// Angles below a quarter turn, so that cos > 0 and -sin <= 0.
template <class Array>
Array fine_roots(std::uint64_t order, int fine_bits) {
  Array roots(std::size_t{1} << fine_bits);
  Real cos(fine_precision);
  Real sin(fine_precision);
  Real rest(fine_precision);
  for (std::uint64_t l = 1; l < roots.size(); ++l) {
    octant_cos_sin(cos, sin, 4 * l, order);
    mpfr_sub_ui(cos, cos, 1, MPFR_RNDN);
    mpfr_neg(sin, sin, MPFR_RNDN);
    ComplexOf<typename Array::Number> value;
    set_nearest(value.re, cos, rest);
    set_nearest(value.im, sin, rest);
    roots.set(l, value);
  }
  return roots;
}

}  // namespace

template <class Array>
ExpansionRoots<Array>::ExpansionRoots(std::uint64_t order)
    : order_(order), fine_bits_(best_fine_bits(order)) {
  const MpfrCacheScope scope;
  coarse_ = coarse_roots<Array>(order, fine_bits_);
  fine_ = fine_roots<Array>(order, fine_bits_);
}

template class ExpansionRoots<ComplexPairs>;
template class ExpansionRoots<ComplexTriples>;

}  // namespace fftprec::truth
