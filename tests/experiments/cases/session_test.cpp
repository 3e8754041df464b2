/// Session: what cases share stands in memory once, and no longer than somebody has it.
#include "experiments/cases/session.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"

namespace fftprec::testing {
namespace {

using Way = Setup::Way;
using Steps = Setup::Steps;
using Held = std::shared_ptr<const Setup>;

PlanOf<float> plan(const Setup& setup, Way way, Steps steps = Steps::own) {
  return setup.plan<float>(way, steps, best_isa());
}

TEST(Session, GivesCasesThatDifferInInputSeedAndBatchOneSetup) {
  Session session;
  const auto setup = session.setup({.n = 16, .batch = 2, .input = "tone", .seed = 3});

  EXPECT_EQ(session.setup({.n = 16}), setup);
  EXPECT_NE(session.setup({.n = 32}), setup);
  EXPECT_NE(session.setup({.mode = "bf16", .n = 16}), setup);
}

TEST(Session, HoldsASetupAndItsPlansNoLongerThanSomebodyElseDoes) {
  Session session;
  auto setup = session.setup({.n = 16});
  std::weak_ptr<const void> plan_of_setup = plan(*setup, Way::there);
  EXPECT_FALSE(plan_of_setup.expired());

  setup = nullptr;

  EXPECT_TRUE(plan_of_setup.expired());
}

TEST(Session, HasTheSamePlanOnlyOnce) {
  Session session;
  const auto fft = session.setup({.transform = "fft", .n = 16});
  const auto ifft = session.setup({.transform = "ifft", .n = 16});
  const auto refined = session.setup({.mode = "refined_fp32:1", .n = 16});
  const auto fast = session.setup({.mode = "fast", .n = 16});

  EXPECT_EQ(plan(*fft, Way::back), plan(*ifft, Way::there));
  EXPECT_NE(plan(*fft, Way::there), plan(*fft, Way::back));
  EXPECT_EQ(plan(*refined, Way::back, Steps::residual), plan(*fast, Way::back));
  EXPECT_NE(plan(*refined, Way::back), plan(*fast, Way::back));
}

TEST(Session, GivesThreadsThatAskAtOnceTheSamePlan) {
  Session session;
  const auto fft = session.setup({.transform = "fft", .algorithm = "dft-gemm", .n = 512});
  const auto ifft = session.setup({.transform = "ifft", .algorithm = "dft-gemm", .n = 512});
  std::vector<PlanOf<float>> plans(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < plans.size(); ++i)
      threads.emplace_back(
          [&, i] { plans[i] = i % 2 == 0 ? plan(*fft, Way::back) : plan(*ifft, Way::there); });
  }
  for (const PlanOf<float>& each : plans) EXPECT_EQ(each, plans.front());
}

/// Planned and run, as a sweep is: checked, its costs estimated, its problem made, evaluated.
TEST(Session, LooksEachNameOfASweepUpOnce) {
  Session session;
  std::vector<Case> cases;
  for (const char* algorithm : {"radix2-dit", "dft-gemm", "auto"})
    for (const char* mode : {"fast", "bf16"})
      for (const char* machine : {"trn", "ieee"})
        for (const char* tables : {"exact", "fp32-angle"})
          for (const char* input : {"gaussian", "tone"})
            for (const std::uint64_t n : {8u, 16u})
              cases.push_back({.algorithm = algorithm,
                               .mode = mode,
                               .machine = machine,
                               .tables = tables,
                               .n = n,
                               .input = input});

  for (const Case& where : cases) session.check_names(where);

  // A transform, 3 algorithms, a store, a scale, and two of each other axis.
  const std::uint64_t names = 1 + 3 + 1 + 1 + 4 * 2;
  EXPECT_EQ(session.lookups(), names);
  for (const Case& where : cases) {
    emulation_cost(session, where);
    estimated_truth_ns(session, where);
    const Row row = evaluate(session, where, session.make_problem(problem_key(where)));
    EXPECT_EQ(row.status, Status::ok) << command_of(where);
  }
  EXPECT_EQ(session.lookups(), names + 1) << "the inverse transform comes beside";
}

TEST(Session, MakesTheRowsThatASessionForEachCaseMakes) {
  Session session;
  std::vector<Held> held;
  for (const char* mode : {"fast", "bf16_refined", "double", "doubleword", "ozaki"})
    for (const std::uint64_t batch : {1u, 3u}) {
      const Case where{.mode = mode, .n = 64, .batch = batch};
      const Problem problem = make_problem(problem_key(where));
      held.push_back(session.setup(where));
      const Row alone = evaluate(where, problem);
      const Row shared = evaluate(session, where, problem);
      EXPECT_EQ(shared.output_hash, alone.output_hash) << mode;
      EXPECT_EQ(shared.bound_l2_rel, alone.bound_l2_rel) << mode;
      EXPECT_EQ(shared.expected_l2_rel, alone.expected_l2_rel) << mode;
      EXPECT_EQ(shared.err_roundtrip_l2_rel, alone.err_roundtrip_l2_rel) << mode;
    }
}

}  // namespace
}  // namespace fftprec::testing
