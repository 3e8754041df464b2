/// What an accumulator model computes, one column at a time: the definition that every faster loop
/// agrees with, bit for bit.
#pragma once

#include <cstddef>
#include <span>

#include "arith/accumulators/model.hpp"

namespace fftprec {

/// c plus the sum of a[k] * b[k], as the model adds it; c itself if there are no products.
/// Requires: a model that validate() accepts; a and b on the grids of their operands, c on that of
/// model.format.
/// Throws InputError if a and b differ in length.
float dot(const AccumulatorModel& model, float c, std::span<const float> a,
          std::span<const float> b);

/// A column inside a matrix: `count` elements, `stride` apart.
struct OperandColumn {
  const float* first;
  std::size_t stride;
  std::size_t count;
};

/// The same for columns of equal length; `negate` takes -a for a.
float dot(const AccumulatorModel& model, float c, OperandColumn a, OperandColumn b, bool negate);

}  // namespace fftprec
