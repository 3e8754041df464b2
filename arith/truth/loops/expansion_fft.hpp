/// The loops of the double-double and the triple-double transform, one compilation per instruction
/// set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fftprec::truth {

/// Columns are transformed side by side in multiples of this many.
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

/// Six arrays of doubles: triple-double parts.
template <class Pointer>
struct TriplePlanes {
  Pointer re_hi;
  Pointer re_mid;
  Pointer re_lo;
  Pointer im_hi;
  Pointer im_mid;
  Pointer im_lo;
};
using TripleView = TriplePlanes<double*>;
using ConstTripleView = TriplePlanes<const double*>;

/// The tables of expansion_roots.hpp.
template <class ConstView>
struct RootsView {
  ConstView coarse;
  ConstView fine;
  int fine_bits;
};
using PairRootsView = RootsView<ConstPairView>;
using TripleRootsView = RootsView<ConstTripleView>;

/// `Tag` is the instruction set that the members are compiled for (loops/expansion_fft.cpp).
template <class Tag>
struct ExpansionTables {
  /// The transform of `length` rows, each of `width` columns, every column for itself: radix-4
  /// passes and, for an odd power, one of radix 2, from one array to the other and back (Stockham:
  /// no permutation). roots: exp(-2 pi i e/length), e < length. Returns whether the result is in
  /// `b`. Requires: length = 2^t; width a multiple of column_step; a holds the data.
  static bool transform(PairView a, PairView b, std::size_t length, std::size_t width,
                        ConstPairView roots);
  static bool transform(TripleView a, TripleView b, std::size_t length, std::size_t width,
                        ConstTripleView roots);

  /// x_(row, column) <- x_(row, column) exp(-2 pi i row (first + column)/order): the products
  /// between the two steps of a transform of length `order`.
  /// Requires: rows * (first + width) <= order, the order of `roots`.
  static void twiddle(PairView x, std::size_t rows, std::size_t width, std::size_t first,
                      const PairRootsView& roots);
  static void twiddle(TripleView x, std::size_t rows, std::size_t width, std::size_t first,
                      const TripleRootsView& roots);

  /// x_j <- x_j t_j.
  static void multiply(PairView x, ConstPairView t, std::size_t count);
  static void multiply(TripleView x, ConstTripleView t, std::size_t count);

  /// sum_j <- sum_j + x_j c, c = (c[0] + c[1]) + i (c[2] + c[3]).
  static void accumulate(PairView sum, ConstPairView x, const double* c, std::size_t count);
};

}  // namespace fftprec::truth
