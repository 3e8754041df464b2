/// bf16 operations on any pair of the 2^16 operands, beside MPFR's: for dense and exhaustive tests.
///
/// All operands are converted to MPFR once, so that a pair costs one MPFR operation, a range check
/// and a comparison.
#pragma once

#include <mpfr.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "arith/formats/emulated.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

/// The bf16 number with these 16 bits.
inline Bf16 bf16_of(std::uint32_t bits16) {
  return Bf16::from_carrier(__builtin_bit_cast(float, bits16 << 16));
}

/// The 2^16 bf16 numbers as MPFR numbers; read-only once made, so threads may share it.
class Bf16Operands {
 public:
  Bf16Operands() {
    values_.reserve(1 << 16);
    for (std::uint32_t bits = 0; bits < 1u << 16; ++bits)
      values_.emplace_back(bf16.precision, static_cast<double>(bf16_of(bits)));
  }
  mpfr_srcptr operator[](std::uint32_t bits16) const { return values_[bits16].get(); }

 private:
  std::vector<Wide> values_;
};

/// Compares pairs; one object per thread. While it lives, MPFR has bf16's exponent range here.
class Bf16PairCheck {
 public:
  Bf16PairCheck(const Bf16Operands& operands, Operation operation)
      : operands_(operands),
        operation_(operation),
        range_(bf16.emin - bf16.precision + 2, bf16.emax + 1) {}

  /// MPFR's result, rounded to nearest even.
  float truth(std::uint32_t a, std::uint32_t b) {
    const int ternary = apply(result_.get(), operands_[a], operands_[b]);
    mpfr_subnormalize(result_.get(), mpfr_check_range(result_.get(), ternary, MPFR_RNDN),
                      MPFR_RNDN);
    return mpfr_get_flt(result_.get(), MPFR_RNDN);
  }

  /// fftprec's result.
  float actual(std::uint32_t a, std::uint32_t b) const {
    const Bf16 x = bf16_of(a);
    const Bf16 y = bf16_of(b);
    switch (operation_) {
      case Operation::subtract:
        return (x - y).carrier();
      case Operation::multiply:
        return (x * y).carrier();
      case Operation::divide:
        return (x / y).carrier();
      default:
        return (x + y).carrier();
    }
  }

  /// Whether the two agree bit for bit, or are both NaN.
  bool agree(std::uint32_t a, std::uint32_t b) {
    const float expected = truth(a, b);
    const float got = actual(a, b);
    return __builtin_bit_cast(std::uint32_t, expected) == __builtin_bit_cast(std::uint32_t, got) ||
           (expected != expected && got != got);
  }

 private:
  int apply(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b) const {
    switch (operation_) {
      case Operation::subtract:
        return mpfr_sub(result, a, b, MPFR_RNDN);
      case Operation::multiply:
        return mpfr_mul(result, a, b, MPFR_RNDN);
      case Operation::divide:
        return mpfr_div(result, a, b, MPFR_RNDN);
      default:
        return mpfr_add(result, a, b, MPFR_RNDN);
    }
  }

  const Bf16Operands& operands_;
  Operation operation_;
  MpfrRange range_;
  Wide result_{bf16.precision};
};

}  // namespace fftprec::testing
