#include "arith/truth/audit_numbers.hpp"

#include <bit>

#include "arith/truth/nearest_pair.hpp"
#include "arith/truth/octants.hpp"

namespace fftprec::truth {

namespace {

constexpr mpfr_prec_t precision = ComplexReal::precision;

}  // namespace

ComplexReal exact_root(std::uint64_t k, std::uint64_t order) {
  const OctantAngle angle = octant_angle(k, order);
  Real cos(precision);
  Real sin(precision);
  octant_cos_sin(cos, sin, angle.numerator, order);
  constexpr int cos_label = 1;
  constexpr int sin_label = 2;
  ComplexReal result;
  const auto place = [&](mpfr_ptr part, int label) {
    mpfr_srcptr value = label * label == 1 ? cos : sin;
    if (label > 0)
      mpfr_set(part, value, MPFR_RNDN);
    else
      mpfr_neg(part, value, MPFR_RNDN);
  };
  const auto [re, im] = unfold(angle, cos_label, sin_label);
  place(result.re, re);
  place(result.im, im);
  return result;
}

ComplexReal product(const ComplexReal& a, const ComplexReal& b) {
  Multiplier multiply(precision);
  ComplexReal result;
  multiply(result.re, result.im, a.re, a.im, b.re, b.im);
  return result;
}

void add(ComplexReal& sum, const ComplexReal& term) {
  mpfr_add(sum.re, sum.re, term.re, MPFR_RNDN);
  mpfr_add(sum.im, sum.im, term.im, MPFR_RNDN);
}

Factor to_factor(const ComplexReal& z, Real& rest) {
  const DoubleDouble re = nearest_pair(z.re, rest);
  const DoubleDouble im = nearest_pair(z.im, rest);
  return {re.hi, re.lo, im.hi, im.lo};
}

Factor turned(Factor z, unsigned quarters) {
  for (; quarters > 0; --quarters) z = {-z[2], -z[3], z[0], z[1]};
  return z;
}

void add_turned(ComplexReal& sum, const ComplexPairs& x, std::size_t j, unsigned quarters) {
  const ComplexDoubleDouble v = x.at(j);
  const Factor value = turned({v.re.hi, v.re.lo, v.im.hi, v.im.lo}, quarters);
  mpfr_add_d(sum.re, sum.re, value[0], MPFR_RNDN);
  mpfr_add_d(sum.re, sum.re, value[1], MPFR_RNDN);
  mpfr_add_d(sum.im, sum.im, value[2], MPFR_RNDN);
  mpfr_add_d(sum.im, sum.im, value[3], MPFR_RNDN);
}

std::size_t columns_for(std::size_t n, std::size_t lines) {
  const int log2_all = std::countr_zero(std::bit_floor(n * lines));
  const std::size_t half_root = std::size_t{1} << std::max(3, log2_all / 2 - 1);
  return std::min(n, half_root);
}

}  // namespace fftprec::truth
