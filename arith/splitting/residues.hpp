/// Products of matrices by residues: an integer accumulator makes the product exact, and the number
/// of moduli decides how many bits of the operands take part.
///
/// Each group (a column of the data, a row of the table) is rounded to integers of `bits` bits
/// times one power of two. Their residues modulo M pairwise coprime numbers up to 256 are int8
/// matrices; M integer products with int32 accumulators, all four real products of a complex one
/// chained, give the residues of the exact result, and the Chinese remainder theorem the result,
/// rounded once. Source: Ozaki, Uchino, Imamura, 2025 ("Ozaki scheme II").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/formats/aligned.hpp"
#include "arith/splitting/slices.hpp"

namespace fftprec {

/// The largest `bits` for which the product of two matrices of depth `depth` is determined by its
/// residues: 2 * 2 * depth * 2^(2 bits) < P = product of the first `moduli` moduli; 0 if none.
/// Requires: 1 <= moduli <= 15.
int residue_bits(std::size_t depth, std::size_t moduli);

/// What the rounding to integers costs: |computed - exact| of a complex product's real or imaginary
/// part, relative to 2^(E_data + E_factor) (see group_exponents) and before the one rounding of the
/// result: depth (2^-bits_data + 2^-bits_factor). Proof: an entry a becomes a' with |a - a'| <=
/// 2^(E - bits - 1) and |a'| <= 2^E; xw - x'w' = x (w - w') + w' (x - x'); 2 depth such products.
double residue_truncation(std::size_t depth, int bits_data, int bits_factor);

/// A complex matrix, depth x free, as integers times powers of two, by their residues in int8.
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
  /// E_i - bits: what an integer of group i is worth as a power of two; no_exponent for a group
  /// that holds a NaN or an infinity.
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

/// out(i, j) = sum_k data(k, i) factor(k, j), complex, of the matrices' integers: exact, then
/// rounded (rne) once to double. out(i, j) is at i * row_step + j * col_step. NaN where group i or
/// group j held a NaN or an infinity.
/// Throws InputError if depths or moduli differ, if 2 * 2 * depth * 2^(bits of both) is not below
/// the product of the moduli, and if 2 * depth * 2^14 reaches 2^31.
void multiply(const ResidueMatrix& data, const ResidueMatrix& factor, double* out_re,
              double* out_im, std::size_t row_step, std::size_t col_step = 1);

}  // namespace fftprec
