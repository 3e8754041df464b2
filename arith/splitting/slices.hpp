/// Error-free slicing: a matrix of doubles as a sum of matrices of narrow words, whose products a
/// tensor engine sums without rounding.
///
/// In a slice, all entries of a group (a column of the data, a row of the table: one index `free`)
/// are multiples of one power of two, the grid of the slice, and at most 2^bits times it. A product
/// of slices is then an integer times a power of two that the whole PSUM element shares. A sum of
/// these integers below 2^24 is exact in fp32, in any order and with any rounding.
/// Source: Ozaki, Ogita, Oishi, Rump, Numer. Algorithms 59 (2012); Mukunoki, Ozaki, Ogita,
/// Imamura, ISC 2020; Uchino, Ozaki, Imamura, 2025.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "arith/formats/double_word.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/views.hpp"
#include "arith/splitting/split.hpp"

namespace fftprec {

/// A complex matrix, depth x free: element (k, i) at k * k_step + i * free_step.
struct SliceSource {
  const double* re;
  const double* im;
  std::size_t k_step;
  std::size_t free_step;
};

/// The exponent that group_exponents gives a group that holds a NaN or an infinity.
inline constexpr int no_exponent = 1 << 20;

/// exponents[i] = E_i, where 2^E_i is the smallest power of two >= |re|, |im| of every entry of
/// group i; 0 for a group of zeros, no_exponent for one with a NaN or an infinity.
/// -1074 <= E_i <= 1024.
void group_exponents(const SliceSource& source, std::size_t depth, std::size_t free,
                     int* exponents);

/// The exponent of the grid of slice s: E - bits - s (bits + 1). Rounding to nearest leaves half a
/// step of a grid, so each slice after the first accounts for bits + 1 bits.
constexpr int slice_grid(int exponent, std::size_t slice, int bits) {
  return exponent - bits - static_cast<int>(slice) * (bits + 1);
}

/// Cuts every entry a of group i into `count` slices: slice s is a - (slices before s), rounded
/// (rne) to the grid 2^slice_grid(E_i, s, bits), as an integer in units of this grid, so that a
/// word can hold it for data of any size. Slice s of (k, i) goes to re[s * plane + k * k_step + i *
/// free_step] and to im at this index; exponents[i] = E_i (0 for a group with a NaN or an
/// infinity).
/// Rounds: count times per entry; remainders are exact.
/// Error: |a - sum of slices| <= slice_truncation(count, bits) 2^E_i; 0 where a is a multiple of
/// the last grid. Subnormal doubles are cut like all others.
/// A group with a NaN or an infinity has only NaN slices.
/// Throws InputError if count or bits is 0, bits exceeds the word's precision, count (bits + 1)
/// exceeds 900, or the word cannot hold the integers up to 2^bits.
void cut_into_slices(const SliceSource& source, std::size_t depth, std::size_t free,
                     std::size_t count, int bits, const Format& word, float* re, float* im,
                     std::size_t plane, std::size_t k_step, std::size_t free_step, int* exponents);

/// 2^(-count (bits + 1)): |a - sum of slices| relative to 2^E. Proof: |a| <= 2^E. If the rest
/// before slice s is at most 2^(E - s (bits+1)), it is at most 2^bits steps of the grid of s, and
/// rounding to nearest leaves half a step: 2^(slice_grid - 1) = 2^(E - (s+1) (bits+1)). Slice s
/// itself is at most 2^(E - s (bits+1)), since this bound of the rest lies on the grid.
double slice_truncation(std::size_t count, int bits);

/// The largest bA + bB for which every PSUM is exact: chained depth 2^(bA+bB) <=
/// 2^accumulator_bits; -1 if not even 0 is. `chained` products share a PSUM: 2 if real and
/// imaginary contributions do.
int exact_product_bits(std::size_t depth, std::size_t chained, int accumulator_bits = 24);

/// The part of exact_product_bits for the factor, bA (half, rounded up), or for the data, bB; at
/// most the precision of the word; 0 if either would be below 1.
int exact_slice_bits(std::size_t depth, std::size_t chained, int accumulator_bits, bool of_factor,
                     const Format& word = bf16);

/// Whether chained depth 2^(bits_factor + bits_data) <= 2^accumulator_bits.
bool slices_sum_exactly(std::size_t depth, std::size_t chained, int bits_factor, int bits_data,
                        int accumulator_bits = 24);

/// The products of slices that are kept: those with factor + data < max(factor_slices,
/// data_slices), in order of this sum, so the largest first. With S slices each there are S (S + 1)
/// / 2. With equal bits a dropped product is at most 2^(-max (bits + 1)), as large as the remainder
/// of the slices.
std::vector<SplitTerm> kept_slice_products(std::size_t factor_slices, std::size_t data_slices);

// The check that PSUM sums of slices are exact, and the sum over the products of slices outside of
// PSUM.

/// A PSUM element that rounded: its value and the exact one.
struct InexactPsum {
  std::size_t row;
  std::size_t col;
  double psum;
  std::int64_t exact;

  friend bool operator==(const InexactPsum&, const InexactPsum&) = default;
};

/// The first PSUM element, row by row, that is not the exact sum of its chained matmuls, recomputed
/// in 64-bit integers; empty if all are exact. All entries are integers.
/// Shapes: all matmuls have one psum, one m and one n; the first does not accumulate.
/// Throws InputError for other shapes, if an entry is no integer up to 2^20, and if one element
/// sums more than 2^22 products.
std::optional<InexactPsum> first_inexact_psum(std::span<const Matmul<float>> chained);

/// units[i] = 2^slice_grid(exponents[i], slice, bits): the value of a step of slice `slice`, 0
/// below 2^-1074.
void slice_units(const int* exponents, std::size_t free, std::size_t slice, int bits,
                 double* units);

/// sum[j] := fl64(sum[j] + term[j] * row_unit * units[j]) for j < count.
/// The units are powers of two, so the scaling is exact where term and product are normal doubles.
/// Rounds: once.
void add_term(double* sum, const float* term, std::size_t count, double row_unit,
              const double* units);

/// As above, in fp32 pairs: DWPlusFP.
/// Error: at most 2u^2 |sum[j] + term[j]|, u = 2^-24, for scaled terms that are normal in fp32.
/// Source: Joldes, Muller, Popescu, ACM TOMS 44(2), 2017, algorithm 4, theorem 2.1.
void add_term(FloatPair* sum, const float* term, std::size_t count, double row_unit,
              const double* units);

/// As above, in plain fp32, for sums carried by doubles. Rounds: once; first also the scaled term,
/// if it is not normal in fp32. Requires: sum[j] is a value of fp32.
void add_term_in_fp32(double* sum, const float* term, std::size_t count, double row_unit,
                      const double* units);

}  // namespace fftprec
