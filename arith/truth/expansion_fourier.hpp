/// Forward Fourier transforms in double-double and triple-double arithmetic, any length, with their
/// error bound.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "arith/truth/expansion_views.hpp"

namespace fftprec::truth {

/// Transforms of length n with their tables.
template <class Array>
class ExpansionFourier {
 public:
  /// Requires: 1 <= n <= 2^25.
  explicit ExpansionFourier(std::size_t n);
  ~ExpansionFourier();

  /// Each line of n elements `stride` apart <- its forward transform,
  /// x_k = sum_j x_j exp(-2 pi i jk/n). Shapes: lines in blocks of n * stride elements; element j
  /// of line s in block b at (b n + j) stride + s.
  /// Error: ||computed - exact||_2 <= radius() sqrt(n) ||x||_2 for each line, if it has a part of
  /// at least 2^-400 or is zero; over all lines, if one of them has.
  /// Requires: n * stride divides x.size(); no |part| above 2^800. Safe from several threads.
  void operator()(Array& x, std::size_t stride, const Loops& loops) const;

  /// Relative to the exact result in the 2-norm, rounded upward (radius.hpp).
  double radius() const;
  std::size_t size() const;
  std::string name() const;  ///< "stockham", "bluestein over 4096"

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

using PairFourier = ExpansionFourier<ComplexPairs>;
using TripleFourier = ExpansionFourier<ComplexTriples>;

/// The same, kept for the next caller: the last few lengths stay in memory. Safe from several
/// threads.
template <class Array>
std::shared_ptr<const ExpansionFourier<Array>> cached_expansion_fourier(std::size_t n);

}  // namespace fftprec::truth
