/// Sums of complex products with the rounding errors of the sum carried along.
///
/// Each scheme keeps a sum and its rest, for each part: a step takes one product w * x, and the
/// total of the two is the result. The rest starts at zero.
#pragma once

#include "arith/formats/product.hpp"

namespace fftprec {

/// A running sum and what its roundings have lost.
template <class T>
struct RunningSum {
  Complex<T> sum;
  Complex<T> rest;
};

/// Kahan's compensated summation of plain products: 4 additions per part and term.
/// Rounds: y = fl(t - c), s' = fl(s + y), c' = fl(fl(s' - s) - y).
/// Error of the sum of n terms: |error| <= (2u + O(n u^2)) sum|t|. An infinite sum leaves NaN.
/// Source: Kahan, CACM 8(1), 1965; the bound: Higham, ASNA 2nd ed., eq. (4.8).
struct KahanSum {
  template <Scalar T>
  [[gnu::always_inline]] static constexpr RunningSum<T> step(RunningSum<T> s, const Factor<T, 1>& w,
                                                             Complex<T> x) {
    const Complex<T> term = PlainProduct::multiply(w, x);
    const Pair<T> re = add({s.sum.re, s.rest.re}, term.re);
    const Pair<T> im = add({s.sum.im, s.rest.im}, term.im);
    return {{re.high, im.high}, {re.low, im.low}};
  }
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> total(RunningSum<T> s) {
    return s.sum;
  }

 private:
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Pair<T> add(Pair<T> s, T term) {
    const T corrected = term - s.low;
    const T sum = s.high + corrected;
    return {sum, (sum - s.high) - corrected};
  }
};

/// Neumaier's variant, which also keeps what a term larger than the sum loses of the sum: 4
/// additions and a comparison per part and term, and one addition per part at the end.
/// Rounds: s' = fl(s + t), c' = fl(c + fl(fl(a - s') + b)), a the larger of s, t and b the other;
/// the result is fl(s + c).
/// Error of the sum of n terms: |error| <= u |sum| + O(n^2 u^2) sum|t|. An infinite sum leaves NaN.
/// Source: Neumaier, ZAMM 54, 1974, algorithm IV.
struct NeumaierSum {
  template <Scalar T>
  [[gnu::always_inline]] static constexpr RunningSum<T> step(RunningSum<T> s, const Factor<T, 1>& w,
                                                             Complex<T> x) {
    const Complex<T> term = PlainProduct::multiply(w, x);
    const Pair<T> re = add({s.sum.re, s.rest.re}, term.re);
    const Pair<T> im = add({s.sum.im, s.rest.im}, term.im);
    return {{re.high, im.high}, {re.low, im.low}};
  }
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> total(RunningSum<T> s) {
    return s.sum + s.rest;
  }

 private:
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Pair<T> add(Pair<T> s, T term) {
    const T sum = s.high + term;
    const Pair<T> ordered = by_magnitude(s.high, term);
    return {sum, s.low + ((ordered.high - sum) + ordered.low)};
  }
};

/// Dot2 over all products: TwoProd and TwoSum of every real product, their errors summed apart.
/// The result rounds once more, at the end.
/// Error of n real products: |error| <= u |sum| + gamma_n^2 sum|ab|, barring underflow.
/// Source: Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26 (2005), algorithm 5.3, proposition 5.5.
struct Dot2Sum {
  template <Scalar T>
  [[gnu::always_inline]] static constexpr RunningSum<T> step(RunningSum<T> s, const Factor<T, 1>& w,
                                                             Complex<T> x) {
    const Complex<T>& factor = w.word[0];
    const Pair<T> re =
        add_product(add_product(Pair<T>{s.sum.re, s.rest.re}, factor.re, x.re), -factor.im, x.im);
    const Pair<T> im =
        add_product(add_product(Pair<T>{s.sum.im, s.rest.im}, factor.re, x.im), factor.im, x.re);
    return {{re.high, im.high}, {re.low, im.low}};
  }
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> total(RunningSum<T> s) {
    return s.sum + s.rest;
  }
};

}  // namespace fftprec
