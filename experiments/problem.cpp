#include "experiments/problem.hpp"

#include <string>
#include <vector>

#include "arith/error.hpp"
#include "arith/truth/dft.hpp"
#include "experiments/inputs.hpp"
#include "experiments/registry.hpp"

namespace fftprec {
namespace {

struct Transform {
  Named named;
  Direction direction;
};

const std::vector<Transform>& transforms() {
  static const std::vector<Transform> all{
      {{"fft", "sum over j of x_j exp(-2 pi i jk/n)"}, Direction::forward},
      {{"ifft", "sum over j of x_j exp(+2 pi i jk/n), divided by n"}, Direction::inverse},
  };
  return all;
}

const Transform& transform_named(const std::string& name) {
  std::vector<std::string> known;
  for (const Transform& transform : transforms()) {
    if (transform.named.name == name) return transform;
    known.push_back(transform.named.name);
  }
  throw unknown_name("transform", name, known);
}

}  // namespace

Direction direction_of(const std::string& transform) {
  return transform_named(transform).direction;
}

ProblemKey problem_key(const Case& where) {
  return {where.transform, where.n, where.batch, where.input, where.seed};
}

Problem make_problem(const ProblemKey& key) {
  const Transform& transform = transform_named(key.transform);
  require(key.n >= 1, "make_problem: n = 0");
  Problem problem;
  problem.input = make_input(key.input, key.n, key.batch, key.seed);
  problem.truth = truth::dft(problem.input, key.n, transform.direction);
  return problem;
}

std::vector<Named> list_transforms() {
  std::vector<Named> names;
  for (const Transform& transform : transforms()) names.push_back(transform.named);
  return names;
}

}  // namespace fftprec
