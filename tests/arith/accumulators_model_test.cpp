/// What an accumulator model may say, the published ones, and up to which size they add integers
/// without error.
#include <gtest/gtest.h>

#include "arith/accumulators/model.hpp"
#include "arith/support/error.hpp"
#include "tests/arith/accumulators_judge.hpp"
#include "tests/arith/accumulators_samples.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/published_units.hpp"

namespace fftprec::testing {

namespace {

/// The message with which `change` makes nv_hopper_bf16 (or `base`) unacceptable.
template <class Change>
std::string refusal_of(Change change, AccumulatorModel base = nv_hopper_bf16) {
  change(base);
  return error_text([&] { validate(base); });
}

::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' lacks '" << part << "'";
}

}  // namespace

TEST(AccumulatorModels, PublishedOnesAreValid) {
  for (const AccumulatorModel& model : published_accumulators())
    EXPECT_NO_THROW(validate(model)) << model.name;
  EXPECT_EQ(published_accumulators().size(), 41u);
}

TEST(AccumulatorModels, RefusesWhatIsOutOfRange) {
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.fraction_bits = 41; }), "41 fraction bits"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.fraction_bits = 0; }), "fraction bits"));
  EXPECT_TRUE(
      contains(refusal_of([](auto& m) { m.lowest_exponent = 128; }), "lowest exponent 128"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.lowest_exponent = -299; }), "lowest exponent"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.rounding = Rounding::sr; }), "sr is not among"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.rounding = Rounding::ru; }), "ru is not among"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.format = fp64; }), "wider than fp32"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.operands = fp64; }), "wider than fp32"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.format.precision = 1; }), "precision"));
  const auto long_block = [](auto& m) {
    m.fraction_bits = 40;
    m.block = 2048;
  };
  EXPECT_TRUE(contains(refusal_of(long_block), "do not fit a sum of 53 bits"));
}

TEST(AccumulatorModels, RefusesWhatContradictsItself) {
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.block = 0; }), "needs a block length"));
  EXPECT_TRUE(
      contains(refusal_of([](auto& m) { m.product = {.exact = false}; }), "takes exact products"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.late_fraction_bits = 30; }), "for a late c"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.late_cut = Cut::toward_zero; }), "for a late c"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.late_fraction_bits = 23; }, amd_cdna3_bf16),
                       "below fraction_bits"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.sum_bits = 32; }), "for a late c"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.lanes = 2; }), "for a late c"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.c_reach = 25; }), "for a late c"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.lanes = 0; }), "0 lanes are not 1..16"));
  EXPECT_TRUE(
      contains(refusal_of([](auto& m) { m.sum_bits = 1; }, amd_cdna3_bf16), "neither 0 nor"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.group = 2; }, published("amd-cdna3-fp8")),
                       "exclude each other"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.c = Inclusion::after; }, trn_tree), "aligned"));
  const auto by_scale = [](auto& m) { m.group_exponent = GroupExponent::scale; };
  EXPECT_TRUE(contains(refusal_of(by_scale), "only groups"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.operands = fp8_e4m3fn; }, nv_blackwell_fp4),
                       "do not fit 53 bits"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.segment = 4; }), "`segment` is for"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.segment = 0; }, trn_segments), "at least one"));
  const AccumulatorModel by_turns = published("nv-mma-fp8");
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.interleave = 2; }), "`interleave` is for"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.interleave = 3; }, by_turns), "by turns of 3"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.block = 40; }, by_turns), "blocks of 40"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.group = 2; }, by_turns), "have no groups"));
  EXPECT_TRUE(contains(refusal_of([](auto& m) { m.cut = Cut::floor; }, trn_tree), "aligned sums"));
  EXPECT_TRUE(
      contains(refusal_of([](auto& m) { m.fraction_bits = 25; }, trn_exact), "aligned sums"));
  EXPECT_TRUE(
      contains(refusal_of([](auto& m) { m.format.overflow = Overflow::saturate; }), "no infinity"));
}

TEST(AccumulatorModels, AcceptsTheLimits) {
  const auto accepted = [](auto change) { return refusal_of(change); };
  EXPECT_EQ(accepted([](auto& m) { m.fraction_bits = 40; }), "no error");
  EXPECT_EQ(accepted([](auto& m) { m.fraction_bits = 1; }), "no error");
  EXPECT_EQ(accepted([](auto& m) { m.lowest_exponent = -298; }), "no error");
  EXPECT_EQ(accepted([](auto& m) { m.operands = fp32; }), "no error");
}

namespace {

float sum(const AccumulatorModel& model, float c, const std::vector<float>& a,
          const std::vector<float>& b) {
  return AccumulatorJudge(model)(c, a, b);
}

/// A product of two factors of `bits` bits each, at most `limit`: the factors.
std::pair<int, int> factors(Sampler& sampler, int limit) {
  const int a = sampler.within(0, std::min(limit, 255));
  return {sampler.one_in(2) ? a : -a, sampler.within(0, std::min(255, limit / std::max(a, 1)))};
}

std::vector<AccumulatorModel> models() {
  std::vector<AccumulatorModel> all;
  for (AccumulatorModel model : published_accumulators()) {
    model.operands = bf16;  // 8 bits, whatever the exponents of fp8 reach
    all.push_back(model);
  }
  AccumulatorModel model = trn_sequential;
  model.product = {.exact = false};
  all.push_back(model);
  model.product.rounding = Rounding::rz;
  model.rounding = Rounding::rz;
  all.push_back(model);
  model = trn_tree;
  model.format = bf16;
  all.push_back(model);
  for (const int bits : {9, 12, 26}) {
    model = nv_hopper_bf16;
    model.fraction_bits = bits;
    all.push_back(model);
    model.c = Inclusion::late;
    model.late_fraction_bits = bits + 2;
    all.push_back(model);
    model.sum_bits = bits - 1;
    all.push_back(model);
    model.sum_bits = 0;
    model.lanes = 3;
    all.push_back(model);
  }
  return all;
}

}  // namespace

TEST(ExactBits, AreThoseOfTheNarrowestPlaceThatATermOrASumPasses) {
  EXPECT_EQ(exact_bits(trn_sequential), 24);
  EXPECT_EQ(exact_bits(trn_exact), 24);
  EXPECT_EQ(exact_bits(nv_volta), 24);
  EXPECT_EQ(exact_bits(nv_hopper_bf16), 24);
  EXPECT_EQ(exact_bits(amd_cdna3_bf16), 24);
  EXPECT_EQ(exact_bits(nv_hopper_fp8), 14);
  AccumulatorModel model = trn_sequential;
  model.product = {.exact = false};
  EXPECT_EQ(exact_bits(model), 8);
  model = trn_sequential;
  model.format = fp16;
  EXPECT_EQ(exact_bits(model), 11);
  model = nv_hopper_bf16;
  model.fraction_bits = 20;
  EXPECT_EQ(exact_bits(model), 21);
  model = amd_cdna3_bf16;
  model.sum_bits = 20;
  EXPECT_EQ(exact_bits(model), 20);
  model.c_reach = 18;
  EXPECT_EQ(exact_bits(model), 19);
}

/// A c of 1 is kept beside products below 2^19, and lost beside 2^19.
TEST(ExactBits, EndWhereASmallCIsLeftOut) {
  AccumulatorModel model = amd_cdna3_bf16;
  model.c_reach = 18;

  EXPECT_EQ(sum(model, 1, {0x1p9f}, {0x1p9f}), 0x1p18f + 1);
  EXPECT_EQ(sum(model, 1, {0x1p9f}, {0x1p10f}), 0x1p19f);
}

/// Magnitudes that add up to 2^B, in units of 1 and of 2^-40.
TEST(ExactBits, SumsUpToTheLimitHaveNoErrorInAnyModel) {
  constexpr unsigned seed = 11;
  Sampler sampler(seed);
  for (const AccumulatorModel& model : models())
    for (int trial = 0; trial < 60; ++trial) {
      const float unit = trial % 2 == 0 ? 1.0f : 0x1p-20f;
      const int limit = 1 << exact_bits(model);
      int left = limit, exact = 0, c = 0;
      if (sampler.one_in(2)) {
        c = sampler.within(-limit / 2, limit / 2);
        left -= std::abs(c);
        exact = c;
      }
      std::vector<float> a, b;
      for (int k = 0; k < 40; ++k) {
        // Some large terms, and the last one fills the rest as far as one product can.
        const auto [x, y] =
            factors(sampler, sampler.one_in(3) || k == 39 ? left : std::min(left, 1 << 8));
        a.push_back(static_cast<float>(x) * unit);
        b.push_back(static_cast<float>(y) * unit);
        left -= std::abs(x * y);
        exact += x * y;
      }

      const float actual = sum(model, static_cast<float>(c) * unit * unit, a, b);

      ASSERT_EQ(actual, static_cast<float>(exact) * unit * unit)
          << show(model) << "\nc " << c << " seed " << seed << "\na" << show(a) << "\nb" << show(b);
    }
}

/// 2^B and 1, or for rounded products 17 * 17 = 289, sum to an integer below 2^(B+1).
TEST(ExactBits, OneBitMoreIsLostByEveryModel) {
  for (const AccumulatorModel& model : models()) {
    const int bits = exact_bits(model);
    const bool by_product =
        !model.product.exact && model.product.format.precision < model.format.precision;
    const float large = std::ldexp(1.0f, bits / 2), rest = std::ldexp(1.0f, bits - bits / 2);
    const std::vector<float> a = by_product ? std::vector<float>{17} : std::vector<float>{large, 1};
    const std::vector<float> b = by_product ? std::vector<float>{17} : std::vector<float>{rest, 1};
    const double exact = by_product ? 289 : std::ldexp(1.0, bits) + 1;

    EXPECT_NE(static_cast<double>(sum(model, 0, a, b)), exact) << show(model);
  }
}

}  // namespace fftprec::testing
