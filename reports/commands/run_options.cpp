#include "reports/commands/run_options.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "reports/commands/progress.hpp"

namespace fftprec {

Evaluation::Evaluation(const RunRequest& request, const CaseFunctions& functions,
                       unsigned truth_threads, std::ostream& err)
    : cache_(open_truth_cache(request.truth, err)) {
  const Isa isa = isa_of(request);
  truth::TruthOptions truth = truth_options(request.truth);
  truth.isa = isa;
  truth.threads = truth_threads;
  options_.evaluate = [&request, &functions, isa](const Case& where, const Problem& problem) {
    Row row = functions.evaluate(where, problem, isa);
    if (!request.times) row.time_ns.reset();
    return row;
  };
  options_.make_problem = [&request, &functions, truth,
                           cache = cache_.get()](const ProblemKey& key) {
    Problem problem = functions.make_problem(key, truth, cache);
    require_truth_bits(problem.truth, request.truth);
    return problem;
  };
  options_.costs = functions.costs;
  options_.threads = threads_of(request);
  options_.timeout_s = request.timeout_s;
}

unsigned threads_of(const RunRequest& request) {
  return request.threads == 0 ? default_threads() : request.threads;
}

Isa isa_of(const RunRequest& request) {
  return request.isa.empty() ? best_isa() : isa_named(request.isa);
}

std::size_t count_problems(std::span<const Case> cases) {
  std::set<ProblemKey> problems;
  for (const Case& where : cases) problems.insert(problem_key(where));
  return problems.size();
}

std::string dry_run_text(std::span<const Case> cases, const RunCosts& costs, unsigned threads) {
  CostSum sum(costs);
  for (const Case& where : cases) sum.add(where);
  const double seconds = sum.total() * 1e-9;
  const auto counted = [](std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  return fmt::format("{} that share {}\nestimated cost {}, on {} about {}\n",
                     counted(cases.size(), "case"), counted(sum.truths(), "truth"),
                     duration_text(seconds), counted(threads, "thread"),
                     duration_text(seconds / threads));
}

}  // namespace fftprec
