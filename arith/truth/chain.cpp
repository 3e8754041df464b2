#include "arith/truth/chain.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <vector>

namespace fftprec::truth {
namespace {

/// max |t_j|, rounded upward.
Bound largest_modulus(const ComplexReals& t) {
  Real re(Bound::precision);
  Real im(Bound::precision);
  Real largest(Bound::precision);
  for (std::size_t j = 0; j < t.size(); ++j) {
    mpfr_sqr(re, t.re[j], MPFR_RNDU);
    mpfr_sqr(im, t.im[j], MPFR_RNDU);
    mpfr_add(re, re, im, MPFR_RNDU);
    mpfr_max(largest, largest, re, MPFR_RNDU);
  }
  return sqrt(Bound(largest));
}

}  // namespace

Bound norm(const ComplexReals& x) {
  Real square(Bound::precision);
  Real sum(Bound::precision);
  for (std::size_t j = 0; j < x.size(); ++j)
    for (const mpfr_srcptr part : {x.re[j], x.im[j]}) {
      if (mpfr_zero_p(part)) continue;
      mpfr_sqr(square, part, MPFR_RNDU);
      mpfr_add(sum, sum, square, MPFR_RNDU);
    }
  return sqrt(Bound(sum));
}

Chain exact_values(const ComplexArray<double>& x, std::size_t first, std::size_t count,
                   mpfr_prec_t precision) {
  assert(precision >= 53);
  Chain chain{ComplexReals(count, precision)};
  for (std::size_t j = 0; j < count; ++j) {
    mpfr_set_d(chain.values.re[j], x.re[first + j], MPFR_RNDN);
    mpfr_set_d(chain.values.im[j], x.im[first + j], MPFR_RNDN);
  }
  return chain;
}

Chain gathered(const Chain& x, std::span<const std::size_t> sources) {
  Chain y{ComplexReals(sources.size(), x.precision())};
  std::vector<std::size_t> uses(x.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] == npos) continue;
    mpfr_set(y.values.re[i], x.values.re[sources[i]], MPFR_RNDN);
    mpfr_set(y.values.im[i], x.values.im[sources[i]], MPFR_RNDN);
    ++uses[sources[i]];
  }
  const std::size_t most = uses.empty() ? 0 : *std::max_element(uses.begin(), uses.end());
  y.error = sqrt(Bound(static_cast<double>(most))) * x.error;
  return y;
}

void transform(Chain& x, std::size_t length, std::size_t stride, Direction direction,
               Plans& plans) {
  assert(x.size() % (length * stride) == 0);
  const auto fourier = plans.in_mpfr(length, x.precision());
  const Bound size = norm(x.values);
  // parts exchanged, the forward transform is the inverse one
  const bool exchanged = direction == Direction::inverse;
  if (exchanged) std::swap(x.values.re, x.values.im);
  ComplexReals line(length, x.precision());
  for (std::size_t block = 0; block < x.size(); block += length * stride)
    for (std::size_t first = block; first < block + stride; ++first) {
      for (std::size_t j = 0; j < length; ++j) {
        mpfr_set(line.re[j], x.values.re[first + j * stride], MPFR_RNDN);
        mpfr_set(line.im[j], x.values.im[first + j * stride], MPFR_RNDN);
      }
      (*fourier)(line);
      for (std::size_t j = 0; j < length; ++j) {
        mpfr_set(x.values.re[first + j * stride], line.re[j], MPFR_RNDN);
        mpfr_set(x.values.im[first + j * stride], line.im[j], MPFR_RNDN);
      }
    }
  if (exchanged) std::swap(x.values.re, x.values.im);
  x.error = sqrt(Bound(static_cast<double>(length))) * (x.error + Bound(fourier->radius()) * size);
}

void multiply(Chain& x, const ComplexReals& t, const Bound& table_error) {
  assert(x.size() % t.size() == 0);
  const Bound carried = (largest_modulus(t) + table_error) * x.error;
  const Bound from_table = table_error * norm(x.values);
  Multiplier product(x.precision());
  Real re(x.precision());
  Real im(x.precision());
  const ExactSinceHere exact;
  for (std::size_t i = 0, j = 0; i < x.size(); ++i, j = j + 1 == t.size() ? 0 : j + 1) {
    product(re, im, x.values.re[i], x.values.im[i], t.re[j], t.im[j]);
    mpfr_set(x.values.re[i], re, MPFR_RNDN);
    mpfr_set(x.values.im[i], im, MPFR_RNDN);
  }
  x.error = carried + from_table;
  if (exact) return;
  const Bound rounding =
      product_rounding(x.precision()) * (Bound(1) + Bound(8) * unit_roundoff(x.precision()));
  x.error = x.error + rounding * norm(x.values);
}

void multiply(Chain& x, const Chain& t) { multiply(x, t.values, t.error); }

void divide(Chain& x, std::size_t divisor) {
  for (RealArray* part : {&x.values.re, &x.values.im})
    for (std::size_t j = 0; j < x.size(); ++j)
      mpfr_div_ui((*part)[j], (*part)[j], divisor, MPFR_RNDN);
  x.error = x.error / Bound(static_cast<double>(divisor));
  if (!std::has_single_bit(divisor))
    x.error = x.error + unit_roundoff(x.precision()) * norm(x.values);
}

void drop_imaginary(Chain& x) {
  for (std::size_t i = 0; i < x.size(); ++i) drop_imaginary(x, i);
}

void drop_imaginary(Chain& x, std::size_t i) { mpfr_set_zero(x.values.im[i], 1); }

void conjugate(Chain& x, std::size_t first, std::size_t count) {
  for (std::size_t k = first; k < first + count; ++k)
    mpfr_neg(x.values.im[k], x.values.im[k], MPFR_RNDN);
}

void times_two(Chain& x, std::size_t first) {
  for (std::size_t k = first; k < x.size(); ++k) {
    mpfr_mul_2ui(x.values.re[k], x.values.re[k], 1, MPFR_RNDN);
    mpfr_mul_2ui(x.values.im[k], x.values.im[k], 1, MPFR_RNDN);
  }
  x.error = Bound(2) * x.error;
}

}  // namespace fftprec::truth
