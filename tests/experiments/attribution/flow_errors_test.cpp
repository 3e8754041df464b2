/// Errors by the flow graph: where a trace can separate them too, both ways must agree; elsewhere
/// the parts must add up to the error, and a source that makes it by construction must get it.
#include "experiments/attribution/flow_errors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/attribution/budget.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec::attribution {
namespace {

Budget budget_by_flow(const Case& where) {
  return flow_budget(where, make_problem(problem_key(where)));
}

double part_of(const Budget& budget, const BudgetSource& source) {
  for (const SourcePart& part : budget.sources)
    if (part.source == source) return part.alone;
  return 0;
}

struct Compared {
  std::string algorithm;
  std::uint64_t n;
  std::string transform = "fft";
};

class BothWays : public ::testing::TestWithParam<Compared> {};

/// The trace computes later stages in binary64, whose errors are 1e-16.
TEST_P(BothWays, GiveTheSameErrorAfterEachStage) {
  for (const char* mode : {"bf16", "fp32", "fp16"})
    for (const char* tables : {"exact", "bf16-angle"})
      for (const char* machine : {"ieee", "trn"}) {
        const Case where{.transform = GetParam().transform,
                         .algorithm = GetParam().algorithm,
                         .mode = mode,
                         .machine = machine,
                         .tables = tables,
                         .n = GetParam().n,
                         .batch = 2};
        SCOPED_TRACE(command_of(where));
        const Problem problem = make_problem(problem_key(where));
        const StageErrors traced = stage_errors(where, problem);
        const StageErrors by_flow = flow_stage_errors(where, problem);

        std::size_t compared = 0;
        for (const StageError& stage : by_flow.stages) {
          const auto same = std::ranges::find(traced.stages, stage.title, &StageError::title);
          if (same == traced.stages.end()) continue;
          ++compared;
          EXPECT_NEAR(stage.err_l2_rel, same->err_l2_rel, 2e-15) << stage.title;
          EXPECT_NEAR(stage.err_linf_rel, same->err_linf_rel, 4e-15) << stage.title;
          if (stage.expected_l2_rel && same->expected_l2_rel) {
            EXPECT_NEAR(*stage.expected_l2_rel, *same->expected_l2_rel,
                        1e-12 * *same->expected_l2_rel)
                << stage.title;
          }
        }
        EXPECT_GE(compared, 2);
        EXPECT_EQ(by_flow.stages.back().err_l2_rel, traced.stages.back().err_l2_rel);
      }
}

/// A trace measures each source on exact data, the graph on the case's: the difference is of the
/// size of the square of the error.
TEST_P(BothWays, GiveTheSamePartsOfInputAndTables) {
  const Case where{.transform = GetParam().transform,
                   .algorithm = GetParam().algorithm,
                   .mode = "bf16",
                   .tables = "bf16-angle",
                   .n = GetParam().n};
  SCOPED_TRACE(command_of(where));
  const Budget by_flow = budget_by_flow(where);
  const Budget traced = error_budget(where, make_problem(problem_key(where)));

  EXPECT_EQ(by_flow.error, traced.error);
  for (const ErrorSource source : {ErrorSource::input, ErrorSource::tables})
    EXPECT_NEAR(part_of(by_flow, source), part_of(traced, source), 0.05 * traced.error);
  double squares = 0;
  for (const SourcePart& part : traced.sources)
    if (part.source != BudgetSource(ErrorSource::input) &&
        part.source != BudgetSource(ErrorSource::tables))
      squares += part.alone * part.alone;
  EXPECT_NEAR(part_of(by_flow, FlowSource::operations), std::sqrt(squares), 0.15 * traced.error);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, BothWays,
                         ::testing::Values(Compared{"stockham-r2", 64}, Compared{"stockham-r8", 64},
                                           Compared{"four-step", 1024}, Compared{"radix2-dit", 64},
                                           Compared{"radix2-dif", 64, "ifft"},
                                           Compared{"recursive", 32}, Compared{"dft-gemm", 24},
                                           Compared{"mixed-radix", 60}, Compared{"row-column", 60}),
                         [](const auto& info) {
                           std::string name = info.param.algorithm + "_" + info.param.transform;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// A chirp's response is computed by the mode itself: its errors are those of a table for the
/// trace, of operations for the graph.
TEST(BothWaysOf, BluesteinGiveTheSameErrorAfterEachStage) {
  const Case where{.algorithm = "bluestein", .mode = "bf16", .n = 13};
  const Problem problem = make_problem(problem_key(where));
  const StageErrors traced = stage_errors(where, problem);
  const StageErrors by_flow = flow_stage_errors(where, problem);
  const auto error_in = [](const StageErrors& errors, const std::string& title) {
    return std::ranges::find(errors.stages, title, &StageError::title)->err_l2_rel;
  };
  for (const char* title : {"input rounding", "chirp before", "forward FFT | butterflies, stage 5",
                            "product of the spectra", "chirp after"})
    EXPECT_NEAR(error_in(by_flow, title), error_in(traced, title), 2e-15) << title;
}

class AddsUp : public ::testing::TestWithParam<Case> {};

TEST_P(AddsUp, ToTheErrorOfTheRow) {
  const Case& where = GetParam();
  SCOPED_TRACE(command_of(where));
  const Row row = evaluate(where);
  const Budget budget = budget_by_flow(where);
  const StageErrors stages = stage_errors(where, make_problem(problem_key(where)));

  EXPECT_EQ(budget.error, row.err_l2_rel);
  EXPECT_EQ(stages.stages.back().err_l2_rel, row.err_l2_rel);
  EXPECT_EQ(stages.stages.back().expected_l2_rel, row.expected_l2_rel);
  EXPECT_EQ(budget.expected, row.expected_l2_rel);
  EXPECT_NEAR(budget.modelled, budget.error, 1e-9 * budget.error + 1e-18);
  EXPECT_LT(budget.floor_l2_rel, 1e-3 * budget.error);
  EXPECT_NEAR(budget.quadrature, budget.error, 0.25 * budget.error);
  double squares = 0;
  for (const StageParts& stage : budget.stages) squares += stage.all * stage.all;
  EXPECT_NEAR(std::sqrt(squares), budget.error, 0.25 * budget.error);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, AddsUp,
    ::testing::Values(
        Case{.algorithm = "radix2-dit",
             .mode = "q1.15",
             .n = 256,
             .input = "uniform",
             .scale = "stage:1/2"},
        Case{.algorithm = "radix2-dif",
             .mode = "q1.15",
             .n = 128,
             .batch = 3,
             .input = "uniform",
             .scale = "shift:0110101"},
        Case{.algorithm = "stockham-r4",
             .mode = "q1.15",
             .n = 256,
             .input = "uniform",
             .scale = "block"},
        Case{.algorithm = "four-step", .mode = "q8.16", .n = 1024},
        Case{.algorithm = "split-radix",
             .mode = "q1.15",
             .machine = "trn{casts=rz}",
             .n = 64,
             .input = "uniform",
             .scale = "stage:1/2"},
        Case{.transform = "ifft", .algorithm = "mixed-radix", .mode = "q4.20", .n = 60},
        Case{.algorithm = "radix2-dit", .mode = "bfp16", .n = 64, .rounding_points = "stage"},
        Case{.algorithm = "radix2-dit", .mode = "fp64", .n = 512},
        Case{.algorithm = "stockham-r4", .mode = "doubleword", .n = 256}),
    [](const auto& info) {
      std::string name = info.param.algorithm + "_" + info.param.mode + "_" + info.param.scale;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

struct Dominated {
  Case where;
  BudgetSource largest;
};

TEST(FlowBudget, NamesTheSourceThatMakesTheErrorByConstruction) {
  const std::vector<Dominated> known = {
      {{.algorithm = "radix2-dit",
        .mode = "q1.23:table=q1.7",
        .n = 256,
        .input = "uniform",
        .scale = "stage:1/2"},
       ErrorSource::tables},
      {{.algorithm = "radix2-dit",
        .mode = "q4.31",
        .tables = "fp32-angle",
        .n = 1024,
        .input = "uniform",
        .scale = "stage:1/2"},
       ErrorSource::tables},
      {{.algorithm = "dft-gemm",
        .mode = "q1.15:table=q2.15",
        .n = 1,
        .batch = 64,
        .input = "uniform"},
       ErrorSource::input},
      {{.algorithm = "dft-gemm", .mode = "q8.15", .n = 64, .input = "impulse", .seed = 3},
       FlowSource::operations},
      {{.algorithm = "radix2-dit", .mode = "q1.15", .n = 64}, FlowSource::overflow},
      {{.algorithm = "radix2-dit", .mode = "q1.15", .machine = "trn{fixed.overflow=wrap}", .n = 64},
       FlowSource::overflow}};
  for (const auto& [where, largest] : known) {
    SCOPED_TRACE(command_of(where));
    const Budget budget = budget_by_flow(where);
    EXPECT_EQ(budget.sources[0].source, largest);
    EXPECT_GT(budget.sources[0].alone, 0.9 * budget.error);
    EXPECT_LT(budget.sources[0].removed, 0.5 * budget.error);
  }
}

/// The only twiddle is 1, which the table holds; the sum of halves never leaves the range.
TEST(FlowBudget, GivesAllToShiftsWhereNothingElseErrs) {
  const Budget budget = budget_by_flow({.algorithm = "radix2-dit",
                                        .mode = "q1.15:table=q2.14",
                                        .n = 2,
                                        .batch = 64,
                                        .input = "uniform",
                                        .scale = "stage:1/2"});
  ASSERT_EQ(budget.sources.size(), 2);
  EXPECT_EQ(budget.sources[0].source, BudgetSource(FlowSource::shifts));
  EXPECT_EQ(budget.sources[1].source, BudgetSource(ErrorSource::input));
  EXPECT_EQ(budget.stages[1].all, budget.sources[0].alone);
}

/// What is exact by the graph is the true transform, of every transform that has a graph.
TEST(FlowErrorsOf, EveryTransformAreMeasuredFromTheTruth) {
  std::size_t measured = 0;
  for (const Named& transform : list_transforms())
    for (const char* algorithm : {"radix2-dit", "gemm", "elementwise", "direct-conv"}) {
      const Case where{
          .transform = transform.name, .algorithm = algorithm, .mode = "fp64", .n = 16};
      if (!Session().plan(where).inapplicable().empty()) continue;
      SCOPED_TRACE(command_of(where));
      const Problem problem = make_problem(problem_key(where));
      try {
        const StageErrors errors = flow_stage_errors(where, problem);
        EXPECT_LT(errors.floor_l2_rel, 1e-16);
        ++measured;
      } catch (const NotApplicable&) {
      }
    }
  EXPECT_GE(measured, 6);
}

/// Three integer bits more and nothing overflows; the rest of the budget stays.
TEST(FlowBudget, HasTheRoundingsOfARunThatDoesNotOverflowBesideItsOverflow) {
  const Budget overflowed =
      budget_by_flow({.algorithm = "radix2-dit", .mode = "q3.13", .machine = "ieee", .n = 64});
  const Budget in_range = budget_by_flow(
      {.algorithm = "radix2-dit", .mode = "q9.13:table=q1.15", .machine = "ieee", .n = 64});
  EXPECT_GT(part_of(overflowed, FlowSource::overflow), 0.1);
  EXPECT_EQ(part_of(in_range, FlowSource::overflow), 0);
  EXPECT_GT(part_of(in_range, FlowSource::operations), 0);
  EXPECT_NEAR(part_of(overflowed, FlowSource::operations),
              part_of(in_range, FlowSource::operations),
              0.3 * part_of(in_range, FlowSource::operations));
}

}  // namespace
}  // namespace fftprec::attribution
