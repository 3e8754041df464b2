/// Moduli whose residues fit in 8 bits, and the way back from residues to an integer.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

#include "arith/formats/format.hpp"

namespace fftprec {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// The largest pairwise coprime integers up to 256 (taken greedily).
inline constexpr std::array<int, 15> residue_moduli = {256, 255, 253, 251, 247, 241, 239, 233,
                                                       229, 227, 223, 217, 211, 199, 197};
inline constexpr std::size_t most_moduli = residue_moduli.size();

/// The product of the first `moduli` moduli, below 2^119.
constexpr Uint128 modulus_product(std::size_t moduli) {
  Uint128 product = 1;
  for (std::size_t l = 0; l < moduli; ++l)
    product *= static_cast<Uint128>(static_cast<unsigned>(residue_moduli[l]));
  return product;
}
static_assert(modulus_product(most_moduli) >> 119 == 0 && modulus_product(most_moduli) >> 117 != 0);
static_assert([] {
  for (std::size_t a = 0; a < most_moduli; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (std::gcd(residue_moduli[a], residue_moduli[b]) != 1) return false;
  return true;
}());

/// The integer of least magnitude, in [-P/2, P/2), that has given residues: Chinese remainder
/// theorem, x = sum_l c_l P / m_l mod P with c_l = residue_l / (P / m_l) mod m_l.
/// Source: Knuth, TAOCP vol. 2, section 4.3.2, theorem C.
class ChineseRemainder {
 public:
  /// Requires: 1 <= moduli <= most_moduli.
  constexpr explicit ChineseRemainder(std::size_t moduli)
      : product_(modulus_product(moduli)), moduli_(moduli) {
    for (std::size_t l = 0; l < moduli; ++l) {
      const auto modulus = static_cast<unsigned>(residue_moduli[l]);
      cofactor_[l] = product_ / modulus;
      const auto cofactor = static_cast<unsigned>(cofactor_[l] % modulus);
      unsigned inverse = 1;
      while (cofactor * inverse % modulus != 1 % modulus) ++inverse;
      inverse_[l] = static_cast<int>(inverse);
    }
  }

  constexpr Uint128 product() const { return product_; }

  /// c_l, in [0, m_l), for a value with the residue of `sum`.
  constexpr std::uint8_t coefficient(std::size_t l, std::int32_t sum) const {
    const int modulus = residue_moduli[l];
    const int remainder = sum % modulus;
    return static_cast<std::uint8_t>((remainder + (remainder < 0 ? modulus : 0)) * inverse_[l] %
                                     modulus);
  }
  /// The integer; c_l is coefficients[l * stride].
  constexpr Int128 integer(const std::uint8_t* coefficients, std::size_t stride) const {
    Uint128 sum = 0;  // below 15 * 2^119
    for (std::size_t l = 0; l < moduli_; ++l) sum += cofactor_[l] * coefficients[l * stride];
    for (int times = 3; times >= 0; --times)
      if (sum >= product_ << times) sum -= product_ << times;
    const bool negative = sum >= product_ / 2;  // the first modulus makes P even
    return static_cast<Int128>(sum) - (negative ? static_cast<Int128>(product_) : 0);
  }

 private:
  Uint128 product_;
  std::size_t moduli_;
  std::array<Uint128, most_moduli> cofactor_{};
  std::array<int, most_moduli> inverse_{};
};

/// value * 2^exponent rounded (rne) once to double, subnormals included; beyond its range infinity.
/// Requires: |value| < 2^126, |exponent| <= 4000.
constexpr double round_scaled(Int128 value, int exponent) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool negative = value < 0;
  Uint128 integer = static_cast<Uint128>(negative ? -value : value);
  if (integer == 0) return 0;
  const auto high = static_cast<std::uint64_t>(integer >> 64);
  const int length = high != 0
                         ? 64 + static_cast<int>(std::bit_width(high))
                         : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(integer)));
  int last_place = length - 53 + exponent;
  if (last_place < -1074) last_place = -1074;
  const int dropped = last_place - exponent;
  if (dropped > 127) return negative ? -0.0 : 0.0;  // less than half of the smallest double
  if (dropped > 0) {
    const Uint128 half = Uint128{1} << (dropped - 1);
    const Uint128 odd = (integer >> dropped) & 1;
    integer = (integer + (half - 1) + odd) >> dropped;
    exponent = last_place;
  }
  // At most 2^53, and its product a multiple of 2^-1074: each half of the scaling is exact, or
  // overflows as it should.
  if (exponent > 1023) return negative ? -infinity : infinity;
  const double scaled = static_cast<double>(static_cast<std::uint64_t>(integer)) *
                        power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
  return negative ? -scaled : scaled;
}

}  // namespace fftprec
