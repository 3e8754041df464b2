/// The tile loops of the accumulator models against the definition, bit for bit.
#include <gtest/gtest.h>

#include "arith/accumulators/published.hpp"
#include "arith/accumulators/tile_loops.hpp"
#include "arith/isa.hpp"
#include "tests/arith/accumulators_samples.hpp"

namespace fftprec::testing {

namespace {

struct Tile {
  std::size_t m, n, k;
  std::vector<float> stationary, moving, psum;
  bool transposed = false;  ///< stationary is m x k instead of k x m

  Matmul<float> call(bool negate, bool accumulate) {
    Matmul<float> view{};
    view.stationary = stationary.data();
    view.stationary_k = transposed ? 1 : m;
    view.stationary_m = transposed ? k : 1;
    view.moving = moving.data();
    view.moving_stride = n;
    view.psum = psum.data();
    view.psum_stride = n;
    view.m = m;
    view.n = n;
    view.k = k;
    view.negate = negate;
    view.accumulate = accumulate;
    return view;
  }
};

Tile random_tile(const AccumulatorModel& model, Sample sample, std::size_t m, std::size_t n,
                 std::size_t k, Sampler& sampler) {
  Tile tile{
      m, n, k, std::vector<float>(m * k), std::vector<float>(k * n), std::vector<float>(m * n)};
  std::vector<float> a(k), b(k);
  for (std::size_t j = 0; j < std::max(m, n); ++j) {
    sampler.column(model, sample, a, b);
    for (std::size_t x = 0; x < k; ++x) {
      if (j < m) tile.stationary[x * m + j] = a[x];
      if (j < n) tile.moving[x * n + j] = b[x];
    }
  }
  for (float& c : tile.psum) c = sampler.accumulator(model, sample);
  return tile;
}

void compare(const AccumulatorModel& model, Sampler& sampler, std::size_t m, std::size_t n) {
  using Loops = ModelLoops<isa::baseline>;
  for (const Sample sample : samples) {
    const auto k = static_cast<std::size_t>(sampler.below(70));
    Tile tile = random_tile(model, sample, m, n, k, sampler);
    tile.transposed = sampler.one_in(2);
    Tile expected = tile;
    const bool negate = sampler.one_in(2), accumulate = sampler.one_in(2);

    Loops::matmul(model, tile.call(negate, accumulate));
    Loops::by_definition(model, expected.call(negate, accumulate));

    for (std::size_t x = 0; x < tile.psum.size(); ++x)
      ASSERT_TRUE(
          same_value(static_cast<double>(tile.psum[x]), static_cast<double>(expected.psum[x])))
          << show(model) << "\nelement " << x / n << ", " << x % n << " of " << m << " x " << n
          << ", k " << k << " sample " << static_cast<int>(sample) << " negate " << negate
          << " accumulate " << accumulate;
  }
}

}  // namespace

TEST(AccumulatorLoops, EqualTheDefinitionForEveryPublishedModel) {
  Sampler sampler(4);
  for (const AccumulatorModel& model : published_accumulators())
    for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{261}})
      compare(model, sampler, 3, n);
}

TEST(AccumulatorLoops, EqualTheDefinitionForRandomModels) {
  Sampler sampler(5);
  for (int i = 0; i < 600 && !HasFatalFailure(); ++i)
    compare(sampler.model(), sampler, 2, static_cast<std::size_t>(sampler.within(1, 9)));
}

/// One infinity, NaN or zero in an otherwise ordinary tile must not touch its neighbours.
TEST(AccumulatorLoops, SpecialOperandsStayInTheirRowsAndColumns) {
  Sampler sampler(6);
  for (const AccumulatorModel& model : {nv_hopper_bf16, amd_cdna3_bf16, intel_amx, trn_tree})
    for (const float special :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 0.0f}) {
      Tile tile = random_tile(model, Sample::near_one, 4, 20, 40, sampler);
      tile.stationary[5 * 4 + 1] = special;
      tile.moving[33 * 20 + 7] = special;
      tile.psum[3 * 20 + 11] = special;
      Tile expected = tile;

      ModelLoops<isa::baseline>::matmul(model, tile.call(false, true));
      ModelLoops<isa::baseline>::by_definition(model, expected.call(false, true));

      for (std::size_t x = 0; x < tile.psum.size(); ++x)
        EXPECT_TRUE(
            same_value(static_cast<double>(tile.psum[x]), static_cast<double>(expected.psum[x])))
            << model.name << " element " << x << " special " << special;
    }
}

/// The alignment sums of 32 full significands pass 2^31 at 25 fraction bits.
TEST(AccumulatorLoops, SumsOfManyLargeTermsDoNotOverflow) {
  for (const AccumulatorModel& base : {nv_blackwell_fp8, nv_hopper_bf16}) {
    AccumulatorModel model = base;
    model.operands = bf16;
    model.block = 32;
    const float full = 0x1.fep0f;
    Tile tile{1,
              3,
              64,
              std::vector<float>(64, full),
              std::vector<float>(64 * 3, -full),
              std::vector<float>(3, 0x1.fffffep1f)};
    Tile expected = tile;

    ModelLoops<isa::baseline>::matmul(model, tile.call(false, true));
    ModelLoops<isa::baseline>::by_definition(model, expected.call(false, true));

    EXPECT_EQ(tile.psum, expected.psum) << model.name;
  }
}

/// 2^-126 less three quarters of 2^-150, as in the test of the definition.
TEST(AccumulatorLoops, AlignedSumsFlushBeforeTheSubnormalGridRoundsThemUp) {
  const AccumulatorModel model{.name = "flushing",
                               .summary = "",
                               .sum = BlockSum::aligned,
                               .block = 2,
                               .flush_outputs = true,
                               .fraction_bits = 29};
  Tile tile{1, 1, 2, {0x1p-63f, -0x1.8p-76f}, {0x1p-63f, 0x1p-75f}, {1}};

  ModelLoops<isa::baseline>::matmul(model, tile.call(false, false));

  EXPECT_EQ(tile.psum[0], 0.0f);
}

TEST(AccumulatorLoops, ALateCOverflowsBesideSmallProducts) {
  AccumulatorModel model = amd_cdna3_fp16;
  model.format = fp16;
  model.fraction_bits = model.late_fraction_bits = 10;
  Tile tile{1, 1, 1, {4}, {8}, {65504}};

  ModelLoops<isa::baseline>::matmul(model, tile.call(false, true));

  EXPECT_EQ(tile.psum[0], std::numeric_limits<float>::infinity());
}

TEST(AccumulatorLoops, CoverEveryPublishedAlignedModel) {
  using Nvidia = AlignedLoops<isa::baseline, Rounding::rz, false, Cut::toward_zero>;
  using Amd = AlignedLoops<isa::baseline, Rounding::rne, true, Cut::toward_zero>;
  for (const AccumulatorModel& model : published_accumulators())
    if (model.sum == BlockSum::aligned) {
      EXPECT_NE(Nvidia::covers(model), Amd::covers(model)) << model.name;
    }
}

TEST(AddDirected, TruncatesOrIsStickyAndLeavesTheTopToTheDefinition) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr auto rz = add_directed<Rounding::rz>;
  constexpr auto odd = add_directed<Rounding::odd>;
  EXPECT_EQ(odd(1, 0x1p-30f), 1 + 0x1p-23f);
  EXPECT_EQ(odd(1, -0x1p-30f), 1 - 0x1p-24f);
  EXPECT_EQ(odd(1 + 0x1p-23f, 0x1p-24f), 1 + 0x1p-23f);
  EXPECT_EQ(odd(1, 1), 2.0f);
  EXPECT_EQ(rz(1, -0x1p-30f), 1 - 0x1p-24f);
  EXPECT_EQ(rz(-1, 0x1p-30f), -1 + 0x1p-24f);
  EXPECT_EQ(rz(1, 0x1.8p-24f), 1.0f);
  for (const auto add : {rz, odd}) {
    EXPECT_EQ(add(0x1p127f, 0x1p127f), infinity);
    EXPECT_EQ(add(infinity, 1), infinity);
    EXPECT_EQ(add(-infinity, 1), -infinity);
  }
}

/// A truncated sum beyond the top is the largest finite value, and goes on from there.
TEST(AccumulatorLoops, TruncationAndOddStopAtTheLargestFiniteValue) {
  const float max = std::numeric_limits<float>::max();
  for (const Rounding rounding : {Rounding::rz, Rounding::odd}) {
    AccumulatorModel model = trn_sequential;
    model.rounding = rounding;
    Tile tile{1, 1, 2, {0x1p62f, -0x1p62f}, {0x1p63f, 0x1p63f}, {max}};

    ModelLoops<isa::baseline>::matmul(model, tile.call(false, true));

    EXPECT_EQ(tile.psum[0], max - 0x1p125f) << name_of(rounding);
  }
}

TEST(AccumulatorLoops, ATreeOfOneTermRoundsIt) {
  Sampler sampler(7);
  AccumulatorModel model = trn_tree;
  model.format = bf16;
  model.block = 1;
  compare(model, sampler, 3, 5);
}

/// 2^-133 * 4 is a subnormal product: flushed before it is added.
TEST(AccumulatorLoops, SubnormalProductsAreFlushedAlsoBesideNormalSums) {
  AccumulatorModel model = trn_sequential;
  model.product = ProductRounding::fp32_rne;
  model.flush_outputs = true;
  Tile tile{1, 1, 2, {0x1p-125f, 0x1p-133f}, {2, 4}, {0}};

  ModelLoops<isa::baseline>::matmul(model, tile.call(false, false));

  EXPECT_EQ(tile.psum[0], 0x1p-124f);
}

}  // namespace fftprec::testing
