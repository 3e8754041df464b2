#include "algorithms/arithmetic/arithmetic_spec.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/arithmetic/cast.hpp"
#include "arith/formats/round.hpp"
#include "arith/splitting/slices.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

WordProducts decorated(WordProducts products, const ProductDecorator* decorator) {
  if (decorator && decorator->words) decorator->words(products);
  return products;
}

/// The words of a residual split, wherever their products are formed.
WordProducts residual_words(const SplitSpec& split, const ProductDecorator* decorator) {
  const OperandWords words{.format = split.word, .scale = split.scale};
  WordProducts products{
      .data = words, .factor = words, .terms = {split.term, split.term + split.count}};
  products.data.count = split.data_words;
  products.factor.count = split.factor_words;
  return decorated(std::move(products), decorator);
}

/// fp32 operands as the machine multiplies them.
WordProducts fp32_passes_words(const Machine& machine) {
  Fp32Passes passes = fp32_passes(machine.fp32_matmul);
  const OperandWords words = words_of(passes);
  return {.data = words, .factor = words, .terms = std::move(passes.terms)};
}

TensorProducts sliced_products(const SlicedScheme& slices) {
  const OperandWords words{.kind = WordKind::slices, .format = slices.word, .bits = slices.bits};
  // The smallest first: what a sum outside rounds is then smallest.
  std::vector<SplitTerm> terms = kept_slice_products(slices.factor_slices, slices.data_slices);
  std::reverse(terms.begin(), terms.end());
  TensorProducts products{.words = {.data = words,
                                    .factor = words,
                                    .terms = std::move(terms),
                                    .sum = slices.sum,
                                    .evict_tiles = slices.evict_tiles},
                          .checked = slices.checked};
  products.words.data.count = slices.data_slices;
  products.words.factor.count = slices.factor_slices;
  return products;
}

/// accumulator_for of the elements of blocks. Its error names the blocks, as the user did.
AccumulatorModel unit_of_elements(const BlockFormat& block, const Machine& machine) {
  std::string known;
  for (const AccumulatorModel& unit : machine.units) {
    if (unit.operands == block.element) return accumulator_for(machine, block.element);
    known += (known.empty() ? "" : ", ") + to_string(unit.operands);
  }
  throw NotApplicable("machine " + machine.name + " multiplies no matrices of " + to_string(block) +
                      "; it takes " + known);
}

/// The accumulator of elements that come with their scale, and have the exponents of fp32. Which of
/// these is the scale's is known where the scale has digits, and a group is a block.
AccumulatorModel accumulator_of(const BlockFormat& block, const Machine& machine) {
  AccumulatorModel model = unit_of_elements(block, machine);
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
AccumulatorModel accumulator_of(const WordProducts& words, const Machine& machine) {
  if (words.data.kind == WordKind::blocks) return accumulator_of(words.data.block, machine);
  return accumulator_for(machine, words.data.format, words.factor.format);
}

/// What each scheme says of matrix products. Throws NotApplicable where the machine forms none.
struct GemmOfScheme {
  const Mode& mode;
  const Machine& machine;
  const ProductDecorator* decorator;

  GemmScheme operator()(const PlainScheme& plain) const {
    if (plain.storage.system) return {VectorProducts{plain.quire}};
    WordProducts words =
        plain.storage == fp32 ? fp32_passes_words(machine) : same_words({.format = plain.storage});
    if (plain.table) words.factor.format = *plain.table;
    return on_tensor({decorated(std::move(words), decorator)});
  }
  GemmScheme operator()(const VectorScheme&) const { return {VectorProducts{}}; }
  GemmScheme operator()(const HostScheme&) const { return {HostProducts{}}; }
  GemmScheme operator()(const SplitScheme& split) const {
    WordProducts words = residual_words(split.split, decorator);
    words.sum = TermSum::in_fp32;
    return on_tensor({std::move(words)});
  }
  GemmScheme operator()(const SlicedScheme& slices) const {
    return on_tensor(sliced_products(slices));
  }
  GemmScheme operator()(const ResidueScheme& residues) const {
    if (machine.integer_bits == 0)
      throw NotApplicable("machine " + machine.name + " has no integer accumulator, which mode " +
                          mode.name + " needs; integer.bits=32 gives it one");
    return {ResidueProducts{residues.moduli}};
  }
  GemmScheme operator()(const BlockScheme& blocks) const {
    if (!blocks.block.is_operand())
      throw NotApplicable("mode " + mode.name +
                          " is for data that are stored, and multiplies no matrices: operands "
                          "share powers of two, or scale=ue4m3, in blocks of so many values "
                          "along the sum");
    Format word = blocks.block.element;
    word.precision = blocks.block.precision();
    return on_tensor(
        {same_words({.kind = WordKind::blocks, .format = word, .block = blocks.block})});
  }
  GemmScheme operator()(const FixedScheme&) const { return {VectorProducts{}}; }
  GemmScheme operator()(const DoubleWordScheme&) const { return {VectorProducts{}}; }

 private:
  GemmScheme on_tensor(TensorProducts products) const {
    products.accumulate = accumulator_of(products.words, machine);
    return {std::move(products)};
  }
};

/// In passes a quire has nothing to round: operations are in the type's own format.
GemmScheme gemm_of(const Mode& mode, const Machine& machine, const RoundingPoints& stores,
                   const ProductDecorator* decorator) {
  try {
    GemmScheme gemm = std::visit(GemmOfScheme{mode, machine, decorator}, mode.scheme);
    return gemm.as<VectorProducts>() && stores.in_passes() ? GemmScheme{VectorProducts{}} : gemm;
  } catch (const NotApplicable& reason) {
    return {NoMatrices{reason.what()}};
  }
}

ProductScheme product_of(const Mode& mode) {
  if (const auto* vector = mode.as<VectorScheme>()) return vector->product;
  if (const auto* split = mode.as<SplitScheme>()) return ProductScheme(split->split);
  return {};
}

FixedStorage fixed_storage(const Mode& mode, const FixedScheme& fixed, const Machine& machine) {
  const int least = width_of(fixed.storage) - quantum_exponent(fixed.table);
  if (machine.fixed_accumulator > 0 && machine.fixed_accumulator < least)
    throw InputError("mode " + mode.name + " on machine " + machine.name + ": an accumulator of " +
                     std::to_string(machine.fixed_accumulator) + " bits does not hold data of " +
                     std::to_string(width_of(fixed.storage)) + " bits in units of products, " +
                     std::to_string(least) + " bits");
  FixedStorage storage{fixed.storage, fixed.table};
  if (machine.fixed_overflow == OverflowMode::wrap) storage.format.overflow = Overflow::wrap;
  return storage;
}

/// Blocks are stored where passes end; operations know nothing of them.
StorageType storage_of(const Mode& mode, const Machine& machine, const RoundingPoints& stores) {
  const Format format = storage_format(mode);
  if (const auto* fixed = mode.as<FixedScheme>()) return fixed_storage(mode, *fixed, machine);
  if (const auto* blocks = mode.as<BlockScheme>(); blocks && stores.in_passes())
    return BlockStorage{blocks->block};
  if (format == fp32_pair) {
    const auto* words = mode.as<DoubleWordScheme>();
    return WordStorage{words && words->rounds_result};
  }
  if (format.system) return SystemStorage{format};
  return FloatStorage{format, mode.as<HostScheme>() != nullptr};
}

}  // namespace

/// Data that are stored in passes are in the type's own format between them, with tables in it; a
/// tensor engine takes its operands from that, rounded to the nearest.
ArithmeticSpec::ArithmeticSpec(const Mode& mode, const Machine& machine,
                               const RoundingPoints& stores, const ScalePolicy& scale,
                               std::shared_ptr<const ProductDecorator> decorator)
    : mode_(mode.name),
      machine_(machine),
      decorator_(std::move(decorator)),
      storage_(storage_of(mode, machine, stores)),
      type_(std::visit([](const auto& storage) { return storage.type(); }, storage_)),
      storage_format_(std::visit([](const auto& storage) { return storage.format; }, storage_)),
      stores_(stores),
      on_integers_(mode.as<FixedScheme>() && !stores.in_passes()),
      operation_format_(storage_format_),
      table_format_(storage_format_),
      wide_(wide_format(type_)),
      wide_table_(wide_),
      scale_(scale),
      product_(product_of(mode)),
      gemm_(gemm_of(mode, machine, stores, decorator_.get())),
      refinement_(mode.refinement) {
  if (stores.in_passes()) {
    operation_format_ = table_format_ = wide_;
  } else if (const auto* fixed = std::get_if<FixedStorage>(&storage_)) {
    wide_ = fixed->format;
    table_format_ = wide_table_ = fixed->table;
  } else if (const auto* plain = mode.as<PlainScheme>()) {
    table_format_ = plain->table.value_or(storage_format_);
  } else if (mode.as<HostScheme>()) {
    table_format_ = wide_;
  }
  if (scale.is_block())
    shared_exponent_ = on_integers_ ? SharedExponent::of_operations : SharedExponent::of_stores;
}

std::string ArithmeticSpec::refusal_of_stores() const {
  if (!stores_.in_passes() || block_format()) return "";
  if (storage_format_ == wide_)
    return "mode " + mode_ + " computes in the format that it keeps its data in, " +
           to_string(storage_format_) + ": rounding_points=" + name_of(stores_) +
           " has nothing to round";
  return "";
}

std::string ArithmeticSpec::refusal_of_exponent() const {
  const std::string wider = "scale=" + name_of(scale_) +
                            " is for data that a float holds; those of mode " + mode_ +
                            " are wider";
  const auto of_stores = [&](const Format& format, bool tapers) -> std::string {
    if (!stores_.in_passes())
      return "scale=" + name_of(scale_) +
             " gives data an exponent where they are stored, and mode " + mode_ +
             " stores them after every operation: rounding_points=stage, pass:K or ends";
    if (!tapers && format.emax >= fp32.emax)
      return "scale=" + name_of(scale_) + " gives data an exponent, and " + to_string(format) +
             " has the range of fp32";
    return "";
  };
  const bool is_wider = type_ != ArithmeticType::floats;
  return std::visit(
      Overloaded{
          [&](const BlockStorage&) {
            return "mode " + mode_ + " keeps data in blocks that have scales of their own";
          },
          [&](const SystemStorage& of) { return of_stores(of.format, of.format.tapers()); },
          [&](const FixedStorage&) { return is_wider ? wider : ""; },
          [&](const FloatStorage& of) { return is_wider ? wider : of_stores(of.format, false); },
          [&](const WordStorage&) { return wider; }},
      storage_);
}

std::string ArithmeticSpec::refusal_of_scale() const {
  if (scale_.is_block()) return refusal_of_exponent();
  if (!scale_.scales_stages()) return "";
  if (refinement_steps() > 0)
    return "mode " + mode_ + " adds up transforms, which scale=" + name_of(scale_) +
           " leaves at other scales";
  if (type_ != ArithmeticType::floats && !on_integers_)
    return "scale=" + name_of(scale_) + " is for data that a float holds; those of mode " + mode_ +
           " are wider";
  return "";
}

std::variant<ArithmeticSpec, Refusal> ArithmeticSpec::make(
    const Mode& mode, const Machine& machine, const RoundingPoints& stores,
    const ScalePolicy& scale, std::shared_ptr<const ProductDecorator> decorator) {
  ArithmeticSpec spec(mode, machine, stores, scale, std::move(decorator));
  for (std::string reason : {spec.refusal_of_stores(), spec.refusal_of_scale()})
    if (!reason.empty()) return Refusal{std::move(reason)};
  return spec;
}

ArithmeticSpec ArithmeticSpec::in_wide_format() const {
  ArithmeticSpec wide = *this;
  wide.operation_format_ = wide_;
  wide.table_format_ = wide_table_;
  wide.product_ = {};
  return wide;
}

ArithmeticSpec ArithmeticSpec::with_data_as_tables() const {
  ArithmeticSpec other = *this;
  if (!on_integers_) other.table_format_ = operation_format_;
  return other;
}

ArithmeticSpec ArithmeticSpec::with_products(ProductScheme::Kind products) const {
  ArithmeticSpec other = *this;
  other.product_ = products;
  return other;
}

ArithmeticSpec ArithmeticSpec::with_refinement_steps(int steps) const {
  ArithmeticSpec other = *this;
  if (other.refinement_ || steps > 0)
    other.refinement_ = Refinement{.steps = steps, .accurate_residual = accurate_residual()};
  return other;
}

ArithmeticSpec ArithmeticSpec::on_lines(const StoredLines& lines) const {
  ArithmeticSpec other = *this;
  other.lines_ = lines;
  return other;
}

ArithmeticSpec ArithmeticSpec::in_zone(const Format& zone, double least_error) const {
  ArithmeticSpec other = *this;
  for (Format* format : {&other.operation_format_, &other.table_format_})
    if (*format == storage_format_) *format = zone;
  other.storage_ = FloatStorage{zone};
  other.storage_format_ = zone;
  other.least_error_ = least_error;
  return other;
}

ArithmeticSpec ArithmeticSpec::without_evictions() const {
  ArithmeticSpec other = *this;
  other.machine_.eviction = other.machine_.psum = fp32;
  other.machine_.psum_rounding = Rounding::rne;
  if (decorator_ && decorator_->evicted) {
    ProductDecorator decorator = *decorator_;
    decorator.evicted.reset();
    other.decorator_ = std::make_shared<const ProductDecorator>(std::move(decorator));
  }
  return other;
}

ArithmeticSpec ArithmeticSpec::with_exact_products() const {
  ArithmeticSpec other = *this;
  other.gemm_ = gemm_.with_exact_products();
  return other;
}

const GemmScheme& ArithmeticSpec::matrices() const {
  if (const auto* none = gemm_.as<NoMatrices>()) throw NotApplicable(none->reason);
  return gemm_;
}

ArithmeticSpec resolve(const Mode& mode, const Machine& machine, const RoundingPoints& stores,
                       const ScalePolicy& scale,
                       std::shared_ptr<const ProductDecorator> decorator) {
  auto made = ArithmeticSpec::make(mode, machine, stores, scale, std::move(decorator));
  if (const auto* refused = std::get_if<Refusal>(&made)) throw NotApplicable(refused->reason);
  return std::get<ArithmeticSpec>(std::move(made));
}

double stored_factor(const ArithmeticSpec& arithmetic, double factor) {
  constexpr int far = 400;  // beyond any scale
  const Format digits{arithmetic.table_format().precision, -far, far};
  return round(factor, arithmetic.on_integers() ? digits : arithmetic.operation_format(),
               Rounding::rne);
}

FixedPoint fixed_point(const ArithmeticSpec& arithmetic, std::uint64_t stream) {
  const Machine& machine = arithmetic.machine();
  return {.data = arithmetic.operation_format(),
          .table = arithmetic.table_format(),
          .rounding = machine.casts,
          .random = cast_of(machine, stream).random,
          .rounds_products = machine.fixed_rounds == RoundedResults::products,
          .accumulator_bits = machine.fixed_accumulator};
}

ElementScheme element_scheme(const ArithmeticSpec& arithmetic) {
  return {.product = arithmetic.product(), .storage = arithmetic.operation_format()};
}

ElementScheme wide_scheme(const ArithmeticSpec& arithmetic) {
  return {.storage = wide_format(arithmetic.type())};
}

GemmScheme element_words(const ArithmeticSpec& arithmetic) {
  if (const SplitSpec* split = arithmetic.product().words())
    return {TensorProducts{.words = residual_words(*split, arithmetic.decorator())}};
  const Format& table = arithmetic.table_format();
  const Format& data = arithmetic.on_integers() ? table : arithmetic.operation_format();
  return {TensorProducts{.words = {.data = {.format = data}, .factor = {.format = table}}}};
}

SliceBits slice_bits(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  const Machine& machine = arithmetic.machine();
  const Format& word = gemm.operands();
  const int given = gemm.data().bits;
  const std::size_t length = gemm.evict_tiles() ? std::min(depth, machine.k_tile) : depth;
  // A narrower eviction rounds what PSUM still holds exactly.
  const int held =
      std::min({exact_bits(gemm.accumulate()), machine.psum.precision, machine.eviction.precision});
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
    throw NotApplicable("mode " + arithmetic.mode() + ": no slice of a contraction of length " +
                        std::to_string(length) + " sums exactly; the mode with :tiles may");
  return {factor, data, capable && slices_sum_exactly(length, chained, factor, data, assumed),
          chained};
}

OperandWords factor_words(const ArithmeticSpec& arithmetic, std::size_t depth) {
  OperandWords words = arithmetic.matrices().factor();
  if (words.kind == WordKind::slices) words.bits = slice_bits(arithmetic, depth).factor;
  return words;
}

OperandWords data_words(const ArithmeticSpec& arithmetic, std::size_t depth) {
  OperandWords words = arithmetic.matrices().data();
  if (words.kind == WordKind::slices) words.bits = slice_bits(arithmetic, depth).data;
  return words;
}

}  // namespace fftprec
