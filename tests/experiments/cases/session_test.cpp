/// Session: what cases share stands in memory once, and no longer than somebody has it.
#include "experiments/cases/session.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"

namespace fftprec::testing {
namespace {

using Way = CasePlan::Way;
using Steps = CasePlan::Steps;
using Held = std::shared_ptr<PlanTransforms>;

TransformOf<float> transform(const CasePlan& plan, Way way, Steps steps = Steps::own) {
  return plan.transform<float>(way, steps, best_isa());
}

TEST(Session, GivesCasesThatDifferInInputSeedAndBatchOneSharedObject) {
  Session session;
  const CasePlan plan = session.plan({.n = 16, .batch = 2, .input = "tone", .seed = 3});

  EXPECT_EQ(session.plan({.n = 16}).shared(), plan.shared());
  EXPECT_NE(session.plan({.n = 32}).shared(), plan.shared());
  EXPECT_NE(session.plan({.mode = "bf16", .n = 16}).shared(), plan.shared());
}

TEST(Session, GivesPlansThatDifferInBatchAndSeedTheSameNames) {
  Session session;
  const std::vector<Case> cases = {{.n = 16, .seed = 1},
                                   {.n = 16, .batch = 2, .seed = 3},
                                   {.mode = "bf16", .n = 16},
                                   {.n = 16, .seed = 4}};
  const std::vector<CasePlan> plans = session.plan(cases);

  ASSERT_EQ(plans.size(), cases.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    EXPECT_EQ(plans[i].where(), cases[i]);
    EXPECT_EQ(plans[i].where().shares_names(plans[0].where()), i != 2) << i;
  }
}

TEST(Session, SaysWhyACombinationHasNoMeaning) {
  Session session;
  EXPECT_EQ(session.plan({.n = 16}).inapplicable(), "");
  EXPECT_NE(session.plan({.n = 12}).inapplicable(), "");
  EXPECT_EQ(evaluate(session.plan({.n = 12}), {}).message, session.plan({.n = 12}).inapplicable());
  EXPECT_THROW(session.plan({.mode = "bf61"}), InputError);
  EXPECT_THROW(session.plan({.input = "tune"}), InputError);
  EXPECT_THROW(session.plan({.n = 0}), InputError);
  EXPECT_THROW(session.plan({.batch = 0}), InputError);
}

TEST(Session, HoldsTransformsNoLongerThanSomebodyElseDoes) {
  Session session;
  const CasePlan plan = session.plan({.n = 16});
  Held held = plan.transforms();
  std::weak_ptr<const void> made = transform(plan, Way::forward);
  EXPECT_FALSE(made.expired());
  EXPECT_EQ(transform(plan, Way::forward), made.lock());

  held = nullptr;

  EXPECT_TRUE(made.expired());
}

TEST(Session, HasTheSameTransformOnlyOnce) {
  Session session;
  const CasePlan fft = session.plan({.transform = "fft", .n = 16});
  const CasePlan ifft = session.plan({.transform = "ifft", .n = 16});
  const CasePlan refined = session.plan({.mode = "refined_fp32:1", .n = 16});
  const CasePlan fast = session.plan({.mode = "fp32", .n = 16});
  const std::vector<Held> held = {fft.transforms(), ifft.transforms(), refined.transforms()};

  EXPECT_EQ(transform(fft, Way::inverse), transform(ifft, Way::forward));
  EXPECT_NE(transform(fft, Way::forward), transform(fft, Way::inverse));
  EXPECT_EQ(transform(refined, Way::inverse, Steps::residual), transform(fast, Way::inverse));
  EXPECT_NE(transform(refined, Way::inverse), transform(fast, Way::inverse));
}

TEST(Session, GivesThreadsThatAskAtOnceTheSameTransform) {
  Session session;
  const CasePlan fft = session.plan({.transform = "fft", .algorithm = "dft-gemm", .n = 512});
  const CasePlan ifft = session.plan({.transform = "ifft", .algorithm = "dft-gemm", .n = 512});
  std::vector<TransformOf<float>> made(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < made.size(); ++i)
      threads.emplace_back([&, i] {
        made[i] = i % 2 == 0 ? transform(fft, Way::inverse) : transform(ifft, Way::forward);
      });
  }
  for (const TransformOf<float>& each : made) EXPECT_EQ(each, made.front());
}

/// Checked, planned and run, as a sweep is: its costs estimated, its problem made, evaluated.
TEST(Session, LooksEachNameOfASweepUpOnce) {
  Session session;
  std::vector<Case> cases;
  for (const char* algorithm : {"radix2-dit", "dft-gemm", "auto"})
    for (const char* mode : {"fp32", "bf16"})
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

  // A transform, 3 algorithms, the default of each later axis, and two of each other axis.
  const std::uint64_t names = 1 + 3 + later_axes.size() + 4 * 2;
  EXPECT_EQ(session.lookups(), names);
  for (const CasePlan& plan : session.plan(cases)) {
    EXPECT_GT(plan.cost().whole_ns(), 0);
    const Row row = evaluate(plan, make_problem(plan));
    EXPECT_EQ(row.status, Status::ok) << command_of(plan.where());
    EXPECT_TRUE(row.where.shares_names(plan.where()));
  }
  EXPECT_EQ(session.lookups(), names + 1) << "the inverse transform comes beside";
}

TEST(Session, MakesTheRowsThatASessionForEachCaseMakes) {
  Session session;
  std::vector<Held> held;
  for (const char* mode : {"fp32", "bf16_refined", "fp64", "doubleword", "ozaki"})
    for (const std::uint64_t batch : {1u, 3u}) {
      const Case where{.mode = mode, .n = 64, .batch = batch};
      const Problem problem = make_problem(problem_key(where));
      held.push_back(session.plan(where).transforms());
      const Row alone = evaluate(where, problem);
      const Row shared = evaluate(session.plan(where), problem);
      EXPECT_EQ(shared.output_hash, alone.output_hash) << mode;
      EXPECT_EQ(shared.bound_l2_rel, alone.bound_l2_rel) << mode;
      EXPECT_EQ(shared.expected_l2_rel, alone.expected_l2_rel) << mode;
      EXPECT_EQ(shared.err_roundtrip_l2_rel, alone.err_roundtrip_l2_rel) << mode;
    }
}

}  // namespace
}  // namespace fftprec::testing
