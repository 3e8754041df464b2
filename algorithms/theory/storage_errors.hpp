/// What storing data does: worst case, absolute errors, variance and bias, one class per storage.
#pragma once

#include <cstddef>
#include <memory>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/roundings.hpp"

namespace fftprec {

/// Bits below the quantum of all results but short sums of short products.
inline constexpr int many_bits = 40;

/// Values of a float format or a number system. Every other storage is a class in
/// storage_errors.cpp, which overrides what differs. The arithmetic must outlive it.
class StorageTheory {
 public:
  explicit StorageTheory(const ArithmeticSpec& arithmetic) : arithmetic_(arithmetic) {}
  virtual ~StorageTheory() = default;
  virtual ErrorBound bound() const;  ///< relative
  /// Errors of results with `bits` bits below the quantum; of floats below the normal numbers.
  virtual AbsoluteErrors absolute(int bits) const;
  /// In fixed point, errors of the product of x with the number next to 1, against x. To nearest
  /// the product is x. A cut to zero loses a quantum; a cut down or up does so for one sign only,
  /// beside its mean. Jammed, the product is a quantum below an even x and equals an odd x. Jammed
  /// data are mostly odd and their sums mostly even; about one in four of these factors meets an
  /// even x.
  virtual AbsoluteErrors next_to_one() const { return {}; }
  virtual double variance() const;
  virtual double bias() const;  ///< loss of size

 protected:
  const ArithmeticSpec& arithmetic_;

 private:
  virtual double small_error() const;
};

std::unique_ptr<const StorageTheory> storage_theory(const ArithmeticSpec& arithmetic);

/// Variance of a rounding of normal data to all blocks of a line of `depth` values, the last of
/// which may be shorter.
double line_variance(const BlockFormat& format, std::size_t depth);

/// Blocks whose scale is a power of two, 2^-127 at least, hold multiples of that of the smallest
/// element. e4m3: a line whose largest value A is below 448 M / max_float = 2^-116.6 is scaled by
/// max_float and back by A / (448 M), so that nothing is left of it, or up to A in its place.
/// ue4m3: a scale below 2^-6 is off by 2^-10 at most, so the largest element loses M times that,
/// and the half unit that any other errs by grows by less.
double small_error(const BlockFormat& blocks);

}  // namespace fftprec
