/// Schemes of complex products w * x with w from a table, and of compensated sums of these
/// products.
///
/// A product scheme has the number of words into which the table splits each factor
/// (`factor_words`), and multiplies a factor by a value. It is an empty type. All of its roundings
/// are in T.
#pragma once

#include <utility>

#include "arith/formats/eft.hpp"
#include "arith/splitting/split.hpp"

namespace fftprec {

/// One schoolbook product: 4 multiplications, 2 additions, each rounded once.
struct PlainProduct {
  static constexpr std::size_t factor_words = 1;
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> multiply(const Factor<T, 1>& w, Complex<T> x) {
    return fftprec::multiply(w.word[0], x);
  }
};

/// 2Prod: each real product as a Dekker pair, heads and tails summed separately.
struct TwoProdProduct {
  static constexpr std::size_t factor_words = 1;
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> multiply(const Factor<T, 1>& w, Complex<T> x) {
    return multiply_two_prod(w.word[0], x);
  }
};

/// The product on an engine whose multiplier hands its exact result to the adder.
/// Rounds: re = fl(w.re x.re - fl(w.im x.im)), im = fl(w.re x.im + fl(w.im x.re)).
/// Error: |fl(wx) - wx| <= 2u |wx|, barring underflow.
/// Source: Jeannerod, Kornerup, Louvet, Muller, Math. Comp. 86 (2017), 881-898.
struct FusedProduct {
  static constexpr std::size_t factor_words = 1;
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> multiply(const Factor<T, 1>& factor,
                                                              Complex<T> x) {
    const Complex<T>& w = factor.word[0];
    return {multiply_add(w.re, x.re, -(w.im * x.im)), multiply_add(w.re, x.im, w.im * x.re)};
  }
};

/// Each part of the exact product rounded once, the best possible in fp32.
/// Error: |fl(wx) - wx| <= u |wx|, barring underflow.
struct RoundedOnceProduct {
  static constexpr std::size_t factor_words = 1;
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> multiply(const Factor<T, 1>& factor,
                                                              Complex<T> x) {
    const Complex<T>& w = factor.word[0];
    return {sum_of_products(w.re, x.re, -w.im, x.im), sum_of_products(w.re, x.im, w.im, x.re)};
  }
};

/// s + a * b with s = high + low, one step of Dot2: high is the rounded sum, and low collects the
/// errors of the sum and of the product. 25 operations.
/// Source: Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26 (2005), algorithm 5.3.
template <Scalar T>
[[gnu::always_inline]] inline constexpr Pair<T> add_product(Pair<T> s, T a, T b) {
  const Pair<T> product = two_prod(a, b);
  const Pair<T> sum = two_sum(s.high, product.high);
  return {sum.high, s.low + (sum.low + product.low)};
}

/// Each part as a Dot2 of length 2. Overflows of two_prod's splits give NaN.
/// Error of a part: u |part| + gamma_2^2 (|ab| + |cd|), barring underflow.
/// Source: Ogita, Rump, Oishi 2005, proposition 5.5. Requires what two_prod requires.
struct Dot2Product {
  static constexpr std::size_t factor_words = 1;
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> multiply(const Factor<T, 1>& factor,
                                                              Complex<T> x) {
    const Complex<T>& w = factor.word[0];
    const Pair<T> re = add_product(two_prod(w.re, x.re), -w.im, x.im);
    const Pair<T> im = add_product(two_prod(w.re, x.im), w.im, x.re);
    return {re.high + re.low, im.high + im.low};
  }
};

/// Split products on the vector engine: every term is the schoolbook product of two words, whose
/// real products are exact in fp32; the terms are summed in fp32 in the order of spec.terms().
/// Rounds: one sum per part and term, and one per part and further term. Removing the scale of a
/// term is exact unless it underflows.
template <SplitSpec spec>
struct SplitProduct {
  static constexpr std::size_t factor_words = spec.factor_words;

  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> multiply(const Factor<T, factor_words>& w,
                                                              Complex<T> x) {
    return sum(w, split_words<spec.word, spec.data_words, spec.scale>(x),
               std::make_index_sequence<spec.count>{});
  }

 private:
  template <Scalar T, std::size_t... i>
  [[gnu::always_inline]] static constexpr Complex<T> sum(const Factor<T, factor_words>& w,
                                                         const Factor<T, spec.data_words>& x,
                                                         std::index_sequence<i...>) {
    Complex<T> result = term<0>(w, x);
    ((i > 0 ? void(result = result + term<i>(w, x)) : void()), ...);
    return result;
  }

  template <std::size_t i, Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> term(const Factor<T, factor_words>& w,
                                                          const Factor<T, spec.data_words>& x) {
    constexpr SplitTerm which = spec.term[i];
    constexpr int exponent = -spec.scale * static_cast<int>(which.factor + which.data);
    const Complex<T> product = fftprec::multiply(w.word[which.factor], x.word[which.data]);
    if constexpr (exponent == 0) {
      return product;
    } else {
      const T back = T(power_of_two(exponent));
      return {back * product.re, back * product.im};
    }
  }
};

// Sums of complex products. For each part, a scheme keeps a sum and a rest, which starts at zero. A
// step adds one product w * x. The result is the sum plus the rest.

/// A running sum and its accumulated rounding errors.
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

/// Neumaier's variant, which also keeps the error if a term is larger than the sum: 4 additions and
/// a comparison per part and term, and one addition per part at the end.
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

/// Dot2 over all products: TwoProd and TwoSum of every real product, with a separate sum of their
/// errors. The result is rounded once more at the end.
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
