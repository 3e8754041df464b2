/// Data after stages in every mode: the last stage has the bits of the result, and a stage that
/// continues from other data has the error of itself alone.
#include "experiments/attribution/stage_data.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/attribution/culprit.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {
namespace {

ComplexArray<double> input_of(const Case& where) { return make_problem(problem_key(where)).input; }

TEST(StageDataIn, EveryModeEndWithTheBitsOfTheResult) {
  for (const Case& where :
       std::vector<Case>{{.mode = "fp64", .n = 64},
                         {.mode = "doubleword", .n = 64},
                         {.mode = "bf16", .n = 64, .batch = 3},
                         {.mode = "q1.15", .n = 64, .input = "uniform", .scale = "stage:1/2"},
                         {.mode = "q1.15", .n = 64, .input = "uniform", .scale = "block"},
                         {.algorithm = "stockham-r4",
                         .mode = "q1.31",
                         .n = 256,
                         .input = "uniform",
                         .scale = "stage:1/2"},
                         {.algorithm = "stockham-r2", .mode = "posit16", .n = 64},
                         {.algorithm = "rader", .mode = "fp32", .n = 17},
                         {.algorithm = "bluestein", .mode = "fp64", .n = 17}}) {
    SCOPED_TRACE(where.algorithm + " " + where.mode + " " + where.scale);
    const CasePlan plan = Session().plan(where);
    ASSERT_EQ(refusal(plan), "");
    const ComplexArray<double> input = input_of(where);
    const std::vector<StageData> stages = stage_data(where, input);
    const ComplexArray<double> result = run_case(plan, input, {.round_trip = false}).values;

    EXPECT_EQ(without_scale(stages.back().values, result_scale(plan.resolved(), where.n)), result);
  }
}

TEST(StageDataIn, AChirpAreItsProductsAndTheStagesOfItsTransforms) {
  const Case where{.algorithm = "bluestein", .mode = "q1.15", .n = 5, .input = "uniform"};
  std::vector<std::string> titles;
  std::vector<std::size_t> sizes;
  for (const StageData& stage : stage_data(where, input_of(where))) {
    titles.push_back(stage.title);
    sizes.push_back(stage.values.size());
  }
  EXPECT_EQ(titles.front(), "chirp before");
  EXPECT_EQ(titles[1], "forward FFT | butterflies, stage 1");
  EXPECT_EQ(titles.back(), "chirp after");
  EXPECT_EQ(sizes.front(), 5);
  EXPECT_EQ(sizes[1], 16);
  EXPECT_EQ(sizes.back(), 5);
}

TEST(StageDataIn, AStageContinueFromTheDataThatAreGiven) {
  const Case where{.algorithm = "radix2-dit", .mode = "fp32", .machine = "ieee", .n = 8};
  const ComplexArray<double> input = input_of(where);
  const std::vector<StageData> healthy = stage_data(where, input);
  OwnData own;
  for (const StageData& stage : healthy) own[stage.path] = stage.values;
  own[healthy[1].path].re[2] += 1;  // a fault in stage 2

  const std::vector<StageData> continued = stage_data(where, input, own);

  EXPECT_EQ(continued[0].values, healthy[0].values);
  EXPECT_EQ(continued[1].values, healthy[1].values) << "it shows what the stage should have left";
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(continued[2].values.re[i] == healthy[2].values.re[i], i != 2 && i != 6) << i;
  own[healthy[0].path] = ComplexArray<double>(7);
  EXPECT_THROW(stage_data(where, input, own), InputError);
}

TEST(StageDataIn, AnAlgorithmWithoutArraysAreRefused) {
  const Case where{.algorithm = "split-radix", .n = 8};
  EXPECT_THROW(stage_data(where, input_of(where)), NotApplicable);
}

TEST(PatternOf, IndicesIsWhatTheyHaveInCommon) {
  EXPECT_EQ(pattern_of({17}, 64), "index 17");
  EXPECT_EQ(pattern_of({16, 17, 18, 19}, 64), "16 to 19");
  EXPECT_EQ(pattern_of({1, 17, 33, 49}, 64), "all 1 mod 16");
  EXPECT_EQ(pattern_of({33, 41, 49}, 64), "all 1 mod 8, from 33 to 49");
  EXPECT_EQ(pattern_of({0, 1, 5, 11}, 64), "0, 1, 5, 11");
}

}  // namespace
}  // namespace fftprec::attribution
