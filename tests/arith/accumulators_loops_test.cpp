/// The tile loops of the accumulator models against the definition, bit for bit.
#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "arith/accumulators/definition.hpp"
#include "arith/kernels/tensor_loops.hpp"
#include "arith/support/isa.hpp"
#include "tests/arith/accumulators_samples.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/published_units.hpp"

namespace fftprec::testing {

namespace {

void compare(const AccumulatorModel& model, Sampler& sampler, std::size_t m, std::size_t n) {
  for (const Sample sample : samples) {
    const auto k = static_cast<std::size_t>(sampler.below(70));
    Tile tile = random_tile(model, sample, m, n, k, sampler);
    tile.transposed = sampler.one_in(2);
    Tile expected = tile;
    const bool negate = sampler.one_in(2), accumulate = sampler.one_in(2);

    sum_by_definition(model, expected.call(negate, accumulate));

    const std::vector<float> before = tile.psum;
    for (const Isa isa : available_isas()) {
      tile.psum = before;
      unit_of(model, isa).matmul(tile.call(negate, accumulate));

      for (std::size_t x = 0; x < tile.psum.size(); ++x)
        ASSERT_TRUE(
            same_value(static_cast<double>(tile.psum[x]), static_cast<double>(expected.psum[x])))
            << show(model) << "\n"
            << name_of(isa) << " element " << x / n << ", " << x % n << " of " << m << " x " << n
            << ", k " << k << " sample " << static_cast<int>(sample) << " negate " << negate
            << " accumulate " << accumulate;
    }
  }
}

/// What sums the segments of a block whose c comes after it.
AccumulatorModel segment_of(AccumulatorModel model) {
  model.addend = AddendPosition::early;
  model.block = model.segment;
  model.segment = AccumulatorModel{}.segment;
  model.interleave = 0;
  return model;
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

/// More rows, columns and products than the loops keep side by side, and rests of each.
TEST(AccumulatorLoops, EqualTheDefinitionForRoundedProductsInBlocksAndRests) {
  Sampler sampler(8);
  for (const Format& format : {bf16, Format{2, -126, 127}, Format{12, -126, 127}})
    for (const Rounding product : {Rounding::rne, Rounding::rz})
      for (const Rounding sum : {Rounding::rne, Rounding::rz}) {
        AccumulatorModel model = trn_sequential;
        model.product = {.exact = false, .format = format, .rounding = product};
        model.rounding = sum;
        compare(model, sampler, 6, 213);
      }
}

/// Products of fp4 beside a c that cuts them, is cut by them, or cancels them.
TEST(AccumulatorLoops, EqualTheDefinitionForFp4BesideAnyC) {
  Sampler sampler(9);
  for (const float c : {0x1p32f, 0x1.8p33f, 0x1p34f, -0x1.fffffep32f, 0x1.000002p-8f, -0x1p-31f,
                        0x1.8p-31f, 0x1p-32f, -0x1.fffffep-9f, -0x1p-149f, -0.0f}) {
    Tile tile = random_tile(nv_blackwell_fp4, Sample::near_one, 3, 5, 70, sampler);
    for (std::size_t x = 0; x < tile.psum.size(); ++x) tile.psum[x] = x % 3 == 0 ? c : -c;
    Tile expected = tile;
    sum_by_definition(nv_blackwell_fp4, expected.call(false, true));
    const std::vector<float> before = tile.psum;
    for (const Isa isa : available_isas()) {
      tile.psum = before;
      unit_of(nv_blackwell_fp4, isa).matmul(tile.call(false, true));
      EXPECT_EQ(tile.psum, expected.psum) << name_of(isa) << " c " << c;
    }
  }
}

TEST(AccumulatorLoops, EqualTheDefinitionForGroupsOfProductsAndTreesOfOneTerm) {
  Sampler sampler(10);
  AccumulatorModel groups = nv_hopper_bf16, tree = trn_tree;
  groups.group = 2;
  tree.format = bf16;
  tree.block = 1;
  for (const AccumulatorModel& model : {groups, tree}) compare(model, sampler, 3, 9);
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

    unit_of(model, Isa::baseline).matmul(tile.call(false, true));
    sum_by_definition(model, expected.call(false, true));

    EXPECT_EQ(tile.psum, expected.psum) << model.name;
  }
}

/// NVIDIA and AMD quieten a NaN in c; whose payload comes out is not modelled.
TEST(AccumulatorLoops, ASignallingNanInCBecomesQuiet) {
  const auto signalling = __builtin_bit_cast(float, 0x7f800001u);
  for (const AccumulatorModel& model : published_accumulators()) {
    if (model.operands == fp32) continue;
    Tile tile{1, 2, 1, {1}, {1, 1}, {signalling, 1}};
    Tile expected = tile;

    unit_of(model, Isa::baseline).matmul(tile.call(false, true));
    sum_by_definition(model, expected.call(false, true));

    for (const float sum : {tile.psum[0], expected.psum[0]})
      EXPECT_EQ(__builtin_bit_cast(std::uint32_t, sum) & 0x7fc00000u, 0x7fc00000u) << model.name;
    EXPECT_EQ(tile.psum[1], 2.0f) << model.name;
  }
}

/// One sum on every instruction set, worked out by hand.
TEST(AccumulatorLoops, GiveTheSumsWorkedOutByHand) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float max = std::numeric_limits<float>::max();
  const auto changed = [](AccumulatorModel model, auto change) {
    change(model);
    return model;
  };
  const auto rounding = [&](Rounding to) {
    return changed(trn_sequential, [to](AccumulatorModel& m) { m.rounding = to; });
  };
  const AccumulatorModel rounded_products =
      changed(trn_sequential, [](AccumulatorModel& m) { m.product = {.exact = false}; });
  const AccumulatorModel flushed_products = changed(trn_sequential, [](AccumulatorModel& m) {
    m.product = fp32_product;
    m.flush_outputs = true;
  });
  const AccumulatorModel flushed_at_the_end{.name = "flushing",
                                            .sum = BlockSum::aligned,
                                            .block = 2,
                                            .flush_outputs = true,
                                            .fraction_bits = 29};
  const AccumulatorModel late_in_fp16 = changed(amd_cdna3_fp16, [](AccumulatorModel& m) {
    m.format = fp16;
    m.fraction_bits = m.late_fraction_bits = 10;
  });
  struct Sum {
    const char* what;
    AccumulatorModel model;
    std::vector<float> a, b;
    std::optional<float> c;
    float expected;
  };
  const Sum sums[] = {
      {"-0 + 1 * -0 is -0", rounded_products, {1}, {-0.0f}, -0.0f, -0.0f},
      {"-0 + 1 * 0 is 0", rounded_products, {1}, {0.0f}, -0.0f, 0.0f},
      {"near enough to the top", rounded_products, {0x1.02p-40f}, {0x1.02p120f}, 0, 0x1.04p80f},
      {"the last -1/4 that 35 fraction bits keep",
       nv_blackwell_fp4,
       {0.5f},
       {-0.5f},
       0x1p33f,
       0x1.fffffep32f},
      {"the first that they cut", nv_blackwell_fp4, {0.5f}, {-0.5f}, 0x1p34f, 0x1p34f},
      {"2^-126 less 3/4 2^-150 is flushed before the subnormal grid rounds it up",
       flushed_at_the_end,
       {0x1p-63f, -0x1.8p-76f},
       {0x1p-63f, 0x1p-75f},
       {},
       0},
      {"a late c overflows", late_in_fp16, {4}, {8}, 65504, infinity},
      {"a late c at the end of its reach is cut by floor",
       published("amd-cdna3-fp8"),
       {1},
       {1},
       -0x1p-25f,
       0x1.fffffep-1f},
      {"and beyond it is left out", published("amd-cdna3-fp8"), {1}, {1}, -0x1p-26f, 1},
      {"lanes are cut by floor to the larger exponent",
       published("amd-cdna3-fp8"),
       {128, -0x1p-6f},
       {128, 0x1p-6f},
       0,
       0x1.fffffep13f},
      {"cut sums stop at the largest finite value and go on from there",
       rounding(Rounding::rz),
       {0x1p62f, -0x1p62f},
       {0x1p63f, 0x1p63f},
       max,
       max - 0x1p125f},
      {"sums to odd likewise",
       rounding(Rounding::odd),
       {0x1p62f, -0x1p62f},
       {0x1p63f, 0x1p63f},
       max,
       max - 0x1p125f},
      {"what cancels far above a term",
       trn_exact,
       {0x1p60f, 0x1p-20f, -0x1p60f},
       {0x1p40f, 1, 0x1p40f},
       {},
       0x1p-20f},
      {"what lies far below a tie",
       trn_exact,
       {1, 0x1p-12f, 0x1p-40f},
       {1, 0x1p-12f, 0x1p-40f},
       {},
       1 + 0x1p-23f},
      {"2^-133 * 4 is flushed before it is added",
       flushed_products,
       {0x1p-125f, 0x1p-133f},
       {2, 4},
       {},
       0x1p-124f},
  };

  for (const Sum& sum : sums)
    for (const Isa isa : available_isas()) {
      Tile tile{1, 1, sum.a.size(), sum.a, sum.b, {sum.c.value_or(1)}};
      unit_of(sum.model, isa).matmul(tile.call(false, sum.c.has_value()));
      EXPECT_TRUE(same_value(static_cast<double>(tile.psum[0]), static_cast<double>(sum.expected)))
          << sum.what << ", " << name_of(isa) << ": " << tile.psum[0];
    }
}

TEST(AccumulatorLoops, CoverEveryPublishedAlignedModel) {
  using Nvidia = AlignedLoops<isa::baseline, Rounding::rz, false, Cut::toward_zero>;
  using Amd = AlignedLoops<isa::baseline, Rounding::rne, true, Cut::toward_zero>;
  using Fp4 = UncutLoops<isa::baseline, Rounding::rz>;
  for (AccumulatorModel model : published_accumulators())
    if (model.sum == BlockSum::aligned) {
      if (model.addend == AddendPosition::after) model = segment_of(model);
      const int loops = Nvidia::covers(model) + Amd::covers(model) + Fp4::covers(model);
      EXPECT_EQ(loops, 1) << model.name;
    }
}

TEST(AddTowardZero, EqualsTheJudgeAtEveryPairOfSpecialValues) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values{0,
                            0x1p-149f,
                            0x1.fffffcp-127f,
                            0x1p-126f,
                            0x1p-24f,
                            1,
                            0x1.000002p0f,
                            0x1p24f,
                            0x1.fffffcp127f,
                            0x1.fffffep127f,
                            infinity,
                            std::numeric_limits<float>::quiet_NaN()};
  for (std::size_t i = values.size(); i-- > 0;) values.push_back(-values[i]);
  Judge judge(fp32, 700);
  for (const float a : values)
    for (const float b : values)
      EXPECT_TRUE(same_value(
          static_cast<double>(add_toward_zero(a, b)),
          judge(Operation::add, Rounding::rz, static_cast<double>(a), static_cast<double>(b))))
          << show(static_cast<double>(a)) << " + " << show(static_cast<double>(b));
}

}  // namespace fftprec::testing
