#include "experiments/cases/problem.hpp"

#include "arith/support/error.hpp"
#include "experiments/transforms/registry.hpp"
#include "experiments/truths/truth_cache.hpp"

namespace fftprec {

ProblemKey problem_key(const Case& where) {
  return {where.transform, where.n, where.batch, where.input, where.seed};
}

Problem make_problem(const ProblemKey& key, const truth::TruthOptions& options, TruthCache* cache) {
  const TransformEntry transform = transform_named(key.transform);
  require(key.n >= 1, "make_problem: n = 0");
  Problem problem;
  problem.input = transform.make_input(key.input, key.n, key.batch, key.seed);
  const auto make = [&] { return transform.truth(problem.input, key.n, key.batch, options); };
  problem.truth =
      cache ? cache->get(truth_key(key.transform, key.n, key.batch, problem.input, options), make)
            : make();
  return problem;
}

}  // namespace fftprec
