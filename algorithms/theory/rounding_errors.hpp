/// What single operations of a mode's elementwise arithmetic err by, at worst: the units of which
/// all bounds are made.
#pragma once

#include "algorithms/arithmetic/modes.hpp"

namespace fftprec {

/// |rounded x - x| <= e |x|: the unit roundoff to nearest, twice that in any other rounding.
double rounding_error(const Format& format, Rounding rounding);

/// Bounds on |fl(x op y) - x op y| relative to |x op y|.
struct RealErrors {
  double store;  ///< a value on its way into the storage format
  double product;
  double sum;
};

/// Those of the data of a mode on the machine's vector engine (on the host: fp64).
/// fp32 pairs: 5u^2 and 3u^2/(1 - 4u) (arith/formats/double_word.hpp).
RealErrors real_errors(const Mode& mode, const Machine& machine);

/// True if even a product with a power of two rounds: the multiplier delivers fewer bits than data
/// have.
bool products_are_narrow(const Mode& mode, const Machine& machine);

/// One addition outside of PSUM, of a term to the sum of those before.
double term_sum_error(const GemmScheme& gemm, const Mode& mode, const Machine& machine);

}  // namespace fftprec
