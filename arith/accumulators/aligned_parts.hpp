/// The pieces of which aligned sums are made: significand and exponent of an operand, powers of two
/// and whole numbers, all without branches.
#pragma once

#include <cstdint>

namespace fftprec {

/// The exponent of a zero: it never is the largest.
inline constexpr std::int32_t zero_exponent = -4000;

struct AlignedParts {
  float significand;
  std::int32_t exponent;
};

/// x = significand * 2^exponent with the exponent of a normal number, but at least emin.
[[gnu::always_inline]] inline constexpr AlignedParts aligned_parts(float x, int emin, bool flush) {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, x);
  const std::int32_t field = static_cast<std::int32_t>(bits >> 23 & 0xffu);
  const std::int32_t exponent = field - 127;
  const float normal = __builtin_bit_cast(float, (bits & 0x807fffffu) | 0x3f800000u);
  const std::int32_t below = emin - exponent > 0 ? emin - exponent : 0;
  const std::int32_t shift = below < 100 ? below : 100;
  const float scale = __builtin_bit_cast(float, static_cast<std::uint32_t>(127 - shift) << 23);
  const float significand = field == 0 ? x * 0x1p126f : normal * scale;
  const bool subnormal = exponent < emin;
  const bool zero = x == 0 || (flush && subnormal);
  return {zero ? 0.0f : significand, zero ? zero_exponent : subnormal ? emin : exponent};
}

/// 2^exponent. Requires: -1022 <= exponent <= 1023.
[[gnu::always_inline]] inline constexpr double double_scale(std::int32_t exponent) {
  return __builtin_bit_cast(
      double, static_cast<std::uint64_t>(static_cast<std::int64_t>(exponent) + 1023) << 52);
}

/// The largest integer that is not above x. Requires: |x| < 2^51.
[[gnu::always_inline]] inline constexpr double floor_near_zero(double x) {
  constexpr double aligner = 0x1.8p52;
  const double nearest = (x + aligner) - aligner;
  return nearest - (nearest > x ? 1.0 : 0.0);
}

}  // namespace fftprec
