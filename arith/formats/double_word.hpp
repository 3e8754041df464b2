/// Double-word arithmetic: numbers as unevaluated sums of two native ones.
///
/// The bounds assume that nothing over- or underflows: every word in the formulas is zero or
/// normal. There are no infinities: an infinite operand, an overflow of a sum, and a factor whose
/// high word Veltkamp's split cannot take (fp32: from 2^115 on) give NaN. A product of high words
/// below 2^(emin + p) (fp32: 2^-102) may lose all of its low word.
#pragma once

#include "arith/formats/eft.hpp"
#include "arith/formats/scalar.hpp"

namespace fftprec {

/// high + low with high = fl(high + low). A trivial type; zero has all bits zero. u is the unit
/// roundoff of T.
template <Scalar T>
struct DoubleWord {
  T high;
  T low;

  DoubleWord() = default;
  [[gnu::always_inline]] constexpr DoubleWord(T leading, T rest) : high(leading), low(rest) {}
  /// x rounded to two words: high = fl(x), low = fl(x - high).
  /// Error: at most u^2/2 |x|; none if x has at most 2p bits. An infinite x gives NaN as low.
  [[gnu::always_inline]] explicit constexpr DoubleWord(double x)
      : high(static_cast<T>(x)), low(static_cast<T>(x - static_cast<double>(high))) {}

  [[gnu::always_inline]] constexpr DoubleWord operator-() const { return {-high, -low}; }
  /// The value rounded once to double. Rounded to T it is `high`.
  [[gnu::always_inline]] explicit constexpr operator double() const {
    return static_cast<double>(high) + static_cast<double>(low);
  }
  friend constexpr bool operator==(const DoubleWord&, const DoubleWord&) = default;
};

/// a + b: AccurateDWPlusDW, 20 operations.
/// Error: relative, at most 3u^2/(1 - 4u) = 3u^2 + 12u^3 + ..., below 3u^2 + 13u^3 for p >= 6, even
/// if the high words cancel.
/// Source: Joldes, Muller, Popescu, ACM TOMS 44(2), 2017, algorithm 6, theorem 3.1.
template <Scalar T>
[[gnu::always_inline]] inline constexpr DoubleWord<T> operator+(DoubleWord<T> a, DoubleWord<T> b) {
  const Pair<T> high = two_sum(a.high, b.high);
  const Pair<T> low = two_sum(a.low, b.low);
  const Pair<T> mid = fast_two_sum(high.high, high.low + low.high);
  const Pair<T> sum = fast_two_sum(mid.high, low.low + mid.low);
  return {sum.high, sum.low};
}

template <Scalar T>
[[gnu::always_inline]] inline constexpr DoubleWord<T> operator-(DoubleWord<T> a, DoubleWord<T> b) {
  return a + -b;
}

/// a * b without an FMA: DWTimesDW1 with Dekker's product, 24 operations.
/// Error: relative, at most 5u^2 for p >= 6 and ties to even. Requires: the high words meet the
/// requirements of two_prod.
/// Source: algorithm 10 of Joldes, Muller, Popescu 2017, with 7u^2. Muller, Rideau, ACM TOMS 48(1),
/// 2022, prove 5u^2 with a proof assistant, for an unlimited exponent range.
template <Scalar T>
[[gnu::always_inline]] inline constexpr DoubleWord<T> operator*(DoubleWord<T> a, DoubleWord<T> b) {
  const Pair<T> product = two_prod(a.high, b.high);
  const T cross = a.high * b.low + a.low * b.high;
  const Pair<T> sum = fast_two_sum(product.high, product.low + cross);
  return {sum.high, sum.low};
}

using FloatPair = DoubleWord<float>;

/// Two words hold 2p + 1 bits where pairs are dense: u = 2^-49 for fp32.
inline constexpr Format fp32_pair{49, -77, 127};
template <>
inline constexpr Format format_of<FloatPair> = fp32_pair;

/// Word by word: a pair copied whole would be one 64-bit value that no loop can vectorise.
template <Scalar T>
struct Carrier<DoubleWord<T>> {
  using type = DoubleWord<typename Carrier<T>::type>;
  [[gnu::always_inline]] static constexpr DoubleWord<T> load(const type& x) {
    return {Carrier<T>::load(x.high), Carrier<T>::load(x.low)};
  }
  [[gnu::always_inline]] static constexpr type store(DoubleWord<T> x) {
    return {Carrier<T>::store(x.high), Carrier<T>::store(x.low)};
  }
};

}  // namespace fftprec
