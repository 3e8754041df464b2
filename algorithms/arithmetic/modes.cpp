#include "algorithms/arithmetic/modes.hpp"

#include <algorithm>

#include "arith/accumulators/model.hpp"
#include "arith/machines/machine.hpp"
#include "arith/splitting/slices.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// fp32 operands as the machine multiplies them.
GemmScheme fp32_scheme(const Machine& machine) {
  Fp32Passes passes = fp32_passes(machine.fp32_matmul);
  const bool cut = passes.rounding == Rounding::rz;
  const Words several = cut ? Words::leading : Words::residual;
  return {.words = passes.words == 1 ? Words::whole : several,
          .operands = passes.operands,
          .data_words = passes.words,
          .factor_words = passes.words,
          .cut = cut && passes.words == 1,
          .terms = std::move(passes.terms)};
}

GemmScheme sliced_scheme(const Mode& mode) {
  const SliceSpec& slices = mode.slices;
  // The smallest first: what a sum outside rounds is then smallest.
  std::vector<SplitTerm> terms = kept_slice_products(slices.factor_slices, slices.data_slices);
  std::reverse(terms.begin(), terms.end());
  return {.words = Words::slices,
          .operands = slices.word,
          .data_words = slices.data_slices,
          .factor_words = slices.factor_slices,
          .terms = std::move(terms),
          .sum = slices.sum,
          .evict_tiles = slices.evict_tiles};
}

GemmScheme operand_scheme(const Mode& mode, const Machine& machine) {
  switch (mode.gemm) {
    case GemmKind::vector:
      return {.engine = Engine::vector};
    case GemmKind::slices:
      return sliced_scheme(mode);
    case GemmKind::residues:
      return {.engine = Engine::integer};
    case GemmKind::blocks:
      return {.words = Words::blocks, .operands = mode.block.element};
    case GemmKind::words:
      break;
  }
  if (on_host(mode)) return {.engine = Engine::host, .operands = fp64};
  if (is_split(mode)) {
    GemmScheme scheme = residual_scheme(mode.split);
    scheme.sum = TermSum::in_fp32;
    return scheme;
  }
  return mode.storage == fp32 ? fp32_scheme(machine) : GemmScheme{.operands = mode.storage};
}

}  // namespace

Format wide_format(const Mode& mode) {
  switch (mode.carrier) {
    case DataCarrier::doubles:
      return fp64;
    case DataCarrier::pairs:
      return fp32_pair;
    case DataCarrier::floats:
      break;
  }
  return fp32;
}

ElementScheme element_scheme(const Mode& mode) {
  return {.product = mode.product, .storage = mode.storage, .split = mode.split};
}

ElementScheme wide_scheme(const Mode& mode) { return {.storage = wide_format(mode)}; }

GemmScheme residual_scheme(const SplitSpec& split) {
  return {.words = Words::residual,
          .operands = split.word,
          .data_words = split.data_words,
          .factor_words = split.factor_words,
          .scale = split.scale,
          .terms = {split.term, split.term + split.count}};
}

bool elides(const GemmScheme& scheme, const Machine& machine, Elision side) {
  return scheme.words == Words::residual &&
         (machine.elided == Elision::both || machine.elided == side);
}

GemmScheme gemm_scheme(const Mode& mode, const Machine& machine) {
  GemmScheme scheme = operand_scheme(mode, machine);
  if (scheme.engine == Engine::tensor)
    scheme.accumulate = accumulator_for(machine, scheme.operands);
  // Elements with their scale have the exponents of fp32.
  if (scheme.words == Words::blocks)
    scheme.accumulate.operands = {scheme.operands.precision, fp32.emin, fp32.emax};
  if (scheme.engine == Engine::integer && machine.integer_bits == 0)
    throw NotApplicable("machine " + machine.name + " has no integer accumulator, which mode " +
                        mode.name + " needs; integer.bits=32 gives it one");
  return scheme;
}

SliceBits slice_bits(const Mode& mode, const Machine& machine, std::size_t depth) {
  const SliceSpec& slices = mode.slices;
  const AccumulatorModel model = accumulator_for(machine, slices.word);
  const std::size_t length = slices.evict_tiles ? std::min(depth, machine.k_tile) : depth;
  // A narrower eviction rounds what PSUM still holds exactly.
  const int held =
      std::min({exact_bits(model), machine.psum.precision, machine.eviction.precision});
  const bool capable = held >= fp32.precision;
  // Where the accumulator rounds earlier than fp32 does, slices are as for fp32, and are not exact.
  constexpr int assumed = fp32.precision;
  const int most = slices.bits > 0 ? 2 * slices.bits : 2 * slices.word.precision;
  const std::size_t chained = exact_product_bits(length, 2, assumed) >= most ? 2 : 1;
  const auto bits = [&](bool of_factor) {
    return slices.bits > 0 ? slices.bits
                           : exact_slice_bits(length, chained, assumed, of_factor, slices.word);
  };
  const int factor = bits(true);
  const int data = bits(false);
  if (factor < 1 || data < 1)
    throw NotApplicable("mode " + mode.name + ": no slice of a contraction of length " +
                        std::to_string(length) + " sums exactly; the mode with :tiles may");
  return {factor, data, capable && slices_sum_exactly(length, chained, factor, data, assumed),
          chained};
}

}  // namespace fftprec
