/// Complex products from real ones: the two ways in which a vector engine can form them.
#pragma once

#include <cstddef>

#include "arith/formats/eft.hpp"

namespace fftprec {

template <class T>
struct Complex {
  T re;
  T im;
};

/// A complex value as the unevaluated sum of its words, the leading one first.
template <class T, std::size_t words>
struct Factor {
  Complex<T> word[words];
};

/// w * x by the schoolbook formula: 4 products and 2 sums, each rounded once.
/// Rounds: re = fl(fl(w.re x.re) - fl(w.im x.im)), im = fl(fl(w.re x.im) + fl(w.im x.re)).
/// Error: |fl(wx) - wx| <= sqrt(5) u |wx|, barring overflow and underflow.
/// Source: Brent, Percival, Zimmermann, Math. Comp. 76 (2007), 1469-1481.
template <Scalar T>
[[gnu::always_inline]] inline constexpr Complex<T> multiply(Complex<T> w, Complex<T> x) {
  return {w.re * x.re - w.im * x.im, w.re * x.im + w.im * x.re};
}

/// w * x with every real product as an exact Dekker pair; the sums round.
/// Rounds: re = fl(fl(h_rr - h_ii) + fl(l_rr - l_ii)), im = fl(fl(h_ri + h_ir) + fl(l_ri + l_ir)).
/// Error: |fl(wx) - wx| <= (2u + 4u^2) |w| |x|; the proof stands with the bound, in
/// algorithms/theory/schemes.hpp. Requires what two_prod requires of each product.
template <Scalar T>
[[gnu::always_inline]] inline constexpr Complex<T> multiply_two_prod(Complex<T> w, Complex<T> x) {
  const Pair<T> rr = two_prod(w.re, x.re);
  const Pair<T> ii = two_prod(w.im, x.im);
  const Pair<T> ri = two_prod(w.re, x.im);
  const Pair<T> ir = two_prod(w.im, x.re);
  return {(rr.high - ii.high) + (rr.low - ii.low), (ri.high + ir.high) + (ri.low + ir.low)};
}

template <Scalar T>
[[gnu::always_inline]] inline constexpr Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}

template <Scalar T>
[[gnu::always_inline]] inline constexpr Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}

}  // namespace fftprec
