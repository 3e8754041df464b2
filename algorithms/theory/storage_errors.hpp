/// What storing data means: worst case, what is below the normal numbers, variance and bias.
#pragma once

#include <cstddef>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/expectation.hpp"

namespace fftprec {

/// Values of a float format or a number system. Every other storage is a class in
/// storage_errors.cpp, which overrides what differs.
class StoreTheory {
 public:
  virtual ~StoreTheory() = default;
  virtual ErrorBound bound(const ArithmeticSpec& arithmetic) const;  ///< relative
  virtual double small_error(const ArithmeticSpec& arithmetic) const;
  virtual double variance(const ArithmeticSpec& arithmetic) const;
  virtual double bias(const ArithmeticSpec& arithmetic) const;
};

const StoreTheory& store_of(const ArithmeticSpec& arithmetic);

/// Variance of a rounding of the low word of fp32 pairs, which is uniform: 1/7 of value_variance.
inline constexpr double word_pair_variance = 0.181 / 7 * 0x1p-96;

/// block_variance of all blocks of a line, the last of which may be shorter.
double line_variance(const BlockFormat& format, std::size_t depth);

/// Blocks whose scale is a power of two, 2^-127 at least, hold multiples of that of the smallest
/// element. e4m3: a line whose largest value A is below 448 M / max_float = 2^-116.6 is scaled by
/// max_float and back by A / (448 M), so that nothing is left of it, or up to A in its place.
/// ue4m3: a scale below 2^-6 is off by 2^-10 at most, so the largest element loses M times that,
/// and the half unit that any other errs by grows by less.
double small_error(const BlockFormat& blocks);

}  // namespace fftprec
