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
#include "algorithms/theory/bounds.hpp"
#include "arith/formats/round.hpp"
#include "arith/splitting/residues.hpp"
#include "arith/splitting/slices.hpp"
#include "arith/splitting/split.hpp"

namespace fftprec {

namespace {

/// A DFT matrix of a smaller order has so few entries that their own last bits count.
constexpr std::size_t few_entries = 16;

/// One rounding of normal data in blocks of `size` values.
/// Of a normal value z in a block of K such, rounded with the scale of the block's largest, in
/// [2^k, 2^(k+1)): that is so, and z in [2^b, 2^(b+1)), with probability p_b (P_(k+1)^(K-1) -
/// P_k^(K-1)), P_k = P(|z| < 2^k), p_b = P_(b+1) - P_b, and p_k P_(k+1)^(K-1) for b = k. The error
/// is uniform to half a unit in the last place, which below the smallest normal number is the same;
/// where the largest may lie beyond the format, to what it is beyond.
///
/// Scales of e4m3: of a block whose largest is a, in steps of a; of the others the error is
/// uniform to half a unit of elements that end at a, and a itself is off as its scale is: by half a
/// unit of 4 bits, uniform, of a significand m whose logarithm is, mean 1/m^2 = 3 / (8 ln 2).
/// Neglected: the others' share in that, and scales below e4m3fn's normal numbers.
double block_variance(const BlockFormat& format, std::size_t size) {
  const Format& element = format.element;
  const auto below = [](double k) { return std::erf(std::exp2(k) / std::numbers::sqrt2); };
  const auto others = [&](double k) { return 1 + repeated_error(below(k) - 1, size - 1); };
  if (format.rule == ScaleRule::e4m3 || format.has_digits()) {
    const double off = square(0x1p-3) / 12 * 3 / (8 * std::numbers::ln2);
    const double rest = 1 - 1 / static_cast<double>(size);
    constexpr double step = 0x1p-4;
    double variance = 0;
    for (double k = -12; k < 4; k += step) {
      const double top = k + step / 2;  // log2 of a
      const double unit = top - std::log2(max_finite(element));
      double inner = 0;
      for (int b = element.emin; b <= element.emax; ++b)
        inner += (below(std::min(b + 1 + unit, top)) - (b > element.emin ? below(b + unit) : 0)) *
                 square(std::exp2(b + 1 - element.precision + unit)) / 12;
      const double share = below(k + step) * others(k + step) - below(k) * others(k);
      variance += share * (rest * inner / below(top) + (1 - rest) * off * square(std::exp2(top)));
    }
    return variance;
  }
  const int room = format.rule == ScaleRule::headroom ? 1 : 0;
  const double unit = std::exp2(1 - element.precision) / std::sqrt(12.0);
  const double top = std::ldexp(max_finite(element), -element.emax);
  double variance = 0;
  for (int k = -12; k <= 3; ++k) {
    const int lowest = k - element.emax + room + element.emin;
    const double smaller = others(k + 1) - others(k);
    const int first = std::min(lowest, k - 1);
    for (int b = first; b < k; ++b)
      variance += (below(b + 1) - (b > first ? below(b) : 0)) * smaller *
                  square(unit * std::exp2(std::max(b, lowest)));
    const double beyond = room == 0 ? below(k + 1) - below(k + std::log2(top)) : 0;
    const double within = below(k + 1) - below(k) - beyond;
    variance += (within * square(unit) + beyond * square(2 - top) / 3) * others(k + 1) *
                square(std::exp2(k));
  }
  return variance;
}

/// block_variance of all blocks of a line, the last of which may be shorter.
double line_variance(const BlockFormat& format, std::size_t depth) {
  const std::size_t size = std::min(format.block, depth);
  const std::size_t last = depth % size;
  const double whole = static_cast<double>(depth - last) * block_variance(format, size);
  const double rest = last == 0 ? 0 : static_cast<double>(last) * block_variance(format, last);
  return (whole + rest) / static_cast<double>(depth);
}

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

namespace {

/// Variance of the sum of the terms, the leading one first, where one rounding has variance `once`.
/// A term smaller than a rounding is lost, which costs no more than the term.
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

/// A rounding of a result of variance 1, in an accumulator or on the way to a narrower format. To
/// odd: uniform to a whole unit on either side, four times the variance of half a unit; stochastic:
/// twice. Toward zero: uniform around its mean, which is `loss` of the result. Toward an infinity
/// it moves all results one way, and how that adds up is unknown.
struct Noise {
  double variance;
  double loss;

  Noise(const Format& format, Rounding rounding)
      : variance(value_variance(unit_roundoff(format))), loss(0) {
    if (format.is_fixed()) variance = 0;  // no error is relative
    if (format.is_fixed()) return;
    if (rounding == Rounding::odd) variance *= 4;
    if (rounding == Rounding::ru || rounding == Rounding::rd) variance = unknown;
    if (rounding == Rounding::sr) variance *= 2;
    if (rounding == Rounding::rz) loss = truncation_loss * unit_roundoff(format);
  }
};

/// Bits of the products of first words, which are nearly all of a sum.
int leading_product_bits(const GemmScheme& gemm) {
  return gemm.data().first().precision + gemm.factor().first().precision;
}

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
  return (std::atan(t) * (1 - 1 / square(t)) + 1 / t) * 2 / std::numbers::pi;
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
  const double at_end = zeros ? std::log1p(square(t)) / (pi * t) / (2 * std::numbers::ln2) : 0;
  return {std::atan(t) * 2 / pi - at_end, cut_variance(t),
          (std::atan(t) + t / (1 + square(t))) * 2 / pi};
}

/// The same where the terms are products of normal values and cos of a uniform phase: of a given
/// phase they are normal, and sqrt(2) |cos| of their root mean square.
CutShares cut_products(double t, bool zeros) {
  constexpr int phases = 16;
  CutShares sum{0, 0, 0};
  for (int i = 0; i < phases; ++i)
    sum = sum + cut_shares(t / (std::numbers::sqrt2 *
                                std::cos((i + 0.5) * std::numbers::pi / (2 * phases))),
                           zeros);
  return sum * (1.0 / phases);
}

/// The same of a chain that has k terms: where it grows into the next binade, it drops its own last
/// bit, if it has one yet: as much as endless digits would lose, E(growth) E|s|/E s^2 = 1/(pi sqrt
/// k) of the time.
CutShares cut_chain(const CutShares& cut, double k) {
  const double has_one = 1 - std::pow(1 - cut.often, k);
  const double grown = has_one / (std::numbers::pi * std::sqrt(k));
  return cut * (1 - grown) + CutShares{} * grown;
}

/// Share of the variance of a rounding to p digits that the sum of two exact products of so many
/// bits has.
double cut_sum_of_two(int bits, int p) {
  return cut_products(2 * std::numbers::sqrt2 * std::exp2(bits - 0.5 - p), true).variance;
}

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

  Column(const GemmScheme& gemm, double length, bool trivial)
      : model_(gemm.accumulate()), digits_(gemm, trivial) {
    const double size =
        model_.block == 0 ? length : std::min(length, static_cast<double>(model_.block));
    const double blocks = std::max(1.0, length / size);
    const bool late = model_.c == Inclusion::late;
    const double segment = std::min(size, static_cast<double>(model_.segment));
    bool rounded = true;  // what a block adds to c
    switch (model_.sum) {
      case BlockSum::pairwise:
        tree(size, 1);
        if (!late) return;
        break;
      case BlockSum::segments:
        inner_chain(segment);
        tree(std::ceil(size / segment), segment);
        break;
      case BlockSum::even_odd:
        inner_chain(std::max(1.0, size / 2));
        if (size > 1) whole(share(2, size / 2, true, 2));
        break;
      case BlockSum::exact:
      case BlockSum::aligned:
        if (late) whole(share(1, size, false));
        rounded = late;
        break;
      default:
        chain(length, 1, true, false);
        return;
    }
    chain(blocks, size, rounded, rounded);
  }

  /// Of the way of sums of so many products into PSUM, tile after tile.
  CutShares across(double tiles, double products) const {
    return share_of_chain(tiles, products, true);
  }

 private:
  /// Of sums of `terms` terms, each the sum of so many products, by additions of which `fresh`
  /// terms have digits below the sum's. The smallest of m values is about m times smaller than the
  /// others, sqrt(m) m times smaller than their sum, and so is its last bit, but for zeros at its
  /// end: of loss of size m E 2^-z = 2/3 m counts. In terms that are rounded the last bit is at
  /// most that of p digits.
  CutShares share(double terms, double products, bool rounded, double fresh = 1) const {
    const double p = model_.format.precision;
    const double digits = digits_.digits + 1.5 * std::log2(products);
    const double t = fresh * std::sqrt(terms);
    if (rounded && digits >= p) return cut_shares(t, false);
    CutShares cut = cut_products(t * std::exp2(digits - p), digits_.exact && products == 1);
    if (digits_.exact && products > 1)
      cut.loss = cut_products(t * std::exp2(digits - p) * 2 / 3, false).loss;
    return cut;
  }
  CutShares share_of_chain(double terms, double products, bool rounded) const {
    const double k = std::max(1.0, terms * 2 / 3);
    return cut_chain(share(k, products, rounded), k);
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

  const AccumulatorModel& model_;
  ProductDigits digits_;
};

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

  Additions additions() const {
    const Noise noise(model_.format, model_.rounding);
    const Additions written = psum_writes();
    // Products of short words with 1, -1, i, -i are as short as the data's: sums lose none of them.
    const bool is_short = gemm_.operands() != fp32;
    const double share = is_short ? 1 - trivial_ / (2 - trivial_) : 1;
    const double lossy = share * noise.loss;
    if (machine_.across_tiles == AcrossTiles::through) {
      const Column column(gemm_, length_, trivial_ == 1);
      // Passes after the first add next to nothing, but round the sum that is there.
      const double later = (passes_ - 1) * column.steps / tiles_ * (tiles_ + 1) / 2;
      const double chained = lossy * passes_ * column.chained;
      return {noise.variance * (share * column.variance + later) + square(chained) / 12 +
                  written.variance,
              lossy * column.loss + chained / 2 + written.bias};
    }
    const bool exact = trivial_ == 1 && is_short;
    // Each pass of a tile rounds the whole PSUM value once, the first of all to an empty one. The
    // sums of first words may be short.
    const double first = (tiles_ + 1) / 2 - 1 / tiles_;
    const double later = (passes_ - 1) * (tiles_ + 1) / 2;
    const Noise sum(fp32, model_.rounding);
    if (machine_.fidelity != Fidelity::whole)
      return {exact ? 0 : sum.variance * rounded_phases() * (first + later), 0};
    const Column column(gemm_, in_tile_, trivial_ == 1);
    const double chained = lossy * column.chained;
    const CutShares whole = column.across(tiles_, std::exp2(fp32.precision));
    const CutShares cut = column.across(tiles_, in_tile_);
    const double full = model_.rounding == Rounding::rz ? truncation_loss * unit_roundoff(fp32) : 0;
    const double across = full * (cut.loss * first + later);
    // Of the sums of the first tiles, given that of all T, (T^2 - 1)/12 is to either side.
    const double spread = square(full * (cut.loss + passes_ - 1)) * (square(tiles_) - 1) / 12;
    return {share * noise.variance * column.variance +
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
      if (digits > 0) rounded += cut_variance(std::sqrt(k) * in_tile_ * std::exp2(digits - 24));
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
  Additions psum_writes() const {
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

/// Variance of a chain of additions, the first of them to zero, each of variance `rounding` of its
/// result: after k of `length` the sum has k/length of its final variance.
double chain_variance(double length, double rounding) {
  return rounding * std::max(0.0, (length + 1) / 2 - 1 / length);
}

/// Variance of the additions for a product with an n x n DFT matrix in one fp64 chain per part: the
/// mean over all its columns. Products have so many bits.
double host_additions(std::size_t n, const SumData& data, int bits) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double length = products_of_column(n - data.zeros, n / std::gcd(j, n), data.parts);
    const double k = std::max(1.0, length * 2 / 3);
    const double t = std::sqrt(k) * std::exp2(bits - 0.5 - fp64.precision);
    const double share = bits <= fp64.precision ? cut_chain(cut_products(t, true), k).variance : 1;
    sum += share * chain_variance(length, value_variance(0x1p-53));
  }
  return sum / static_cast<double>(n);
}

}  // namespace

Additions psum_additions(const ArithmeticSpec& arithmetic, std::size_t n, const SumData& data) {
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
  if (cuts_sums(model) || model.c == Inclusion::after) return {unknown, unknown};
  // Of low words in a narrow PSUM a part is lost.
  const bool residual =
      gemm.data().kind == WordKind::values && gemm.data().rounding == Rounding::rne;
  if (machine.psum != fp32 && residual && gemm.passes() > 1) return {unknown, unknown};
  Additions sum{0, 0};
  double squares = 0;
  std::map<std::size_t, Additions> of_order;
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t order = n / std::gcd(j, n);
    const auto [found, is_new] = of_order.try_emplace(order);
    if (is_new)
      found->second = OneColumn(arithmetic, n - data.zeros, order, data.parts).additions();
    const Additions& column = found->second;
    sum.variance += column.variance;
    sum.bias += column.bias;
    squares += square(column.bias);
  }
  // What the biases of columns differ by is error to either side.
  const double count = static_cast<double>(n);
  const double bias = sum.bias / count;
  return {sum.variance / count + squares / count - square(bias), bias};
}

namespace {

constexpr double value_of_normal = 0.181;
constexpr double sum_of_two = 0.213;
constexpr double sum_of_products = 0.199;

/// Roundings of single operations, of results of variance 1.
struct Roundings {
  double product;   ///< a real product
  double products;  ///< the sum of two products
  double sum;       ///< the sum of two like terms
  double step;      ///< one more term to a long sum
};

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

/// Roundings of one complex product with a factor other than 1, -1, i, -i. Plain: both products of
/// a part, each of half its variance, then their sum. Fused: one product less. 2Prod: the sum of
/// the high words, then that with the tails. Once or by Dot2: once. Split: the sum of two products
/// of first words, which are short, then the other terms.
double rounded_product(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                       int data_bits) {
  const Roundings r = exact_where_short(arithmetic, table, data_bits, roundings(arithmetic));
  switch (arithmetic.product()) {
    case ProductScheme::two_prod:
      return arithmetic.machine().vector.product_bits < fp32.precision ? unknown
                                                                       : r.products + r.step;
    case ProductScheme::rounded_once:
    case ProductScheme::dot2:
      return r.products;
    case ProductScheme::split: {
      const GemmScheme words = element_words(arithmetic);
      return r.products * cut_sum_of_two(leading_product_bits(words), fp32.precision) +
             rounded_terms(words, arithmetic, table, 1, r.step);
    }
    default:
      return (arithmetic.machine().vector.fused && arithmetic.operation_format() == fp32 ? 0.5
                                                                                         : 1) *
                 r.product +
             r.products;
  }
}

/// Compensated sums leave the last rounding.
bool sums_grow(ProductScheme product) {
  return product != ProductScheme::kahan_sum && product != ProductScheme::neumaier &&
         product != ProductScheme::dot2;
}

/// The sums of r products on the vector engine.
double rounded_sums(const ArithmeticSpec& arithmetic, std::size_t r) {
  if (r <= 1) return 0;
  const double step = roundings(arithmetic).step;
  return sums_grow(arithmetic.product()) ? chain_variance(static_cast<double>(r), step) : step;
}

/// Of one sum of a term to those before, outside of PSUM. Pairs: the error of the high sum,
/// uniform, is the low word, and rounds.
double term_variance(TermSum sum) {
  if (sum == TermSum::in_pairs) return value_of_normal / 7 * 0x1p-96;
  return value_variance(sum == TermSum::in_fp64 ? 0x1p-53 : 0x1p-24);
}

/// Variance of the product of two words before it is added.
double product_rounding_variance(const GemmScheme& gemm) {
  const int kept = gemm.accumulate().product.format.precision;
  if (gemm.engine() == Engine::tensor && leading_product_bits(gemm) <= kept) return 0;
  const double u = product_roundoff(gemm);
  if (gemm.accumulate().product.rounding == Rounding::rne) return value_variance(u);
  // Truncation acts as a gain on the whole sum, and spreads like a rounding.
  return value_variance(u / 2) + square(truncation_loss * u / 2);
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

/// Data of doubles are not cast.
Rounding cast_to_kept(const ArithmeticSpec& arithmetic) {
  const bool casts = arithmetic.type() == ArithmeticType::floats;
  return casts ? arithmetic.machine().casts : Rounding::rne;
}

/// The distance between values of a format in [2^e, 2^(e+1)).
double unit_in_binade(const Format& format, int e) {
  if (!format.tapers())
    return e < format.emin ? min_subnormal(format) : std::ldexp(1.0, e - format.precision + 1);
  const double codes = codes_in_binade(*format.system, e);
  return codes > 0 ? std::ldexp(1.0, e) / codes : min_subnormal(format);
}

/// One rounding to nearest of normal data of `parts` parts that share an exponent (round_block). Of
/// the largest part a, in steps of a, the others are normal below a, and each errs uniformly to
/// half a unit of its binade.
double shared_exponent_variance(const Format& format, std::size_t parts) {
  const auto below = [](double k) { return std::erf(std::exp2(k) / std::numbers::sqrt2); };
  const auto all_below = [&](double k) { return 1 + repeated_error(below(k) - 1, parts); };
  const double top = block_top(format);
  constexpr double step = 0x1p-4;
  constexpr int lowest = -40;
  double variance = 0;
  for (double k = -12; k < 4; k += step) {
    const double largest = k + step / 2;
    const int exponent = block_exponent(std::exp2(largest), top);
    const auto square_in = [&](int b) {
      return square(std::ldexp(unit_in_binade(format, b - exponent), exponent)) / 12;
    };
    const int binade = static_cast<int>(std::floor(largest));
    double others = 0;
    for (int b = lowest; b <= binade; ++b)
      others +=
          (below(std::min<double>(b + 1, largest)) - (b > lowest ? below(b) : 0)) * square_in(b);
    const double one = 1 / static_cast<double>(parts);
    variance += (all_below(k + step) - all_below(k)) *
                ((1 - one) * others / below(largest) + one * square_in(binade));
  }
  return variance;
}

/// Unknown of lists of values, and of truncating stores where the digits of small values taper,
/// since what they lose of the size does, too.
double shared_store_variance(const ArithmeticSpec& arithmetic) {
  const Format& kept = arithmetic.storage_format();
  const Rounding casts = arithmetic.machine().casts;
  const std::size_t parts = 2 * arithmetic.lines().n * arithmetic.lines().batch;
  if (parts == 0 || (kept.system && kept.system->is_listed)) return unknown;
  const double to_nearest = shared_exponent_variance(kept, parts);
  const double all_digits = value_variance(std::ldexp(1.0, -kept.precision));
  const bool is_even = casts == Rounding::rne || casts == Rounding::sr;
  if (!is_even && to_nearest > 1.05 * all_digits) return unknown;
  return to_nearest * Noise(fp16, casts).variance / Noise(fp16, Rounding::rne).variance;
}

}  // namespace

double value_variance(double u) { return value_of_normal * square(u); }

bool sums_are_exact(const ArithmeticSpec& arithmetic, int data_bits) {
  const bool wide =
      arithmetic.type() == ArithmeticType::pairs ||
      (arithmetic.type() == ArithmeticType::doubles && arithmetic.operation_format() == fp64);
  return wide && data_bits <= fp32.precision;
}

double store_variance(const ArithmeticSpec& arithmetic) {
  if (const BlockFormat* blocks = arithmetic.block_format())
    return blocks->depends_on_lines() && arithmetic.lines().n == 0
               ? unknown
               : block_variance(*blocks,
                                blocks->block_in(arithmetic.lines().n, arithmetic.lines().batch));
  if (arithmetic.type() == ArithmeticType::pairs) return value_of_normal / 7 * 0x1p-96;
  if (arithmetic.scale().is_block() && !arithmetic.storage_format().is_fixed())
    return shared_store_variance(arithmetic);
  return Noise(arithmetic.storage_format(), cast_to_kept(arithmetic)).variance;
}

double store_bias(const ArithmeticSpec& arithmetic) {
  if (arithmetic.block_format() || arithmetic.storage_format().tapers()) return 0;
  return Noise(arithmetic.storage_format(), cast_to_kept(arithmetic)).loss;
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
         table.nontrivial * rounded_product(arithmetic, table, data_bits) +
         (1 - table.nontrivial) * trivial;
}

double real_product_variance(const ArithmeticSpec& arithmetic, const TableStatistics& table) {
  const LeftOut words = left_out(element_words(arithmetic), arithmetic, table, 1, fp64.precision);
  const Roundings r = roundings(arithmetic);
  const double rounded =
      arithmetic.is_split() ? rounded_terms(element_words(arithmetic), arithmetic, table, 1, r.step)
                            : r.product;
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
  const double products = arithmetic.product() == ProductScheme::dot2
                              ? table.error_square - square(table.loss)
                              : product_variance(arithmetic, table, data.bits);
  return products + sums_of(arithmetic, table, r, data);
}

/// A share ((r - 1)/r)^2 of the terms is a product; the sums are those of dot, x0 in the place of
/// its first product.
double dft_core_variance(const ArithmeticSpec& arithmetic, const TableStatistics& core,
                         std::size_t r, const SumData& data) {
  const double length = static_cast<double>(r);
  const double products = arithmetic.product() == ProductScheme::dot2
                              ? core.error_square - square(core.loss)
                              : product_variance(arithmetic, core, data.bits);
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
  return sums_grow(arithmetic.product()) ? rounded_sums(arithmetic, r) / 4 : 0;
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
  ComplexArray<double> stored(count), rest(count), true_root(count);
  roots.fill(indices, format, stored.re.data(), stored.im.data(), {rest.re.data(), rest.im.data()});
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
  if (needs_rests(format) && unseen)
    mean.error_square = square(min_subnormal(format)) / 6 * mean.nontrivial;
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
