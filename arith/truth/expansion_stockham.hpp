/// Double-double and triple-double transforms of lengths that are powers of two.
#pragma once

#include <cstddef>

#include "arith/truth/expansion_roots.hpp"
#include "arith/truth/expansion_views.hpp"

namespace fftprec::truth {

/// Length n = 2^t. Short lines go side by side through one array that a cache holds; a long one is
/// taken as n1 x n2 (Gentleman and Sande 1966): transforms of length n1 along its columns, products
/// with exp(-2 pi i j k/n), transforms of length n2 along its rows, each a few columns at a time,
/// so that the whole array moves through memory twice.
template <class Array>
class ExpansionStockham {
 public:
  explicit ExpansionStockham(std::size_t n);

  /// As ExpansionFourier (expansion_fourier.hpp).
  void operator()(ViewOf<Array> x, std::size_t size, std::size_t stride, const Loops& loops) const;
  /// (1 + a)^t (1 + g)^p - 1: t sums, p products on the way to each output (radius.hpp).
  double radius() const;

 private:
  void columns(ViewOf<Array> x, std::size_t size, std::size_t stride, const Loops& loops) const;
  void in_two_steps(ViewOf<Array> line, const Loops& loops) const;

  std::size_t n_;
  int levels_;                   ///< t
  std::size_t n1_;               ///< 2^floor(t/2)
  std::size_t n2_;               ///< 2^ceil(t/2)
  ExpansionRoots<Array> roots_;  ///< of order n
  Array all_roots_;              ///< of order n, while lines of n go side by side
  Array roots1_;                 ///< of order n1
  Array roots2_;                 ///< of order n2
};

}  // namespace fftprec::truth
