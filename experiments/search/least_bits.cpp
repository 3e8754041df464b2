#include "experiments/search/least_bits.hpp"

#include "arith/support/error.hpp"
#include "experiments/search/exact_products.hpp"

namespace fftprec::search {

std::vector<BitsTried> search_least_bits(Session& session, const Case& where,
                                         const SearchOptions& options, unsigned threads,
                                         const std::function<void(const BitsTried&)>& on_bits) {
  const Digits digits(session, where);
  require(!digits.is_weighted(),
          "search: exponent sets the digits, so there are no bits to be searched");
  SearchOptions until_wrong = options;
  until_wrong.enough = 0.5;
  std::vector<BitsTried> tried;
  for (int bits = 1; bits <= digits.most_steps(); ++bits) {
    const std::optional<double> bound = bound_at_limit(session, digits.at_limit(bits));
    if (bound && *bound < 0.5) continue;
    const Case with = digits.with(bits);
    tried.push_back({bits, with, bound,
                     search_worst_input(InputJudge(with, "err_linf_abs", threads), until_wrong)});
    if (on_bits) on_bits(tried.back());
    if (tried.back().is_wrong()) break;
  }
  return tried;
}

}  // namespace fftprec::search
