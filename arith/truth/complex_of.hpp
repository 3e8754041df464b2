/// Complex numbers whose parts are expansions: unevaluated sums of doubles.
#pragma once

namespace fftprec::truth {

template <class Number>
struct ComplexOf {
  Number re;
  Number im;
};

template <class N>
[[gnu::always_inline]] inline ComplexOf<N> operator+(const ComplexOf<N>& a, const ComplexOf<N>& b) {
  return {a.re + b.re, a.im + b.im};
}

template <class N>
[[gnu::always_inline]] inline ComplexOf<N> operator-(const ComplexOf<N>& a, const ComplexOf<N>& b) {
  return {a.re - b.re, a.im - b.im};
}

/// Each part as one sum of two products: sum_of_products(a, b, c, d) = a b + c d.
template <class N>
[[gnu::always_inline]] inline ComplexOf<N> operator*(const ComplexOf<N>& a, const ComplexOf<N>& b) {
  return {sum_of_products(a.re, b.re, -a.im, b.im), sum_of_products(a.re, b.im, a.im, b.re)};
}

}  // namespace fftprec::truth
