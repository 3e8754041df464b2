#include "algorithms/theory/bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "algorithms/arithmetic/machine_gemm.hpp"
#include "algorithms/arithmetic/shared_exponent.hpp"
#include "algorithms/theory/expectation.hpp"
#include "arith/splitting/residues.hpp"
#include "arith/splitting/slices.hpp"

namespace fftprec {

namespace {

constexpr double u32 = 0x1p-24;

double root(std::size_t n) { return std::sqrt(static_cast<double>(n)); }

bool on_vector_engine(const ArithmeticSpec& arithmetic) {
  return arithmetic.type() == ArithmeticType::floats && arithmetic.operation_format() == fp32;
}

/// What a fault of software adds by a cast to bf16, where it does: relative to a term, or to the
/// sum of all terms.
double demotion_error(const ArithmeticSpec& arithmetic, bool of_sum) {
  const Demotion demotion = arithmetic.faults().demotion;
  if (demotion == Demotion::none || of_sum != (demotion == Demotion::sum)) return 0;
  return arithmetic.is_split() ? rounding_error(bf16, arithmetic.machine().casts).worst : 0;
}

}  // namespace

std::span<const SplitTerm> misread_terms(const GemmScheme& words,
                                         const ArithmeticSpec& arithmetic) {
  if (!arithmetic.faults().misread || !words.evict_each() || !arithmetic.is_split()) return {};
  return std::span(words.terms()).subspan(1);
}

namespace {

/// One rounding without bias.
ErrorBound random_rounding(double error) { return {error, 0, square(error)}; }

/// `bound` where the model does not hold.
ErrorBound not_modelled(const ErrorBound& bound) { return {bound.worst, bound.certain, unknown}; }

}  // namespace

ErrorBound rounding_error(const Format& format, Rounding rounding, int random_bits) {
  const double nearest = unit_roundoff(format);
  const ErrorBound once = random_rounding(is_nearest(rounding) ? nearest : 2 * nearest);
  if (rounding == Rounding::sr)
    return {once.worst, std::ldexp(once.worst, -random_bits), once.square};
  return rounding == Rounding::rne ? once : not_modelled(once);
}

FixedErrors fixed_errors(const Format& format, Rounding rounding, int bits) {
  if (bits <= 0) return {};
  const double quantum = power_of_two(quantum_exponent(format));
  const double step = std::ldexp(1.0, -bits);
  const double half_open = (1 - square(step)) / 12;
  const double cut = (1 - step) / 2;
  FixedErrors once{.largest = is_nearest(rounding) ? 0.5 : 1 - step, .variance = half_open};
  switch (rounding) {
    case Rounding::rne:
      once.variance = 1 / 12.0 + square(step) / 6;
      break;
    case Rounding::rnu:
      once.mean = step / 2;
      break;
    case Rounding::rna:
      once.outwards = step / 2;
      break;
    case Rounding::rd:
      once.mean = -cut;
      break;
    case Rounding::ru:
      once.mean = cut;
      break;
    case Rounding::rz:
      once.outwards = -cut;
      break;
    case Rounding::odd:
      once.variance = 1 / 3.0 - step / 2 + square(step) / 6;
      break;
    case Rounding::sr:
      once.variance = 2 * half_open;
      break;
  }
  return {once.largest * quantum, once.variance * square(quantum), once.mean * quantum,
          once.outwards * quantum};
}

FixedErrors fixed_errors(const ArithmeticSpec& arithmetic, int bits) {
  if (!arithmetic.storage_format().is_fixed()) return {.largest = small_errors(arithmetic).store};
  return fixed_errors(arithmetic.storage_format(), arithmetic.machine().casts, bits);
}

FixedErrors errors_next_to_one(const ArithmeticSpec& arithmetic) {
  const double quantum = power_of_two(quantum_exponent(arithmetic.storage_format()));
  const auto taken = [&](double share, double variance = 0) {
    return FixedErrors{.variance = variance * square(quantum), .outwards = -share * quantum};
  };
  switch (arithmetic.machine().casts) {
    case Rounding::rz:
      return taken(1);
    case Rounding::rd:
    case Rounding::ru:
      return taken(0.5);
    case Rounding::odd:
      return taken(0.25, 0.25 * 0.75);
    default:
      return {};
  }
}

/// Of blocks: see block_sizes; line_error is of each value, relative to the largest of its line.
double block_store_error(const BlockFormat& blocks, std::size_t n, std::size_t batch) {
  if (blocks.depends_on_lines() && n == 0) return unknown;
  const auto root = [](std::size_t size) { return std::sqrt(static_cast<double>(size)); };
  const std::size_t size = blocks.block_in(n, batch);
  return block_error(blocks) * root(size) +
         line_error(blocks) * root(std::max(size, blocks.line_in(n, batch)));
}

/// Of N values that share an exponent e at most, top and e as block_exponent has them, L the
/// largest part. A part x is rounded with an error of at most c max(|x|, 2^e z), where c is that of
/// a rounding to nearest or otherwise and 2^e z the least value with all digits; z of a tapered
/// system is that of any golden zone, since top lies within it. As 2^e < 2L/top, all 2N parts err
/// by at most
///   c hypot(||x||, sqrt(2N) 2z/top L) <= c ||x|| hypot(1, f), f = sqrt(2N) 2z/top,
/// and what is below z, whose error is known once it is given, by at most c f ||x||. Errors of
/// several blocks add in squares, as their ||x|| do.
ErrorBound shared_store_error(const ArithmeticSpec& arithmetic) {
  const Machine& machine = arithmetic.machine();
  const Format& kept = arithmetic.storage_format();
  const std::size_t values = arithmetic.lines().n * arithmetic.lines().batch;
  if (values == 0) return {unknown, unknown, unknown};
  const auto bound_in = [&](const Format& digits, double lowest) {
    const ErrorBound once = rounding_error(digits, machine.casts, machine.stochastic_bits);
    const double small = root(2 * values) * 2 * lowest / block_top(kept);
    return ErrorBound{once.worst * std::hypot(1.0, small), once.certain + once.worst * small,
                      once.square};
  };
  if (!kept.tapers()) return bound_in(kept, min_subnormal(kept) / (2 * unit_roundoff(kept)));
  ErrorBound least{unknown, unknown, unknown};
  for (int precision = kept.precision; precision >= 2 && !kept.system->is_listed; --precision)
    if (const auto zone = golden_zone(*kept.system, precision)) {
      const ErrorBound bound = bound_in(*zone, min_normal(*zone));
      if (!(bound.worst >= least.worst)) least = bound;
    }
  return least;
}

RealErrors real_errors(const ArithmeticSpec& arithmetic) {
  if (arithmetic.on_integers()) return {0, 0, 0};
  const double nearest = unit_roundoff(arithmetic.operation_format());
  const bool is_absolute = arithmetic.storage_format().is_fixed();  // fixed_errors
  const BlockFormat* blocks = arithmetic.block_format();            // of parts: as in block_sizes
  const ErrorBound store =
      is_absolute ? ErrorBound()
      : blocks
          ? not_modelled(block_store_error(*blocks, arithmetic.lines().n, arithmetic.lines().batch))
      : arithmetic.scale().is_block() ? shared_store_error(arithmetic)
      : arithmetic.storage_format() == fp64
          ? random_rounding(nearest)
          : rounding_error(arithmetic.storage_format(), arithmetic.machine().casts,
                           arithmetic.machine().stochastic_bits);
  const bool on_floats = arithmetic.type() == ArithmeticType::floats;
  if (arithmetic.type() == ArithmeticType::pairs)
    return {store, not_modelled(5 * u32 * u32), not_modelled(3 * u32 * u32 / (1 - 4 * u32))};
  if (!on_vector_engine(arithmetic)) {
    // Other stores than to nearest even round what an fp32 operation has rounded to nearest; of
    // number systems that no float holds they round the exact result.
    const bool casts = arithmetic.machine().casts != Rounding::rne;
    const ErrorBound operation =
        casts && on_floats ? compose(store, random_rounding(u32))
        : casts && arithmetic.operation_format() == arithmetic.storage_format()
            ? store
            : random_rounding(nearest);
    return {store, operation, operation};
  }
  const VectorEngine& engine = arithmetic.machine().vector;
  const Format product{engine.product_bits, fp32.emin, fp32.emax};
  return {store, rounding_error(product, engine.product_rounding),
          rounding_error(fp32, engine.sum_rounding)};
}

double small_error(const Format& format, Rounding rounding) {
  if (format.is_fixed()) return 0;
  const double smallest = min_subnormal(format);
  return is_nearest(rounding) && smallest > min_subnormal(fp64) ? smallest / 2 : smallest;
}

namespace {

/// Blocks whose scale is a power of two, 2^-127 at least, hold multiples of that of the smallest
/// element. e4m3: a line whose largest value A is below 448 M / max_float = 2^-116.6 is scaled by
/// max_float and back by A / (448 M), so that nothing is left of it, or up to A in its place.
/// ue4m3: a scale below 2^-6 is off by 2^-10 at most, so the largest element loses M times that,
/// and the half unit that any other errs by grows by less.
double small_error(const BlockFormat& blocks) {
  switch (blocks.rule) {
    case ScaleRule::e4m3:
      return 0x1p-113;
    case ScaleRule::ue4m3:
      return 2 * max_finite(blocks.element) * 0x1p-10;
    default:
      return min_subnormal(blocks.element) * 0x1p-127;
  }
}

/// Error of a value of a format that is split into words: the first word errs by its own rounding;
/// the next ones, held times 2^scale, hold that error up to their own.
double small_error(const OperandWords& words, const Format& source, bool flushes) {
  if (words.kind == WordKind::slices) return 0;  // integers of any unit
  if (words.kind == WordKind::blocks) return small_error(words.block);
  const double lost = words.format == source ? 0 : small_error(words.format, words.rounding);
  const double flushed = flushes ? min_normal(words.format) : 0;
  double all = 0;
  for (std::size_t i = 0; i < words.count; ++i)
    all += std::ldexp(lost + flushed, -words.scale * static_cast<int>(i));
  return all;
}

/// Products of floats that a product of the scheme takes, at most: of split ones each term's; of
/// 2Prod and Dot2 17 operations of Dekker's, of which the sums lose nothing.
double products_of(const ArithmeticSpec& arithmetic) {
  switch (arithmetic.product()) {
    case ProductScheme::split:
      return static_cast<double>(arithmetic.product().words()->count);
    case ProductScheme::two_prod:
    case ProductScheme::dot2:
      return 8;
    default:
      return 1;
  }
}

}  // namespace

SmallErrors small_errors(const ArithmeticSpec& arithmetic) {
  const Format& storage = arithmetic.operation_format();
  if (arithmetic.least_error() > 0) {
    const double of_operations =
        storage == arithmetic.storage_format() ? arithmetic.least_error() : 0;
    return {arithmetic.least_error(), of_operations, of_operations};
  }
  const Rounding casts = arithmetic.machine().casts;
  SmallErrors small{.store = arithmetic.block_format()
                                 ? small_error(*arithmetic.block_format())
                                 : small_error(arithmetic.storage_format(), casts)};
  if (arithmetic.scale().is_block() && !arithmetic.block_format())  // below, no exponent is shared
    small.store = std::ldexp(min_subnormal(arithmetic.storage_format()),
                             fp32.emin - quantum_exponent(arithmetic.storage_format()));
  if (storage.is_fixed()) return small;
  if (arithmetic.type() == ArithmeticType::pairs) {
    small.product = 8 * small_error(fp32, Rounding::rne);
    return small;
  }
  if (on_vector_engine(arithmetic)) {
    const VectorEngine& engine = arithmetic.machine().vector;
    // A flush takes both operands and the result.
    const double flushed = engine.flush ? 3 * min_normal(fp32) : 0;
    const double once =
        small_error({engine.product_bits, fp32.emin, fp32.emax}, engine.product_rounding);
    small.product = products_of(arithmetic) * (once + flushed);
    small.sum = flushed;
    if (arithmetic.is_split())
      small.product += small_error(element_words(arithmetic).data(), storage, false);
    return small;
  }
  // Computed in the carrier, then stored: to nearest in one rounding or two.
  const Format carrier = wide_format(arithmetic.type());
  const double once = storage == carrier ? 0 : small_error(storage, casts);
  small.product = products_of(arithmetic) * (once + small_error(carrier, Rounding::rne));
  small.sum = storage.subnormals && !storage.tapers() ? 0 : once;
  return small;
}

bool products_are_narrow(const ArithmeticSpec& arithmetic) {
  return on_vector_engine(arithmetic) && arithmetic.machine().vector.product_bits < fp32.precision;
}

namespace {

/// One addition outside of PSUM, of a term to the sum of those before.
/// Pairs: DWPlusFP, 2u^2 (arith/splitting/slices.hpp).
ErrorBound term_sum_error(const ArithmeticSpec& arithmetic) {
  switch (arithmetic.gemm().sum()) {
    case TermSum::in_pairs:
      return 2 * u32 * u32;
    case TermSum::in_fp64:
      return random_rounding(unit_roundoff(fp64));
    default:
      return on_vector_engine(arithmetic) ? real_errors(arithmetic).sum : random_rounding(u32);
  }
}

/// c_i with |word i of v| <= c_i |v| and r with |v - sum of words| <= r |v|.
struct Sizes {
  std::vector<double> words;
  double rest;
};

/// Words of single values of `source` bits. Rounded residuals: each word settles p + 1 bits, the
/// first p (split.hpp). Cut ones: p bits each, the first p - 1, and nothing is left of a value
/// of as many bits as the words hold.
Sizes value_sizes(const OperandWords& words, int source) {
  const bool cut = words.rounding == Rounding::rz;
  const auto after = [&](std::size_t count) {
    const int bits = words.bits_of(count);
    const int settled = cut ? bits - 1 : bits + static_cast<int>(count) - 1;
    return (cut ? bits : settled) >= source ? 0 : std::ldexp(1.0, -settled);
  };
  Sizes result{{1 + after(1)}, after(words.count)};
  for (std::size_t i = 1; i < words.count; ++i) result.words.push_back(after(i) + after(i + 1));
  return result;
}

/// Slices: after i of them at most slice_truncation(i, bits) 2^E is left of each of the 2 depth
/// parts, where 2^E <= 2 max |part|; so slice i, which is no larger, and the rest have at most the
/// norm 2 sqrt(2 depth) slice_truncation(i, bits) relative to that of the vector. Of roots
/// |part| < 2, so 2^E <= 2, and the norm is sqrt(depth): 2 sqrt(2) slice_truncation(i, bits).
Sizes slice_sizes(std::size_t count, int bits, std::size_t depth, Factors factors) {
  const double parts = factors == Factors::roots ? 2 : 2 * static_cast<double>(depth);
  const auto after = [&](std::size_t slices) {
    return 2 * std::sqrt(parts) * slice_truncation(slices, bits);
  };
  Sizes result{{1 + after(1)}, after(count)};
  for (std::size_t i = 1; i < count; ++i) result.words.push_back(after(i));
  return result;
}

/// Blocks: each part errs by at most e = block_error of the largest part in its block, which is at
/// most the norm of the block: e sqrt(block) in all. Roots: every part by e, their norm is
/// sqrt(depth): e sqrt(2).
Sizes block_sizes(const BlockFormat& block, std::size_t depth, Factors factors) {
  const double length =
      factors == Factors::roots ? 2 : static_cast<double>(std::min(block.block, depth));
  const double rest = block_error(block) * std::sqrt(length);
  return {{1 + rest}, rest};
}

/// The sizes of one side for sums of length `depth`; words that are zero have none.
Sizes sizes_of(const OperandWords& words, const Format& source, std::size_t depth,
               Factors factors) {
  switch (words.kind) {
    case WordKind::slices:
      return slice_sizes(words.count, words.bits, depth, factors);
    case WordKind::blocks:
      return block_sizes(words.block, depth, factors);
    default:
      break;
  }
  Sizes sizes = value_sizes(words, source.precision);
  sizes.words.resize(words.total());
  return sizes;
}

/// How large the words of operands are at most, and what they leave out: relative to the operand,
/// to every single value where each is cut by itself, else to the norm of the vector that takes
/// part in one sum.
struct WordNorms {
  double kept;      ///< sum of |w_f| |x_d| over the products of words that are formed
  double left_out;  ///< what products that are not formed, or are of other data, are worth
};

/// Of those words for sums over k of length `depth`.
/// Left out are products of words that are not kept, and words that are not there. A misread term
/// is missing, and one of at most its size is there in its place: the misread word holds a part of
/// the right one's values. Words that are cut, not rounded, have the sign of the value, so all
/// products of words together are at most |w| |x|.
WordNorms word_norms(const GemmScheme& words, const ArithmeticSpec& arithmetic, std::size_t depth,
                     Factors factors) {
  const Sizes data = sizes_of(words.data(), arithmetic.operation_format(), depth, Factors::any);
  const Sizes factor = sizes_of(words.factor(), arithmetic.table_format(), depth, factors);
  const auto size = [&](SplitTerm term) {
    return factor.words[term.factor] * data.words[term.data];
  };
  WordNorms norms{0, compose(factor.rest, data.rest)};
  for (const SplitTerm& term : words.terms()) norms.kept += size(term);
  if (words.data().rounding == Rounding::rz) norms.kept = 1;
  for (std::size_t f = 0; f < words.factor().total(); ++f)
    for (std::size_t d = 0; d < words.data().total(); ++d)
      if (std::ranges::count(words.terms(), SplitTerm{f, d}) == 0) norms.left_out += size({f, d});
  for (const SplitTerm& term : misread_terms(words, arithmetic)) norms.left_out += 2 * size(term);
  return norms;
}

/// ceil(a / b).
std::size_t parts(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// Levels of a tree over `leaves`; a single one is rounded as well.
std::size_t levels(std::size_t leaves) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(leaves - 1)));
}

/// True if a product is a value of the accumulator's format, so that its sum with zero is exact.
bool holds_products(const AccumulatorModel& model) {
  const int bits = model.product.exact ? model.operands.precision + operands_of_b(model).precision
                                       : model.product.format.precision;
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
/// once more, and so are the sums of lanes and the sum with c; a c that is left out is at most
/// 2^(e - c_reach). A group with the exponent of its scales is one term, and 2^e at most 1/q^2
/// times its smallest product other than zero, q the smallest element.
double alignment_error(const AccumulatorModel& model, std::size_t length) {
  const double over = model.elements ? 1 / square(min_subnormal(*model.elements)) : 1;
  const double cut = over * std::ldexp(1.0, -model.fraction_bits);
  const double terms = static_cast<double>(model.elements ? parts(length, model.group) : length);
  if (model.c != Inclusion::late) return (terms + 1) * cut;
  const double lanes = model.lanes == 1 ? 0 : static_cast<double>(model.lanes);
  const double c_cut = model.c_reach == 0 ? cut : std::max(cut, std::ldexp(1.0, -model.c_reach));
  const double sum_cut = model.sum_bits == 0 ? 0 : std::ldexp(1.0, 1 - model.sum_bits);
  const double late_cut = std::ldexp(1.0, -model.late_fraction_bits);
  return compose((terms + lanes) * cut + c_cut + late_cut, sum_cut);
}

/// The errors of a chain of blocks from c = +0. Ordered and exact sums: a term meets its own block
/// and then, as a part of c, every later one; the most roundings are met by terms of the first
/// block, or of one that is a product deeper than a c. Aligned sums: a block's errors are at most a
/// share of all magnitudes so far, c included.
class BlockChain {
 public:
  explicit BlockChain(const AccumulatorModel& model)
      : model_(model), once_(rounding_error(model.format, model.rounding)) {}

  /// `length` products more, cut into blocks.
  void take(std::size_t length) {
    const std::size_t size = std::min(block_length(model_, length), length);
    for (; length >= size && length > 0; length -= size) block(size);
    if (length > 0) block(length);
  }

  ErrorBound error() const {
    if (model_.sum == BlockSum::aligned) return not_modelled(aligned_);
    const std::size_t spared = blocks_ == 0 ? 0 : exact_additions(model_);
    return repeated_error(once_, deepest_ - std::min(deepest_, spared));
  }

 private:
  void block(std::size_t length) {
    ++blocks_;
    if (model_.sum == BlockSum::aligned) {
      // A c after its block joins the sum of the chain of segments by a rounding to nearest.
      const bool after = model_.c == Inclusion::after;
      if (model_.interleave != 0) length = model_.block;  // zeros fill it up
      const std::size_t part = after ? std::min(model_.segment, length) : length;
      double inside = 0;
      for (std::size_t left = length; left > 0; left -= std::min(part, left))
        inside =
            compose(inside, compose(alignment_error(model_, std::min(part, left)), once_.worst));
      aligned_ = compose(aligned_, after ? compose(inside, unit_roundoff(model_.format)) : inside);
      return;
    }
    const BlockDepth depth = block_depth(model_, length);
    // In every later block the first addition is not to zero: its products count one more.
    const std::size_t own = depth.product + (blocks_ == 1 ? 0 : exact_additions(model_));
    deepest_ = std::max(blocks_ == 1 ? 0 : deepest_ + depth.c, own);
  }

  const AccumulatorModel& model_;
  ErrorBound once_;
  std::size_t blocks_ = 0;
  std::size_t deepest_ = 0;
  double aligned_ = 0;
};

}  // namespace

ErrorBound chain_error(const AccumulatorModel& model, std::size_t length) {
  BlockChain chain(model);
  chain.take(length);
  return chain.error();
}

double product_roundoff(const GemmScheme& gemm) {
  const ProductModel& product = gemm.accumulate().product;
  if (gemm.engine() == Engine::host) return unit_roundoff(fp64);
  if (product.exact || product_bits(gemm) <= product.format.precision) return 0;
  return rounding_error(product.format, product.rounding).worst;
}

namespace {

/// As chain_error, of one element of a complex product of depth n in PSUM: both parts, all K-tiles
/// and passes, the way across tiles and PSUM's own format. On the host: one fp64 chain.
/// Program order: for every K-tile the real and the imaginary products of all passes into each
/// part. `through`: one chain of blocks over all of them, PSUM written after each matmul. Else each
/// matmul is a chain from zero, and every one but the first is added to PSUM in fp32, which is
/// then written.
ErrorBound accumulation_error(const ArithmeticSpec& arithmetic, std::size_t n) {
  const GemmScheme& gemm = arithmetic.matrices();
  const Machine& machine = arithmetic.machine();
  // With that of its product a term meets 2n roundings, as in a chain of 2n FMAs.
  if (gemm.engine() == Engine::host)
    return repeated_error(random_rounding(unit_roundoff(fp64)), 2 * n - 1);
  const AccumulatorModel& model = gemm.accumulate();
  const std::size_t depth = gemm.evict_tiles() ? std::min(n, machine.k_tile) : n;
  const std::size_t tiles = parts(depth, machine.k_tile);
  const std::size_t per_tile = 2 * gemm.passes() * phases(machine.fidelity);
  const auto written = [&](const Format& format) {
    return format == fp32 ? ErrorBound()
                          : rounding_error(format, machine.psum_rounding, machine.stochastic_bits);
  };
  const ErrorBound write = compose(written(machine.psum_via), written(machine.psum));
  const ErrorBound writes = repeated_error(write, per_tile * tiles);
  if (machine.across_tiles == AcrossTiles::through) {
    BlockChain chain(model);
    for (std::size_t first = 0; first < depth; first += machine.k_tile)
      for (std::size_t matmul = 0; matmul < per_tile; ++matmul)
        chain.take(std::min(machine.k_tile, depth - first));
    return compose(chain.error(), writes);
  }
  const ErrorBound into_psum =
      repeated_error(rounding_error(fp32, model.rounding), per_tile * tiles - 1);
  const ErrorBound in_tile = chain_error(model, std::min(depth, machine.k_tile));
  return compose(compose(in_tile, into_psum), writes);
}

/// Error of one product in the unit, and of its additions. Each product, and each term of an
/// aligned sum, counts as one addition; lanes, blocks and tiles add at most as many again.
double term_small_error(const GemmScheme& gemm, const Machine& machine) {
  const AccumulatorModel& model = gemm.accumulate();
  const ProductModel& product = model.product;
  const double flushed = model.flush_outputs || model.flush_inputs ? 2 * min_normal(fp32) : 0;
  double addition = small_error(model.format, model.rounding) + flushed;
  if (model.sum == BlockSum::aligned) {
    // Subnormal data have the exponent emin of their format, and a c of zero that of fp32.
    const int lowest = std::max({model.lowest_exponent, model.operands.emin, fp32.emin});
    const double over = model.elements ? 1 / square(min_subnormal(*model.elements)) : 1;
    const int bits = std::min({model.fraction_bits, model.late_fraction_bits,
                               model.c_reach == 0 ? model.fraction_bits : model.c_reach});
    addition += over * std::ldexp(1.0, lowest - bits);
  }
  for (const Format& written : {machine.psum, machine.psum_via})
    if (written != fp32) addition += small_error(written, machine.psum_rounding);
  const double once = product.exact ? 0 : small_error(product.format, product.rounding);
  return once + 2 * addition;
}

/// Of the data as the engine takes them: both parts of `depth` of them meet a part of the result,
/// each in as many terms as there are kept products of words; factors are at most 1, and what their
/// words lose is a share of that.
double engine_small_error(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  const double products = 2 * static_cast<double>(depth);
  if (gemm.engine() == Engine::vector) {
    const SmallErrors small = small_errors(arithmetic);
    return products * (small.product + small.sum);
  }
  // Integers times powers of two, and sums of doubles.
  constexpr double in_fp64 = 0x1p-1040;
  if (gemm.engine() != Engine::tensor) return products * in_fp64;
  const Machine& machine = arithmetic.machine();
  const double terms = static_cast<double>(gemm.terms().size());
  const double evictions = static_cast<double>(stretches(arithmetic, depth).size()) * terms;
  const double of_terms =
      gemm.sum() == TermSum::in_fp64 ? in_fp64 : small_error(fp32, Rounding::rz);
  double evicted = machine.eviction == fp32 ? 0 : small_error(machine.eviction, machine.casts);
  if (arithmetic.faults().demotion != Demotion::none) evicted += small_error(bf16, machine.casts);
  const double left = evictions * (evicted + 2 * of_terms);
  if (gemm.data().kind == WordKind::slices) return products * in_fp64 + left;
  const double count = products * terms * static_cast<double>(phases(machine.fidelity)) + 2;
  return products * small_error(gemm.data(), arithmetic.operation_format(),
                                gemm.accumulate().flush_inputs) +
         count * term_small_error(gemm, machine) + left;
}

/// Data that share an exponent e reach the engine as 2^-e x, where 2^e < 2L/top, L the largest part
/// of the N values and top as operand_top has it. What the engine errs by in each of 2N parts, a,
/// is 2^e a in the result: over all of them at most sqrt(2N) 2a/top ||x||, and the result's norm is
/// sqrt(r) ||x||.
double shared_operand_error(const ArithmeticSpec& arithmetic, std::size_t r) {
  if (!operands_share_exponent(arithmetic)) return 0;
  const std::size_t values = arithmetic.lines().n * arithmetic.lines().batch;
  if (values == 0) return unknown;
  const double per_output = 2 * static_cast<double>(values) / static_cast<double>(r);
  return std::sqrt(per_output) * 2 * engine_small_error(arithmetic, r) / operand_top(arithmetic, r);
}

}  // namespace

double gemm_small_error(const ArithmeticSpec& arithmetic, std::size_t depth) {
  // The results leave their exponent in fp32.
  return operands_share_exponent(arithmetic) ? min_normal(fp32)
                                             : engine_small_error(arithmetic, depth);
}

namespace {

/// Plain: re = fl(fl(rr) - fl(ii)) with products off by p and a sum off by s errs by (1 + s) p
/// (|rr|
/// + |ii|) + s |re|; |rr| + |ii| <= |w||x| in each part, so sqrt(2) (1 + s) p + s over both. Both
/// to nearest in one format: sqrt(5) u (Brent, Percival, Zimmermann 2007). Fused: 2u (Jeannerod,
/// Kornerup, Louvet, Muller 2017). Squares: those of the four real products are |w|^2|x|^2.
ErrorBound plain_product_error(const ArithmeticSpec& arithmetic) {
  const RealErrors errors = real_errors(arithmetic);
  const double u = unit_roundoff(arithmetic.operation_format());
  const double p = errors.product.worst;
  const double s = errors.sum.worst;
  const ErrorBound bound{std::sqrt(2.0) * p * (1 + s) + s,
                         std::sqrt(2.0) * errors.product.certain + errors.sum.certain * (1 + 2 * p),
                         errors.product.square + errors.sum.square * square(1 + 2 * p)};
  if (p != u || s != u) return bound;
  const bool fused = arithmetic.machine().vector.fused && arithmetic.operation_format() == fp32;
  return {fused ? 2 * u : std::sqrt(5.0) * u, bound.certain, bound.square};
}

/// 2Prod, to nearest: re = fl(fl(H) + fl(L)), H + L exact, |L| <= u M with M = |rr| + |ii| <=
/// |w||x|: the error is at most (u + u^2)(|H| + |L|) + u |re| <= (2u + u^2) |re| + 2 u^2 (1 + u) M;
/// over both parts (2u + 4u^2) |w||x|. On other engines, products off by p and sums by s, a pair is
/// no longer exact. In a split of x the high word is within 4097 (2^-23)(1.01)|x| < 2^-10.9 |x| of
/// x, so the low word is exact (Sterbenz). The four products of words are worth at most (1 +
/// 2^-9.9)^2 |ab| < 1.003 |ab| and round by p each; the three sums that take them have results of
/// at most 2^-8 |ab|: the pair is off by e = 1.003 p
/// + 3 s/256, of |ab|. The rest is as above with e beside the sums, and |L| <= (p + e) M: over both
/// parts sqrt(2) e + 2s and terms of second order, of which there are fewer than 10 s (p + s).
/// Squares, with exact pairs: of fl(H) u^2 (|re| + u M)^2, of fl(L) u^4 M^2, of the sum of both u^2
/// (1 + 3u)^2 |re|^2; over both parts less than 2 u^2 (1 + 4u)^2 |w|^2|x|^2.
ErrorBound two_prod_error(const ArithmeticSpec& arithmetic) {
  const RealErrors errors = real_errors(arithmetic);
  const double p = errors.product.worst;
  const double s = errors.sum.worst;
  if (arithmetic.machine().vector.product_bits == fp32.precision &&
      arithmetic.machine().vector.sum_rounding == Rounding::rne)
    return {2 * s + 4 * s * s, 0, (errors.product.square + errors.sum.square) * square(1 + 4 * s)};
  const double pair = 1.003 * p + 3 * s / 256;
  return not_modelled(std::sqrt(2.0) * pair + 2 * s + 10 * s * (p + s));
}

/// (k u)/(1 - k u), infinite from k u = 1 on.
double gamma(double k, double u) {
  return k * u < 1 ? k * u / (1 - k * u) : std::numeric_limits<double>::infinity();
}

/// A sum of r complex terms t_k errs, in the norm of both parts, by at most `terms` sum|t_k| +
/// `whole` |sum t_k|.
/// `certain` is the part of `terms` that is not random; the squares of random roundings, each of a
/// sum of some of the terms, add up to `square`.
struct SumErrors {
  double terms;
  double whole;
  double certain;
  double square;
};

/// Plain: the first addition is to zero: (1 + s)^(r-1) - 1.
/// Kahan: with y = (t - c)(1 + a), s' = s + y + d, |d| <= u |s + y|, c' = (d + g (y + d))(1 + h),
/// s' - c' is s - c + t but for a (t - c) - g (1 + h)(y + d) - h d. Over all terms that is at most
/// 2u (1 + 2u) sum|t| and 4u times the sum of |c| and |d|, each at most 2u sum|t| as long as r u <=
/// 1/8: (2u + 16 r u^2) sum|t|. The result is s = (s - c) + c; of the last step's terms and c that
/// leaves a (t - c) + d, and |d| is at most u |s| + u^2 |s|. Neumaier: the errors of the additions
/// are exact and at most gamma_(r-1) sum|t| in all; their sum errs by gamma_(r-1) of that, and the
/// total rounds once (Ogita, Rump, Oishi 2005, prop. 4.5).
SumErrors sum_errors(const ArithmeticSpec& arithmetic, std::size_t r) {
  const double u = unit_roundoff(arithmetic.operation_format());
  const double length = static_cast<double>(r);
  const ErrorBound once = real_errors(arithmetic).sum;
  if (arithmetic.product() == ProductScheme::kahan_sum) {
    const double terms = 2 * u + (16 * length + 8) * u * u;
    return {terms, u + 4 * u * u, terms + 4 * u * u, once.square};
  }
  if (arithmetic.product() == ProductScheme::neumaier) {
    const double carried = gamma(length - 1, u);
    return {(1 + u) * carried * carried, u, (1 + u) * carried * carried, once.square};
  }
  return {repeated_error(once.worst, r - 1), 0, repeated_error(once.certain, r - 1),
          (length - 1) * once.square};
}

/// The words of a matrix product for sums of length `depth`. Residues stand for integers of as many
/// bits as the moduli leave: one slice.
GemmScheme words_at(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() != Engine::integer)
    return gemm.with_words(data_words(arithmetic, depth), factor_words(arithmetic, depth));
  const OperandWords integers{.kind = WordKind::slices, .bits = residue_bits(depth, gemm.moduli())};
  return gemm.with_words(integers, integers);
}

/// The sums of a matrix product on a tensor, integer or host engine, for factors off by mu, and
/// their own errors left out: relative to ||x|| sqrt(r) and an r-th part of ||W||_F^2 = r^2, as
/// gemm_error says.
ErrorBound products_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu,
                          Factors factors) {
  const GemmScheme& gemm = arithmetic.matrices();
  const Machine& machine = arithmetic.machine();
  const WordNorms norms = word_norms(words_at(arithmetic, r), arithmetic, r, factors);
  if (gemm.engine() == Engine::integer)
    return compose(ErrorBound(root(r) * norms.left_out), random_rounding(unit_roundoff(fp64)));
  const bool exact = gemm.data().kind == WordKind::slices && slice_bits(arithmetic, r).exact;
  const ProductModel& product = gemm.accumulate().product;
  ErrorBound once = random_rounding(product_roundoff(gemm));
  if (once.worst > 0 && gemm.engine() == Engine::tensor)
    once = rounding_error(product.format, product.rounding);
  ErrorBound gamma = exact ? 0 : compose(once, accumulation_error(arithmetic, r));
  if (gemm.engine() == Engine::tensor) {
    const double phases = fidelity_error(machine.fidelity, gemm.operands().precision);
    gamma = compose(gamma, machine.fidelity == Fidelity::whole ? phases : not_modelled(phases));
  }
  if (gemm.engine() == Engine::tensor && machine.eviction != fp32)
    gamma =
        compose(gamma, rounding_error(machine.eviction, machine.casts, machine.stochastic_bits));
  gamma = compose(gamma, ErrorBound(demotion_error(arithmetic, false)));
  if (gemm.evict_each()) {
    const std::size_t evictions = stretches(arithmetic, r).size() * gemm.terms().size();
    gamma = compose(gamma, repeated_error(term_sum_error(arithmetic), evictions - 1));
  }
  const auto whole = [&](double of_sums) {
    return compose(root(r) * norms.left_out + root(2 * r) * norms.kept * of_sums,
                   demotion_error(arithmetic, true));
  };
  const double worst = whole(gamma.worst);
  const double partial = 1 + root(r) * ((1 + mu) * norms.kept - 1) + (1 + mu) * worst;
  return {worst, whole(gamma.certain * (1 + gamma.worst)), gamma.square * square(partial)};
}

}  // namespace

double repeated_error(double error, std::size_t count) {
  double result = 0;
  for (double power = error; count > 0; count /= 2, power = compose(power, power))
    if (count % 2 == 1) result = compose(result, power);
  return result;
}

ErrorBound repeated_error(const ErrorBound& error, std::size_t count) {
  const double worst = repeated_error(error.worst, count);
  return {worst, repeated_error(error.certain, count) * (1 + worst),
          static_cast<double>(count) * error.square * square(1 + worst)};
}

ErrorBound orthogonal_sum(const ErrorBound& a, const ErrorBound& b) {
  return {std::hypot(a.worst, b.worst), std::hypot(a.certain, b.certain), a.square + b.square};
}

ErrorBound larger(const ErrorBound& a, const ErrorBound& b) {
  const auto most = [](double x, double y) {
    return std::isnan(x) || std::isnan(y) ? unknown : std::max(x, y);
  };
  return {most(a.worst, b.worst), most(a.certain, b.certain), most(a.square, b.square)};
}

std::optional<double> ErrorBound::probable() const {
  constexpr double factor = 5.38678;  // sqrt(2 ln(2e6)), rounded up
  if (!(square > 0)) return std::nullopt;
  return std::min(worst, certain + factor * std::sqrt(square));
}

double rounded_table_error(const Format& format) {
  if (!format.is_fixed())
    return std::max(unit_roundoff(format), min_subnormal(format)) / std::sqrt(2.0);
  const double quantum = power_of_two(quantum_exponent(format));
  return quantum * (max_finite(format) < 1 ? std::sqrt(1.25) : std::sqrt(0.5));
}

/// Rounded once: each part errs by u of itself. Dot2: by u of itself and gamma_2^2 (|rr| + |ii|)
/// (Ogita, Rump, Oishi 2005, prop. 5.5), sqrt(2) gamma_2^2 over both parts.
/// Split: words not kept, words not there, then for each kept term, whose products are exact, one
/// fp32 sum, and one per further term. Squares: t kept terms take 2t - 1 sums of complex numbers,
/// each of at most `kept` |w||x|.
ErrorBound product_error(const ArithmeticSpec& arithmetic) {
  const double u = unit_roundoff(arithmetic.operation_format());
  switch (arithmetic.product()) {
    case ProductScheme::two_prod:
      return two_prod_error(arithmetic);
    case ProductScheme::rounded_once:
      return random_rounding(u);
    case ProductScheme::dot2: {
      const double carried = std::sqrt(2.0) * gamma(2, u) * gamma(2, u);
      return {u + carried, carried, square(u * (1 + carried))};
    }
    case ProductScheme::split: {
      const WordNorms norms = word_norms(element_words(arithmetic), arithmetic, 1, Factors::any);
      const ErrorBound sum = real_errors(arithmetic).sum;
      const double worst =
          norms.left_out +
          norms.kept * repeated_error(sum.worst, arithmetic.product().words()->count);
      const double sums = 2 * static_cast<double>(element_words(arithmetic).terms().size()) - 1;
      const double certain =
          norms.left_out +
          norms.kept * repeated_error(sum.certain, arithmetic.product().words()->count);
      return {worst, certain, sums * sum.square * square(norms.kept + 2 * worst)};
    }
    default:
      return plain_product_error(arithmetic);
  }
}

/// y = x W with ||x W|| = sqrt(r) ||x||. Two parts, each relative to ||y||:
/// - tables: ||x dW|| <= ||x|| ||dW||_F <= ||x|| r mu: sqrt(r) mu.
/// - sums: an output part is a sum of 2r real products, each met by one product rounding u_p and by
///   gamma of the accumulation; |error| <= gamma sum |x_k||w_kj| <= gamma (1 + mu) sqrt(r) ||x|| in
///   each part, sqrt(2) over both, sqrt(r) over all outputs: sqrt(2r) gamma. (Blanchard, Higham,
///   Lopez, Mary, Pranesh, SISC 42(3), 2020.) Gamma counts every rounding on the way of a product:
///   accumulation, eviction, demotion, the sum of the terms outside. Phases of a fidelity are
///   matmuls whose products, of one sign, add up to the product but for fidelity_error of it.
/// Words: the parts left out act like table errors, sqrt(r) times their size; the kept terms have
/// the sizes of their words (word_norms). Where sizes are norms of vectors, sum |x_k||w_kj| is
/// at most the product of the norms, and the same follows.
/// Residues: the sums of the rounded integers are exact, the result is rounded to fp64.
/// Squares: at every step what the accumulators hold is z W, z those of the data, or of their
/// parts, that are summed so far. All z of one step have disjoint parts of the data, so a rounding
/// met by every product adds u^2 r ||x||^2 at most, with tables off by mu in the 2-norm (1 +
/// sqrt(r) mu)^2 times that; words but the first, which are no DFT, count by their size, and what
/// errors before it add by the worst case: `partial`. So a depth of d adds d u^2 to the squares,
/// where the worst case has d u sqrt(2r).
ErrorBound gemm_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() == Engine::vector) return dot_error(arithmetic, r, mu);
  const ErrorBound sums = products_error(arithmetic, r, mu, Factors::roots);
  return ErrorBound{root(r) * mu + (1 + mu) * sums.worst, root(r) * mu + (1 + mu) * sums.certain,
                    sums.square} +
         ErrorBound(shared_operand_error(arithmetic, r));
}

/// Proof: each output part errs by gamma sum_k |x_ik||w_kj| at most, gamma as in gemm_error, both
/// parts by sqrt(2) gamma ||x_i|| ||w_j||, all outputs by sqrt(2) gamma ||x||_F ||W||_F; the parts
/// that words leave out likewise, without the sqrt(2). An r x r DFT matrix has ||W||_F = r and ||x
/// W||_F = sqrt(r) ||x||_F: products_error is sqrt(r) times that. Squares are relative to ||x||_F
/// ||W||_F as they stand: ||z W||_2 <= ||z||_2 ||W||_F.
ErrorBound computed_gemm_error(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  const ErrorBound error = gemm.engine() == Engine::vector
                               ? dot_error(arithmetic, depth, 0)
                               : products_error(arithmetic, depth, 0, Factors::any);
  return {error.worst / root(depth), error.certain / root(depth), error.square};
}

/// As gemm_error with complex products in place of real ones: each is off by rho |w||x|, and their
/// sum as sum_errors says: sqrt(r) [(1 + rho)(1 + terms) - 1] and `whole` of the result.
/// Dot2: of 2r real products each part errs by u |part| + gamma_2r^2 sum|ab| (Ogita, Rump, Oishi
/// 2005, prop. 5.5), and over both parts and all outputs by u ||y|| + sqrt(2r) gamma_2r^2.
/// Squares: of products rho^2 for each, and of sums as in gemm_error.
ErrorBound dot_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu) {
  const double tables = root(r) * mu;
  if (arithmetic.product() == ProductScheme::dot2) {
    const double u = unit_roundoff(arithmetic.operation_format());
    const double carried = gamma(2 * static_cast<double>(r), u);
    const double rest = (1 + mu) * root(2 * r) * carried * carried;
    const double worst = compose(tables, u) + rest;
    return {worst, tables + rest, square(u * (1 + tables + worst))};
  }
  const SumErrors sum = sum_errors(arithmetic, r);
  const ErrorBound products = product_error(arithmetic);
  const auto whole = [&](double of_products, double of_terms, double of_sum) {
    return compose(tables + (1 + mu) * root(r) * compose(of_products, of_terms), of_sum);
  };
  const double worst = whole(products.worst, sum.terms, sum.whole);
  const double computed = (1 + products.worst) * (1 + sum.terms);
  return {worst, whole(products.certain, sum.certain * computed, 0),
          square(1 + mu) * products.square + sum.square * square(1 + tables + worst)};
}

/// The row of ones is r - 1 plain sums, whatever other sums are.
ErrorBound dft_core_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu) {
  const ErrorBound rest = dot_error(arithmetic, r, mu);
  if (sum_errors(arithmetic, r).whole == 0 && arithmetic.product() != ProductScheme::dot2)
    return rest;
  return rest + repeated_error(real_errors(arithmetic).sum, r - 1);
}

/// X' = X + F(x - G(X)), with relative errors of at most b of X, f of F and b' of G, growth c, in
/// fp32 outside: X = Fx + E1, G(X) = F^-1 X + E2, |E2| <= b'(1 + c b)|x|, so the residual is r =
/// -F^-1 E1 - E2, |r| <= c b + |E2|, and F(r) = -E1 - F E2 + E3: E1 cancels, but the error of G
/// stays, grown to c |E2|; then |E3| <= f |r|, and the fp32 roundings of the residual and of the
/// sum. What G does not see of E1 is not cancelled: at most b. Random: E2 alone.
ErrorBound refined_error(const ErrorBound& before, const ErrorBound& forward,
                         const ErrorBound& backward, double growth) {
  const double u = 0x1p-24;
  const ErrorBound inverse = (1 + growth * before.worst) * (growth * backward);
  const double seen = growth * before.worst + inverse.worst;
  const double unseen = growth > 1 ? before.worst : 0;
  const double residual = (1 + u) * seen;
  const ErrorBound rest(growth * u * seen);
  return compose(unseen + inverse + rest + forward.worst * residual,
                 ErrorBound(repeated_error(u, 2)));
}
}  // namespace fftprec
