/// The definition of the accumulator models against the judge in wide integers, bit for bit, and
/// the published probes.
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

/// A sum of zero has no scale that c would have to align to.
TEST(AccumulatorDefinition, AGroupThatCancelsDoesNotAlignC) {
  const std::vector<float> a{1, -1}, b{1, 1};

  EXPECT_EQ(dot(nv_blackwell_fp4, 0x1p-40f, a, b), 0x1p-40f);
}

TEST(AccumulatorDefinition, WithoutProductsGivesC) {
  EXPECT_EQ(dot(nv_hopper_bf16, 1.5f, std::vector<float>{}, std::vector<float>{}), 1.5f);
}

TEST(AccumulatorDefinition, RefusesColumnsOfUnlikeLength) {
  EXPECT_THROW(dot(trn_exact, 0, std::vector<float>(3), std::vector<float>(4)), InputError);
}

TEST(AccumulatorProbe, ProductsAreExact) {
  const std::vector<float> x{1 + 0x1p-7f};
  for (const AccumulatorModel& model : published_accumulators())
    if (model.operands == bf16) {
      EXPECT_EQ(dot(model, 0, x, x), 1.01568603515625f) << model.name;
    }
  AccumulatorModel claim = trn_sequential;
  claim.product = {.exact = false};
  EXPECT_EQ(dot(claim, 0, x, x), 1.015625f);
}

/// 1 and 127 terms just above half a unit in its last place.
TEST(AccumulatorProbe, NearestGrowsWhereTruncationStays) {
  std::vector<float> terms(128, 0x1p-24f * (1 + 0x1p-7f));
  terms[0] = 1;
  AccumulatorModel truncating = trn_sequential;
  truncating.rounding = Rounding::rz;

  EXPECT_EQ(sum_by(trn_sequential, terms), 1 + 127 * 0x1p-23f);
  EXPECT_EQ(sum_by(truncating, terms), 1.0f);
  EXPECT_EQ(sum_by(trn_reversed, terms), 1 + 64 * 0x1p-23f);  // 127 (1 + 2^-7)/2 units, rounded
  EXPECT_EQ(sum_by(trn_exact, terms), 1 + 64 * 0x1p-23f);
  EXPECT_EQ(sum_by(nv_volta, terms), 1.0f);
}

/// Where a 1 stands between 2^25 and -2^25 tells the order.
TEST(AccumulatorProbe, ThePlaceOfAOneTellsTheOrder) {
  using Answers = std::vector<float>;
  const auto answers = [](const AccumulatorModel& model) {
    Answers sums;
    for (const std::size_t place : {0u, 1u, 2u}) {
      std::vector<float> a{0x1p13f, -0x1p13f}, b{0x1p12f, 0x1p12f};
      a.insert(a.begin() + static_cast<std::ptrdiff_t>(place), 1);
      b.insert(b.begin() + static_cast<std::ptrdiff_t>(place), 1);
      sums.push_back(dot(model, 0, a, b));
    }
    return sums;
  };

  EXPECT_EQ(answers(trn_sequential), (Answers{0, 0, 1}));
  EXPECT_EQ(answers(trn_reversed), (Answers{1, 0, 0}));
  EXPECT_EQ(answers(trn_tree), (Answers{0, 0, 1}));
  EXPECT_EQ(answers(trn_segments), (Answers{0, 0, 1}));
  EXPECT_EQ(answers(trn_exact), (Answers{1, 1, 1}));
  EXPECT_EQ(answers(intel_amx), (Answers{0, 1, 0}));
  EXPECT_EQ(answers(amd_cdna1_fp16), (Answers{1, 1, 1}));
  EXPECT_EQ(answers(nv_volta), (Answers{0, 0, 0}));
  EXPECT_EQ(answers(nv_ampere_bf16), (Answers{0, 0, 0}));
  EXPECT_EQ(answers(nv_hopper_bf16), (Answers{1, 1, 1}));
}

TEST(AccumulatorProbe, ATwentyFourBitSumLosesAOneInTheMiddle) {
  EXPECT_EQ(sum_by(trn_sequential, {0x1p24f, 1, -0x1p24f}), 0.0f);
  EXPECT_EQ(sum_by(trn_sequential, {1, 0x1p24f, -0x1p24f}), 0.0f);
  EXPECT_EQ(sum_by(trn_sequential, {0x1p24f, -0x1p24f, 1}), 1.0f);
  EXPECT_EQ(sum_by(trn_exact, {0x1p24f, 1, -0x1p24f}), 1.0f);
  EXPECT_EQ(sum_by(nv_ampere_bf16, {0x1p24f, 1, -0x1p24f}), 1.0f);  // one extra bit
}

/// 1 + 2^-(23+i) - 1 inside one block is 2^-(23+i) as long as i extra bits are kept.
TEST(AccumulatorProbe, ExtraAlignmentBitsAreNoneOnVoltaOneOnAmpereTwoOnHopper) {
  const auto keeps = [](const AccumulatorModel& model, int extra) {
    const float small = extra == 0   ? 0x1p-23f
                        : extra == 1 ? 0x1p-24f
                        : extra == 2 ? 0x1p-25f
                                     : 0x1p-26f;
    // fp16 holds 2^-13 and 2^-12, not their product.
    const std::vector<float> a{1, small * 0x1p12f, -1}, b{1, 0x1p-12f, 1};
    return dot(model, 0, a, b) == small;
  };
  const auto extra_bits = [&](const AccumulatorModel& model) {
    int bits = -1;
    while (bits < 3 && keeps(model, bits + 1)) ++bits;
    return bits;
  };

  EXPECT_EQ(extra_bits(nv_volta), 0);
  EXPECT_EQ(extra_bits(nv_turing), 1);
  EXPECT_EQ(extra_bits(nv_ampere_fp16), 1);
  EXPECT_EQ(extra_bits(nv_ampere_bf16), 1);
  EXPECT_EQ(extra_bits(nv_ampere_tf32), 1);
  EXPECT_EQ(extra_bits(nv_ada_bf16), 1);
  EXPECT_EQ(extra_bits(nv_hopper_fp16), 2);
  EXPECT_EQ(extra_bits(nv_hopper_bf16), 2);
  EXPECT_EQ(extra_bits(nv_blackwell_bf16), 2);
  EXPECT_EQ(extra_bits(amd_cdna3_bf16), 1);
}

TEST(AccumulatorProbe, BlocksEndWhereTheSourceSays) {
  // Two large terms that cancel, `distance` apart, and a c that survives if one block has both.
  const auto reach = [](const AccumulatorModel& model) {
    std::size_t distance = 1;
    for (; distance < 64; ++distance) {
      std::vector<float> a(distance + 1, 0.0f), b(distance + 1, 0.0f);
      a[0] = b[0] = b[distance] = 0x1p6f;
      a[distance] = -a[0];
      const float c = 0x1p-12f;  // 2^-24 of the large products: a rounding to fp32 loses it
      if (dot(model, c, a, b) != c) break;
    }
    return distance;
  };

  EXPECT_EQ(reach(nv_turing), 8u);
  EXPECT_EQ(reach(nv_ampere_bf16), 8u);
  EXPECT_EQ(reach(nv_ampere_tf32), 4u);
  EXPECT_EQ(reach(nv_hopper_bf16), 16u);
  EXPECT_EQ(reach(nv_hopper_tf32), 8u);
  EXPECT_EQ(reach(nv_blackwell_fp16), 16u);
  EXPECT_EQ(reach(nv_blackwell_fp8), 32u);
  EXPECT_EQ(reach(amd_cdna1_fp16), 4u);
  EXPECT_EQ(reach(amd_cdna1_bf16), 2u);
  EXPECT_EQ(reach(amd_cdna3_bf16), 8u);
}

TEST(AccumulatorProbe, HopperFp8KeepsThirteenFractionBits) {
  EXPECT_EQ(sum_by(nv_hopper_fp8, {1, 0x1p-9f * 1.75f}), 1 + 0x1p-9f * 1.75f);
  const std::vector<float> a{1, 0x1p-7f}, b{1, 0x1p-7f};

  EXPECT_EQ(dot(nv_hopper_fp8, 0, a, b), 1.0f);
  EXPECT_EQ(dot(nv_blackwell_fp8, 0, a, b), 1 + 0x1p-14f);
}

TEST(AccumulatorProbe, TruncationBeyondTheTopIsInfiniteOnNvidiaAndLargestOtherwise) {
  AccumulatorModel truncating = trn_sequential;
  truncating.rounding = Rounding::rz;
  const std::vector<float> terms{0x1.fep127f, 0x1.fep127f};

  EXPECT_EQ(sum_by(truncating, terms), std::numeric_limits<float>::max());
  EXPECT_EQ(sum_by(nv_hopper_bf16, terms), std::numeric_limits<float>::infinity());
  EXPECT_EQ(sum_by(arm_bfdot, terms), std::numeric_limits<float>::infinity());
}

}  // namespace fftprec::testing
