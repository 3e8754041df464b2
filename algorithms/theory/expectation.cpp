/// The RMS model: how large the relative error of a random signal is, to 10 or 20 per cent.
///
/// Errors are independent, so variances add; those of a growing sum weigh as much as the sum has
/// grown. One rounding to nearest of a value x adds variance ulp(x)^2 / 12. For a normal x that is
/// 0.181 u^2 of its own variance (the mean of ulp^2 over the normal density), for the sum of two
/// like terms 0.213 u^2 and for the sum of two products 0.199 u^2: where only one or two bits are
/// lost, the error is not uniform but mostly 0 or half a unit, and larger in the mean. What tables
/// contribute is known exactly (TableStatistics).
#include "algorithms/theory/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <span>

#include "algorithms/arithmetic/shared_exponent.hpp"
#include "algorithms/theory/accumulators.hpp"
#include "algorithms/theory/schemes.hpp"
#include "algorithms/theory/storage_errors.hpp"
#include "arith/formats/round.hpp"
#include "arith/splitting/residues.hpp"
#include "arith/splitting/slices.hpp"
#include "arith/splitting/split.hpp"

namespace fftprec {

namespace {

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

/// E 4^E share(E) for 2^E the smallest power of two >= |z| of all of `count` standard normal z: the
/// probability that all are below 2^e is (1 - q)^count with q = P(|z| > 2^e).
template <class Share>
double mean_grid_square(std::size_t count, Share share) {
  constexpr double beyond[] = {0.617075077, 0.317310508, 0.0455002639, 6.33424837e-5,
                               1.2441921e-15};
  double mean = 0;
  double below = 0;
  int exponent = -1;
  for (const double q : beyond) {
    const double here = 1 + repeated_error(-q, count);
    mean += power_of_two(2 * exponent) * share(exponent) * (here - below);
    below = here;
    ++exponent;
  }
  return mean;
}

/// What `slices` slices leave of each part of normal data of p bits: uniform to slice_truncation
/// 2^E, half a step of their grid, where they cut many bits. A value in [2^e, 2^(e+1)) has its last
/// bit at 2^(e-p+1), d bits below the grid: nothing is cut for d < 1, else the mean square is 1 + 2
/// 4^-d of the uniform one.
double data_slices_rest(std::size_t slices, int bits, std::size_t depth, int p) {
  if (slices == 0) return 1;
  const int settled = static_cast<int>(slices) * (bits + 1);
  const auto below = [](int e) { return std::erf(std::ldexp(1.0, e) / std::numbers::sqrt2); };
  const auto share = [&](int grid) {
    constexpr int many = 26;
    const int whole = grid + p - settled;  // of values in [2^whole, oo) nothing is cut
    double sum = below(whole - many);
    for (int d = many; d >= 1; --d)
      sum += (below(whole - d + 1) - below(whole - d)) * (1 + 2 * power_of_two(-2 * d));
    return sum;
  };
  return square(slice_truncation(slices, bits)) / 3 * mean_grid_square(2 * depth, share);
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
  Rests(const GemmScheme& words, const ArithmeticSpec& arithmetic, const TableStatistics& factors,
        std::size_t depth, int data_bits)
      : words_(words),
        arithmetic_(arithmetic),
        factors_(factors),
        depth_(depth),
        data_bits_(data_bits) {
    if (words.engine() == Engine::integer) {
      bits_.factor = bits_.data = residue_bits(depth, words.moduli());
      sliced_ = true;
    } else if (words.data().kind == WordKind::slices) {
      bits_ = slice_bits(arithmetic, depth);
      sliced_ = true;
    }
  }

  double data(std::size_t count) const {
    count = std::min(count, words_.data().count);
    if (sliced_) return data_slices_rest(count, bits_.data, depth_, data_bits_);
    if (is_whole(words_.data(), count)) return 0;
    if (count > 0 && words_.data().kind == WordKind::blocks)
      return line_variance(words_.data().block, depth_);
    return value_rest(words_.data().first().precision, count,
                      arithmetic_.operation_format().precision);
  }
  double factor(std::size_t count) const {
    count = std::min(count, words_.factor().count);
    if (sliced_ && factors_.are_data)
      return data_slices_rest(count, bits_.factor, depth_, data_bits_);
    if (sliced_) return root_slices_rest(count, bits_.factor, depth_, factors_.nontrivial);
    if (count == 0) return 1;
    if (words_.factor().format.precision >= arithmetic_.table_format().precision) return 0;
    if (is_whole(words_.factor(), count)) return 0;
    return count == 1   ? factors_.low_square
           : count == 2 ? factors_.rest_square
                        : factors_.last_square;
  }

 private:
  /// Halves of an fp32 value are all of it.
  static bool is_whole(const OperandWords& words, std::size_t count) {
    return is_half_fp32(words.format) && count == words.count;
  }

  const GemmScheme& words_;
  const ArithmeticSpec& arithmetic_;
  const TableStatistics& factors_;
  std::size_t depth_;
  int data_bits_;
  SliceBits bits_{};
  bool sliced_ = false;
};

/// Mean relative loss of a value of `source` bits cut to `bits`: 0.72 u, as for every truncation,
/// or less where few bits are cut: of d bits half a unit less 2^-d of that.
double cut_loss(int bits, int source) {
  if (bits >= source) return 0;
  return truncation_loss * std::ldexp(1.0, -bits) * (1 - std::ldexp(1.0, bits - source));
}

/// Words that are cut have the sign of the value: what is left out always makes products smaller.
/// Unknown for matrices with few different entries, of which the last bits may be anything.
double cut_bias(const GemmScheme& words, const Format& storage, const TableStatistics& factors,
                std::size_t depth) {
  if (words.data().rounding != Rounding::rz) return 0;
  const int source = storage.precision;
  const std::size_t data_words = words.data().count;
  const std::size_t factor_words = words.factor().count;
  const double of_data = cut_loss(words.data().bits_of(data_words), source);
  if (depth < few_entries && data_words > 1 && of_data > 0) return unknown;
  double dropped = 0;
  for (std::size_t f = 1; f < factor_words; ++f)
    for (std::size_t d = 1; d < data_words; ++d)
      if (std::ranges::count(words.terms(), SplitTerm{f, d}) == 0)
        dropped +=
            cut_loss(words.factor().bits_of(f), source) * cut_loss(words.data().bits_of(d), source);
  return of_data +
         factors.nontrivial * (cut_loss(words.factor().bits_of(factor_words), source) + dropped);
}

}  // namespace

/// Of factor word f the first J_f data words are kept: what they leave is left out. A misread term
/// is missing; in its place stands one with half its power, since every other k reads zero and
/// the others the words of other k: 1 + 1/2. Errors of different words are independent.
LeftOut left_out(const GemmScheme& words, const ArithmeticSpec& arithmetic,
                 const TableStatistics& factors, std::size_t depth, int data_bits) {
  if (words.engine() == Engine::vector || words.engine() == Engine::host) return {};
  const Rests rests(words, arithmetic, factors, depth, data_bits);
  LeftOut result{rests.factor(words.factor().total()), 0,
                 cut_bias(words, arithmetic.operation_format(), factors, depth) + factors.low_loss};
  for (std::size_t f = 0; f < words.factor().total(); ++f) {
    const auto kept = static_cast<std::size_t>(std::ranges::count_if(
        words.terms(), [f](const SplitTerm& term) { return term.factor == f; }));
    result.rest += rests.factor(f) * rests.data(kept);
  }
  for (const SplitTerm& term : misread_terms(words, arithmetic))
    result.rest += (1 + 0.5) * rests.factor(term.factor) * rests.data(term.data);
  return result;
}

Format word_of(const GemmScheme& words) {
  return {words.factor().first().precision, fp32.emin, fp32.emax};
}

TableStatistics normal_factors(const GemmScheme& words, std::size_t depth) {
  if (words.factor().kind == WordKind::blocks)
    return {.low_square = line_variance(words.factor().block, depth), .are_data = true};
  const auto rest = [&](std::size_t count) {
    return value_rest(words.factor().first().precision, count, fp32.precision);
  };
  return {.low_square = rest(1), .rest_square = rest(2), .last_square = rest(3), .are_data = true};
}

double rounded_terms(const GemmScheme& words, const ArithmeticSpec& arithmetic,
                     const TableStatistics& factors, std::size_t depth, double once) {
  const Rests rests(words, arithmetic, factors, depth, fp64.precision);
  double variance = 0;
  for (std::size_t i = 1; i < words.terms().size(); ++i) {
    const SplitTerm& term = words.terms()[i];
    variance += std::min(once, rests.factor(term.factor) * rests.data(term.data));
  }
  return variance;
}

int leading_product_bits(const GemmScheme& gemm) {
  return gemm.data().first().precision + gemm.factor().first().precision;
}

namespace {

constexpr double value_of_normal = 0.181;
constexpr double sum_of_two = 0.213;
constexpr double sum_of_products = 0.199;

/// To nearest; of other casts than these two nothing is known. Stochastic: a sum that loses d bits
/// errs by (1 - 4^-d)/6 of a squared unit, where to nearest it is (1 + 2 4^-d)/12: with 0.181 for
/// large d, what is 0.199 and 0.213 becomes 0.344 and 0.330.
Roundings of_format(double u, Rounding rounding) {
  const double v = square(u);
  if (rounding == Rounding::sr) return {0.362 * v, 0.344 * v, 0.330 * v, 0.362 * v};
  if (!is_nearest(rounding)) return {unknown, unknown, unknown, unknown};
  return {value_of_normal * v, sum_of_products * v, sum_of_two * v, value_of_normal * v};
}

/// fp32 pairs, in u^4, u = 2^-24: a product of values with low words of these squares, relative to
/// the values, in u^2. What a rounding of high words loses, and a low word itself, is uniform, of
/// variance 0.181 u^2 of a normal value. Of a product both cross products round, then their sum;
/// the product of the low words is left out. The sum with the error of the high product is one of
/// values that end at half a last place, about uniform, of which a rounding has 1/7.
double pair_product(double data, double factor) {
  constexpr double low = value_of_normal;
  const double cross = data + factor;
  if (cross == 0) return 0;
  const double sum = data > 0 && factor > 0 ? sum_of_two * cross : 0;
  return low * cross + sum + (cross + low) / 7 + data * factor;
}

/// Of a sum the error of the high sum and the low words meet in one rounding. In a long sum the
/// term's low bits round once more, into a low word, which is uniform: 1/7 of it.
Roundings of_pairs() {
  constexpr double v = 0x1p-96;
  constexpr double low = value_of_normal;
  return {.product = pair_product(low, low) * v,
          .products = low * (sum_of_products + low) * v,
          .sum = low * (sum_of_two + low) * v,
          .step = low * (low + low + 1.0 / 7) * v};
}

Roundings roundings(const ArithmeticSpec& arithmetic) {
  if (arithmetic.type() == ArithmeticType::pairs) return of_pairs();
  if (arithmetic.on_integers()) return {0, 0, 0, 0};
  const double u = unit_roundoff(arithmetic.operation_format());
  if (arithmetic.type() == ArithmeticType::doubles) return of_format(u, Rounding::rne);
  if (arithmetic.operation_format() != fp32) return of_format(u, arithmetic.machine().casts);
  Roundings result = of_format(u, Rounding::rne);
  const VectorEngine& engine = arithmetic.machine().vector;
  if (engine.product_rounding != Rounding::rne) result.product = unknown;
  if (engine.product_bits < fp32.precision)
    result.product *= square(std::ldexp(1.0, fp32.precision - engine.product_bits));
  if (engine.sum_rounding != Rounding::rne) result.products = result.sum = result.step = unknown;
  return result;
}

/// Of data of so many bits, and of factors of as many if those are data.
int bits_of_products(const TableStatistics& factors, int data_bits) {
  return data_bits + (factors.are_data ? data_bits : fp64.precision);
}

/// Of data of so many bits, and factors of as many if those are data, in words that hold more:
/// pairs without low words, products of both that fp64 holds.
Roundings exact_where_short(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                            int data_bits, Roundings r) {
  constexpr double v = 0x1p-48;
  const int bits = bits_of_products(table, data_bits);
  if (arithmetic.type() == ArithmeticType::pairs) {
    const double data = data_bits <= fp32.precision ? 0 : value_of_normal;
    const double entries = table.nontrivial > 0 ? table.low_square / table.nontrivial / v : 0;
    r.product = pair_product(data, table.are_data ? data : entries) * square(v);
  }
  const bool in_fp64 =
      arithmetic.type() == ArithmeticType::doubles && arithmetic.operation_format() == fp64;
  if (in_fp64 && bits <= fp64.precision) r.product = 0;
  if ((in_fp64 || arithmetic.type() == ArithmeticType::pairs) && bits <= fp64.precision)
    r.products *= cut_sum_of_two(bits, arithmetic.operation_format().precision);
  return r;
}

/// The sums of r products on the vector engine.
double rounded_sums(const ArithmeticSpec& arithmetic, std::size_t r) {
  if (r <= 1) return 0;
  const double step = roundings(arithmetic).step;
  return theory_of(arithmetic.product()).compensates_sums()
             ? step
             : chain_variance(static_cast<double>(r), step);
}

/// Of one sum of a term to those before, outside of PSUM. Pairs: the error of the high sum,
/// uniform, is the low word, and rounds.
double term_variance(TermSum sum) {
  if (sum == TermSum::in_pairs) return word_pair_variance;
  return value_variance(sum == TermSum::in_fp64 ? 0x1p-53 : 0x1p-24);
}

/// What happens to terms once they leave PSUM. Those of residuals: the leading one first. Those of
/// slices: the leading one last, whose stretches of k let the sum grow step by step.
double after_psum(const ArithmeticSpec& arithmetic, const TableStatistics& table, std::size_t r) {
  const GemmScheme& gemm = arithmetic.gemm();
  const Machine& machine = arithmetic.machine();
  double variance = 0;
  if (machine.eviction != fp32) variance += Noise(machine.eviction, machine.casts).variance;
  if (!gemm.evict_each()) return variance;
  if (arithmetic.faults().demotion != Demotion::none && arithmetic.is_split())
    variance += Noise(bf16, machine.casts).variance;
  const std::size_t tiles = gemm.evict_tiles() ? (r + machine.k_tile - 1) / machine.k_tile : 1;
  const double once = term_variance(gemm.sum());
  if (gemm.data().kind != WordKind::slices)
    return variance + rounded_terms(gemm, arithmetic, table, r, once);
  return variance + (static_cast<double>(tiles) + 1) / 2 * once;
}

}  // namespace

double value_variance(double u) { return value_of_normal * square(u); }

bool sums_are_exact(const ArithmeticSpec& arithmetic, int data_bits) {
  const bool wide =
      arithmetic.type() == ArithmeticType::pairs ||
      (arithmetic.type() == ArithmeticType::doubles && arithmetic.operation_format() == fp64);
  return wide && data_bits <= fp32.precision;
}

double gemm_variance_unless_stored(const ArithmeticSpec& arithmetic) {
  const bool cuts = arithmetic.stores().in_passes() &&
                    arithmetic.gemm().engine() == Engine::tensor && !arithmetic.block_format();
  return cuts ? value_variance(unit_roundoff(arithmetic.storage_format())) : 0;
}

double sum_variance(const ArithmeticSpec& arithmetic) { return roundings(arithmetic).sum; }
double scaling_variance(const ArithmeticSpec& arithmetic) { return roundings(arithmetic).product; }

double table_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table) {
  return table.error_square - square(table.loss) +
         left_out(element_words(arithmetic), arithmetic, table, 1, fp64.precision).factor;
}

double gemm_table_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                           std::size_t r) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() == Engine::vector) return table_variance(arithmetic, table);
  return table.error_square - square(table.loss) +
         left_out(gemm, arithmetic, table, r, fp64.precision).factor;
}

double product_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                        int data_bits) {
  const LeftOut words = left_out(element_words(arithmetic), arithmetic, table, 1, data_bits);
  // A narrow multiplier rounds products with 1, -1, i, -i as well: one per part.
  const double trivial = products_are_narrow(arithmetic) ? roundings(arithmetic).product : 0;
  return table.error_square - square(table.loss) + words.factor + words.rest +
         table.nontrivial * theory_of(arithmetic.product())
                                .rounded_product(arithmetic, table,
                                                 exact_where_short(arithmetic, table, data_bits,
                                                                   roundings(arithmetic))) +
         (1 - table.nontrivial) * trivial;
}

double real_product_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table) {
  const LeftOut words = left_out(element_words(arithmetic), arithmetic, table, 1, fp64.precision);
  const Roundings r = roundings(arithmetic);
  const double rounded = theory_of(arithmetic.product()).rounded_real_product(arithmetic, table, r);
  return table.error_square + words.factor + words.rest + table.nontrivial * rounded;
}

namespace {

/// The sums of r products with entries of a table.
double sums_of(const ArithmeticSpec& arithmetic, const TableStatistics& table, std::size_t r,
               const SumData& data) {
  const bool exact = table.nontrivial == 0 && sums_are_exact(arithmetic, data.bits);
  return exact ? 0 : rounded_sums(arithmetic, r - data.zeros);
}

}  // namespace

double dot_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table, std::size_t r,
                    const SumData& data) {
  // Dot2 rounds no product: they are terms of its sums.
  const double products = theory_of(arithmetic.product()).rounds_terms()
                              ? product_variance(arithmetic, table, data.bits)
                              : table.error_square - square(table.loss);
  return products + sums_of(arithmetic, table, r, data);
}

/// A share ((r - 1)/r)^2 of the terms is a product; the sums are those of dot, x0 in the place of
/// its first product.
double dft_core_variance(const ArithmeticSpec& arithmetic, const TableStatistics& core,
                         std::size_t r, const SumData& data) {
  const double length = static_cast<double>(r);
  const double products = theory_of(arithmetic.product()).rounds_terms()
                              ? product_variance(arithmetic, core, data.bits)
                              : core.error_square - square(core.loss);
  return square((length - 1) / length) * products + sums_of(arithmetic, core, r, data);
}

double gemm_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table, std::size_t r,
                     const SumData& data) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() == Engine::vector) return dot_variance(arithmetic, table, r, data);
  const LeftOut words = left_out(gemm, arithmetic, table, r, data.bits);
  const double variance = table.error_square - square(table.loss) + words.factor + words.rest;
  if (gemm.engine() == Engine::integer) return variance + value_variance(0x1p-53);
  if (gemm.engine() == Engine::host) {
    // Of FMAs only the first rounds a product alone.
    const bool fused = arithmetic.machine().fp64_matmul == Fp64Matmul::fma;
    const double products = fused ? 1 / products_of_column(r - data.zeros, r, data.parts) : 1;
    const int bits = bits_of_products(table, data.bits);
    const double rounded = bits <= fp64.precision ? 0 : products * table.nontrivial;
    return variance + host_additions(r, data, bits) + rounded * value_variance(0x1p-53);
  }
  // Products with 1, -1, i, -i have no more digits than the data's words.
  const bool all = gemm.data().first().precision > gemm.accumulate().product.format.precision;
  return variance + psum_additions(arithmetic, r, data).variance +
         (all ? 1 : table.nontrivial) * product_rounding_variance(gemm) +
         after_psum(arithmetic, table, r);
}

/// Hermitian data give conjugate pairs of terms, k and r - k, and the errors of the table, of words
/// left out and of rounded data come in such pairs and stay. A sum of the first k of the real parts
/// has variance k up to r/2, then r/2 + 3 (k - r/2), in the mean 3/8 of the last, 2 r, where that
/// of independent terms is half of it: of what the sums round 3/4 stays. One chain of all products
/// with real parts, then all with imaginary ones has in the mean (3/8 + 1 + 3/8)/4, so 7/8 stays.
double gemm_imaginary_variance(const ArithmeticSpec& arithmetic, std::size_t r) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() == Engine::host) return host_additions(r, {}, 2 * fp64.precision) / 8;
  if (gemm.engine() == Engine::vector) return dot_imaginary_variance(arithmetic, r);
  if (gemm.engine() != Engine::tensor) return 0;
  const bool one_chain = arithmetic.machine().across_tiles == AcrossTiles::through;
  return psum_additions(arithmetic, r).variance / (one_chain ? 8 : 4);
}

double dot_imaginary_variance(const ArithmeticSpec& arithmetic, std::size_t r) {
  return theory_of(arithmetic.product()).compensates_sums() ? 0 : rounded_sums(arithmetic, r) / 4;
}

double gemm_bias(const ArithmeticSpec& arithmetic, const TableStatistics& table, std::size_t r,
                 const SumData& data) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() != Engine::tensor) return table.loss;
  const Machine& machine = arithmetic.machine();
  const double evicted = machine.eviction == fp32 ? 0 : Noise(machine.eviction, machine.casts).loss;
  return table.loss + psum_additions(arithmetic, r, data).bias + evicted +
         left_out(gemm, arithmetic, table, r, fp64.precision).bias;
}

/// X + F(x - G(X)): what F errs by it takes back, but for its own error of the residual, which is
/// the sum of both errors; what G errs by stays; the residual and the sum are fp32.
double refined_variance(double before, double forward, double backward) {
  return backward + forward * (before + backward) + value_variance(0x1p-24);
}

Format product_word(const ArithmeticSpec& arithmetic) {
  if (arithmetic.type() == ArithmeticType::pairs) return fp32;
  return word_of(element_words(arithmetic));
}

Format gemm_word(const ArithmeticSpec& arithmetic) {
  const GemmScheme& gemm = arithmetic.matrices();
  return gemm.engine() == Engine::vector ? product_word(arithmetic) : word_of(gemm);
}

namespace {

/// E |w^ - w|^2 / u^2 for w of uniform phase: a part in [2^e, 2^(e+1)) errs with variance
/// (2u 2^e)^2 / 12; |cos| lies in [1/2, 1) for 2/3 of all phases, in [1/4, 1/2) for 0.1724, ...;
/// summed over both parts 0.119.
constexpr double uniform_phase_variance = 0.119;

constexpr std::size_t sample_size = std::size_t{1} << 14;

bool is_trivial(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return fraction == 0 || std::abs(fraction) == 0.5;
}

}  // namespace

/// One fill for each format: both may come from whole circles, of which a source keeps few.
TableStatistics table_statistics(std::size_t size, const RootIndices& index,
                                 const RootFunction& roots, const RootFunction& exact,
                                 const Format& format, const Format& word) {
  const std::size_t count = std::min(size, sample_size);
  std::vector<RootIndex> indices(count);
  if (size <= sample_size)
    index.fill(0, indices);
  else  // a fixed multiplicative sequence visits the table without a period of its own
    for (std::size_t i = 0; i < count; ++i) indices[i] = index((i * 2654435761u + 12345u) % size);
  ComplexArray<double> stored(count), true_root(count);
  roots.fill(indices, format, stored.re.data(), stored.im.data());
  for (RootIndex& root : indices) root = {root.exponent() % root.order, root.order};
  exact.fill(indices, fp64, true_root.re.data(), true_root.im.data());
  TableStatistics sum{.nontrivial = 0};
  for (std::size_t i = 0; i < count; ++i) {
    const bool trivial = 4 * indices[i].row % indices[i].order == 0;
    sum.nontrivial += !trivial;
    // In fixed point 1 less a quantum times x rounds to x, but where cut bits are jammed.
    if (format.is_fixed())
      sum.beyond += true_root.re[i] > max_finite(format) || true_root.im[i] > max_finite(format);
    const double re = true_root.re[i] - stored.re[i];
    const double im = true_root.im[i] - stored.im[i];
    sum.loss += re * true_root.re[i] + im * true_root.im[i];
    if (!trivial || !format.is_fixed()) sum.error_square += square(re) + square(im);
    if (word.precision >= format.precision) continue;
    for (double left : {stored.re[i], stored.im[i]})
      for (double* square_of_rest : {&sum.low_square, &sum.rest_square, &sum.last_square}) {
        left -= round(left, word, Rounding::rne);
        *square_of_rest += square(left);
      }
  }
  const double entries = static_cast<double>(count);
  TableStatistics mean{sum.error_square / entries, sum.low_square / entries,
                       sum.rest_square / entries,  sum.nontrivial / entries,
                       size <= sample_size,        sum.last_square / entries,
                       sum.beyond / entries};
  const bool unseen = mean.error_square < square(0x1p-53);
  if (!format.is_fixed() && !unseen) mean.loss = sum.loss / entries;
  if (format == fp64 && unseen)
    mean.error_square = uniform_phase_variance * square(0x1p-53) * mean.nontrivial;
  return mean;
}

void add_blocks(TableStatistics& entries, const BlockFormat& blocks, const RootIndices& matrix,
                std::size_t r, const RootFunction& roots, const Format& format) {
  const std::size_t size = std::min(blocks.block, r);
  const std::size_t per_column = (r + size - 1) / size;
  const std::size_t all = r * per_column;
  const std::size_t count = std::min(all, std::max(std::size_t{1}, sample_size / size));
  std::vector<RootIndex> indices(size);
  std::vector<double> part[2] = {std::vector<double>(size), std::vector<double>(size)};
  std::vector<float> held(size);
  double square_sum = 0, lost = 0, product = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t block = count == all ? i : (i * 2654435761u + 12345u) % all;
    const std::size_t first = block % per_column * size;
    const std::size_t length = std::min(size, r - first);
    for (std::size_t k = 0; k < length; ++k)
      indices[k] = matrix((first + k) * r + block / per_column);
    roots.fill({indices.data(), length}, format, part[0].data(), part[1].data());
    for (const std::vector<double>& v : part) {
      quantise_blocks(blocks, v.data(), length, 1, 1, length, held.data(), 1, length);
      for (std::size_t k = 0; k < length; ++k) {
        square_sum += square(v[k]);
        lost += square(v[k] - static_cast<double>(held[k]));
        product += v[k] * static_cast<double>(held[k]);
      }
    }
  }
  entries.low_loss = 1 - product / square_sum;
  entries.low_square = lost / square_sum - square(entries.low_loss);
}

TableStatistics real_table_statistics(const std::vector<double>& stored,
                                      const std::vector<double>& exact,
                                      const std::vector<double>& power, const Format& format) {
  TableStatistics sum{.nontrivial = 0};
  double whole = 0;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const double weight = power[i] * square(exact[i]);
    whole += weight;
    sum.error_square += power[i] * square(stored[i] - exact[i]);
    if (!is_trivial(stored[i])) sum.nontrivial += weight;
    const Complex<float> word{static_cast<float>(stored[i]), 0};
    const Factor<float, 2> words = split_words<bf16, 2, 0>(word);
    const double low = static_cast<double>(words.word[1].re);
    sum.low_square += power[i] * square(low);
    sum.rest_square += power[i] * square(static_cast<double>(word.re - words.word[0].re) - low);
  }
  if (whole == 0) return {.nontrivial = 0};
  TableStatistics mean{sum.error_square / whole, sum.low_square / whole, sum.rest_square / whole,
                       sum.nontrivial / whole};
  if (format == fp64 && mean.error_square < square(unit_roundoff(fp64)))
    mean.error_square = mean.nontrivial * value_variance(unit_roundoff(fp64));
  return mean;
}

}  // namespace fftprec
