/// The loops over arrays of double-double numbers, one compilation per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/truth/loops/double_double.hpp"

namespace fftprec::truth {

/// Columns are transformed together in multiples of this number.
inline constexpr std::size_t column_step = 8;

/// Four arrays of doubles: leading and trailing doubles of real and imaginary parts.
template <class Pointer>
struct PairPlanes {
  Pointer re_hi;
  Pointer re_lo;
  Pointer im_hi;
  Pointer im_lo;
};
using PairView = PairPlanes<double*>;
using ConstPairView = PairPlanes<const double*>;
[[gnu::always_inline]] inline ConstPairView read_only(const PairView& x) {
  return {x.re_hi, x.re_lo, x.im_hi, x.im_lo};
}

/// The tables of PairRoots (roots.hpp).
struct PairRootsView {
  ConstPairView coarse;
  ConstPairView fine;
  int fine_bits;
};

/// Sizes of the parts of a plane (the real or the imaginary parts). Sums are made of eight
/// interleaved sums, whatever the registers, so that they have equal bits everywhere.
struct PartSizes {
  double squares = 0;  ///< sum of squares, each rounded, in at most count/8 + 8 rounded additions
  double least = 0;    ///< smallest nonzero magnitude; inf if there is none
  double largest = 0;
};

/// The sizes of two planes together.
[[gnu::always_inline]] inline PartSizes both(const PartSizes& a, const PartSizes& b) {
  return {a.squares + b.squares, a.least < b.least ? a.least : b.least,
          a.largest > b.largest ? a.largest : b.largest};
}

/// The parts that were stored, and those replaced by zero.
struct StoredParts {
  PartSizes kept;     ///< of the stored parts, before scaling
  PartSizes dropped;  ///< of the parts replaced by zero
};

/// `Tag` is the instruction set that the members are compiled for.
template <class Tag>
struct PairTables {
  /// Transforms each column of an array of `length` rows and `width` columns: radix-4 passes and,
  /// for an odd power, one of radix 2, from one array to the other and back (Stockham: no
  /// permutation). roots: exp(-2 pi i e/length), e < length. Returns whether the result is in `b`.
  /// Requires: length = 2^t; a holds the data.
  static bool transform(PairView a, PairView b, std::size_t length, std::size_t width,
                        ConstPairView roots);

  /// x_(row, column) <- x_(row, column) exp(-2 pi i row (first + column)/order): the products
  /// between the two steps of a transform of length `order`.
  /// Requires: rows * (first + width) <= order, the order of `roots`.
  static void twiddle(PairView x, std::size_t rows, std::size_t width, std::size_t first,
                      const PairRootsView& roots);

  /// x_j <- x_j t_j.
  static void multiply(PairView x, ConstPairView t, std::size_t count);

  /// sum_j x_j w_j, in eight interleaved sums.
  static ComplexDoubleDouble dot(ConstPairView x, ConstPairView w, std::size_t count);

  /// sum_j <- sum_j + x_j c, c = (c[0] + c[1]) + i (c[2] + c[3]).
  static void accumulate(PairView sum, ConstPairView x, const double* c, std::size_t count);

  /// sum_j <- sum_j + x_j (1 + i q_j), q_j = (c - t_j)/(1 + c t_j), which is cot(a + b_j) for c =
  /// cot a and t_j = tan b_j. c = c[0] + c[1]; t_j = t_hi[j] + t_lo[j].
  static void accumulate_cotangents(PairView sum, ConstPairView x, const double* c,
                                    const double* t_hi, const double* t_lo, std::size_t count);

  static PartSizes measure(const double* x, std::size_t count);

  /// out_j = (x_j first) second, and 0 where that is below `smallest` in magnitude.
  static void scale(const double* x, double* out, std::size_t count, double first, double second,
                    double smallest);

  /// Scales both doubles of each pair in this way; 0 if |hi_j| <= threshold.
  static StoredParts store(const double* hi, const double* lo, double* out_hi, double* out_lo,
                           std::size_t count, double threshold, double first, double second);

  /// Each pair times `factor`.
  static void times(double* hi, double* lo, std::size_t count, DoubleDouble factor);
};

}  // namespace fftprec::truth
