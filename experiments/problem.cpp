#include "experiments/problem.hpp"

#include "arith/error.hpp"
#include "experiments/transform_entry.hpp"

namespace fftprec {

ProblemKey problem_key(const Case& where) {
  return {where.transform, where.n, where.batch, where.input, where.seed};
}

Problem make_problem(const ProblemKey& key) {
  const TransformEntry transform = transform_named(key.transform);
  require(key.n >= 1, "make_problem: n = 0");
  Problem problem;
  problem.input = transform.make_input(key.input, key.n, key.batch, key.seed);
  problem.truth = transform.truth(problem.input, key.n, key.batch);
  return problem;
}

}  // namespace fftprec
