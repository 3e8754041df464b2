/// A table that an algorithm asks for, described once: the arithmetic fills it, the predictor
/// judges it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "algorithms/arithmetic/roots.hpp"

namespace fftprec {

/// How far the angles of a table reach: exponent/order is at most `turns`, not reduced, and the
/// exponent modulo the order at most `index`. `usual` is the order in which its roots are usually
/// formed.
struct TableExtent {
  double turns;
  std::uint64_t index;
  AngleOrder usual = AngleOrder::product;
};

/// Which root each entry of a table is, a stretch of entries at a time.
class RootIndices {
 public:
  /// From a function of one entry: index(i).
  template <class Index>
  requires std::invocable<const Index&, std::size_t> RootIndices(Index index)
      : fill_([index = std::move(index)](std::size_t first, std::span<RootIndex> roots) {
          for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = index(first + i);
        }) {}

  /// From a function of a stretch: fill(first, roots) sets roots[i] to entry first + i.
  template <class Fill>
  requires std::invocable<const Fill&, std::size_t, std::span<RootIndex>> RootIndices(Fill fill)
      : fill_(std::move(fill)) {}

  RootIndex operator()(std::size_t i) const {
    RootIndex root{};
    fill_(i, {&root, 1});
    return root;
  }
  void fill(std::size_t first, std::span<RootIndex> roots) const { fill_(first, roots); }

 private:
  std::function<void(std::size_t first, std::span<RootIndex>)> fill_;
};

/// Entry i of the table is the root index(i), i < size, conjugated for the inverse transform.
struct TableSpec {
  std::size_t size;
  RootIndices index;
  TableExtent extent;
};

}  // namespace fftprec
