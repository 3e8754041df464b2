/// The RMS model: how large the relative error of a random signal is, to 10 or 20 per cent.
///
/// Errors are independent, so variances add; those of a growing sum weigh as much as the sum has
/// grown. One rounding to nearest of a value x adds variance ulp(x)^2 / 12. For a normal x that is
/// 0.181 u^2 of its own variance (the mean of ulp^2 over the normal density), for the sum of two
/// like terms 0.213 u^2 and for the sum of two products 0.199 u^2: where only one or two bits are
/// lost, the error is not uniform but mostly 0 or half a unit, and larger in the mean. What tables
/// contribute is known exactly (table_statistics.hpp).
#include "algorithms/theory/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/fault_errors.hpp"
#include "arith/splitting/residues.hpp"
#include "arith/splitting/slices.hpp"

namespace fftprec {

namespace {

double square(double x) { return x * x; }

/// A DFT matrix of a smaller order has so few entries that their own last bits count.
constexpr std::size_t few_entries = 16;

/// What `words` rounded words of p bits leave of normal data. The first leaves value_variance(u); a
/// value that is uniform in [-1, 1] loses u^2/7 of its variance to a rounding: half a unit is u
/// 2^e with probability 2^e, so 4/7 u^2/12 of 1/3. Nothing is left once the words settle all bits.
double value_rest(int precision, std::size_t words, int source) {
  if (words == 0) return 1;
  const int n = static_cast<int>(words);
  if (precision >= source || (n > 1 && precision + (n - 1) * (precision + 1) >= source)) return 0;
  const double u = std::ldexp(1.0, -precision);
  double rest = value_variance(u);
  for (std::size_t i = 1; i < words; ++i) rest *= square(u) / 7;
  return rest;
}

/// E 4^E for 2^E the smallest power of two >= |z| of all of `count` standard normal z: the
/// probability that all are below 2^e is (1 - q)^count with q = P(|z| > 2^e).
double mean_grid_square(std::size_t count) {
  constexpr double beyond[] = {0.617075077, 0.317310508, 0.0455002639, 6.33424837e-5,
                               1.2441921e-15};
  double mean = 0;
  double below = 0;
  double step = 0.25;
  for (const double q : beyond) {
    const double here = 1 + repeated_error(-q, count);
    mean += step * (here - below);
    below = here;
    step *= 4;
  }
  return mean;
}

/// What `slices` slices leave of each part of normal data: uniform to slice_truncation * 2^E. (Of
/// data of p bits next to nothing is left once the slices settle as many.)
double data_slices_rest(std::size_t slices, int bits, std::size_t depth) {
  if (slices == 0) return 1;
  return square(slice_truncation(slices, bits)) / 3 * mean_grid_square(2 * depth);
}

/// The same of roots of unity, whose parts reach 1, both parts together. Unknown for matrices with
/// few different entries, of which slices may leave anything.
double root_slices_rest(std::size_t slices, int bits, std::size_t depth, double nontrivial) {
  if (slices == 0) return 1;
  if (depth < few_entries) return unknown;
  return 2 * square(slice_truncation(slices, bits)) / 3 * nontrivial;
}

/// What the first words of either side leave of it.
class Rests {
 public:
  Rests(const GemmScheme& words, const ResolvedArithmetic& arithmetic,
        const TableStatistics& factors, std::size_t depth, int data_bits)
      : words_(words),
        arithmetic_(arithmetic),
        factors_(factors),
        depth_(depth),
        data_bits_(data_bits) {
    if (words.engine == Engine::integer) {
      bits_.factor = bits_.data = residue_bits(depth, words.moduli);
      sliced_ = true;
    } else if (words.data.kind == WordKind::slices) {
      bits_ = slice_bits(arithmetic, depth);
      sliced_ = true;
    }
  }

  double data(std::size_t count) const {
    count = std::min(count, words_.data.count);
    if (sliced_) {
      if (static_cast<int>(count) * (bits_.data + 1) <= data_bits_)
        return data_slices_rest(count, bits_.data, depth_);
      // Next to nothing, but all there is where the factor has more slices.
      return words_.factor.count > words_.data.count ? unknown : 0;
    }
    if (is_whole(words_.data, count)) return 0;
    return value_rest(word_of(words_).precision, count, arithmetic_.storage.precision);
  }
  double factor(std::size_t count) const {
    count = std::min(count, words_.factor.count);
    if (sliced_) return root_slices_rest(count, bits_.factor, depth_, factors_.nontrivial);
    if (count == 0) return 1;
    if (word_of(words_).precision >= arithmetic_.table.precision) return 0;
    if (is_whole(words_.factor, count)) return 0;
    return count == 1   ? factors_.low_square
           : count == 2 ? factors_.rest_square
                        : factors_.last_square;
  }

 private:
  /// Halves of an fp32 value are all of it.
  static bool is_whole(const OperandWords& words, std::size_t count) {
    return words.format == half_fp32 && count == words.count;
  }

  const GemmScheme& words_;
  const ResolvedArithmetic& arithmetic_;
  const TableStatistics& factors_;
  std::size_t depth_;
  int data_bits_;
  SliceBits bits_{};
  bool sliced_ = false;
};

/// Mean relative loss of a value of `source` bits cut to `words` words of p bits: 0.72 u, as for
/// every truncation, or less where few bits are cut: of d bits half a unit less 2^-d of that.
double cut_loss(int precision, std::size_t words, int source) {
  const int bits = precision * static_cast<int>(words);
  if (bits >= source) return 0;
  return truncation_loss * std::ldexp(1.0, -bits) * (1 - std::ldexp(1.0, bits - source));
}

/// Words that are cut have the sign of the value: what is left out always makes products smaller.
/// Unknown for matrices with few different entries, of which the last bits may be anything.
double cut_drift(const GemmScheme& words, const Format& storage, const TableStatistics& factors,
                 std::size_t depth) {
  if (words.data.rounding != Rounding::rz) return 0;
  const int p = words.operands().precision;
  const int source = storage.precision;
  const std::size_t data_words = words.data.count;
  const std::size_t factor_words = words.factor.count;
  if (depth < few_entries && data_words > 1 && cut_loss(p, data_words, source) > 0) return unknown;
  double dropped = 0;
  for (std::size_t f = 1; f < factor_words; ++f)
    for (std::size_t d = 1; d < data_words; ++d)
      if (std::ranges::count(words.terms, SplitTerm{f, d}) == 0)
        dropped += cut_loss(p, f, source) * cut_loss(p, d, source);
  return cut_loss(p, data_words, source) +
         factors.nontrivial * (cut_loss(p, factor_words, source) + dropped);
}

}  // namespace

/// Of factor word f the first J_f data words are kept: what they leave is left out. A misread term
/// is missing; in its place stands one with half its power, since every other k reads zero and
/// the others the words of other k. Errors of different words are independent.
LeftOut left_out(const GemmScheme& words, const ResolvedArithmetic& arithmetic,
                 const TableStatistics& factors, std::size_t depth, int data_bits) {
  if (words.engine == Engine::vector || words.engine == Engine::host) return {};
  const Rests rests(words, arithmetic, factors, depth, data_bits);
  LeftOut result{rests.factor(words.factor.total()), 0,
                 cut_drift(words, arithmetic.storage, factors, depth)};
  for (std::size_t f = 0; f < words.factor.total(); ++f) {
    const auto kept = static_cast<std::size_t>(std::ranges::count_if(
        words.terms, [f](const SplitTerm& term) { return term.factor == f; }));
    result.rest += rests.factor(f) * rests.data(kept);
  }
  for (const SplitTerm& term : misread_terms(words, arithmetic))
    result.rest += 1.5 * rests.factor(term.factor) * rests.data(term.data);
  return result;
}

double rounded_terms(const GemmScheme& words, const ResolvedArithmetic& arithmetic,
                     const TableStatistics& factors, std::size_t depth, double once) {
  const Rests rests(words, arithmetic, factors, depth, fp64.precision);
  double variance = 0;
  for (std::size_t i = 1; i < words.terms.size(); ++i) {
    const SplitTerm& term = words.terms[i];
    variance += std::min(once, rests.factor(term.factor) * rests.data(term.data));
  }
  return variance;
}

Format word_of(const GemmScheme& words) {
  return {words.operands().precision, fp32.emin, fp32.emax};
}

TableStatistics normal_factors(const GemmScheme& words) {
  const auto rest = [&](std::size_t count) {
    return value_rest(words.operands().precision, count, fp32.precision);
  };
  return {.low_square = rest(1), .rest_square = rest(2), .last_square = rest(3)};
}

namespace {

/// A rounding of the accumulator, of a result of variance 1. To odd: uniform to a whole unit on
/// either side, four times the variance of half a unit. Toward zero: uniform around its mean, which
/// is `loss` of the result.
struct Noise {
  double variance;
  double loss;

  Noise(const Format& format, Rounding rounding)
      : variance(value_variance(unit_roundoff(format))), loss(0) {
    if (rounding == Rounding::odd) variance *= 4;
    if (rounding == Rounding::rz) loss = truncation_loss * unit_roundoff(format);
  }
};

/// Products of bf16 or narrower operands: a sum loses bits only of those that are 2^8 times
/// smaller.
bool short_products(const GemmScheme& gemm) { return gemm.operands().precision <= bf16.precision; }

/// Words that are the leading bits of a value and then the next.
bool cuts_words(const GemmScheme& gemm) {
  return gemm.data.rounding == Rounding::rz && gemm.data.count > 1;
}

/// The share of its full loss that one truncation in a sequential chain of `length` products has. A
/// sum that loses d bits of a product is off by (1 - 2^-d)/2 units. Products of narrow operands are
/// short: a sum loses few of their bits or none. Those of slices are as long as the sum, which
/// after k of them loses about log2(k)/2 bits, so what is missing falls with the root of the
/// length. Fitted to chains of 6 to 128 normal products.
double truncated_share(const GemmScheme& gemm, double length) {
  if (short_products(gemm)) return 0.06 / truncation_loss;
  if (!cuts_words(gemm)) return 0.68 / truncation_loss;
  return std::max(0.0, 1 - 1 / std::sqrt(length));
}

/// The roundings of one column of products through the blocks of a model.
struct Column {
  double inside;   ///< within blocks, each of all of the column's variance
  double steps;    ///< of the chain through c
  bool from_zero;  ///< the first of them is exact
};

Column column_of(const AccumulatorModel& model, double length) {
  const double size =
      model.block == 0 ? length : std::min(length, static_cast<double>(model.block));
  const double blocks = std::max(1.0, length / size);
  const bool late = model.c == Inclusion::late;
  const double segment = std::min(size, static_cast<double>(model.segment));
  const auto chain = [](double steps) { return std::max(0.0, (steps + 1) / 2 - 1 / steps); };
  switch (model.sum) {
    case BlockSum::pairwise:
      return {std::ceil(std::log2(size)), late ? blocks : 0, late};
    case BlockSum::segments:
      return {chain(segment) + std::ceil(std::log2(std::ceil(size / segment))), blocks, true};
    case BlockSum::even_odd:
      return {chain(std::max(1.0, size / 2)) + (size > 1 ? 1.0 : 0.0), blocks, true};
    case BlockSum::exact:
    case BlockSum::aligned:
      return {late ? 1.0 : 0.0, blocks, late};
    default:
      return {0, length, true};
  }
}

/// Sum over the steps of the share of the variance that the sum then has.
double rounded_share(const Column& column) {
  const double first = column.from_zero && column.steps > 0 ? 1 / column.steps : 0;
  return column.inside + std::max(0.0, (column.steps > 0 ? (column.steps + 1) / 2 : 0) - first);
}

/// Of the entries of a column, the roots of unity of an order, those that are 1, -1, i, -i.
double trivial_share(std::size_t order) {
  return static_cast<double>(std::gcd(order, std::size_t{4})) / static_cast<double>(order);
}

/// Real products other than zero for one part of an output. Of real data, a real column fills one
/// part of the result, any other column both.
double products_of_column(std::size_t n, std::size_t order, GemmData data) {
  const double trivial = trivial_share(order);
  const bool halved = data == GemmData::real && order > 2;
  return static_cast<double>(n) * (halved ? 1 - trivial / 2 : 2 - trivial);
}

/// The sums for one output, whose column of the matrix has the roots of unity of an order as
/// entries, equally often. Of a root 1, -1, i or -i one part is zero and takes no part in any sum;
/// a column of nothing else has no second word, and narrow operands times it are added within a
/// tile without error. A truncating accumulator takes its bias from every partial sum. Partial sums
/// are on average half of the last, a loss of size of half the bias a step; as they walk there at
/// random, the square of the sum of all is a third, which leaves 1/3 - 1/4 for errors to either
/// side.
class OneColumn {
 public:
  OneColumn(const ResolvedArithmetic& arithmetic, std::size_t n, std::size_t order, GemmData data)
      : gemm_(arithmetic.gemm), machine_(arithmetic.machine), model_(gemm_.accumulate) {
    const bool is_real = order <= 2 || data == GemmData::real;
    trivial_ = trivial_share(order);
    length_ = products_of_column(n, order, data);
    const double halves = is_real ? 1 : 2;
    tiles_ = halves * static_cast<double>((n + machine_.k_tile - 1) / machine_.k_tile);
    in_tile_ = static_cast<double>(std::min(n, machine_.k_tile)) * length_ /
               static_cast<double>(n) / halves;
    passes_ = gemm_.evict_each() ? 1 : terms(trivial_ == 1);
  }

  Additions additions() const {
    const Noise noise(model_.format, model_.rounding);
    const double written = psum_writes();
    if (machine_.across_tiles == AcrossTiles::through) {
      const Column column = column_of(model_, length_);
      // Passes after the first add next to nothing, but round the sum that is there.
      const double later = (passes_ - 1) * column.steps / tiles_ * (tiles_ + 1) / 2;
      const double bias = noise.loss * share(column);
      const double steps = passes_ * column.steps;
      return {
          noise.variance * (rounded_share(column) + later) + square(bias * steps) / 12 + written,
          bias * (column.inside + steps / 2)};
    }
    // Products of slices with 1, -1, i, -i are as short as the data's slice: sums lose none of
    // them.
    const bool sliced = cuts_words(gemm_);
    const double long_products = 1 - trivial_ / (2 - trivial_);
    const bool exact = trivial_ == 1 && gemm_.operands() != fp32;
    const Column column = column_of(model_, exact ? 1 : in_tile_);
    const double steps = column.inside + column.steps;
    const double inside = exact ? 0 : noise.loss * share(column) * long_products * steps;
    const double full = model_.rounding == Rounding::rz ? truncation_loss * unit_roundoff(fp32) : 0;
    const double across = full * passes_ * tiles_;
    // Each pass of a tile rounds the whole PSUM value once, the first of all to an empty one.
    const double into_psum = passes_ * (tiles_ + 1) / 2 - 1 / tiles_;
    const Noise sum(fp32, model_.rounding);
    // Where products are short, most sums in a tile lose nothing.
    const double lossy = sliced ? long_products : short_products(gemm_) ? share(column) : 1;
    return {lossy * noise.variance * (exact ? 0 : rounded_share(column)) +
                sum.variance * into_psum + (square(inside) + square(across)) / 12 + written,
            (inside + across) / 2};
  }

 private:
  double terms(bool only_first) const {
    const auto of_first = [](const SplitTerm& term) { return term.factor == 0; };
    return static_cast<double>(only_first ? std::ranges::count_if(gemm_.terms, of_first)
                                          : static_cast<std::ptrdiff_t>(gemm_.terms.size()));
  }
  double share(const Column& column) const {
    return column.steps < in_tile_ || column.inside > 0 ? 1 : truncated_share(gemm_, in_tile_);
  }
  /// A narrower PSUM is rounded after every matmul; stochastically with twice the variance: f (1 -
  /// f) over all fractions f is 1/6, not 1/12. Passes of words that lie below its last place are
  /// lost, and round nothing.
  double psum_writes() const {
    if (machine_.psum == fp32) return 0;
    const double once = value_variance(unit_roundoff(machine_.psum)) *
                        (machine_.psum_rounding == Rounding::sr ? 2 : 1);
    const double passes = gemm_.operands().precision >= machine_.psum.precision ? 1 : passes_;
    return once * passes * (tiles_ + 1) / 2;
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
         model.fraction_bits - 2 * model.operands.precision < rare;
}

}  // namespace

double chain_variance(double length, double rounding) {
  return rounding * std::max(0.0, (length + 1) / 2 - 1 / length);
}

double host_additions(std::size_t n, GemmData data) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t order = n / std::gcd(j, n);
    sum += chain_variance(products_of_column(n, order, data), value_variance(0x1p-53));
  }
  return sum / static_cast<double>(n);
}

Additions psum_additions(const ResolvedArithmetic& arithmetic, std::size_t n, GemmData data) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.data.kind == WordKind::slices) {
    if (slice_bits(arithmetic, n).exact) return {0, 0};
    return {unknown, unknown};
  }
  if (cuts_products(gemm.accumulate)) return {unknown, unknown};
  // Of low words in a narrow PSUM a part is lost.
  const bool residual = gemm.data.kind == WordKind::values && gemm.data.rounding == Rounding::rne;
  if (arithmetic.machine.psum != fp32 && residual && gemm.passes() > 1) return {unknown, unknown};
  Additions sum{0, 0};
  double squares = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const Additions column = OneColumn(arithmetic, n, n / std::gcd(j, n), data).additions();
    sum.variance += column.variance;
    sum.drift += column.drift;
    squares += square(column.drift);
  }
  // What the drifts of columns differ by is error to either side.
  const double count = static_cast<double>(n);
  const double drift = sum.drift / count;
  return {sum.variance / count + squares / count - square(drift), drift};
}

namespace {

constexpr double value_of_normal = 0.181;
constexpr double sum_of_two = 0.213;
constexpr double sum_of_products = 0.199;

/// Roundings of single operations, of results of variance 1.
struct Roundings {
  double store;
  double product;   ///< a real product
  double products;  ///< the sum of two products
  double sum;       ///< the sum of two like terms
  double step;      ///< one more term to a long sum
};

/// To nearest; stochastic: a sum that loses d bits errs by (1 - 4^-d)/6 of a squared unit, where to
/// nearest it is (1 + 2 4^-d)/12: with 0.181 for large d, what is 0.199 and 0.213 becomes 0.344 and
/// 0.330.
Roundings of_format(double u, bool stochastic) {
  const double v = square(u);
  if (stochastic) return {0.362 * v, 0.362 * v, 0.344 * v, 0.330 * v, 0.362 * v};
  return {value_of_normal * v, value_of_normal * v, sum_of_products * v, sum_of_two * v,
          value_of_normal * v};
}

/// fp32 pairs, in u^4, u = 2^-24: measured over 2e6 normal values each, to 1 per cent. A low word
/// is uniform, of variance l = 0.181 u^2, and rounds by l/7 u^2. Of a product two cross products
/// round, then their sum of variance 2 l, then that with the error of the high product, 3 l; the
/// product of the low words is left out. Of a sum the error of the high sum and the low words meet
/// in one rounding: 0.19 (0.213 + 0.181).
Roundings of_pairs() {
  constexpr double v = 0x1p-96;
  return {.store = 0.181 / 7 * v,
          .product = 0.247 * v,
          .products = 0.075 * v,
          .sum = 0.074 * v,
          .step = 0.080 * v};
}

Roundings roundings(const ResolvedArithmetic& arithmetic) {
  if (arithmetic.carrier == DataCarrier::pairs) return of_pairs();
  const double u = unit_roundoff(arithmetic.storage);
  const bool stochastic = arithmetic.machine.casts == Rounding::sr;
  if (arithmetic.carrier == DataCarrier::doubles) return of_format(u, false);
  if (arithmetic.storage != fp32) return of_format(u, stochastic);
  Roundings result = of_format(u, false);
  if (stochastic) result.store *= 2;
  const VectorEngine& engine = arithmetic.machine.vector;
  if (engine.product_rounding != Rounding::rne) result.product = unknown;
  if (engine.product_bits < fp32.precision)
    result.product *= square(std::ldexp(1.0, fp32.precision - engine.product_bits));
  if (engine.sum_rounding != Rounding::rne) result.products = result.sum = result.step = unknown;
  return result;
}

/// Roundings of one complex product with a factor other than 1, -1, i, -i. Plain: both products of
/// a part, each of half its variance, then their sum. Fused: one product less. 2Prod: the sum of
/// the high words, then that with the tails. Once or by Dot2: once.
double rounded_product(const ResolvedArithmetic& arithmetic, const TableStatistics& table) {
  const Roundings r = roundings(arithmetic);
  switch (arithmetic.product) {
    case ProductScheme::two_prod:
      return arithmetic.machine.vector.product_bits < fp32.precision ? unknown
                                                                     : r.products + r.step;
    case ProductScheme::rounded_once:
    case ProductScheme::dot2:
      return r.products;
    case ProductScheme::split:
      return r.products + rounded_terms(element_words(arithmetic), arithmetic, table, 1, r.step);
    default:
      return (arithmetic.machine.vector.fused && arithmetic.storage == fp32 ? 0.5 : 1) * r.product +
             r.products;
  }
}

/// The sums of r products on the vector engine. Compensated ones leave the last rounding.
double rounded_sums(const ResolvedArithmetic& arithmetic, std::size_t r) {
  const double step = roundings(arithmetic).step;
  switch (arithmetic.product) {
    case ProductScheme::kahan_sum:
    case ProductScheme::neumaier:
    case ProductScheme::dot2:
      return step;
    default:
      return chain_variance(static_cast<double>(r), step);
  }
}

/// Of one sum of a term to those before, outside of PSUM. Pairs: the error of the high sum,
/// uniform, is the low word, and rounds.
double term_variance(TermSum sum) {
  if (sum == TermSum::in_pairs) return 0.181 / 7 * 0x1p-96;
  return value_variance(sum == TermSum::in_fp64 ? 0x1p-53 : 0x1p-24);
}

/// Variance of the product of two words before it is added.
double product_rounding_variance(const GemmScheme& gemm) {
  const double u = product_roundoff(gemm);
  if (gemm.accumulate.product.rounding == Rounding::rne) return value_variance(u);
  // Truncation acts as a gain on the whole sum, and spreads like a rounding.
  return value_variance(u / 2) + square(truncation_loss * u / 2);
}

/// What happens to terms once they leave PSUM. Those of residuals: the leading one first. Those of
/// slices: the leading one last, whose stretches of k let the sum grow step by step.
double after_psum(const ResolvedArithmetic& arithmetic, const TableStatistics& table,
                  std::size_t r) {
  const GemmScheme& gemm = arithmetic.gemm;
  const Machine& machine = arithmetic.machine;
  const double cast = machine.casts == Rounding::sr ? 2 : 1;
  double variance = 0;
  if (machine.eviction != fp32) variance += cast * value_variance(unit_roundoff(machine.eviction));
  if (!gemm.evict_each()) return variance;
  variance += demotion_variance(arithmetic);
  const std::size_t tiles = gemm.evict_tiles ? (r + machine.k_tile - 1) / machine.k_tile : 1;
  const double once = term_variance(gemm.sum);
  if (gemm.data.kind != WordKind::slices)
    return variance + rounded_terms(gemm, arithmetic, table, r, once);
  return variance + (static_cast<double>(tiles) + 1) / 2 * once;
}

}  // namespace

double value_variance(double u) { return value_of_normal * square(u); }

double store_variance(const ResolvedArithmetic& arithmetic) { return roundings(arithmetic).store; }
double sum_variance(const ResolvedArithmetic& arithmetic) { return roundings(arithmetic).sum; }
double scaling_variance(const ResolvedArithmetic& arithmetic) {
  return roundings(arithmetic).product;
}

double table_variance(const ResolvedArithmetic& arithmetic, const TableStatistics& table) {
  return table.error_square +
         left_out(element_words(arithmetic), arithmetic, table, 1, fp64.precision).factor;
}

double gemm_table_variance(const ResolvedArithmetic& arithmetic, const TableStatistics& table,
                           std::size_t r) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine == Engine::vector) return table_variance(arithmetic, table);
  return table.error_square + left_out(gemm, arithmetic, table, r, fp64.precision).factor;
}

double product_variance(const ResolvedArithmetic& arithmetic, const TableStatistics& table) {
  const LeftOut words = left_out(element_words(arithmetic), arithmetic, table, 1, fp64.precision);
  // A narrow multiplier rounds products with 1, -1, i, -i as well: one per part.
  const double trivial = products_are_narrow(arithmetic) ? roundings(arithmetic).product : 0;
  return table.error_square + words.factor + words.rest +
         table.nontrivial * rounded_product(arithmetic, table) + (1 - table.nontrivial) * trivial;
}

double real_product_variance(const ResolvedArithmetic& arithmetic, const TableStatistics& table) {
  const LeftOut words = left_out(element_words(arithmetic), arithmetic, table, 1, fp64.precision);
  const Roundings r = roundings(arithmetic);
  const double rounded =
      arithmetic.is_split() ? rounded_terms(element_words(arithmetic), arithmetic, table, 1, r.step)
                            : r.product;
  return table.error_square + words.factor + words.rest + table.nontrivial * rounded;
}

double dot_variance(const ResolvedArithmetic& arithmetic, const TableStatistics& table,
                    std::size_t r) {
  // Dot2 rounds no product: they are terms of its sums.
  const double products = arithmetic.product == ProductScheme::dot2
                              ? table.error_square
                              : product_variance(arithmetic, table);
  return products + rounded_sums(arithmetic, r);
}

/// A share ((r - 1)/r)^2 of the terms is a product; the sums are those of dot, x0 in the place of
/// its first product.
double dft_core_variance(const ResolvedArithmetic& arithmetic, const TableStatistics& core,
                         std::size_t r) {
  const double length = static_cast<double>(r);
  const double products = arithmetic.product == ProductScheme::dot2
                              ? core.error_square
                              : product_variance(arithmetic, core);
  return square((length - 1) / length) * products + rounded_sums(arithmetic, r);
}

double gemm_variance(const ResolvedArithmetic& arithmetic, const TableStatistics& table,
                     std::size_t r, GemmData data, int data_bits) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine == Engine::vector) return dot_variance(arithmetic, table, r);
  const LeftOut words = left_out(gemm, arithmetic, table, r, data_bits);
  const double variance = table.error_square + words.factor + words.rest;
  if (gemm.engine == Engine::integer) return variance + value_variance(0x1p-53);
  if (gemm.engine == Engine::host)
    return variance + host_additions(r, data) + table.nontrivial * value_variance(0x1p-53);
  return variance + psum_additions(arithmetic, r, data).variance +
         table.nontrivial * product_rounding_variance(gemm) + after_psum(arithmetic, table, r);
}

double gemm_drift(const ResolvedArithmetic& arithmetic, const TableStatistics& table, std::size_t r,
                  GemmData data) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine != Engine::tensor) return 0;
  return psum_additions(arithmetic, r, data).drift +
         left_out(gemm, arithmetic, table, r, fp64.precision).drift;
}

/// X + F(x - G(X)): what F errs by it takes back, but for its own error of the residual, which is
/// the sum of both errors; what G errs by stays; the residual and the sum are fp32.
double refined_variance(double before, double forward, double backward) {
  return backward + forward * (before + backward) + value_variance(0x1p-24);
}

Format product_word(const ResolvedArithmetic& arithmetic) {
  return word_of(element_words(arithmetic));
}

Format gemm_word(const ResolvedArithmetic& arithmetic) {
  const GemmScheme& gemm = arithmetic.matrices();
  return gemm.engine == Engine::vector ? product_word(arithmetic) : word_of(gemm);
}
}  // namespace fftprec
