/// Loops over one plane (the real or the imaginary parts) of double-double arrays, one compilation
/// per instruction set.
#pragma once

#include <cstddef>

#include "arith/truth/double_double.hpp"

namespace fftprec::truth {

/// Of the parts of a plane. Sums are taken in eight interleaved ones, whatever the registers, so
/// that they have the same bits everywhere.
struct PartSizes {
  double squares = 0;  ///< sum of squares, each rounded, in at most count/8 + 8 rounded additions
  double least = 0;    ///< smallest magnitude that is not zero; inf where there is none
  double largest = 0;
};

/// Of two planes together.
[[gnu::always_inline]] inline PartSizes both(const PartSizes& a, const PartSizes& b) {
  return {a.squares + b.squares, a.least < b.least ? a.least : b.least,
          a.largest > b.largest ? a.largest : b.largest};
}

/// What storing a plane did.
struct StoredParts {
  PartSizes kept;     ///< of what was stored, before scaling
  PartSizes dropped;  ///< of what was replaced by zero
};

/// `Tag` is the instruction set that the members are compiled for (loops/pair_steps.cpp).
template <class Tag>
struct PairSteps {
  static PartSizes measure(const double* x, std::size_t count);

  /// out_j = (x_j first) second, and 0 where that is below `smallest` in magnitude.
  static void scale(const double* x, double* out, std::size_t count, double first, double second,
                    double smallest);

  /// Both of each pair scaled so, but 0 where |hi_j| <= threshold.
  static StoredParts store(const double* hi, const double* lo, double* out_hi, double* out_lo,
                           std::size_t count, double threshold, double first, double second);

  /// Each pair times `factor`.
  static void times(double* hi, double* lo, std::size_t count, DoubleDouble factor);
};

}  // namespace fftprec::truth
