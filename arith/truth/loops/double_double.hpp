/// Double-double numbers: the unevaluated sum hi + lo of two doubles, |lo| <= u |hi|, u = 2^-53.
///
/// Used only for the truth; they share no code with the error-free transforms under test. All
/// operations give equal bits with and without a fused multiply-add, which is used only if its
/// result is exact. Errors hold for values and products up to 2^900, and for operands as stored.
///
/// A loop over a number type T runs with T = double and with T = Lanes, as many doubles as a
/// register of the instruction set holds. The bits are equal, since every operation acts on each
/// lane.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstddef>

namespace fftprec::truth {

#if defined(__AVX512F__)
constexpr std::size_t lane_count = 8;
#elif defined(__AVX2__)
constexpr std::size_t lane_count = 4;
#else
constexpr std::size_t lane_count = 2;
#endif

using Lanes = double __attribute__((vector_size(lane_count * sizeof(double))));

[[gnu::always_inline]] inline Lanes load_lanes(const double* from) {
  Lanes lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

[[gnu::always_inline]] inline void store_lanes(double* to, Lanes lanes) {
  __builtin_memcpy(to, &lanes, sizeof lanes);
}

/// x in every lane.
[[gnu::always_inline]] inline Lanes all_lanes(double x) { return Lanes{} + x; }

/// fl(a b - product): the error of a product, if it is a double.
[[gnu::always_inline]] inline double fused_error(double a, double b, double product) {
  return __builtin_fma(a, b, -product);
}

[[gnu::always_inline]] inline Lanes fused_error(Lanes a, Lanes b, Lanes product) {
#if defined(__AVX512F__)
  return _mm512_fmsub_pd(a, b, product);
#elif defined(__AVX2__)
  return _mm256_fmsub_pd(a, b, product);
#else
  Lanes error;
  for (std::size_t i = 0; i < lane_count; ++i) error[i] = __builtin_fma(a[i], b[i], -product[i]);
  return error;
#endif
}

/// x where |size| >= smallest, else 0.
[[gnu::always_inline]] inline double zero_below(double size, double smallest, double x) {
  return size >= smallest || size <= -smallest ? x : 0.0;
}

[[gnu::always_inline]] inline Lanes zero_below(Lanes size, double smallest, Lanes x) {
  const Lanes zero{};
  const Lanes magnitude = size < zero ? -size : size;
  return magnitude >= all_lanes(smallest) ? x : zero;
}

/// T is double or Lanes.
template <class T>
struct DoubleDoubleOf {
  T hi{};
  T lo{};
};
using DoubleDouble = DoubleDoubleOf<double>;

/// hi + lo = a + b exactly, hi = fl(a + b). Source: Knuth, TAOCP vol. 2, 4.2.2, theorem B.
template <class T>
[[gnu::always_inline]] inline constexpr DoubleDoubleOf<T> two_sum(T a, T b) {
  const T sum = a + b;
  const T b_seen = sum - a;
  return {sum, (a - (sum - b_seen)) + (b - b_seen)};
}

/// hi + lo = a b exactly if |fl(a b)| >= 2^-960 or a b = 0. Below, lo = 0 on every machine, with an
/// error of at most 2^-1013. Source: Dekker 1971, section 5, if there is no fused multiply-add.
/// Requires: |a|, |b|, |a b| <= 2^900.
template <class T>
[[gnu::always_inline]] inline DoubleDoubleOf<T> two_product(T a, T b) {
  const T product = a * b;
#if defined(__FMA__) || !defined(__x86_64__)
  const T error = fused_error(a, b, product);
#else
  constexpr double splitter = 0x1p27 + 1;
  const T a_scaled = splitter * a;
  const T b_scaled = splitter * b;
  const T a_high = a_scaled - (a_scaled - a);
  const T b_high = b_scaled - (b_scaled - b);
  const T a_low = a - a_high;
  const T b_low = b - b_high;
  const T error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
#endif
  return {product, zero_below(product, 0x1p-960, error)};
}

/// a + b. Error: 3 u^2 (1 + 4u) (|a| + |b|); 14 operations.
/// Proof: in units of H = |a.hi| + |b.hi| <= (|a| + |b|)/(1 - u), TwoSum of the leading parts is
/// exact and leaves at most u. The two low parts are together at most u, and their sum rounds off
/// u^2. The sum of both is at most u (2 + u) and rounds off u^2 (2 + u). The last TwoSum is exact.
template <class T>
[[gnu::always_inline]] inline constexpr DoubleDoubleOf<T> operator+(DoubleDoubleOf<T> a,
                                                                    DoubleDoubleOf<T> b) {
  const DoubleDoubleOf<T> high = two_sum(a.hi, b.hi);
  return two_sum(high.hi, high.lo + (a.lo + b.lo));
}

template <class T>
[[gnu::always_inline]] inline constexpr DoubleDoubleOf<T> operator-(DoubleDoubleOf<T> a) {
  return {-a.hi, -a.lo};
}

template <class T>
[[gnu::always_inline]] inline constexpr DoubleDoubleOf<T> operator-(DoubleDoubleOf<T> a,
                                                                    DoubleDoubleOf<T> b) {
  return a + -b;
}

/// a b. Error: 8 u^2 (1 + 8u) |a b|, plus 2^-1012 if a product is below 2^-960.
/// Proof: in units of P = |a.hi b.hi| <= |a b|/(1 - u)^2, leaving out lo lo costs u^2. hi lo and lo
/// hi are at most u and round off u^2 each. Their sum is at most 2u (1 + u) and rounds off u of
/// that. With the error of hi hi, at most u, it is 3u (1 + 2u) and rounds off u of that. The last
/// TwoSum is exact: 1 + 2 + 2 + 3 = 8. (The largest error found is 7.0, if both low parts are u
/// times their leading parts.)
template <class T>
[[gnu::always_inline]] inline constexpr DoubleDoubleOf<T> operator*(DoubleDoubleOf<T> a,
                                                                    DoubleDoubleOf<T> b) {
  const DoubleDoubleOf<T> high = two_product(a.hi, b.hi);
  return two_sum(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}

/// a b + c d with one low part. Error: 14 u^2 (1 + 20u) (|a b| + |c d|), plus 2^-1011 if a product
/// is below 2^-960.
/// Proof: with R = |a.hi b.hi| + |c.hi d.hi| <= (|a b| + |c d|)/(1 - u)^2 the leading products and
/// their TwoSum are exact. The rounding errors, in units of u^2 R and up to factors 1 + 5u, are: 1
/// for leaving out lo lo; 2 for the four products hi lo; 2 for the sums of two of them, which reach
/// 2u; 2 for the sum of both sums; 1 for the sum of the errors of the products, each at most u; 2
/// for adding the error of TwoSum; 4 for the last sum of low parts, which reaches 4u. The final
/// TwoSum is exact. A complex product of two of these has the error 14 sqrt(2) u^2 (1 + 20u) |a|
/// |b|, since |re a re b| + |im a im b| <= |a| |b| (Cauchy and Schwarz), and so for the other part.
template <class T>
[[gnu::always_inline]] inline DoubleDoubleOf<T> sum_of_products(DoubleDoubleOf<T> a,
                                                                DoubleDoubleOf<T> b,
                                                                DoubleDoubleOf<T> c,
                                                                DoubleDoubleOf<T> d) {
  const DoubleDoubleOf<T> first = two_product(a.hi, b.hi);
  const DoubleDoubleOf<T> second = two_product(c.hi, d.hi);
  const DoubleDoubleOf<T> high = two_sum(first.hi, second.hi);
  const T cross = (a.hi * b.lo + a.lo * b.hi) + (c.hi * d.lo + c.lo * d.hi);
  return two_sum(high.hi, (high.lo + (first.lo + second.lo)) + cross);
}

/// Complex numbers with double-double parts.
template <class T>
struct ComplexDoubleDoubleOf {
  DoubleDoubleOf<T> re;
  DoubleDoubleOf<T> im;
};
using ComplexDoubleDouble = ComplexDoubleDoubleOf<double>;

template <class T>
[[gnu::always_inline]] inline ComplexDoubleDoubleOf<T> operator+(
    const ComplexDoubleDoubleOf<T>& a, const ComplexDoubleDoubleOf<T>& b) {
  return {a.re + b.re, a.im + b.im};
}

template <class T>
[[gnu::always_inline]] inline ComplexDoubleDoubleOf<T> operator-(
    const ComplexDoubleDoubleOf<T>& a, const ComplexDoubleDoubleOf<T>& b) {
  return {a.re - b.re, a.im - b.im};
}

/// Each part as one sum of two products.
template <class T>
[[gnu::always_inline]] inline ComplexDoubleDoubleOf<T> operator*(
    const ComplexDoubleDoubleOf<T>& a, const ComplexDoubleDoubleOf<T>& b) {
  return {sum_of_products(a.re, b.re, -a.im, b.im), sum_of_products(a.re, b.im, a.im, b.re)};
}

}  // namespace fftprec::truth
