/// Loops of the elementary functions, one set per instruction set; see elementary_formulas.hpp for
/// what they promise.
#pragma once

#include <cstddef>

namespace fftprec::truth {

/// `Tag` is the instruction set that the members are compiled for. Every result is correctly
/// rounded, or NaN where the formula cannot tell. No array overlaps another.
template <class Tag>
struct ElementaryTables {
  static void sin_cos(const float* x, float* sin, float* cos, std::size_t size);
  static void log(const float* x, float* log, std::size_t size);
  static void exp(const float* x, float* exp, std::size_t size);
};

}  // namespace fftprec::truth
