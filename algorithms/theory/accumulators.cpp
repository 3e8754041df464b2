/// Sums in an accumulator: a way to sum blocks in one class, then chains of blocks, PSUM, tiles.
#include "algorithms/theory/accumulators.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "arith/support/portable_math.hpp"

namespace fftprec {

namespace {

/// ceil(a / b).
std::size_t parts(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// Levels of a tree over `leaves`; a single one is rounded as well.
std::size_t levels(std::size_t leaves) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(leaves - 1)));
}

/// Whether a product is a value of the accumulator's format, so that its sum with zero is exact.
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

/// Errors of additions, as shares of what they would be if terms had endless digits: `loss`, the
/// size that truncation takes; `variance` of the roundings; `often`, how many additions round.
struct CutShares {
  double loss = 1;
  double variance = 1;
  double often = 1;

  /// To odd: see cut_shares.
  double variance_by(Rounding rounding) const {
    return rounding == Rounding::odd ? 1.5 * loss - 0.5 * variance : variance;
  }
  CutShares operator+(const CutShares& other) const {
    return {loss + other.loss, variance + other.variance, often + other.often};
  }
  CutShares operator*(double weight) const {
    return {weight * loss, weight * variance, weight * often};
  }
};

/// Share of the variance that a rounding has where the digits which it cuts begin below t places:
/// see cut_shares.
double cut_variance(double t) {
  return (portable::atan(t) * (1 - 1 / square(t)) + 1 / t) * 2 / std::numbers::pi;
}

/// Of the additions that make a sum s of k terms x, all normal, which have p digits: the last bit
/// of a term is that of a value of D digits.
///
/// Where d = log2(|s/x| 2^(D - p)) > 0 digits lie below the sum's last place an addition cuts them:
/// v = 2^-d = min(1, |x/s| sqrt(k)/t), t = sqrt(k) 2^(D - p).
///   - Loss of size: half a unit less half of v; with `zeros`, those at the end of a product of two
///     integers, z of one factor with probability 2^-(z+1), half of v (1 + d/2). It counts by
///     2^e |s|, like s^2, and with s weighted by its square x/s has Student's distribution of three
///     degrees of freedom, density (4/pi)/(1 + r^2)^2 of r = |x/s| sqrt(k): E v = 1 - (2/pi) atan t
///     and E v ln(1/v) = ln(1 + t^2)/(pi t).
///   - Variance: 1 - v^2 of a squared unit, E v^2 = 1 - (2/pi) (atan t (1 - 1/t^2) + 1/t). To odd,
///     if d digits are cut, 1/3 - v/2 + v^2/6 of a squared unit: of the numbers f in [0, 1) of d
///     digits but 0, all alike, half go up by 1 - f, half down by f.
///   - Often: v < 1 with probability (2/pi) (atan t + t/(1 + t^2)).
CutShares cut_shares(double t, bool zeros) {
  constexpr double pi = std::numbers::pi;
  const double at_end = zeros ? portable::log1p(square(t)) / (pi * t) / (2 * std::numbers::ln2) : 0;
  return {portable::atan(t) * 2 / pi - at_end, cut_variance(t),
          (portable::atan(t) + t / (1 + square(t))) * 2 / pi};
}

/// The same where the terms are products of normal values and cos of a uniform phase: of a given
/// phase they are normal, and sqrt(2) |cos| of their root mean square.
CutShares cut_products(double t, bool zeros) {
  constexpr int phases = 16;
  CutShares sum{0, 0, 0};
  for (int i = 0; i < phases; ++i)
    sum = sum + cut_shares(t / (std::numbers::sqrt2 *
                                portable::cos((i + 0.5) * std::numbers::pi / (2 * phases))),
                           zeros);
  return sum * (1.0 / phases);
}

/// The same of a chain that has k terms: where it grows into the next binade, it drops its own last
/// bit, if it has one yet: as much as endless digits would lose, E(growth) E|s|/E s^2 = 1/(pi sqrt
/// k) of the time.
CutShares cut_chain(const CutShares& cut, double k) {
  const double has_one = -portable::expm1(k * portable::log1p(-std::min(1.0, cut.often)));
  const double grown = has_one / (std::numbers::pi * std::sqrt(k));
  return cut * (1 - grown) + CutShares{} * grown;
}

}  // namespace

double cut_sum_of_two(int bits, int p) {
  return cut_products(2 * std::numbers::sqrt2 * portable::exp2(bits - 0.5 - p), true).variance;
}

namespace {

/// How many digits leading products have. The last bit of an exact product of d-digit words is that
/// of a value of 2d - 1/2 digits, on average over all significands; of a product with 1, -1, i or
/// -i that of the word. A product that is rounded has the digits of its format.
struct ProductDigits {
  double digits;
  bool exact;

  ProductDigits(const GemmScheme& gemm, bool trivial) {
    const ProductModel& product = gemm.accumulate().product;
    const int bits = trivial ? gemm.data().first().precision : leading_product_bits(gemm);
    exact = product.exact || product.format.precision >= bits;
    digits = exact ? bits - (trivial ? 0 : 0.5) : product.format.precision;
  }
};

/// The roundings of a column of `length` products through the blocks of a model, in units of one
/// rounding of the column's sum, less what is not there to cut.
class Column {
 public:
  double variance = 0;  ///< share of the variance
  double loss = 0;      ///< of size, of roundings in which the whole column takes part
  double chained = 0;   ///< of those of the chain through c, to which ever more products come
  double steps = 0;     ///< of that chain

  Column(const GemmScheme& gemm, double products, bool trivial);

  /// Additions into PSUM of sums of `products` products, tile after tile.
  CutShares across(double tiles, double products) const {
    return share_of_chain(tiles, products, true);
  }

  const double length;   ///< products
  const double size;     ///< of a block
  const double segment;  ///< of a block, where it has such
  const bool late;       ///< c joins a block after its products

  /// Sums of `terms` terms, each the sum of `products` products, by additions in which `fresh`
  /// terms have digits below the sum's. The smallest of m values is about m times smaller than the
  /// others, sqrt(m) m times smaller than their sum, and so is its last bit, but for zeros at its
  /// end: of loss of size m E 2^-z = 2/3 m counts. In terms that are rounded the last bit is at
  /// most that of p digits.
  CutShares share(double terms, double products, bool rounded, double fresh = 1) const {
    const double p = model_.format.precision;
    const double digits = digits_.digits + 1.5 * portable::log2(products);
    const double t = fresh * std::sqrt(terms);
    if (rounded && digits >= p) return cut_shares(t, false);
    CutShares cut = cut_products(t * portable::exp2(digits - p), digits_.exact && products == 1);
    if (digits_.exact && products > 1)
      cut.loss = cut_products(t * portable::exp2(digits - p) * 2 / 3, false).loss;
    return cut;
  }
  void whole(const CutShares& cut) {
    variance += cut.variance_by(model_.rounding);
    loss += cut.loss;
  }
  /// The levels of a tree: both terms of a sum have digits to lose.
  void tree(double terms, double products) {
    for (double of = products; of < terms * products; of *= 2) whole(share(2, of, true, 2));
  }
  /// Sum over the steps of the share of the variance that the sum then has, the first of them
  /// without a rounding if it starts at zero; a step counts as much as the sum has grown, so that
  /// of the mean has 2/3 of all terms.
  void chain(double terms, double products, bool from_zero, bool rounded) {
    const CutShares cut = share_of_chain(terms, products, rounded);
    variance += cut.variance_by(model_.rounding) *
                std::max(0.0, (terms + 1) / 2 - (from_zero ? 1 / terms : 0));
    chained += terms * cut.loss;
    steps += terms;
  }
  /// The chains within blocks, of the size of all of which a step loses half in the mean.
  void inner_chain(double terms) {
    whole(share_of_chain(terms, 1, false) * std::max(0.0, (terms + 1) / 2 - 1 / terms));
  }

  /// Of the chain of blocks through c. `rounded`: what a block adds to c is.
  void chain_of_blocks(bool rounded) {
    chain(std::max(1.0, length / size), size, rounded, rounded);
  }

 private:
  CutShares share_of_chain(double terms, double products, bool rounded) const {
    const double k = std::max(1.0, terms * 2 / 3);
    return cut_chain(share(k, products, rounded), k);
  }

  const AccumulatorModel& model_;
  ProductDigits digits_;
};

/// One way to sum a block of products: how often a term is rounded at most, and what these
/// roundings leave. A chain of `length` terms after its start takes `length` additions; one that
/// starts at +0 takes its first term without error if the format holds it.
class BlockTheory {
 public:
  virtual ~BlockTheory() = default;
  virtual BlockDepth depth(const AccumulatorModel& model, std::size_t length) const = 0;
  /// Whether the first term is added to what the block starts from.
  virtual bool starts_a_chain() const { return true; }
  virtual void expect(Column& column) const = 0;

 protected:
  static bool is_early(const AccumulatorModel& model) {
    return model.addend == AddendPosition::early;
  }
  static std::size_t late(const AccumulatorModel& model) { return is_early(model) ? 0 : 1; }
  static std::size_t exact_first(const AccumulatorModel& model) {
    return !is_early(model) && holds_products(model) ? 1 : 0;
  }
};

class Ordered final : public BlockTheory {
  BlockDepth depth(const AccumulatorModel& model, std::size_t length) const override {
    return {length - exact_first(model) + late(model), is_early(model) ? length : 1};
  }
  void expect(Column& column) const override { column.chain(column.length, 1, true, false); }
};

class Pairwise final : public BlockTheory {
  BlockDepth depth(const AccumulatorModel& model, std::size_t length) const override {
    const bool early = is_early(model);
    return {levels(length + (early ? 1 : 0)) + late(model), early ? levels(length + 1) : 1};
  }
  bool starts_a_chain() const override { return false; }
  void expect(Column& column) const override {
    column.tree(column.size, 1);
    if (column.late) column.chain_of_blocks(true);
  }
};

class Segments final : public BlockTheory {
  BlockDepth depth(const AccumulatorModel& model, std::size_t length) const override {
    const std::size_t segments = parts(length, model.segment);
    const std::size_t tree = segments == 1 ? 0 : levels(segments);
    const std::size_t chain = std::min(length, model.segment);
    return {chain - exact_first(model) + tree + late(model), is_early(model) ? chain + tree : 1};
  }
  void expect(Column& column) const override {
    column.inner_chain(column.segment);
    column.tree(std::ceil(column.size / column.segment), column.segment);
    column.chain_of_blocks(true);
  }
};

class EvenOdd final : public BlockTheory {
  BlockDepth depth(const AccumulatorModel& model, std::size_t length) const override {
    const std::size_t chain = parts(length, 2);
    return {chain - exact_first(model) + 1 + late(model), is_early(model) ? chain + 1 : 1};
  }
  void expect(Column& column) const override {
    column.inner_chain(std::max(1.0, column.size / 2));
    if (column.size > 1) column.whole(column.share(2, column.size / 2, true, 2));
    column.chain_of_blocks(true);
  }
};

/// And aligned sums, whose worst case is alignment_error.
class Exact final : public BlockTheory {
  BlockDepth depth(const AccumulatorModel& model, std::size_t) const override {
    return {1 + late(model), 1};
  }
  bool starts_a_chain() const override { return false; }
  void expect(Column& column) const override {
    if (column.late) column.whole(column.share(1, column.size, false));
    column.chain_of_blocks(column.late);
  }
};

const BlockTheory& theory_of(BlockSum sum) {
  static const Ordered ordered;
  static const Pairwise pairwise;
  static const Segments segments;
  static const EvenOdd even_odd;
  static const Exact exact;
  switch (sum) {
    case BlockSum::pairwise:
      return pairwise;
    case BlockSum::segments:
      return segments;
    case BlockSum::even_odd:
      return even_odd;
    case BlockSum::exact:
    case BlockSum::aligned:
      return exact;
    default:
      return ordered;
  }
}

Column::Column(const GemmScheme& gemm, double products, bool trivial)
    : length(products),
      size(gemm.accumulate().block == 0
               ? products
               : std::min(products, static_cast<double>(gemm.accumulate().block))),
      segment(std::min(size, static_cast<double>(gemm.accumulate().segment))),
      late(gemm.accumulate().addend == AddendPosition::late),
      model_(gemm.accumulate()),
      digits_(gemm, trivial) {
  theory_of(model_.sum).expect(*this);
}

/// Additions to c = +0, in the first block of all, that are exact: that of a late c, and that of
/// the first product of an early chain. (A late first product has its own in the depth of its
/// block.)
std::size_t exact_additions(const AccumulatorModel& model) {
  if (model.addend == AddendPosition::late) return 1;
  return theory_of(model.sum).starts_a_chain() && holds_products(model) ? 1 : 0;
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
  if (model.addend != AddendPosition::late) return (terms + 1) * cut;
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
      const bool after = model_.addend == AddendPosition::after;
      if (model_.interleave != 0) length = model_.block;  // zeros fill it up
      const std::size_t part = after ? std::min(model_.segment, length) : length;
      double inside = 0;
      for (std::size_t left = length; left > 0; left -= std::min(part, left))
        inside =
            compose(inside, compose(alignment_error(model_, std::min(part, left)), once_.worst));
      aligned_ = compose(aligned_, after ? compose(inside, unit_roundoff(model_.format)) : inside);
      return;
    }
    const BlockDepth depth = theory_of(model_.sum).depth(model_, length);
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

int leading_product_bits(const GemmScheme& gemm) {
  return gemm.data().first().precision + gemm.factor().first().precision;
}

double product_roundoff(const GemmScheme& gemm) {
  const ProductModel& product = gemm.accumulate().product;
  if (product.exact || product_bits(gemm) <= product.format.precision) return 0;
  return rounding_error(product.format, product.rounding).worst;
}

ErrorBound accumulation_error(const ArithmeticSpec& arithmetic, std::size_t n) {
  const GemmScheme& gemm = arithmetic.matrices();
  const Machine& machine = arithmetic.machine();
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

namespace {

/// Of the entries of a column, the roots of unity of an order, those that are 1, -1, i, -i.
double trivial_share(std::size_t order) {
  return static_cast<double>(std::gcd(order, std::size_t{4})) / static_cast<double>(order);
}

}  // namespace

double products_of_column(std::size_t n, std::size_t order, GemmData data) {
  const double trivial = trivial_share(order);
  const bool halved = data == GemmData::real && order > 2;
  return static_cast<double>(n) * (halved ? 1 - trivial / 2 : 2 - trivial);
}

namespace {

/// The sums for one output, whose column of the matrix has the roots of unity of an order as
/// entries, equally often. One part of a root 1, -1, i or -i is zero and takes no part in any sum.
/// Columns that hold only these roots are exact in one word, and their products with narrow
/// operands are added within a tile without error. A truncating accumulator takes its bias from
/// every partial sum. Partial sums are on average half of the last, a loss of size of half the bias
/// a step; as they walk there at random, the square of the sum of all is a third, which leaves 1/3
/// - 1/4 for errors to either side.
class OneColumn {
 public:
  OneColumn(const ArithmeticSpec& arithmetic, std::size_t n, std::size_t order, GemmData data)
      : gemm_(arithmetic.gemm()), machine_(arithmetic.machine()), model_(gemm_.accumulate()) {
    const bool is_real = order <= 2 || data == GemmData::real;
    trivial_ = trivial_share(order);
    length_ = products_of_column(n, order, data);
    const double halves = is_real ? 1 : 2;
    tiles_ = halves * static_cast<double>((n + machine_.k_tile - 1) / machine_.k_tile);
    in_tile_ = static_cast<double>(std::min(n, machine_.k_tile)) * length_ /
               static_cast<double>(n) / halves;
    passes_ = gemm_.evict_each() ? 1 : terms(trivial_ == 1);
  }

  ExpectedError additions() const {
    const ExpectedError once = expected_rounding(model_.format, model_.rounding);
    const ExpectedError written = psum_writes();
    // Products of short words with 1, -1, i, -i are as short as the data's: sums lose none of them.
    const bool is_short = gemm_.operands() != fp32;
    const double share = is_short ? 1 - trivial_ / (2 - trivial_) : 1;
    const double lossy = share * once.bias;
    if (machine_.across_tiles == AcrossTiles::through) {
      const Column column(gemm_, length_, trivial_ == 1);
      // Passes after the first add next to nothing, but round the sum that is there.
      const double later = (passes_ - 1) * column.steps / tiles_ * (tiles_ + 1) / 2;
      const double chained = lossy * passes_ * column.chained;
      return {once.variance * (share * column.variance + later) + square(chained) / 12 +
                  written.variance,
              lossy * column.loss + chained / 2 + written.bias};
    }
    const bool exact = trivial_ == 1 && is_short;
    // Each pass of a tile rounds the whole PSUM value once, the first of all to an empty one. The
    // sums of first words may be short.
    const double first = (tiles_ + 1) / 2 - 1 / tiles_;
    const double later = (passes_ - 1) * (tiles_ + 1) / 2;
    const ExpectedError sum = expected_rounding(fp32, model_.rounding);
    if (machine_.fidelity != Fidelity::whole)
      return {exact ? 0 : sum.variance * rounded_phases() * (first + later), 0};
    const Column column(gemm_, in_tile_, trivial_ == 1);
    const double chained = lossy * column.chained;
    const CutShares whole = column.across(tiles_, portable::exp2(fp32.precision));
    const CutShares cut = column.across(tiles_, in_tile_);
    const double full = model_.rounding == Rounding::rz ? truncation_loss * unit_roundoff(fp32) : 0;
    const double across = full * (cut.loss * first + later);
    // Of the sums of the first tiles, given that of all T, (T^2 - 1)/12 is to either side.
    const double spread = square(full * (cut.loss + passes_ - 1)) * (square(tiles_) - 1) / 12;
    return {share * once.variance * column.variance +
                sum.variance * (cut.variance / whole.variance * first + later) +
                square(chained) / 12 + spread + written.variance,
            lossy * column.loss + chained / 2 + across + written.bias};
  }

 private:
  /// Phases of a pass that round what PSUM holds, each in part. The products of a phase have 12
  /// bits at most, so a tile sums nearly all without error, and so does PSUM until it has outgrown
  /// the last digit of the smallest product of a tile, which of m is about m times smaller.
  double rounded_phases() const {
    const double k = std::max(1.0, length_ * 2 / 3);
    double rounded = 0;
    for (std::size_t i = 0; i < phases(machine_.fidelity); ++i) {
      const double digits = phase_digits(i, gemm_.operands().precision) - 0.5;
      if (digits > 0)
        rounded += cut_variance(std::sqrt(k) * in_tile_ * portable::exp2(digits - 24));
    }
    return rounded;
  }
  double terms(bool only_first) const {
    const auto of_first = [](const SplitTerm& term) { return term.factor == 0; };
    return static_cast<double>(only_first ? std::ranges::count_if(gemm_.terms(), of_first)
                                          : static_cast<std::ptrdiff_t>(gemm_.terms().size()));
  }
  /// A narrower PSUM is rounded after every matmul; stochastically with twice the variance: f (1 -
  /// f) over all fractions f is 1/6, not 1/12. Passes of words that lie below its last place are
  /// lost, and round nothing. By way of a format of d more bits, ties away: what lies 2^-d of half
  /// a unit below a tie, or less, becomes one and goes away too, in the mean 2^-d of half a unit
  /// gained by every write.
  ExpectedError psum_writes() const {
    if (machine_.psum == fp32) return {0, 0};
    const double u = unit_roundoff(machine_.psum);
    const double once = value_variance(u) * (machine_.psum_rounding == Rounding::sr ? 2 : 1);
    const double passes = gemm_.operands().precision >= machine_.psum.precision ? 1 : passes_;
    const int more = machine_.psum_via.precision - machine_.psum.precision;
    const bool gains = machine_.psum_rounding == Rounding::rna && more > 0;
    const double gain = gains ? passes * tiles_ * truncation_loss * std::ldexp(u, -more) : 0;
    return {once * passes * (tiles_ + 1) / 2 + square(gain) / 12, -gain / 2};
  }

  const GemmScheme& gemm_;
  const Machine& machine_;
  const AccumulatorModel& model_;
  double trivial_ = 0;
  double length_ = 0;
  double tiles_ = 0;
  double in_tile_ = 0;
  double passes_ = 1;
};

/// Aligned products lose bits only where they lie more than F - 2p binades below the largest; of
/// normal products that is rare for eight binades or more.
bool cuts_products(const AccumulatorModel& model) {
  constexpr int rare = 7;
  return model.sum == BlockSum::aligned &&
         model.fraction_bits - model.operands.precision - operands_of_b(model).precision < rare;
}

/// Sums that lose bits which the last rounding would see, or a c that it would see.
bool cuts_sums(const AccumulatorModel& model) {
  constexpr int hidden = 4;
  return (model.sum_bits != 0 && model.sum_bits < model.format.precision + hidden) ||
         (model.c_reach != 0 && model.c_reach < model.format.precision);
}

}  // namespace

double chain_variance(double length, double rounding) {
  return rounding * std::max(0.0, (length + 1) / 2 - 1 / length);
}

double host_additions(std::size_t n, const SumData& data, int bits) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double length = products_of_column(n - data.zeros, n / std::gcd(j, n), data.parts);
    const double k = std::max(1.0, length * 2 / 3);
    const double t = std::sqrt(k) * portable::exp2(bits - 0.5 - fp64.precision);
    const double share = bits <= fp64.precision ? cut_chain(cut_products(t, true), k).variance : 1;
    sum += share * chain_variance(length, value_variance(0x1p-53));
  }
  return sum / static_cast<double>(n);
}

ExpectedError psum_additions(const ArithmeticSpec& arithmetic, std::size_t n, const SumData& data) {
  const GemmScheme& gemm = arithmetic.matrices();
  const Machine& machine = arithmetic.machine();
  const AccumulatorModel& model = gemm.accumulate();
  if (machine.fidelity != Fidelity::whole) {
    const bool followed = machine.across_tiles == AcrossTiles::tile_then_add &&
                          machine.psum == fp32 && model.rounding == Rounding::rne &&
                          model.format == fp32 && model.product.exact;
    const bool cuts = fidelity_error(machine.fidelity, gemm.operands().precision) > 0;
    if (cuts || !followed) return {unknown, unknown};
  }
  if (gemm.data().kind == WordKind::slices) {
    if (slice_bits(arithmetic, n).exact) return {0, 0};
    return {unknown, unknown};
  }
  if (cuts_products(model)) return {unknown, unknown};
  if (cuts_sums(model) || model.addend == AddendPosition::after) return {unknown, unknown};
  // Of low words in a narrow PSUM a part is lost.
  const bool residual =
      gemm.data().kind == WordKind::values && gemm.data().rounding == Rounding::rne;
  if (machine.psum != fp32 && residual && gemm.passes() > 1) return {unknown, unknown};
  ExpectedError sum;
  double squares = 0;
  std::map<std::size_t, ExpectedError> of_order;
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t order = n / std::gcd(j, n);
    const auto [found, is_new] = of_order.try_emplace(order);
    if (is_new)
      found->second = OneColumn(arithmetic, n - data.zeros, order, data.parts).additions();
    const ExpectedError& column = found->second;
    sum.variance += column.variance;
    sum.bias += column.bias;
    squares += square(column.bias);
  }
  // What the biases of columns differ by is error to either side.
  const double count = static_cast<double>(n);
  const double bias = sum.bias / count;
  return {sum.variance / count + squares / count - square(bias), bias};
}

double product_rounding_variance(const GemmScheme& gemm) {
  const int held = gemm.accumulate().product.format.precision;
  if (leading_product_bits(gemm) <= held) return 0;
  const double u = product_roundoff(gemm);
  if (gemm.accumulate().product.rounding == Rounding::rne) return value_variance(u);
  // Truncation acts as a gain on the whole sum, and spreads like a rounding.
  return value_variance(u / 2) + square(truncation_loss * u / 2);
}

}  // namespace fftprec
