/// The loop of the run-time certificate that weighs data with cotangents, one compilation per
/// instruction set.
#pragma once

#include <cstddef>

#include "arith/truth/loops/expansion_fft.hpp"

namespace fftprec::truth {

/// `Tag` is the instruction set that the members are compiled for (loops/cotangents.cpp).
template <class Tag>
struct CotangentTables {
  /// sum_j <- sum_j + x_j (1 + i q_j), q_j = (c - t_j)/(1 + c t_j): with c = cot a and t_j = tan
  /// b_j that is cot(a + b_j). c = c[0] + c[1]; t_j = t_hi[j] + t_lo[j].
  static void accumulate(PairView sum, ConstPairView x, const double* c, const double* t_hi,
                         const double* t_lo, std::size_t count);
};

}  // namespace fftprec::truth
