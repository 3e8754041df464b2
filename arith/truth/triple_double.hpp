/// Triple-double numbers: the unevaluated sum hi + mid + lo of three doubles, for truths of more
/// than the 97 bits that double-double certifies.
///
/// Errors are relative to a majorant: M bounds |x| and the operands that x was made of, so that
/// cancellation needs no case of its own. Every operation takes operands with |hi| <= M (1 + 4u),
/// |mid| <= 1.01 u M, |lo| <= 1.01 u^2 M, u = 2^-53, and gives such a result for the majorant that
/// it states. Same bits with and without a fused multiply-add, ranges as in double_double.hpp.
#pragma once

#include "arith/truth/complex_of.hpp"
#include "arith/truth/double_double.hpp"
#include "arith/truth/lanes.hpp"

namespace fftprec::truth {

template <class T>
struct TripleDoubleOf {
  T hi{};
  T mid{};
  T lo{};
};
using TripleDouble = TripleDoubleOf<double>;
using ComplexTripleDouble = ComplexOf<TripleDouble>;

/// hi + mid + lo = a + b + c exactly. With |a| <= M (1 + 6u), |b| <= 4 u M and |c| <= 11 u^2 M: the
/// low part of a + fl(b + c) is at most u M (1 + 12u), that of b + c at most 4.1 u^2 M, so mid,
/// their rounded sum, is below 1.01 u M and lo, its error, below 1.01 u^2 M.
template <class T>
[[gnu::always_inline]] inline TripleDoubleOf<T> renormalised(T a, T b, T c) {
  const DoubleDoubleOf<T> low = two_sum(b, c);
  const DoubleDoubleOf<T> high = two_sum(a, low.hi);
  const DoubleDoubleOf<T> middle = two_sum(high.lo, low.lo);
  return {high.hi, middle.hi, middle.lo};
}

/// a + b. Majorant: the sum A + B of those of a and b. Error: 9 u^3 (A + B).
/// Proof: all but the three sums of third parts is exact; in units of u^2 (A + B) they reach 1.01,
/// 3.03 and 4.04.
template <class T>
[[gnu::always_inline]] inline TripleDoubleOf<T> operator+(TripleDoubleOf<T> a,
                                                          TripleDoubleOf<T> b) {
  const DoubleDoubleOf<T> high = two_sum(a.hi, b.hi);
  const DoubleDoubleOf<T> middle = two_sum(a.mid, b.mid);
  const DoubleDoubleOf<T> second = two_sum(middle.hi, high.lo);
  return renormalised(high.hi, second.hi, (a.lo + b.lo) + (middle.lo + second.lo));
}

template <class T>
[[gnu::always_inline]] inline TripleDoubleOf<T> operator-(TripleDoubleOf<T> a) {
  return {-a.hi, -a.mid, -a.lo};
}

template <class T>
[[gnu::always_inline]] inline TripleDoubleOf<T> operator-(TripleDoubleOf<T> a,
                                                          TripleDoubleOf<T> b) {
  return a + -b;
}

/// a b, majorants A and B. Majorant: A B. Error: 34 u^3 A B.
/// Proof: in units of u^3 A B, left out are b.mid b.lo and smaller, 2.1; the three third-order
/// products round off 3.1, their sums 2.1 and 3.1; the sums of errors of products and of TwoSums,
/// which reach 2.1 and 5.1 times u^2, as much; the last two sums 5.2 and 10.3.
template <class T>
[[gnu::always_inline]] inline TripleDoubleOf<T> operator*(TripleDoubleOf<T> a,
                                                          TripleDoubleOf<T> b) {
  const DoubleDoubleOf<T> high = two_product(a.hi, b.hi);
  const DoubleDoubleOf<T> first = two_product(a.hi, b.mid);
  const DoubleDoubleOf<T> second = two_product(a.mid, b.hi);
  const DoubleDoubleOf<T> middle = two_sum(first.hi, second.hi);
  const DoubleDoubleOf<T> both = two_sum(middle.hi, high.lo);
  const T third = (a.mid * b.mid + a.hi * b.lo) + a.lo * b.hi;
  return renormalised(high.hi, both.hi, (third + (first.lo + second.lo)) + (middle.lo + both.lo));
}

/// x with the majorant |x| + 1.1 u^2 M, M its own before: as good as |x| itself. Exact.
/// Proof: with p + q = hi + mid and r + s = q + lo, |r| <= u |p| (1 + u) + 1.01 u^2 M; mid, the low
/// part of p + r together with s, is at most u |p + r| + u |r|, and lo at most u of that.
template <class T>
[[gnu::always_inline]] inline TripleDoubleOf<T> with_own_majorant(TripleDoubleOf<T> x) {
  const DoubleDoubleOf<T> high = two_sum(x.hi, x.mid);
  const DoubleDoubleOf<T> low = two_sum(high.lo, x.lo);
  const DoubleDoubleOf<T> first = two_sum(high.hi, low.hi);
  const DoubleDoubleOf<T> second = two_sum(first.lo, low.lo);
  return {first.hi, second.hi, second.lo};
}

/// a b + c d. Majorant: A B + C D. Error: 43 u^3 (A B + C D).
template <class T>
[[gnu::always_inline]] inline TripleDoubleOf<T> sum_of_products(TripleDoubleOf<T> a,
                                                                TripleDoubleOf<T> b,
                                                                TripleDoubleOf<T> c,
                                                                TripleDoubleOf<T> d) {
  return a * b + c * d;
}

}  // namespace fftprec::truth
