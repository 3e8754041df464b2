/// What becomes of the PSUM sums of slices: the check that each is exact, and the sum over the
/// products of slices, which is taken outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "arith/formats/double_word.hpp"
#include "arith/kernels/views.hpp"

namespace fftprec {

/// A PSUM element that rounded: what it holds and what it should, in units of its grid.
struct InexactPsum {
  std::size_t row;
  std::size_t col;
  double psum;
  std::int64_t exact;

  friend bool operator==(const InexactPsum&, const InexactPsum&) = default;
};

/// The first PSUM element, row by row, that is not the exact sum of the matmuls that were chained
/// into it, recomputed in 64-bit integers; nothing if all are exact. Entries of stationary row i
/// are integers times 2^stationary_grid[i], those of moving column j times 2^moving_grid[j]; a null
/// grid: they are integers.
/// Shapes: all matmuls have one psum, one m and one n; the first does not accumulate.
/// Throws InputError if they do not, if an entry is no integer times its grid or more than 2^20
/// steps of it, and if one element sums more than 2^22 products.
std::optional<InexactPsum> first_inexact_psum(std::span<const Matmul<float>> chained,
                                              const int* stationary_grid = nullptr,
                                              const int* moving_grid = nullptr);

/// units[i] = 2^slice_grid(exponents[i], slice, bits): what a step of slice `slice` is worth, 0
/// below 2^-1074.
void slice_units(const int* exponents, std::size_t free, std::size_t slice, int bits,
                 double* units);

/// sum[j] := fl64(sum[j] + term[j] * row_unit * units[j]) for j < count, units[j] = 1 for null.
/// The units are powers of two, so the scaling is exact where term and product are normal doubles.
/// Rounds: once.
void add_term(double* sum, const float* term, std::size_t count, double row_unit = 1,
              const double* units = nullptr);

/// The same in fp32 pairs: DWPlusFP.
/// Error: at most 2u^2 |sum[j] + term[j]|, u = 2^-24, for scaled terms that are normal in fp32.
/// Source: Joldes, Muller, Popescu, ACM TOMS 44(2), 2017, algorithm 4, theorem 2.1.
void add_term(FloatPair* sum, const float* term, std::size_t count, double row_unit = 1,
              const double* units = nullptr);

/// The same in plain fp32. Rounds: once, and before that the scaled term where it is not normal in
/// fp32.
void add_term(float* sum, const float* term, std::size_t count, double row_unit = 1,
              const double* units = nullptr);

/// The same in plain fp32 for sums that doubles carry; the same bits.
/// Requires: sum[j] is a value of fp32.
void add_term_in_fp32(double* sum, const float* term, std::size_t count, double row_unit = 1,
                      const double* units = nullptr);

}  // namespace fftprec
