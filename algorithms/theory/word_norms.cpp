#include "algorithms/theory/word_norms.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/theory/bounds.hpp"
#include "arith/splitting/block_scaling.hpp"
#include "arith/splitting/residues.hpp"
#include "arith/splitting/slices.hpp"

namespace fftprec {

namespace {

/// c_i with |word i of v| <= c_i |v| and r with |v - sum of words| <= r |v|.
struct Sizes {
  std::vector<double> words;
  double rest;
};

/// Words of single values of `source` bits. Rounded residuals: each word settles p + 1 bits, the
/// first p (split.hpp). Cut ones: p bits each, the first p - 1, and nothing is left of a value
/// of as many bits as the words hold.
class ValueWords {
 public:
  ValueWords(const GemmScheme& scheme, const Format& storage)
      : precision_(scheme.operands.precision),
        source_(storage.precision),
        cut_(scheme.cut || scheme.words == Words::leading) {}

  Sizes sizes(std::size_t count) const {
    Sizes result{{1 + after(1)}, after(count)};
    for (std::size_t i = 1; i < count; ++i) result.words.push_back(after(i) + after(i + 1));
    return result;
  }

 private:
  double after(std::size_t words) const {
    const int n = static_cast<int>(words);
    const int settled = cut_ ? n * precision_ - 1 : precision_ + (n - 1) * (precision_ + 1);
    const bool whole = cut_     ? n * precision_ >= source_
                       : n == 1 ? precision_ >= source_
                                : settled >= source_;
    return whole ? 0 : std::ldexp(1.0, -settled);
  }

  int precision_;
  int source_;
  bool cut_;
};

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

/// The sizes of one side; words that a compiler elides are not there.
Sizes sizes_of(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
               std::size_t depth, Factors factors, bool of_factor) {
  const std::size_t count = of_factor ? scheme.factor_words : scheme.data_words;
  if (scheme.engine == Engine::integer)  // integers of that many bits: one slice
    return slice_sizes(1, residue_bits(depth, mode.moduli), depth, factors);
  switch (scheme.words) {
    case Words::slices: {
      const SliceBits bits = slice_bits(mode, machine, depth);
      return slice_sizes(count, of_factor ? bits.factor : bits.data, depth, factors);
    }
    case Words::blocks:
      return block_sizes(mode.block, depth, factors);
    default:
      break;
  }
  const Elision side = of_factor ? Elision::table : Elision::data;
  Sizes sizes = ValueWords(scheme, mode.storage).sizes(elides(scheme, machine, side) ? 1 : count);
  sizes.words.resize(count);
  return sizes;
}

}  // namespace

/// Left out are products of words that are not kept, and words that are not there. A misread
/// term after the first is missing, and one of at most its size is there in its place: the
/// misread word holds a part of the right one's values. Words that are cut, not rounded, have the
/// sign of the value, so all products of words together are at most |w| |x|.
WordNorms word_norms(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                     std::size_t depth, Factors factors) {
  const Sizes data = sizes_of(scheme, mode, machine, depth, Factors::any, false);
  const Sizes factor = sizes_of(scheme, mode, machine, depth, factors, true);
  const auto size = [&](SplitTerm term) {
    return factor.words[term.factor] * data.words[term.data];
  };
  WordNorms norms{0, compose(factor.rest, data.rest)};
  for (const SplitTerm& term : scheme.terms) norms.kept += size(term);
  if (scheme.cut || scheme.words == Words::leading) norms.kept = 1;
  for (std::size_t f = 0; f < scheme.factor_words; ++f)
    for (std::size_t d = 0; d < scheme.data_words; ++d)
      if (std::ranges::count(scheme.terms, SplitTerm{f, d}) == 0) norms.left_out += size({f, d});
  if (machine.misread && scheme.evict_each() && is_split(mode))
    for (std::size_t i = 1; i < scheme.terms.size(); ++i)
      norms.left_out += 2 * size(scheme.terms[i]);
  return norms;
}

}  // namespace fftprec
