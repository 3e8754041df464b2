/// Counting<T>: an adaptor that counts the operations of T and changes no result.
#pragma once

#include <concepts>

#include "algorithms/theory/costs.hpp"
#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"
#include "arith/formats/scalar.hpp"

namespace fftprec {

/// A T that counts into `counts` of its own thread. Unary minus and comparisons are not counted.
template <Scalar T>
class Counting {
 public:
  using carrier_type = typename Carrier<T>::type;
  static constexpr Format format = format_of<T>;
  static inline thread_local OperationCounts counts{};

  Counting() = default;
  explicit constexpr Counting(double x) : value_(T(x)) {}
  explicit constexpr Counting(T x) requires(!std::same_as<T, double>) : value_(x) {}

  static constexpr Counting from_carrier(carrier_type x) { return Counting(Carrier<T>::load(x)); }
  constexpr carrier_type carrier() const { return Carrier<T>::store(value_); }
  constexpr T value() const { return value_; }
  explicit constexpr operator double() const { return static_cast<double>(value_); }

  friend Counting operator+(Counting a, Counting b) { return added(a.value_ + b.value_); }
  friend Counting operator-(Counting a, Counting b) { return added(a.value_ - b.value_); }
  friend Counting operator*(Counting a, Counting b) {
    ++counts.multiplications;
    return Counting(a.value_ * b.value_);
  }
  constexpr Counting operator-() const { return Counting(-value_); }
  friend constexpr bool operator==(const Counting&, const Counting&) = default;

  // The rounding and the sums that kernels ask for by name.
  template <Format word>
  friend Counting leading_word(Counting x) {
    return converted(leading_word<word>(x.value_));
  }
  /// A multiplication and an addition, though they round once.
  friend Counting multiply_add(Counting a, Counting b, Counting c) {
    ++counts.multiplications;
    return added(product_plus(a.value_, b.value_, c.value_));
  }
  friend Counting sum_of_products(Counting a, Counting b, Counting c, Counting d) {
    counts.multiplications += 2;
    return added(sum_of_products(a.value_, b.value_, c.value_, d.value_));
  }
  friend Pair<Counting> by_magnitude(Counting a, Counting b) {
    const Pair<T> ordered = by_magnitude(a.value_, b.value_);
    return {Counting(ordered.high), Counting(ordered.low)};
  }

 private:
  static Counting added(T x) {
    ++counts.additions;
    return Counting(x);
  }
  static Counting converted(T x) {
    ++counts.conversions;
    return Counting(x);
  }

  T value_{};
};

}  // namespace fftprec
