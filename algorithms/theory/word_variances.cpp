#include "algorithms/theory/word_variances.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/variances.hpp"
#include "algorithms/theory/word_norms.hpp"
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
  Rests(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
        const TableStatistics& factors, std::size_t depth, int data_bits)
      : scheme_(scheme), mode_(mode), factors_(factors), depth_(depth), data_bits_(data_bits) {
    if (scheme.engine == Engine::integer) {
      bits_.factor = bits_.data = residue_bits(depth, mode.moduli);
      sliced_ = true;
    } else if (scheme.words == Words::slices) {
      bits_ = slice_bits(mode, machine, depth);
      sliced_ = true;
    }
    most_data_ = elides(scheme, machine, Elision::data) ? 1 : scheme.data_words;
    most_factor_ = elides(scheme, machine, Elision::table) ? 1 : scheme.factor_words;
  }

  double data(std::size_t words) const {
    words = std::min(words, most_data_);
    if (sliced_) {
      if (static_cast<int>(words) * (bits_.data + 1) <= data_bits_)
        return data_slices_rest(words, bits_.data, depth_);
      // Next to nothing, but all there is where the factor has more slices.
      return scheme_.factor_words > scheme_.data_words ? unknown : 0;
    }
    if (scheme_.words == Words::leading && words == scheme_.data_words &&
        scheme_.operands == half_fp32)
      return 0;
    return value_rest(word_of(scheme_).precision, words, mode_.storage.precision);
  }
  double factor(std::size_t words) const {
    words = std::min(words, most_factor_);
    if (sliced_) return root_slices_rest(words, bits_.factor, depth_, factors_.nontrivial);
    if (words == 0) return 1;
    if (word_of(scheme_).precision >= mode_.table.precision) return 0;
    if (scheme_.words == Words::leading && words == scheme_.factor_words &&
        scheme_.operands == half_fp32)
      return 0;
    return words == 1   ? factors_.low_square
           : words == 2 ? factors_.rest_square
                        : factors_.last_square;
  }

 private:
  const GemmScheme& scheme_;
  const Mode& mode_;
  const TableStatistics& factors_;
  std::size_t depth_;
  int data_bits_;
  SliceBits bits_{};
  bool sliced_ = false;
  std::size_t most_data_;
  std::size_t most_factor_;
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
double cut_drift(const GemmScheme& scheme, const Mode& mode, const TableStatistics& factors,
                 std::size_t depth) {
  if (!scheme.cut && scheme.words != Words::leading) return 0;
  const int p = scheme.operands.precision;
  const int source = mode.storage.precision;
  if (depth < few_entries && scheme.data_words > 1 && cut_loss(p, scheme.data_words, source) > 0)
    return unknown;
  double dropped = 0;
  for (std::size_t f = 1; f < scheme.factor_words; ++f)
    for (std::size_t d = 1; d < scheme.data_words; ++d)
      if (std::ranges::count(scheme.terms, SplitTerm{f, d}) == 0)
        dropped += cut_loss(p, f, source) * cut_loss(p, d, source);
  return cut_loss(p, scheme.data_words, source) +
         factors.nontrivial * (cut_loss(p, scheme.factor_words, source) + dropped);
}

}  // namespace

/// Of factor word f the first J_f data words are kept: what they leave is left out. A misread term
/// is missing; in its place stands one with half its power, since every other k reads zero and
/// the others the words of other k. Errors of different words are independent.
LeftOut left_out(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                 const TableStatistics& factors, std::size_t depth, int data_bits) {
  if (scheme.engine == Engine::vector || scheme.engine == Engine::host) return {};
  const Rests rests(scheme, mode, machine, factors, depth, data_bits);
  LeftOut result{rests.factor(scheme.factor_words), 0, cut_drift(scheme, mode, factors, depth)};
  for (std::size_t f = 0; f < scheme.factor_words; ++f) {
    const auto kept = static_cast<std::size_t>(std::ranges::count_if(
        scheme.terms, [f](const SplitTerm& term) { return term.factor == f; }));
    result.rest += rests.factor(f) * rests.data(kept);
  }
  if (machine.misread && scheme.evict_each() && is_split(mode))
    for (std::size_t i = 1; i < scheme.terms.size(); ++i)
      result.rest += 1.5 * rests.factor(scheme.terms[i].factor) * rests.data(scheme.terms[i].data);
  return result;
}

double rounded_terms(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                     const TableStatistics& factors, std::size_t depth, double once) {
  const Rests rests(scheme, mode, machine, factors, depth, fp64.precision);
  double variance = 0;
  for (std::size_t i = 1; i < scheme.terms.size(); ++i) {
    const SplitTerm& term = scheme.terms[i];
    variance += std::min(once, rests.factor(term.factor) * rests.data(term.data));
  }
  return variance;
}

Format word_of(const GemmScheme& scheme) {
  return {scheme.operands.precision, fp32.emin, fp32.emax};
}

GemmScheme element_words(const Mode& mode) {
  if (is_split(mode)) return residual_scheme(mode.split);
  return {.operands = mode.storage};
}

TableStatistics normal_factors(const GemmScheme& scheme) {
  const auto rest = [&](std::size_t words) {
    return value_rest(scheme.operands.precision, words, fp32.precision);
  };
  return {.low_square = rest(1), .rest_square = rest(2), .last_square = rest(3)};
}

}  // namespace fftprec
