/// Sums below the limit of exact_bits against integers, and what goes wrong just above it.
#include <gtest/gtest.h>

#include "arith/accumulators/model.hpp"
#include "tests/arith/accumulators_judge.hpp"
#include "tests/arith/accumulators_samples.hpp"
#include "tests/support/published_units.hpp"

namespace fftprec::testing {

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
