/// The definition of the accumulator models against the judge in wide integers, bit for bit.
#include <gtest/gtest.h>

#include "arith/accumulators/definition.hpp"
#include "arith/splitting/block_scaling.hpp"
#include "arith/support/error.hpp"
#include "tests/arith/accumulators_judge.hpp"
#include "tests/arith/accumulators_samples.hpp"
#include "tests/support/published_units.hpp"

namespace fftprec::testing {

namespace {

/// `columns` random columns of every sample through the model and its judge.
void compare(const AccumulatorModel& model, Sampler& sampler, int columns) {
  const AccumulatorJudge judge(model);
  for (const Sample sample : samples)
    for (int i = 0; i < columns; ++i) {
      const auto size = static_cast<std::size_t>(sampler.below(40));
      std::vector<float> a(size), b(size);
      sampler.column(model, sample, a, b);
      const float c = sampler.accumulator(model, sample);

      const float actual = dot(model, c, a, b);

      ASSERT_TRUE(same_value(static_cast<double>(actual), static_cast<double>(judge(c, a, b))))
          << show(model) << "\nc " << show(static_cast<double>(c)) << "\na" << show(a) << "\nb"
          << show(b);
    }
}

}  // namespace

TEST(AccumulatorDefinition, EqualsTheIntegerJudgeForEveryPublishedModel) {
  Sampler sampler(1);
  for (const AccumulatorModel& model : published_accumulators()) compare(model, sampler, 60);
}

TEST(AccumulatorDefinition, EqualsTheIntegerJudgeForRandomModels) {
  Sampler sampler(2);
  for (int i = 0; i < 1500 && !HasFatalFailure(); ++i) compare(sampler.model(), sampler, 3);
}

/// 2^25 + 2 + 2^-7 loses 2^-7, so that 2^25 + 2 is a tie; a zero c has the exponent -126.
TEST(AccumulatorDefinition, Cdna3FloorsTheSumWithCBeforeItRounds) {
  const auto sum = [](float c, const std::vector<float>& a, const std::vector<float>& b) {
    return dot(amd_cdna3_bf16, c, a, b);
  };

  EXPECT_EQ(sum(0x1.fffff8p24f, {10, 0x1p-7f}, {1, 1}), 0x1p25f);
  EXPECT_EQ(sum(0, {-0x1.8p-75f, 0x1p-80f}, {0x1p-74f, 0x1p-80f}), -0x1p-148f);
}

/// MMA-Sim: groups of fp4 chain in blocks of 64, and align by their scales, which are 1 here.
TEST(AccumulatorDefinition, GroupsOfFp4ChainBy64AndAlignByTheirScales) {
  std::vector<float> a(64, 0.0f);
  a[0] = 1;
  a[32] = -1;

  EXPECT_EQ(dot(nv_blackwell_fp4, 1 + 0x1p-23f, a, std::vector<float>(64, 1.0f)), 1 + 0x1p-23f);
  EXPECT_EQ(dot(nv_blackwell_fp4, -0x1p-34f, std::vector<float>{2}, std::vector<float>{2}),
            0x1.fffffep1f);
}

TEST(AccumulatorDefinition, WithoutProductsGivesC) {
  EXPECT_EQ(dot(nv_hopper_bf16, 1.5f, std::vector<float>{}, std::vector<float>{}), 1.5f);
}

TEST(AccumulatorDefinition, RefusesColumnsOfUnlikeLength) {
  EXPECT_THROW(dot(trn_exact, 0, std::vector<float>(3), std::vector<float>(4)), InputError);
}

}  // namespace fftprec::testing
