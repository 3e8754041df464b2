/// Split-complex arrays of double-double numbers, and how loops over them run.
#pragma once

#include <cstddef>

#include "arith/formats/complex_array.hpp"
#include "arith/support/isa.hpp"
#include "arith/truth/loops/double_double.hpp"
#include "arith/truth/loops/pairs.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// Element j is (hi.re[j] + lo.re[j]) + i (hi.im[j] + lo.im[j]), each pair a DoubleDouble.
struct ComplexPairs {
  ComplexPairs() = default;
  explicit ComplexPairs(std::size_t size) : hi(size), lo(size) {}
  std::size_t size() const { return hi.size(); }

  ComplexDoubleDouble at(std::size_t j) const {
    return {{hi.re[j], lo.re[j]}, {hi.im[j], lo.im[j]}};
  }
  void set(std::size_t j, const ComplexDoubleDouble& value) {
    hi.re[j] = value.re.hi;
    lo.re[j] = value.re.lo;
    hi.im[j] = value.im.hi;
    lo.im[j] = value.im.lo;
  }

  ComplexArray<double> hi;
  ComplexArray<double> lo;
};

/// How loops over them run. No result depends on it.
struct Loops {
  Isa isa = best_isa();
  unsigned threads = 1;

  /// Threads for data of this size. Starting a thread costs as much as a few thousand elements.
  unsigned threads_for(std::size_t elements) const { return elements < (1u << 16) ? 1 : threads; }
};

inline PairView view(ComplexPairs& x) {
  return {x.hi.re.data(), x.lo.re.data(), x.hi.im.data(), x.lo.im.data()};
}
inline ConstPairView view(const ComplexPairs& x) {
  return {x.hi.re.data(), x.lo.re.data(), x.hi.im.data(), x.lo.im.data()};
}

/// From element i on.
template <class Pointer>
PairPlanes<Pointer> from(const PairPlanes<Pointer>& x, std::size_t i) {
  return {x.re_hi + i, x.re_lo + i, x.im_hi + i, x.im_lo + i};
}

/// With real and imaginary parts exchanged, which turns the forward transform into the inverse.
template <class Pointer>
PairPlanes<Pointer> exchanged(const PairPlanes<Pointer>& x) {
  return {x.im_hi, x.im_lo, x.re_hi, x.re_lo};
}

/// use(array) for all arrays of x.
template <class Pointer, class Use>
void for_each_plane(const PairPlanes<Pointer>& x, Use use) {
  for (const Pointer plane : {x.re_hi, x.re_lo, x.im_hi, x.im_lo}) use(plane);
}

/// use(array of a, same array of b) for all arrays.
template <class A, class B, class Use>
void for_each_plane(const PairPlanes<A>& a, const PairPlanes<B>& b, Use use) {
  use(a.re_hi, b.re_hi);
  use(a.re_lo, b.re_lo);
  use(a.im_hi, b.im_hi);
  use(a.im_lo, b.im_lo);
}

/// The double hi nearest to x and the double lo nearest to x - hi. Sets `rest` so that x = hi + lo
/// + rest. Error: |rest| <= u^2 |x|, u = 2^-53, barring underflow. Requires: `rest` has the
/// precision of x. Both differences are then exact: multiples of the last bit of x, and not above
/// x.
inline DoubleDouble nearest_pair(mpfr_srcptr x, mpfr_ptr rest) {
  const double hi = mpfr_get_d(x, MPFR_RNDN);
  mpfr_sub_d(rest, x, hi, MPFR_RNDN);
  const double lo = mpfr_get_d(rest, MPFR_RNDN);
  mpfr_sub_d(rest, rest, lo, MPFR_RNDN);
  return {hi, lo};
}

}  // namespace fftprec::truth
