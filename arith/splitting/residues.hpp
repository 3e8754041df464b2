/// Matrix products by residues. An integer accumulator makes the product exact, and the number of
/// moduli determines the number of bits of the operands.
///
/// Each group (a column of the data, a row of the table) is rounded to integers of `bits` bits
/// times one power of two. Their residues modulo M pairwise coprime numbers up to 256 are int8
/// matrices. M integer products with int32 accumulators give the residues of the exact result; the
/// four real products of a complex one are chained. The Chinese remainder theorem gives the result,
/// which is rounded once. Source: Ozaki, Uchino, Imamura, 2025 ("Ozaki scheme II").
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/splitting/slices.hpp"

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

/// The integer of least magnitude, in [-P/2, P/2), with given residues: Chinese remainder theorem,
/// x = sum_l c_l P / m_l mod P with c_l = residue_l / (P / m_l) mod m_l.
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
  // At most 2^53, and the result is a multiple of 2^-1074: each half of the scaling is exact, or
  // correctly overflows.
  if (exponent > 1023) return negative ? -infinity : infinity;
  const double scaled = static_cast<double>(static_cast<std::uint64_t>(integer)) *
                        power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
  return negative ? -scaled : scaled;
}

/// The largest `bits` for which the product of two matrices of depth `depth` is determined by its
/// residues: 2 * 2 * depth * 2^(2 bits) < P = product of the first `moduli` moduli; 0 if none.
/// Requires: 1 <= moduli <= 15.
int residue_bits(std::size_t depth, std::size_t moduli);

/// A complex matrix, depth x free, as integers times powers of two, stored as residues in int8.
class ResidueMatrix {
 public:
  /// Rounds: every entry once (rne), to a multiple of 2^(E_i - bits).
  /// Throws InputError unless 1 <= moduli <= 15 and 1 <= bits <= 60.
  ResidueMatrix(const SliceSource& source, std::size_t depth, std::size_t free, std::size_t moduli,
                int bits);

  std::size_t depth() const { return depth_; }
  std::size_t free() const { return free_; }
  std::size_t moduli() const { return moduli_; }
  int bits() const { return bits_; }
  /// E_i - bits: the exponent of the unit of group i's integers; no_exponent for a group that holds
  /// a NaN or an infinity.
  int unit_exponent(std::size_t i) const { return unit_exponents_[i]; }
  /// Residues modulo residue_moduli[l], in [-m/2, m/2): entry (k, i) at k * free() + i.
  const std::int8_t* re(std::size_t l) const { return re_.data() + l * depth_ * free_; }
  const std::int8_t* im(std::size_t l) const { return im_.data() + l * depth_ * free_; }

 private:
  std::size_t depth_;
  std::size_t free_;
  std::size_t moduli_;
  int bits_;
  std::vector<int> unit_exponents_;
  AlignedVector<std::int8_t> re_;
  AlignedVector<std::int8_t> im_;
};

/// out(i, j) = sum_k data(k, i) factor(k, j), complex, for the integers of the matrices: exact,
/// then rounded (rne) once to double. out(i, j) is at i * row_step + j * col_step. NaN if group i
/// or group j held a NaN or an infinity.
/// Throws InputError if depths or moduli differ, if 2 * 2 * depth * 2^(bits of both) is not below
/// the product of the moduli, and if 2 * depth * 2^14 reaches 2^31.
void multiply(const ResidueMatrix& data, const ResidueMatrix& factor, double* out_re,
              double* out_im, std::size_t row_step, std::size_t col_step = 1);

}  // namespace fftprec
