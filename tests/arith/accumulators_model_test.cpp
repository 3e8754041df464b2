/// What an accumulator model may say, the published ones, and up to which size they add integers
/// without error.
#include <gmock/gmock.h>

#include "arith/accumulators/model.hpp"
#include "arith/support/error.hpp"
#include "tests/arith/accumulators_judge.hpp"
#include "tests/arith/accumulators_samples.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/published_units.hpp"

namespace fftprec::testing {

namespace {

/// The message with which `change` makes nv_hopper_bf16 (or `base`) unacceptable.
template <class Change>
std::string refusal_of(Change change, AccumulatorModel base = nv_hopper_bf16) {
  change(base);
  return error_text([&] { validate(base); });
}

}  // namespace

TEST(AccumulatorModels, PublishedOnesAreValid) {
  for (const AccumulatorModel& model : published_accumulators())
    EXPECT_NO_THROW(validate(model)) << model.name;
  EXPECT_EQ(published_accumulators().size(), 41u);
}

TEST(AccumulatorModels, RefusesWhatIsOutOfRangeOrContradictsItself) {
  using Model = AccumulatorModel;
  struct Refusal {
    const char* message;
    void (*change)(Model& model);
    Model base = nv_hopper_bf16;
  };
  const Model by_turns = published("nv-mma-fp8");
  const Refusal refusals[] = {
      {"41 fraction bits", [](Model& m) { m.fraction_bits = 41; }},
      {"fraction bits", [](Model& m) { m.fraction_bits = 0; }},
      {"fraction bits", [](Model& m) { m.fraction_bits = -1; }},
      {"lowest exponent 128", [](Model& m) { m.lowest_exponent = 128; }},
      {"lowest exponent", [](Model& m) { m.lowest_exponent = -299; }},
      {"sr is not among", [](Model& m) { m.rounding = Rounding::sr; }},
      {"ru is not among", [](Model& m) { m.rounding = Rounding::ru; }},
      {"fp64 is wider than fp32", [](Model& m) { m.format = fp64; }},
      {"fp64 is wider than fp32", [](Model& m) { m.format = fp64; }, trn_sequential},
      {"wider than fp32", [](Model& m) { m.operands = fp64; }},
      {"precision", [](Model& m) { m.format.precision = 1; }},
      {"products of fp64 are wider than fp32",
       [](Model& m) { m.product = {.exact = false, .format = fp64}; }, trn_sequential},
      {"products round by rne or rz",
       [](Model& m) {
         m.product = {false, bf16, Rounding::sr};
       },
       trn_sequential},
      {"do not fit a sum of 53 bits", [](Model& m) { m.fraction_bits = 40, m.block = 2048; }},
      {"do not fit 53 bits", [](Model& m) { m.operands = fp8_e4m3fn; }, nv_blackwell_fp4},
      {"65537 products per block", [](Model& m) { m.block = 65537; }, trn_sequential},
      {"65537 products per segment", [](Model& m) { m.segment = 65537; }, trn_segments},
      {"needs a block length", [](Model& m) { m.block = 0; }},
      {"takes exact products", [](Model& m) { m.product = {.exact = false}; }},
      {"for a late c", [](Model& m) { m.late_fraction_bits = 30; }},
      {"for a late c", [](Model& m) { m.late_cut = Cut::toward_zero; }},
      {"late_fraction_bits is below fraction_bits", [](Model& m) { m.late_fraction_bits = 23; },
       amd_cdna3_bf16},
      {"for a late c", [](Model& m) { m.sum_bits = 32; }},
      {"for a late c", [](Model& m) { m.lanes = 2; }},
      {"for a late c", [](Model& m) { m.c_reach = 25; }},
      {"0 lanes are not 1..16", [](Model& m) { m.lanes = 0; }},
      {"neither 0 nor", [](Model& m) { m.sum_bits = 1; }, amd_cdna3_bf16},
      {"exclude each other", [](Model& m) { m.group = 2; }, published("amd-cdna3-fp8")},
      {"aligned", [](Model& m) { m.addend = AddendPosition::after; }, trn_tree},
      {"only groups", [](Model& m) { m.group_exponent = GroupExponent::scale; }},
      {"`segment` is for", [](Model& m) { m.segment = 4; }},
      {"a segment needs at least one product", [](Model& m) { m.segment = 0; }, trn_segments},
      {"`interleave` is for", [](Model& m) { m.interleave = 2; }},
      {"by turns of 3", [](Model& m) { m.interleave = 3; }, by_turns},
      {"blocks of 40", [](Model& m) { m.block = 40; }, by_turns},
      {"have no groups", [](Model& m) { m.group = 2; }, by_turns},
      {"aligned sums", [](Model& m) { m.cut = Cut::floor; }, trn_tree},
      {"aligned sums", [](Model& m) { m.fraction_bits = 25; }, trn_exact},
      {"has no infinity to overflow to", [](Model& m) { m.format.overflow = Overflow::saturate; }},
  };
  for (const auto& [message, change, base] : refusals)
    EXPECT_THAT(refusal_of(change, base), holds(message));
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
    model.addend = AddendPosition::late;
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

/// A c of 1 is kept beside products below 2^19, and lost beside 2^19.
TEST(ExactBits, EndWhereASmallCIsLeftOut) {
  AccumulatorModel model = amd_cdna3_bf16;
  model.c_reach = 18;

  EXPECT_EQ(exact_bits(model), 19);
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
