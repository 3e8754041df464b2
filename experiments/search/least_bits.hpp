/// The least bits of digits for which a search finds a wrong coefficient of a product.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "experiments/cases/session.hpp"
#include "experiments/search/worst_input.hpp"

namespace fftprec::search {

/// A search among the digits of so many bits.
struct BitsTried {
  int bits;
  Case where;                   ///< with these digits
  std::optional<double> bound;  ///< of the largest error, for all of these digits
  SearchResult result;

  bool is_wrong() const { return result.best_score >= 0.5; }
};

/// Searches bit by bit, from the first digits that are not proven to be right on, until a
/// coefficient errs by 1/2 or digits have 53 bits. Throws InputError for an input other than
/// `integers` with bits, and for weighted digits.
std::vector<BitsTried> search_least_bits(Session& session, const Case& where,
                                         const SearchOptions& options, unsigned threads,
                                         const std::function<void(const BitsTried&)>& on_bits = {});

}  // namespace fftprec::search
