/// Words: of single values, slices on a shared grid, blocks with a shared scale.
#include "algorithms/theory/words.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "algorithms/theory/roundings.hpp"
#include "algorithms/theory/storage_errors.hpp"
#include "arith/splitting/residues.hpp"
#include "arith/splitting/slices.hpp"
#include "arith/support/portable_math.hpp"

namespace fftprec {

namespace {

/// A DFT matrix of a smaller order has so few entries that their own last bits count.
constexpr std::size_t few_entries = 16;

/// c_i with |word i of v| <= c_i |v| and r with |v - sum of words| <= r |v|.
struct WordSizes {
  std::vector<double> words;
  double rest;
};

/// What the words of one operand leave of it, where the first `count` are formed.
struct FormedWords {
  const OperandWords& words;
  std::size_t count;
  std::size_t depth;  ///< of the sums
  int data_bits;      ///< of normal data
};

/// One kind of words.
class WordTheory {
 public:
  virtual ~WordTheory() = default;
  /// Of values of `source` bits, in sums of length `depth`.
  virtual WordSizes sizes(const OperandWords& words, int source, std::size_t depth,
                          Factors factors) const = 0;
  /// Mean square of what the words leave of normal data of `source` bits, and of factors with these
  /// statistics and as many bits.
  virtual double data_rest(const FormedWords& formed, int source) const = 0;
  virtual double factor_rest(const FormedWords& formed, int source,
                             const TableStatistics& factors) const = 0;
  virtual double small_error(const OperandWords& words, const Format& source,
                             bool flushes) const = 0;

 protected:
  /// Of words that TableStatistics follow: of values, and blocks along a column.
  static double table_rest(const FormedWords& formed, int source, const TableStatistics& factors) {
    if (formed.count == 0) return 1;
    if (formed.words.format.precision >= source) return 0;
    return formed.count == 1   ? factors.low_square
           : formed.count == 2 ? factors.rest_square
                               : factors.last_square;
  }
};

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

class ValueWords final : public WordTheory {
  /// Words of single values of `source` bits. Rounded residuals: each word settles p + 1 bits, the
  /// first p (split.hpp). Cut ones: p bits each, the first p - 1, and nothing is left of a value
  /// of as many bits as the words hold.
  WordSizes sizes(const OperandWords& words, int source, std::size_t, Factors) const override {
    const bool cut = words.rounding == Rounding::rz;
    const auto after = [&](std::size_t count) {
      const int bits = words.bits_of(count);
      const int settled = cut ? bits - 1 : bits + static_cast<int>(count) - 1;
      return (cut ? bits : settled) >= source ? 0 : std::ldexp(1.0, -settled);
    };
    WordSizes result{{1 + after(1)}, after(words.count)};
    for (std::size_t i = 1; i < words.count; ++i) result.words.push_back(after(i) + after(i + 1));
    result.words.resize(words.total());  // words that are zero have no size
    return result;
  }
  double data_rest(const FormedWords& formed, int source) const override {
    if (is_whole(formed)) return 0;
    return value_rest(formed.words.first().precision, formed.count, source);
  }
  double factor_rest(const FormedWords& formed, int source,
                     const TableStatistics& factors) const override {
    return formed.count > 0 && is_whole(formed) ? 0 : table_rest(formed, source, factors);
  }
  /// The first word errs by its own rounding; the next ones, held times 2^scale, hold that error up
  /// to their own.
  double small_error(const OperandWords& words, const Format& source, bool flushes) const override {
    const double lost =
        words.format == source ? 0 : fftprec::small_error(words.format, words.rounding);
    const double flushed = flushes ? min_normal(words.format) : 0;
    double all = 0;
    for (std::size_t i = 0; i < words.count; ++i)
      all += std::ldexp(lost + flushed, -words.scale * static_cast<int>(i));
    return all;
  }

 private:
  /// Halves of an fp32 value are all of it.
  static bool is_whole(const FormedWords& formed) {
    return is_half_fp32(formed.words.format) && formed.count == formed.words.count;
  }
};

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
  const auto below = [](int e) { return portable::erf(std::ldexp(1.0, e) / std::numbers::sqrt2); };
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

class Slices final : public WordTheory {
  /// Slices: after i of them at most slice_truncation(i, bits) 2^E is left of each of the 2 depth
  /// parts, where 2^E <= 2 max |part|; so slice i, which is no larger, and the rest have at most
  /// the norm 2 sqrt(2 depth) slice_truncation(i, bits) relative to that of the vector. Of roots
  /// |part| < 2, so 2^E <= 2, and the norm is sqrt(depth): 2 sqrt(2) slice_truncation(i, bits).
  WordSizes sizes(const OperandWords& words, int, std::size_t depth,
                  Factors factors) const override {
    const double parts = factors == Factors::roots ? 2 : 2 * static_cast<double>(depth);
    const auto after = [&](std::size_t slices) {
      return 2 * std::sqrt(parts) * slice_truncation(slices, words.bits);
    };
    WordSizes result{{1 + after(1)}, after(words.count)};
    for (std::size_t i = 1; i < words.count; ++i) result.words.push_back(after(i));
    return result;
  }
  double data_rest(const FormedWords& formed, int) const override {
    return data_slices_rest(formed.count, formed.words.bits, formed.depth, formed.data_bits);
  }
  double factor_rest(const FormedWords& formed, int source,
                     const TableStatistics& factors) const override {
    if (factors.are_data) return data_rest(formed, source);
    return root_slices_rest(formed.count, formed.words.bits, formed.depth, factors.nontrivial);
  }
  /// Integers of any unit.
  double small_error(const OperandWords&, const Format&, bool) const override { return 0; }
};

class Blocks final : public WordTheory {
  /// Blocks: each part errs by at most e = block_error of the largest part in its block, which is
  /// at most the norm of the block: e sqrt(block) in all. Roots: every part by e, their norm is
  /// sqrt(depth): e sqrt(2).
  WordSizes sizes(const OperandWords& words, int, std::size_t depth,
                  Factors factors) const override {
    const BlockFormat& block = words.block;
    const double length =
        factors == Factors::roots ? 2 : static_cast<double>(std::min(block.block, depth));
    const double rest = block_error(block) * std::sqrt(length);
    return {{1 + rest}, rest};
  }
  double data_rest(const FormedWords& formed, int) const override {
    return formed.count == 0 ? 1 : line_variance(formed.words.block, formed.depth);
  }
  double factor_rest(const FormedWords& formed, int source,
                     const TableStatistics& factors) const override {
    return table_rest(formed, source, factors);
  }
  double small_error(const OperandWords& words, const Format&, bool) const override {
    return fftprec::small_error(words.block);
  }
};

const WordTheory& word_theory(WordKind kind) {
  static const ValueWords values;
  static const Slices slices;
  static const Blocks blocks;
  switch (kind) {
    case WordKind::slices:
      return slices;
    case WordKind::blocks:
      return blocks;
    case WordKind::values:
      break;
  }
  return values;
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
        data_bits_(data_bits) {}

  double data(std::size_t count) const {
    return word_theory(words_.data().kind)
        .data_rest(formed(words_.data(), count), arithmetic_.operation_format().precision);
  }
  double factor(std::size_t count) const {
    return word_theory(words_.factor().kind)
        .factor_rest(formed(words_.factor(), count), arithmetic_.table_format().precision,
                     factors_);
  }

 private:
  FormedWords formed(const OperandWords& words, std::size_t count) const {
    return {words, std::min(count, words.count), depth_, data_bits_};
  }

  const GemmScheme& words_;
  const ArithmeticSpec& arithmetic_;
  const TableStatistics& factors_;
  std::size_t depth_;
  int data_bits_;
};

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

/// What a decorator lets the terms of these words after the first read; null: their own words.
const ProductDecorator::LaterWords* later_words(const GemmScheme& words,
                                                const ArithmeticSpec& arithmetic) {
  const ProductDecorator* decorator = arithmetic.decorator();
  return decorator && decorator->later_words && words.evict_each() ? &*decorator->later_words
                                                                   : nullptr;
}

}  // namespace

GemmScheme words_at(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() != Engine::integer)
    return gemm.with_words(data_words(arithmetic, depth), factor_words(arithmetic, depth));
  const OperandWords integers{.kind = WordKind::slices, .bits = residue_bits(depth, gemm.moduli())};
  return gemm.with_words(integers, integers);
}

double small_error(const OperandWords& words, const Format& source, bool flushes) {
  return word_theory(words.kind).small_error(words, source, flushes);
}

/// Left out are products of words that are not formed, words that are not there, and what a
/// decorator changes in later terms. Words that are cut, not rounded, have the sign of the value,
/// so all products of words together are at most |w| |x|.
WordNorms word_norms(const GemmScheme& words, const ArithmeticSpec& arithmetic, std::size_t depth,
                     Factors factors) {
  const auto sizes_of = [&](const OperandWords& of, const Format& source, Factors values) {
    return word_theory(of.kind).sizes(of, source.precision, depth, values);
  };
  const WordSizes data = sizes_of(words.data(), arithmetic.operation_format(), Factors::any);
  const WordSizes factor = sizes_of(words.factor(), arithmetic.table_format(), factors);
  const auto size = [&](SplitTerm term) {
    return factor.words[term.factor] * data.words[term.data];
  };
  WordNorms norms{0, compose(factor.rest, data.rest)};
  for (const SplitTerm& term : words.terms()) norms.formed += size(term);
  if (words.data().rounding == Rounding::rz) norms.formed = 1;
  for (std::size_t f = 0; f < words.factor().total(); ++f)
    for (std::size_t d = 0; d < words.data().total(); ++d)
      if (std::ranges::count(words.terms(), SplitTerm{f, d}) == 0) norms.left_out += size({f, d});
  if (const auto* later = later_words(words, arithmetic))
    for (const SplitTerm& term : std::span(words.terms()).subspan(1))
      norms.left_out += later->worst * size(term);
  return norms;
}

/// Factor word f meets the first J_f data words: what they leave is left out, and so is what a
/// decorator changes in later terms. Errors of different words are independent.
LeftOut left_out(const GemmScheme& words, const ArithmeticSpec& arithmetic,
                 const TableStatistics& factors, std::size_t depth, int data_bits) {
  const Rests rests(words, arithmetic, factors, depth, data_bits);
  LeftOut result{rests.factor(words.factor().total()), 0,
                 cut_bias(words, arithmetic.operation_format(), factors, depth) + factors.low_loss};
  for (std::size_t f = 0; f < words.factor().total(); ++f) {
    const auto formed = static_cast<std::size_t>(std::ranges::count_if(
        words.terms(), [f](const SplitTerm& term) { return term.factor == f; }));
    result.rest += rests.factor(f) * rests.data(formed);
  }
  if (const auto* later = later_words(words, arithmetic))
    for (const SplitTerm& term : std::span(words.terms()).subspan(1))
      result.rest += later->variance * rests.factor(term.factor) * rests.data(term.data);
  return result;
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

}  // namespace fftprec
