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

/// The sum of `terms`, each times 1, from zero.
float sum_by(const AccumulatorModel& model, const std::vector<float>& terms) {
  return dot(model, 0, terms, std::vector<float>(terms.size(), 1.0f));
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

TEST(AccumulatorDefinition, TakesAlsoFp32Operands) {
  Sampler sampler(3);
  for (AccumulatorModel model : {trn_sequential, trn_exact, trn_tree}) {
    model.operands = fp32;
    compare(model, sampler, 40);
  }
}

/// 2^-126 less three quarters of 2^-150: a subnormal grid rounds it up to a normal number, one
/// without a lower end leaves it below 2^-126.
TEST(AccumulatorDefinition, FlushesWhatIsSmallBeforeTheSubnormalGridRoundsItUp) {
  const std::vector<float> a{0x1p-63f, 0, -0x1.8p-76f}, b{0x1p-63f, 0, 0x1p-75f};
  AccumulatorModel keeping = intel_amx;
  keeping.flush_outputs = false;

  EXPECT_EQ(dot(intel_amx, 0, a, b), 0.0f);
  EXPECT_EQ(dot(keeping, 0, a, b), 0x1p-126f);
}

TEST(AccumulatorDefinition, ExactSumsKeepWhatLiesFarBelowTermsThatCancel) {
  std::vector<float> terms;
  for (int exponent = 120; exponent >= -120; exponent -= 30)
    terms.push_back(std::ldexp(1.0f, exponent));
  const float last = terms.back();
  for (std::size_t k = terms.size() - 1; k-- > 0;) terms.push_back(-terms[k]);

  EXPECT_EQ(sum_by(trn_exact, terms), last);
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

/// Operands that are elements times a scale: the large groups cancel, and what is left of 81 2^-20
/// is cut 35 bits below 2^16, the exponents of 256 and 256; below 1536 times 1536 it would be 64.
TEST(AccumulatorDefinition, GroupsOfScaledFp4AlignByTheScaleOfTheirLargestOperand) {
  AccumulatorModel model = nv_blackwell_fp4;
  model.operands = {6, -126, 127};
  model.elements = fp4_e2m1;
  std::vector<float> a(48, 0.0f), b(48, 0.0f);
  a[0] = b[0] = b[32] = 6 * 256;
  a[32] = -6 * 256;
  const float scale = 1.125f * 0x1p-6f;
  a[16] = b[17] = 6 * scale;  // beside these the products are those of halves
  a[18] = b[18] = 0.5f * scale;

  EXPECT_EQ(dot(model, 0, a, b), 80 * 0x1p-20f);
  EXPECT_EQ(dot(model, 0, std::vector<float>(a.begin() + 16, a.begin() + 32),
                std::vector<float>(b.begin() + 16, b.begin() + 32)),
            81 * 0x1p-20f);
}

/// MMA-Sim: what cancels has the exponents of its scales, 2^0 here and 2^16 below; only products
/// that are all zero have none. c and what is left of 81 2^-20 are cut 35 bits below.
TEST(AccumulatorDefinition, AGroupThatCancelsHasTheExponentOfItsScales) {
  const auto with_c = [](std::vector<float> a) {
    return dot(nv_blackwell_fp4, 0x1p-35f + 0x1p-40f, a, std::vector<float>(a.size(), 1));
  };
  AccumulatorModel scaled = nv_blackwell_fp4;
  scaled.operands = {6, -126, 127};
  scaled.elements = fp4_e2m1;
  const float scale = 1.125f * 0x1p-6f;
  std::vector<float> a(32, 0.0f), b(32, 0.0f);
  a[0] = b[0] = b[1] = 6 * 256;
  a[1] = -a[0];
  a[16] = b[17] = 6 * scale;
  a[18] = b[18] = 0.5f * scale;

  EXPECT_EQ(with_c({1, -1}), 0x1p-35f);
  EXPECT_EQ(with_c({0, 0}), 0x1p-35f + 0x1p-40f);
  EXPECT_EQ(dot(scaled, 0, a, b), 80 * 0x1p-20f);
  std::swap(b[0], b[2]);
  std::swap(b[1], b[3]);
  EXPECT_EQ(dot(scaled, 0, a, b), 81 * 0x1p-20f);
}

TEST(AccumulatorDefinition, WithoutProductsGivesC) {
  EXPECT_EQ(dot(nv_hopper_bf16, 1.5f, std::vector<float>{}, std::vector<float>{}), 1.5f);
}

TEST(AccumulatorDefinition, RefusesColumnsOfUnlikeLength) {
  EXPECT_THROW(dot(trn_exact, 0, std::vector<float>(3), std::vector<float>(4)), InputError);
}

}  // namespace fftprec::testing
