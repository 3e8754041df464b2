#include "algorithms/arithmetic/resolved_arithmetic.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/arithmetic/cast.hpp"
#include "arith/formats/round.hpp"
#include "arith/splitting/slices.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// Words whose residuals a compiler loses are zero. Cut words are no residuals to it.
void lose_residuals(GemmScheme& gemm, Elision elided) {
  const auto lose = [](OperandWords& words) {
    if (words.kind != WordKind::values || words.rounding != Rounding::rne) return;
    words.zeros = words.total() - 1;
    words.count = 1;
  };
  if (elided == Elision::data || elided == Elision::both) lose(gemm.data);
  if (elided == Elision::table || elided == Elision::both) lose(gemm.factor);
}

/// The words of a residual split, wherever their products are formed.
GemmScheme residual_words(const SplitSpec& split, const Faults& faults) {
  OperandWords words{.format = split.word, .scale = split.scale};
  GemmScheme gemm{.data = words, .factor = words, .terms = {split.term, split.term + split.count}};
  gemm.data.count = split.data_words;
  gemm.factor.count = split.factor_words;
  lose_residuals(gemm, faults.elided);
  return gemm;
}

/// fp32 operands as the machine multiplies them.
GemmScheme fp32_passes_scheme(const Machine& machine) {
  Fp32Passes passes = fp32_passes(machine.fp32_matmul);
  const OperandWords words = words_of(passes);
  return {.data = words, .factor = words, .terms = std::move(passes.terms)};
}

GemmScheme same_words(const OperandWords& words) { return {.data = words, .factor = words}; }

GemmScheme sliced_gemm(const SlicedScheme& slices) {
  const OperandWords words{.kind = WordKind::slices, .format = slices.word, .bits = slices.bits};
  // The smallest first: what a sum outside rounds is then smallest.
  std::vector<SplitTerm> terms = kept_slice_products(slices.factor_slices, slices.data_slices);
  std::reverse(terms.begin(), terms.end());
  GemmScheme gemm{.data = words,
                  .factor = words,
                  .terms = std::move(terms),
                  .sum = slices.sum,
                  .evict_tiles = slices.evict_tiles,
                  .checked = slices.checked};
  gemm.data.count = slices.data_slices;
  gemm.factor.count = slices.factor_slices;
  return gemm;
}

/// What each scheme says of elementwise products and of the words of matrix products.
struct SchemeResolver {
  ResolvedArithmetic& to;

  void operator()(const PlainScheme& plain) const {
    to.gemm = plain.storage == fp32 ? fp32_passes_scheme(to.machine)
                                    : same_words({.format = plain.storage});
    if (plain.table) to.table = to.gemm.factor.format = *plain.table;
    if (plain.storage.system) to.gemm = {.engine = Engine::vector, .quire = plain.quire};
    lose_residuals(to.gemm, to.faults.elided);
  }
  void operator()(const VectorScheme& vector) const {
    to.product = vector.product;
    to.gemm = {.engine = Engine::vector};
  }
  void operator()(const HostScheme&) const {
    to.gemm = same_words({.format = fp64});
    to.gemm.engine = Engine::host;
  }
  void operator()(const SplitScheme& split) const {
    to.product = ProductScheme::split;
    to.split = split.split;
    to.gemm = residual_words(split.split, to.faults);
    to.gemm.sum = TermSum::in_fp32;
  }
  void operator()(const SlicedScheme& slices) const { to.gemm = sliced_gemm(slices); }
  void operator()(const ResidueScheme& residues) const {
    to.gemm = {.engine = Engine::integer, .moduli = residues.moduli};
    if (to.machine.integer_bits == 0)
      throw NotApplicable("machine " + to.machine.name +
                          " has no integer accumulator, which mode " + to.mode +
                          " needs; integer.bits=32 gives it one");
  }
  void operator()(const BlockScheme& blocks) const {
    Format word = blocks.block.element;
    word.precision = blocks.block.precision();
    to.gemm = same_words({.kind = WordKind::blocks, .format = word, .block = blocks.block});
    if (!blocks.block.is_operand())
      throw NotApplicable("mode " + to.mode +
                          " is for data that are stored, and multiplies no matrices: operands "
                          "share powers of two, or scale=ue4m3, in blocks of so many values "
                          "along the sum");
  }
  void operator()(const FixedScheme& fixed) const {
    to.gemm = {.engine = Engine::vector};
    to.table = fixed.table;
    to.carrier = std::max(to.carrier, carrier_for(fixed.table));
    const Machine& machine = to.machine;
    if (machine.fixed_overflow == Beyond::wrap)
      for (Format* format : {&to.storage, &to.kept}) format->overflow = Overflow::wrap;
    const int least = width_of(fixed.storage) - quantum_exponent(fixed.table);
    if (machine.fixed_accumulator > 0 && machine.fixed_accumulator < least)
      throw InputError("mode " + to.mode + " on machine " + machine.name + ": an accumulator of " +
                       std::to_string(machine.fixed_accumulator) + " bits does not hold data of " +
                       std::to_string(width_of(fixed.storage)) + " bits in units of products, " +
                       std::to_string(least) + " bits");
  }
  void operator()(const DoubleWordScheme& pairs) const {
    to.gemm = {.engine = Engine::vector};
    to.rounds_result = pairs.rounds_result;
  }
};

/// The accumulator of elements that come with their scale, and have the exponents of fp32. Which of
/// these is the scale's is known where the scale has digits, and a group is a block.
AccumulatorModel accumulator_of(const BlockFormat& block, const Machine& machine) {
  AccumulatorModel model = accumulator_for(machine, block.element);
  model.operands = {block.precision(), fp32.emin, fp32.emax};
  if (!block.has_digits()) {
    model.group_exponent = GroupExponent::product;
    return model;
  }
  if (model.group_exponent != GroupExponent::scale || model.group != block.block ||
      machine.k_tile % model.group != 0)
    throw NotApplicable("machine " + machine.name + " multiplies no matrices in blocks of " +
                        std::to_string(block.block) +
                        " elements and a scale of e4m3: of elements " + to_string(block.element) +
                        " that takes sums in groups of as many, which " +
                        "no tile cuts, with the exponents of their scales");
  model.elements = block.element;
  return model;
}

/// The accumulator of the words that a tensor engine takes.
AccumulatorModel accumulator_of(const GemmScheme& gemm, const Machine& machine) {
  if (gemm.data.kind == WordKind::blocks) return accumulator_of(gemm.data.block, machine);
  return accumulator_for(machine, gemm.operands(), gemm.factor.format);
}

}  // namespace

DataCarrier carrier_for(const Format& storage) {
  if (storage == fp64 || (storage.system && !fits<float>(storage))) return DataCarrier::doubles;
  if (storage.is_fixed() && !fits_fixed<float>(storage))
    return width_of(storage) <= most_fixed_bits ? DataCarrier::doubles : DataCarrier::quads;
  return storage == fp32_pair ? DataCarrier::pairs : DataCarrier::floats;
}

Format wide_format(DataCarrier carrier) {
  switch (carrier) {
    case DataCarrier::doubles:
      return fp64;
    case DataCarrier::pairs:
      return fp32_pair;
    case DataCarrier::quads:
    case DataCarrier::floats:
      break;
  }
  return fp32;
}

const GemmScheme& ResolvedArithmetic::matrices() const {
  if (!no_matrices.empty()) throw NotApplicable(no_matrices);
  return gemm;
}

ResolvedArithmetic resolve(const Mode& mode, const Machine& machine, const Faults& faults) {
  ResolvedArithmetic result{.mode = mode.name, .machine = machine, .faults = faults};
  result.storage = result.table = result.kept = storage_format(mode);
  result.carrier = carrier_for(result.storage);
  if (mode.refinement) {
    result.refinement_steps = mode.refinement->steps;
    result.accurate_residual = mode.refinement->accurate_residual;
  }
  try {
    std::visit(SchemeResolver{result}, mode.scheme);
    if (result.gemm.engine == Engine::tensor)
      result.gemm.accumulate = accumulator_of(result.gemm, machine);
  } catch (const NotApplicable& reason) {
    result.no_matrices = reason.what();
  }
  return result;
}

ResolvedArithmetic resolve(const Mode& mode, const NamedMachine& machine) {
  return resolve(mode, machine, machine.faults);
}

ResolvedArithmetic stored_by(ResolvedArithmetic arithmetic, const StorePolicy& stores) {
  if (!stores.in_passes()) return arithmetic;
  arithmetic.stores = stores;
  if (arithmetic.gemm.data.kind == WordKind::blocks)
    arithmetic.kept_blocks = arithmetic.gemm.data.block;
  arithmetic.storage = arithmetic.table = wide_format(arithmetic.carrier);
  return arithmetic;
}

ResolvedArithmetic in_wide_format(ResolvedArithmetic arithmetic) {
  if (arithmetic.storage.is_fixed()) return arithmetic;
  arithmetic.storage = arithmetic.table = arithmetic.wide();
  arithmetic.product = ProductScheme::plain;
  arithmetic.split = {};
  return arithmetic;
}

double stored_factor(const ResolvedArithmetic& arithmetic, double factor) {
  constexpr int far = 400;  // beyond any scale
  const Format digits{std::min(arithmetic.table.precision, most_fixed_bits), -far, far};
  return round(factor, arithmetic.storage.is_fixed() ? digits : arithmetic.storage, Rounding::rne);
}

FixedPoint fixed_point(const ResolvedArithmetic& arithmetic, std::uint64_t stream) {
  const Machine& machine = arithmetic.machine;
  return {.data = arithmetic.storage,
          .table = arithmetic.table,
          .rounding = machine.casts,
          .random = cast_of(machine, stream).random,
          .rounds_products = machine.fixed_rounds == RoundedResults::products,
          .accumulator_bits = machine.fixed_accumulator};
}

ElementScheme element_scheme(const ResolvedArithmetic& arithmetic) {
  return {.product = arithmetic.product, .storage = arithmetic.storage, .split = arithmetic.split};
}

ElementScheme wide_scheme(const ResolvedArithmetic& arithmetic) {
  return {.storage = wide_format(arithmetic.carrier)};
}

int product_bits(const GemmScheme& gemm) {
  return gemm.data.format.precision + gemm.factor.format.precision;
}

GemmScheme element_words(const ResolvedArithmetic& arithmetic) {
  if (arithmetic.is_split()) return residual_words(arithmetic.split, arithmetic.faults);
  if (arithmetic.storage.is_fixed()) return same_words({.format = arithmetic.table});
  return {.data = {.format = arithmetic.storage}, .factor = {.format = arithmetic.table}};
}

SliceBits slice_bits(const ResolvedArithmetic& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  const Machine& machine = arithmetic.machine;
  const Format& word = gemm.operands();
  const int given = gemm.data.bits;
  const std::size_t length = gemm.evict_tiles ? std::min(depth, machine.k_tile) : depth;
  // A narrower eviction rounds what PSUM still holds exactly.
  const int held =
      std::min({exact_bits(gemm.accumulate), machine.psum.precision, machine.eviction.precision});
  const bool capable = held >= fp32.precision && machine.fidelity == Fidelity::whole;
  // Where the accumulator rounds earlier than fp32 does, slices are as for fp32, and are not exact.
  constexpr int assumed = fp32.precision;
  const int most = given > 0 ? 2 * given : 2 * word.precision;
  const std::size_t chained = exact_product_bits(length, 2, assumed) >= most ? 2 : 1;
  const auto bits = [&](bool of_factor) {
    return given > 0 ? given : exact_slice_bits(length, chained, assumed, of_factor, word);
  };
  const int factor = bits(true);
  const int data = bits(false);
  if (factor < 1 || data < 1)
    throw NotApplicable("mode " + arithmetic.mode + ": no slice of a contraction of length " +
                        std::to_string(length) + " sums exactly; the mode with :tiles may");
  return {factor, data, capable && slices_sum_exactly(length, chained, factor, data, assumed),
          chained};
}

OperandWords factor_words(const ResolvedArithmetic& arithmetic, std::size_t depth) {
  OperandWords words = arithmetic.matrices().factor;
  if (words.kind == WordKind::slices) words.bits = slice_bits(arithmetic, depth).factor;
  return words;
}

OperandWords data_words(const ResolvedArithmetic& arithmetic, std::size_t depth) {
  OperandWords words = arithmetic.matrices().data;
  if (words.kind == WordKind::slices) words.bits = slice_bits(arithmetic, depth).data;
  return words;
}

}  // namespace fftprec
