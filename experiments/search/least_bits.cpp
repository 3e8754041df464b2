#include "experiments/search/least_bits.hpp"

#include "arith/support/error.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/search/exact_products.hpp"

namespace fftprec::search {

namespace {

std::optional<double> bound_of_all(Session& session, const Case& at_limit) {
  const CasePlan plan = session.plan(at_limit);
  check_applicable(plan);
  const ComplexArray<double> operands =
      plan.resolved().transform.make_input(plan.input(), plan.n(), plan.batch(), at_limit.seed);
  return result_bound(plan, operands, rounds_input(plan.resolved(), operands, best_isa()));
}

}  // namespace

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
    const std::optional<double> bound = bound_of_all(session, digits.at_limit(bits));
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
