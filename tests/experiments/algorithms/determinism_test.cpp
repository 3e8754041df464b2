/// The same bits on every instruction set, however often and wherever a case is evaluated.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"

namespace fftprec::testing {

namespace {

/// Every FFT in every mode, on the machines given.
std::vector<Case> all_combinations(const std::string& transform, std::uint64_t n,
                                   const std::vector<std::string>& machines) {
  std::vector<Case> cases;
  for (const std::string& algorithm : algorithm_names())
    for (const Named& mode : list_modes())
      for (const std::string& machine : machines)
        cases.push_back({.transform = transform,
                         .algorithm = algorithm,
                         .mode = mode.name,
                         .machine = machine,
                         .n = n,
                         .batch = 3,
                         .input = "gaussian"});
  return cases;
}

struct Measured {
  std::string hash;
  double error;
};

/// What a row says of a result. Way back and prediction, which rows have too, would cost more.
/// Throws NotApplicable where evaluate skips the case.
Measured measured(Session& session, const Case& where, const Problem& problem, Isa isa) {
  const CasePlan plan = session.plan(where);
  if (const std::string reason = plan.inapplicable(); !reason.empty()) throw NotApplicable(reason);
  const Output output = run_case(plan, problem.input, {.isa = isa, .round_trip = false});
  const truth::Errors errors = truth::measure(
      output.values, without_rest(problem.truth, output.rest), result_format(plan), isa);
  return {output_hash(output), errors.l2_rel};
}

/// Each instruction set makes its own tables and plans, in a session of its own.
void expect_same_bits(const std::vector<Case>& cases) {
  const Problem problem = make_problem(problem_key(cases.front()));
  Session of_baseline;
  std::map<Isa, Session> others;
  for (const Isa isa : available_isas())
    if (isa != Isa::baseline) others[isa];
  for (const Case& where : cases) {
    Measured baseline;
    try {
      baseline = measured(of_baseline, where, problem, Isa::baseline);
    } catch (const NotApplicable&) {
      continue;
    }
    for (auto& [isa, session] : others) {
      const Measured other = measured(session, where, problem, isa);
      EXPECT_EQ(other.hash, baseline.hash) << name_of(isa) << ": fftprec run " << command_of(where);
      const bool overflowed = std::isnan(baseline.error);
      if (!overflowed) {
        EXPECT_EQ(other.error, baseline.error);
      }
    }
  }
}

}  // namespace

TEST(Evaluate, GivesTheSameBitsOnEveryInstructionSet) {
  for (const std::uint64_t n : {8u, 64u, 97u, 300u}) {
    expect_same_bits(all_combinations("fft", n, {"trn", "ieee", "trn-claim", "trn-rz"}));
    expect_same_bits(all_combinations("ifft", n, {"trn"}));
  }
  expect_same_bits(all_combinations("fft", 1024, {"trn"}));
}

TEST(Evaluate, GivesTheSameBitsInSeveralThreadsAtOnce) {
  const std::vector<Case> cases = all_combinations("fft", 128, {"trn", "trn-rz"});
  const Problem problem = make_problem(problem_key(cases.front()));
  const auto run = [&](std::vector<std::string>& hashes) {
    for (const Case& where : cases) hashes.push_back(evaluate(where, problem).output_hash);
  };
  std::vector<std::string> first, second, alone;
  {
    const std::jthread one([&] { run(first); }), two([&] { run(second); });
  }
  run(alone);

  EXPECT_EQ(first, alone);
  EXPECT_EQ(second, alone);
}

/// A convolution takes random bits for its tables too, which later cases share.
TEST(Evaluate, GivesTheSameRowWhateverCameBefore) {
  const Case where{
      .algorithm = "bluestein", .mode = "bf16", .machine = "trn-sr", .n = 13, .seed = 2};
  const Problem problem = make_problem(problem_key(where));
  Case before = where;
  before.seed = 1;

  const std::string first = evaluate(where, problem).output_hash;
  evaluate(before);
  EXPECT_EQ(evaluate(where, problem).output_hash, first);
}

TEST(CheckApplicable, NamesTheAlgorithmsThatTakeTheLength) {
  const auto refusal_of = [](const Case& where) { return refusal(Session().plan(where)); };
  EXPECT_EQ(refusal_of({.algorithm = "radix2-dit", .mode = "bf16", .n = 12}),
            "radix2-dit needs n = 2^k, got 12; what takes n = 12: dft-gemm, direct, mixed-radix, "
            "four-step, bluestein, good-thomas, row-column, auto");
  EXPECT_EQ(refusal_of({.transform = "cmul", .algorithm = "radix2-dit", .n = 12}),
            "cmul is carried out by algorithm elementwise, not by radix2-dit");
  EXPECT_EQ(refusal_of({.algorithm = "radix2-dit", .n = 16}), "");
}

TEST(CheckNames, RefusesEveryUnknownName) {
  const Case good;
  EXPECT_NO_THROW(check_names(good));
  for (std::string Case::*axis : {&Case::transform, &Case::algorithm, &Case::mode, &Case::machine,
                                  &Case::tables, &Case::input}) {
    Case bad = good;
    bad.*axis = "no-such-name";
    EXPECT_THROW(check_names(bad), std::invalid_argument) << command_of(bad);
  }
  Case empty = good;
  empty.n = 0;
  EXPECT_THROW(check_names(empty), std::invalid_argument);
}

}  // namespace fftprec::testing
