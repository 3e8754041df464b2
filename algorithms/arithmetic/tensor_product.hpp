/// Complex matrix products of words on a tensor engine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/arithmetic/resolved_arithmetic.hpp"
#include "arith/accumulators/tensor_unit.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// The words of one side of a complex matrix product: element (k, free) of word i is at
/// i * plane + k * k_step + free * free_step.
struct WordPlanes {
  const float* re;
  const float* im;
  std::size_t plane;
  std::size_t k_step;
  std::size_t free_step;
};

/// The matmuls of one complex product, in program order. Refers to the machine and the unit.
class TensorProduct {
 public:
  TensorProduct(const Machine& machine, const TensorUnit& unit, Isa isa)
      : machine_(machine), unit_(unit), isa_(isa) {}

  /// A stretch [first, first + count) of the contraction, for all data or one part of them.
  struct Depth {
    std::size_t first;
    std::size_t count;
    bool real = true;       ///< products of the data's real part
    bool imaginary = true;  ///< and of its imaginary part
    bool onto = false;      ///< PSUM starts from what `out` holds, not from zero
  };

  /// out(i, j) <- the sum over k of the products data(k, .) table(k, .) of all `terms`, whose free
  /// index is i on the stationary side and j on the moving one; `data_moves` says which is which.
  /// Order: for each PSUM tile and each K-tile: PSUM_re += Xr Wr, PSUM_re += Xi (-Wi), PSUM_im +=
  /// Xr Wi, PSUM_im += Xi Wr, each for all terms in turn. PSUM then leaves in the machine's
  /// eviction format; `step` tells this call's stochastic roundings from those of others.
  void run(View<float> out, const WordPlanes& stationary, const WordPlanes& moving, bool data_moves,
           Depth depth, std::span<const SplitTerm> terms, std::uint64_t step) const;

 private:
  const Machine& machine_;
  const TensorUnit& unit_;
  Isa isa_;
};

/// What of a contraction leaves PSUM at a time where terms are evicted each by itself: all of it,
/// every K-tile, and of slices the parts of the data together or apart.
std::vector<TensorProduct::Depth> stretches(const ResolvedArithmetic& arithmetic,
                                            std::size_t depth);

/// The first PSUM value of one term that is not the exact sum of its products, with both values;
/// nothing if all are. Requires: words that are integers.
std::optional<std::string> inexact_psum(View<float> out, const WordPlanes& stationary,
                                        const WordPlanes& moving, bool data_moves,
                                        TensorProduct::Depth depth, SplitTerm term);

}  // namespace fftprec
