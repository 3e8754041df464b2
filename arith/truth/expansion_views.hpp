/// Views of double-double arrays, and how loops over them are carried out.
#pragma once

#include <cstddef>
#include <utility>

#include "arith/support/isa.hpp"
#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/complex_triples.hpp"
#include "arith/truth/loops/expansion_fft.hpp"

namespace fftprec::truth {

/// No result depends on it.
struct Loops {
  Isa isa = best_isa();
  unsigned threads = 1;

  /// Threads for data of that many elements: to start one costs as much as a few thousand.
  unsigned threads_for(std::size_t elements) const { return elements < (1u << 16) ? 1 : threads; }
};

inline PairView view(ComplexPairs& x) {
  return {x.hi.re.data(), x.lo.re.data(), x.hi.im.data(), x.lo.im.data()};
}
inline ConstPairView view(const ComplexPairs& x) {
  return {x.hi.re.data(), x.lo.re.data(), x.hi.im.data(), x.lo.im.data()};
}
inline TripleView view(ComplexTriples& x) {
  return {x.hi.re.data(), x.mid.re.data(), x.lo.re.data(),
          x.hi.im.data(), x.mid.im.data(), x.lo.im.data()};
}
inline ConstTripleView view(const ComplexTriples& x) {
  return {x.hi.re.data(), x.mid.re.data(), x.lo.re.data(),
          x.hi.im.data(), x.mid.im.data(), x.lo.im.data()};
}

/// The view of an array of type Array, and that of a constant one.
template <class Array>
using ViewOf = decltype(view(std::declval<Array&>()));
template <class Array>
using ConstViewOf = decltype(view(std::declval<const Array&>()));

/// From element i on.
template <class Pointer>
PairPlanes<Pointer> from(const PairPlanes<Pointer>& x, std::size_t i) {
  return {x.re_hi + i, x.re_lo + i, x.im_hi + i, x.im_lo + i};
}
template <class Pointer>
TriplePlanes<Pointer> from(const TriplePlanes<Pointer>& x, std::size_t i) {
  return {x.re_hi + i, x.re_mid + i, x.re_lo + i, x.im_hi + i, x.im_mid + i, x.im_lo + i};
}

/// Parts exchanged: then the forward transform is the inverse one.
template <class Pointer>
PairPlanes<Pointer> exchanged(const PairPlanes<Pointer>& x) {
  return {x.im_hi, x.im_lo, x.re_hi, x.re_lo};
}
template <class Pointer>
TriplePlanes<Pointer> exchanged(const TriplePlanes<Pointer>& x) {
  return {x.im_hi, x.im_mid, x.im_lo, x.re_hi, x.re_mid, x.re_lo};
}

/// use(array) for all arrays of x.
template <class Pointer, class Use>
void for_each_plane(const PairPlanes<Pointer>& x, Use use) {
  for (const Pointer plane : {x.re_hi, x.re_lo, x.im_hi, x.im_lo}) use(plane);
}
template <class Pointer, class Use>
void for_each_plane(const TriplePlanes<Pointer>& x, Use use) {
  for (const Pointer plane : {x.re_hi, x.re_mid, x.re_lo, x.im_hi, x.im_mid, x.im_lo}) use(plane);
}

/// use(array of a, same array of b) for all arrays.
template <class A, class B, class Use>
void for_each_plane(const PairPlanes<A>& a, const PairPlanes<B>& b, Use use) {
  use(a.re_hi, b.re_hi);
  use(a.re_lo, b.re_lo);
  use(a.im_hi, b.im_hi);
  use(a.im_lo, b.im_lo);
}
template <class A, class B, class Use>
void for_each_plane(const TriplePlanes<A>& a, const TriplePlanes<B>& b, Use use) {
  use(a.re_hi, b.re_hi);
  use(a.re_mid, b.re_mid);
  use(a.re_lo, b.re_lo);
  use(a.im_hi, b.im_hi);
  use(a.im_mid, b.im_mid);
  use(a.im_lo, b.im_lo);
}

/// Arrays `plane` doubles apart, as one view for the type of array pointed to.
inline PairView split_planes(double* first, std::size_t plane, const ComplexPairs*) {
  return {first, first + plane, first + 2 * plane, first + 3 * plane};
}
inline TripleView split_planes(double* first, std::size_t plane, const ComplexTriples*) {
  return {first,
          first + plane,
          first + 2 * plane,
          first + 3 * plane,
          first + 4 * plane,
          first + 5 * plane};
}

}  // namespace fftprec::truth
