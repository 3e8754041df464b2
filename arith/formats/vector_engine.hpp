/// A vector engine as data, and EngineFloat<engine>: a float whose + - * round like the engine.
#pragma once

#include "arith/formats/eft.hpp"
#include "arith/formats/format.hpp"

namespace fftprec {

/// The elementwise engine. It operates on fp32 data; narrower data are widened first and rounded on
/// store. EngineFloat defines the roundings. A fused engine forms complex products as FusedProduct
/// (kernels/products.hpp) does; in butterflies and sums over k it fuses no other operations.
struct VectorEngine {
  int product_bits = 24;  ///< 24, 21 or 20: significand bits that the multiplier delivers
  Rounding product_rounding = Rounding::rne;  ///< rne or rz
  Rounding sum_rounding = Rounding::rne;      ///< rne or rz
  bool fused = false;  ///< a product and the sum that uses it round once, as an FMA
  bool flush = false;  ///< subnormal operands and results count as zero

  [[gnu::always_inline]] friend constexpr bool operator==(const VectorEngine&,
                                                          const VectorEngine&) = default;
};

/// An fp32 value of a vector engine. Trivial and as large as its carrier.
/// Rounds: a product once, to engine.product_bits significant bits with fp32's exponents, by
/// engine.product_rounding; a sum once, to fp32, by engine.sum_rounding. With engine.flush
/// subnormal operands count as zeros of their sign, and results that are subnormal after rounding
/// become such zeros. An overflow under rz gives the largest finite value.
template <VectorEngine engine>
class EngineFloat {
  static_assert(engine.product_bits == 24 || engine.product_bits <= 22,
                "23 bits to nearest need more than a float rounded to odd");

 public:
  using carrier_type = float;
  static constexpr Format format = fp32;

  EngineFloat() = default;
  /// x rounded to fp32, to nearest: a constant.
  [[gnu::always_inline]] explicit constexpr EngineFloat(double x) : value_(static_cast<float>(x)) {}

  [[gnu::always_inline]] static constexpr EngineFloat from_carrier(float x) {
    EngineFloat result;
    result.value_ = x;
    return result;
  }
  [[gnu::always_inline]] constexpr float carrier() const { return value_; }
  [[gnu::always_inline]] explicit constexpr operator double() const { return value_; }

  [[gnu::always_inline]] friend constexpr EngineFloat operator+(EngineFloat a, EngineFloat b) {
    const float x = a.operand();
    const float y = b.operand();
    if constexpr (engine.sum_rounding == Rounding::rz)
      return result(toward_zero(near_sum(x, y)));
    else
      return result(x + y);
  }
  [[gnu::always_inline]] friend constexpr EngineFloat operator-(EngineFloat a, EngineFloat b) {
    return a + -b;
  }
  [[gnu::always_inline]] friend constexpr EngineFloat operator*(EngineFloat a, EngineFloat b) {
    return result(rounded_product(a.operand(), b.operand()));
  }
  /// a * b + c, rounded once to nearest.
  [[gnu::always_inline]] friend constexpr EngineFloat multiply_add(EngineFloat a, EngineFloat b,
                                                                   EngineFloat c) {
    return result(fftprec::multiply_add(a.operand(), b.operand(), c.operand()));
  }

  [[gnu::always_inline]] constexpr EngineFloat operator-() const { return from_carrier(-value_); }
  [[gnu::always_inline]] friend constexpr bool operator==(EngineFloat a, EngineFloat b) {
    return a.value_ == b.value_;
  }

 private:
  [[gnu::always_inline]] static constexpr float flushed(float x) {
    constexpr std::uint32_t sign = 0x80000000u;
    constexpr std::uint32_t min_normal = 0x00800000u;
    const auto bits = __builtin_bit_cast(std::uint32_t, x);
    return __builtin_bit_cast(float, (bits & ~sign) < min_normal ? bits & sign : bits);
  }
  [[gnu::always_inline]] constexpr float operand() const {
    return engine.flush ? flushed(value_) : value_;
  }
  [[gnu::always_inline]] static constexpr EngineFloat result(float x) {
    return from_carrier(engine.flush ? flushed(x) : x);
  }

  [[gnu::always_inline]] static constexpr float rounded_product(float x, float y) {
    constexpr Format narrow{engine.product_bits, fp32.emin, fp32.emax};
    if constexpr (engine.product_rounding == Rounding::rz) {
      constexpr std::uint32_t dropped = rounding_grid<float>(narrow).unit - 1;
      const float product = toward_zero(near_product(x, y));
      return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, product) & ~dropped);
    } else if constexpr (narrow.precision < fp32.precision) {
      return round_to_grid<Rounding::rne, true>(to_odd(near_product(x, y)),
                                                rounding_grid<float>(narrow));
    } else {
      return x * y;
    }
  }

  float value_;
};

/// A scalar with the sums of T, for loops that only add. Engines that differ only in products share
/// it.
template <class T>
struct SumScalar {
  using type = T;
};
template <VectorEngine engine>
struct SumScalar<EngineFloat<engine>> {
  using type =
      EngineFloat<VectorEngine{.sum_rounding = engine.sum_rounding, .flush = engine.flush}>;
};

static_assert(std::is_trivial_v<EngineFloat<VectorEngine{}>>);
static_assert(Scalar<EngineFloat<VectorEngine{}>>);

}  // namespace fftprec
