#include "algorithms/theory/accumulation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/rounding_errors.hpp"

namespace fftprec {

namespace {

/// ceil(a / b).
std::size_t parts(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// Levels of a tree over `leaves`; a single one is rounded as well.
std::size_t levels(std::size_t leaves) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(leaves - 1)));
}

/// True if a product is a value of the accumulator's format, so that its sum with zero is exact.
bool holds_products(const AccumulatorModel& model) {
  const int bits =
      model.product.exact ? 2 * model.operands.precision : model.product.format.precision;
  return bits <= model.format.precision;
}

/// Roundings on the way through one block.
struct BlockDepth {
  std::size_t product;  ///< of a product, from its first addition to the block's result
  std::size_t c;        ///< of what the block adds to
};

/// Ordered and exact sums of a block of `length` products. A chain of `length` terms after its
/// start takes `length` additions; one that starts at +0 takes its first term without error if the
/// format holds it.
BlockDepth block_depth(const AccumulatorModel& model, std::size_t length) {
  const bool early = model.c == Inclusion::early;
  const std::size_t late = early ? 0 : 1;
  const std::size_t from_zero = !early && holds_products(model) ? 1 : 0;
  switch (model.sum) {
    case BlockSum::pairwise:
      return {levels(length + (early ? 1 : 0)) + late, early ? levels(length + 1) : 1};
    case BlockSum::segments: {
      const std::size_t segments = parts(length, model.segment);
      const std::size_t tree = segments == 1 ? 0 : levels(segments);
      const std::size_t chain = std::min(length, model.segment);
      return {chain - from_zero + tree + late, early ? chain + tree : 1};
    }
    case BlockSum::even_odd: {
      const std::size_t chain = parts(length, 2);
      return {chain - from_zero + 1 + late, early ? chain + 1 : 1};
    }
    case BlockSum::exact:
      return {1 + late, 1};
    default:
      return {length - from_zero + late, early ? length : 1};
  }
}

/// Additions to c = +0, in the first block of all, that are exact: that of a late c, and that of
/// the first product of an early chain. (A late first product has its own in block_depth.)
std::size_t exact_additions(const AccumulatorModel& model) {
  if (model.c == Inclusion::late) return 1;
  const bool chain = model.sum != BlockSum::pairwise && model.sum != BlockSum::exact;
  return chain && holds_products(model) ? 1 : 0;
}

/// What alignment cuts off a block: every product, and c, loses less than 2^(e - F), where 2^e is
/// at most the largest of them (a product of significands in [1, 2) is at least 2 to the sum of
/// their exponents). A late c meets the sum at the larger of both exponents; there the sum is cut
/// once more.
double alignment_error(const AccumulatorModel& model, std::size_t length) {
  const double cut = std::ldexp(1.0, -model.fraction_bits);
  const double terms = static_cast<double>(length);
  if (model.c == Inclusion::early) return (terms + 1) * cut;
  return (terms + 1) * cut + std::ldexp(1.0, -model.late_fraction_bits);
}

/// The errors of a chain of blocks from c = +0. Ordered and exact sums: a term meets its own block
/// and then, as a part of c, every later one; the most roundings are met by terms of the first
/// block, or of one that is a product deeper than a c. Aligned sums: a block's errors are at most a
/// share of all magnitudes so far, c included.
class BlockChain {
 public:
  explicit BlockChain(const AccumulatorModel& model)
      : model_(model), u_(rounding_error(model.format, model.rounding)) {}

  /// `length` products more, cut into blocks.
  void take(std::size_t length) {
    const std::size_t size = std::min(block_length(model_, length), length);
    for (; length >= size && length > 0; length -= size) block(size);
    if (length > 0) block(length);
  }

  double error() const {
    if (model_.sum == BlockSum::aligned) return aligned_;
    const std::size_t spared = blocks_ == 0 ? 0 : exact_additions(model_);
    return repeated_error(u_, deepest_ - std::min(deepest_, spared));
  }

 private:
  void block(std::size_t length) {
    ++blocks_;
    if (model_.sum == BlockSum::aligned) {
      aligned_ = compose(aligned_, compose(alignment_error(model_, length), u_));
      return;
    }
    const BlockDepth depth = block_depth(model_, length);
    // In every later block the first addition is not to zero: its products count one more.
    const std::size_t own = depth.product + (blocks_ == 1 ? 0 : exact_additions(model_));
    deepest_ = std::max(blocks_ == 1 ? 0 : deepest_ + depth.c, own);
  }

  const AccumulatorModel& model_;
  double u_;
  std::size_t blocks_ = 0;
  std::size_t deepest_ = 0;
  double aligned_ = 0;
};

}  // namespace

double chain_error(const AccumulatorModel& model, std::size_t length) {
  BlockChain chain(model);
  chain.take(length);
  return chain.error();
}

/// Program order: for every K-tile the real and the imaginary products of all passes into each
/// part. `through`: one chain of blocks over all of them, PSUM written after each matmul. Else each
/// matmul is a chain from zero, and every one but the first is added to PSUM in fp32, which is
/// then written.
double accumulation_error(const GemmScheme& gemm, const Machine& machine, std::size_t n) {
  if (gemm.engine == Engine::host) return repeated_error(unit_roundoff(fp64), 2 * n - 1);
  const AccumulatorModel& model = gemm.accumulate;
  const std::size_t depth = gemm.evict_tiles ? std::min(n, machine.k_tile) : n;
  const std::size_t tiles = parts(depth, machine.k_tile);
  const std::size_t per_tile = 2 * gemm.passes();
  const double write =
      machine.psum == fp32 ? 0 : rounding_error(machine.psum, machine.psum_rounding);
  const double writes = repeated_error(write, per_tile * tiles);
  if (machine.across_tiles == AcrossTiles::through) {
    BlockChain chain(model);
    for (std::size_t first = 0; first < depth; first += machine.k_tile)
      for (std::size_t matmul = 0; matmul < per_tile; ++matmul)
        chain.take(std::min(machine.k_tile, depth - first));
    return compose(chain.error(), writes);
  }
  const double into_psum =
      repeated_error(rounding_error(fp32, model.rounding), per_tile * tiles - 1);
  const double in_tile = chain_error(model, std::min(depth, machine.k_tile));
  return compose(compose(in_tile, into_psum), writes);
}

double product_roundoff(const GemmScheme& gemm) {
  const ProductModel& product = gemm.accumulate.product;
  if (gemm.engine == Engine::host) return unit_roundoff(fp64);
  if (product.exact || 2 * gemm.operands.precision <= product.format.precision) return 0;
  return rounding_error(product.format, product.rounding);
}

}  // namespace fftprec
