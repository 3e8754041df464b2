/// Emulated<Format, Rounding>: a number type whose + - * / sqrt fma each round exactly once.
///
/// A value is held in a native carrier: float if every value of the format is a float, else double.
/// An operation runs in a native type in which rounding twice is innocuous (Figueroa, SIGNUM Newsl.
/// 30(3), 1995: p_wide >= 2p + 2, and the wide result is not rounded in its subnormal range). If
/// there is no such type, the exact result is first rounded to odd in double (eft.hpp). At compile
/// time all of this folds into a few vectorisable integer operations.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"

namespace fftprec {

/// The native type that holds the values of a format.
template <Format F>
using CarrierOf = std::conditional_t<fits<float>(F), float, double>;

/// Native numbers that convert to double exactly.
template <class T>
concept NativeNumber = std::same_as<T, float> || std::same_as<T, double> ||
    (std::integral<T>&& std::numeric_limits<T>::digits <= 53);

/// The native type in which an operation of the format may run before its one rounding.
template <Format F, Rounding R>
struct Route {
  static constexpr bool nearest = R == Rounding::rne;
  /// The native operation needs no further rounding.
  static constexpr bool native = nearest && (F == fp32 || F == fp64);

  /// Holds for quotients too: y/x differs from a midpoint m by at least 2^(emin-p-1) / x, and
  /// x < 2^p. So even among float's subnormals it differs by more than half a last place, 2^-150.
  static constexpr bool in_float = nearest && fits<float>(F) && F.precision <= 11;
  /// A product has 2p bits. If it is at least half the smallest value, none of them lies below
  /// float's last place.
  static constexpr bool product_in_float = in_float && F.emin - 3 * F.precision + 1 >= -149;
  static constexpr bool in_double = nearest && F.precision <= 25;
  static constexpr bool product_exact_in_double = F.precision <= 26;

  /// Far enough from the ends of double that error terms neither underflow nor overflow.
  static constexpr bool has_room = F.precision <= 50 && F.emin >= -450 && F.emax <= 450;
};

/// A number of format F; results of operations are rounded by R. Trivial, and exactly as large as
/// its carrier, so that arrays of it are arrays of the carrier.
/// Rounds: + - * / sqrt fma and construction once each; unary minus, abs, comparisons and
/// conversions out not at all. Zeros, infinities and NaNs follow IEEE 754 (with R = rd, an exact
/// zero sum of unlike signs is -0); overflow follows the format's rule. As in IEEE 754, the sign
/// and payload of a NaN result are unspecified.
template <Format F, Rounding R = Rounding::rne>
class Emulated {
  using Via = Route<F, R>;
  static_assert(R != Rounding::sr, "stochastic rounding needs a counter: use round_stochastic");
  static_assert(Via::native || Via::has_room, "a format for Emulated needs room inside double");

 public:
  using carrier_type = CarrierOf<F>;
  static constexpr Format format = F;
  static constexpr Rounding rounding = R;

  Emulated() = default;

  /// x rounded once.
  template <NativeNumber T>
  [[gnu::always_inline]] explicit constexpr Emulated(T x) : value_(rounded(x)) {}

  /// x rounded once from the other format.
  template <Format G, Rounding S>
  [[gnu::always_inline]] explicit constexpr Emulated(Emulated<G, S> x)
      : value_(rounded(x.carrier())) {}

  /// The number whose carrier is x, without a rounding.
  /// Requires: x is on the format's grid.
  [[gnu::always_inline]] static constexpr Emulated from_carrier(carrier_type x) {
    Emulated result;
    result.value_ = x;
    return result;
  }
  [[gnu::always_inline]] constexpr carrier_type carrier() const { return value_; }

  [[gnu::always_inline]] explicit constexpr operator double() const { return value_; }
  [[gnu::always_inline]] explicit constexpr operator float()
      const requires std::same_as<carrier_type, float> {
    return value_;
  }

  [[gnu::always_inline]] friend constexpr Emulated operator+(Emulated a, Emulated b) {
    if constexpr (Via::native || Via::in_float)
      return from_operation(a.value_ + b.value_);
    else if constexpr (Via::in_double)
      return from_operation(a.wide() + b.wide());
    else
      return from_operation(signed_zero(sum_to_odd(a.wide(), b.wide()), a.wide(), b.wide()));
  }

  [[gnu::always_inline]] friend constexpr Emulated operator-(Emulated a, Emulated b) {
    if constexpr (Via::native || Via::in_float)
      return from_operation(a.value_ - b.value_);
    else if constexpr (Via::in_double)
      return from_operation(a.wide() - b.wide());
    else
      return a + -b;
  }

  [[gnu::always_inline]] friend constexpr Emulated operator*(Emulated a, Emulated b) {
    if constexpr (Via::native || Via::product_in_float)
      return from_operation(a.value_ * b.value_);
    else if constexpr (Via::product_exact_in_double)
      return from_operation(a.wide() * b.wide());
    else
      return from_operation(product_to_odd(a.wide(), b.wide()));
  }

  [[gnu::always_inline]] friend constexpr Emulated operator/(Emulated a, Emulated b) {
    if constexpr (Via::native || Via::in_float)
      return from_operation(a.value_ / b.value_);
    else if constexpr (Via::in_double)
      return from_operation(a.wide() / b.wide());
    else
      return from_operation(quotient_to_odd(a.wide(), b.wide()));
  }

  [[gnu::always_inline]] friend Emulated sqrt(Emulated a) {
    if constexpr (std::same_as<carrier_type, float> && (Via::native || Via::in_float))
      return from_operation(__builtin_sqrtf(a.value_));
    else if constexpr (Via::native || Via::in_double)
      return from_operation(__builtin_sqrt(a.wide()));
    else
      return from_operation(square_root_to_odd(a.wide()));
  }

  /// a * b + c, rounded once.
  [[gnu::always_inline]] friend constexpr Emulated fma(Emulated a, Emulated b, Emulated c) {
    if constexpr (F == fp64)
      return from_carrier(__builtin_fma(a.value_, b.value_, c.value_));
    else if constexpr (Via::product_exact_in_double)
      return from_operation(
          signed_zero(sum_to_odd(a.wide() * b.wide(), c.wide()), a.wide() * b.wide(), c.wide()));
    else
      return from_operation(signed_zero(product_sum_to_odd(a.wide(), b.wide(), c.wide()),
                                        a.wide() * b.wide(), c.wide()));
  }

  [[gnu::always_inline]] constexpr Emulated operator-() const { return from_carrier(-value_); }
  [[gnu::always_inline]] constexpr Emulated operator+() const { return *this; }
  [[gnu::always_inline]] friend constexpr Emulated abs(Emulated a) {
    return from_carrier(a.value_ < 0 || a.value_ == 0 ? carrier_type(0) - a.value_ : a.value_);
  }

  [[gnu::always_inline]] constexpr Emulated& operator+=(Emulated b) { return *this = *this + b; }
  [[gnu::always_inline]] constexpr Emulated& operator-=(Emulated b) { return *this = *this - b; }
  [[gnu::always_inline]] constexpr Emulated& operator*=(Emulated b) { return *this = *this * b; }
  [[gnu::always_inline]] constexpr Emulated& operator/=(Emulated b) { return *this = *this / b; }

  [[gnu::always_inline]] friend constexpr bool operator==(Emulated a, Emulated b) {
    return a.value_ == b.value_;
  }
  [[gnu::always_inline]] friend constexpr bool operator<(Emulated a, Emulated b) {
    return a.value_ < b.value_;
  }
  [[gnu::always_inline]] friend constexpr bool operator>(Emulated a, Emulated b) { return b < a; }
  [[gnu::always_inline]] friend constexpr bool operator<=(Emulated a, Emulated b) {
    return a.value_ <= b.value_;
  }
  [[gnu::always_inline]] friend constexpr bool operator>=(Emulated a, Emulated b) { return b <= a; }

 private:
  [[gnu::always_inline]] constexpr double wide() const { return value_; }

  /// Under rd an exact zero sum is -0 unless both terms are +0; native addition gives +0.
  [[gnu::always_inline]] static constexpr double signed_zero(double sum, double a, double b) {
    if constexpr (R == Rounding::rd)
      return sum == 0 && (__builtin_signbit(a) || __builtin_signbit(b)) ? -0.0 : sum;
    else
      return sum;
  }

  /// The one rounding of an operation. A float result of operands on the grid has no NaN payload
  /// below the grid, so bf16 and tf32 need no guard.
  template <class Real>
  [[gnu::always_inline]] static constexpr Emulated from_operation(Real x) {
    constexpr bool top_of_float = F.emax == fp32.emax && F.overflow == Overflow::infinity;
    if constexpr (Via::native)
      return from_carrier(static_cast<carrier_type>(x));
    else if constexpr (std::same_as<Real, float> && Via::nearest && is_flat<float>(F) &&
                       top_of_float)
      return from_carrier(round_float_dropping<fp32.precision - F.precision>(x));
    else
      return from_carrier(rounded(x));
  }

  template <class T>
  [[gnu::always_inline]] static constexpr carrier_type rounded(T x) {
    using Real = std::conditional_t<std::same_as<T, float> && fits<float>(F), float, double>;
    const Real wide = static_cast<Real>(x);
    if constexpr (Via::native)
      return static_cast<carrier_type>(wide);
    else
      return static_cast<carrier_type>(
          round_to_grid<R, is_flat<Real>(F)>(wide, rounding_grid<Real>(F)));
  }

  carrier_type value_;
};

using Bf16 = Emulated<bf16>;
using Fp16 = Emulated<fp16>;
using Tf32 = Emulated<tf32>;
using Fp32 = Emulated<fp32>;
using Fp64 = Emulated<fp64>;
using Fp8E4m3 = Emulated<fp8_e4m3>;
using Fp8E4m3fn = Emulated<fp8_e4m3fn>;
using Fp8E5m2 = Emulated<fp8_e5m2>;

static_assert(std::is_trivial_v<Bf16> && sizeof(Bf16) == sizeof(float));
static_assert(std::is_trivial_v<Fp64> && sizeof(Fp64) == sizeof(double));
static_assert(Scalar<Bf16> && Scalar<Fp16> && Scalar<Fp64>);

}  // namespace fftprec
