/// A table that an algorithm asks for, described once: the arithmetic fills it, the predictor
/// judges it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace fftprec {

/// A root of unity: exp(-2 pi i exponent/order), exponent not reduced.
struct RootIndex {
  std::uint64_t exponent;
  std::uint64_t order;
};

/// How far the angles of a table reach: exponent/order is at most `turns`, not reduced, and the
/// exponent modulo the order at most `index`.
struct TableExtent {
  double turns;
  std::uint64_t index;
};

/// Entry i of the table is the root index(i), i < size, conjugated for the inverse transform.
struct TableSpec {
  std::size_t size;
  std::function<RootIndex(std::size_t)> index;
  TableExtent extent;
};

}  // namespace fftprec
