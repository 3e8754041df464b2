/// Loops on vector engines that round otherwise than IEEE fp32 does, each step judged by MPFR.
#include "arith/formats/vector_engine.hpp"

#include <gtest/gtest.h>

#include "arith/support/error.hpp"
#include "tests/arith/loops_check.hpp"

namespace fftprec::testing {

namespace {

Point two_prod_step_by_step(VectorJudge& judge, const Words& words, Point x) {
  const Point w = words[0];
  const JudgedPair rr = dekker_product(judge, w.re, x.re), ii = dekker_product(judge, w.im, x.im),
                   ri = dekker_product(judge, w.re, x.im), ir = dekker_product(judge, w.im, x.re);
  return {judge.add(judge.subtract(rr.high, ii.high), judge.subtract(rr.low, ii.low)),
          judge.add(judge.add(ri.high, ir.high), judge.add(ri.low, ir.low))};
}

std::string text(const VectorEngine& engine) {
  return std::to_string(engine.product_bits) + std::string(name_of(engine.product_rounding)) +
         "_sum_" + std::string(name_of(engine.sum_rounding)) + (engine.fused ? "_fused" : "") +
         (engine.flush ? "_flush" : "");
}

std::vector<VectorEngine> engines() {
  std::vector<VectorEngine> all;
  for (const int bits : {24, 21, 20})
    for (const Rounding product : {Rounding::rne, Rounding::rz})
      for (const Rounding sum : {Rounding::rne, Rounding::rz})
        if (bits < 24 || product == Rounding::rne) all.push_back({bits, product, sum});
  all.push_back({.flush = true});
  all.push_back({.fused = true});
  all.push_back({.fused = true, .flush = true});
  return all;
}

class EngineLoops : public ::testing::TestWithParam<VectorEngine> {};

}  // namespace

TEST_P(EngineLoops, RoundEveryPlainStepAsTheEngineDoes) {
  LoopsCheck<float>({}, GetParam(), fp32, plain_product).run();
}

TEST_P(EngineLoops, RoundEveryTwoProdStepAsTheEngineDoes) {
  const ElementScheme scheme{.product = ProductScheme::two_prod};
  if (GetParam().fused) {
    EXPECT_THROW(complex_kernels<float>(scheme, GetParam(), best_isa()), NotApplicable);
    return;
  }
  LoopsCheck<float>(scheme, GetParam(), fp32, two_prod_step_by_step).run();
}

TEST(Engines, WithProductsOf24BitsRoundThemToNearest) {
  EXPECT_THROW(complex_kernels<float>({}, {.product_rounding = Rounding::rz}, best_isa()),
               NotApplicable);
}

INSTANTIATE_TEST_SUITE_P(With, EngineLoops, ::testing::ValuesIn(engines()),
                         [](const auto& test) { return text(test.param); });

namespace {

/// + - * of an engine on any pair of float bit patterns, special ones often.
template <VectorEngine engine>
void expect_any_bits() {
  using T = EngineFloat<engine>;
  SCOPED_TRACE(text(engine));
  VectorJudge judge(fp32, engine);
  std::mt19937 random(7);
  std::uint32_t other = 0;
  const auto value = [&] {
    // Anything; the neighbours of special values; a value near the last one, for cancellation.
    constexpr std::uint32_t special[] = {0,          1,          0x007fffff, 0x00800000,
                                         0x3f800000, 0x7f7fffff, 0x7f800000, 0x7fffffff,
                                         0x7f000000, 0x4b7fffff};
    const std::uint32_t bits = static_cast<std::uint32_t>(random());
    const std::uint32_t kind = static_cast<std::uint32_t>(random()) % 4;
    if (kind == 0) other = bits;
    if (kind == 1) other = special[bits % 10] + (bits >> 8) % 3 - 1 + (bits & 0x80000000u);
    if (kind == 2) other = (other ^ (bits & 0x80000fffu)) + ((bits >> 12) % 3 << 23);
    if (kind == 3) other = (bits & 0x80ffffffu) + 0x1f800000u * ((bits >> 24) % 3 + 1);
    return __builtin_bit_cast(float, other);
  };
  for (int i = 0; i < 100000; ++i) {
    const float a = value(), b = value();
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    const T s = T::from_carrier(a), t = T::from_carrier(b);
    ASSERT_TRUE(same_value(static_cast<double>((s + t).carrier()), judge.add(x, y)))
        << show(x) << " + " << show(y) << ", seed 7, number " << i;
    ASSERT_TRUE(same_value(static_cast<double>((s - t).carrier()), judge.subtract(x, y)))
        << show(x) << " - " << show(y) << ", seed 7, number " << i;
    ASSERT_TRUE(same_value(static_cast<double>((s * t).carrier()), judge.multiply(x, y)))
        << show(x) << " * " << show(y) << ", seed 7, number " << i;
    if constexpr (engine.fused) {
      const float c = value();
      const double z = static_cast<double>(c);
      ASSERT_TRUE(same_value(static_cast<double>(multiply_add(s, t, T::from_carrier(c)).carrier()),
                             judge.multiply_add(x, y, z)))
          << show(x) << " * " << show(y) << " + " << show(z) << ", seed 7, number " << i;
    }
  }
}

}  // namespace

TEST(EngineFloat, RoundsAnyBitsAsTheEngineDoes) {
  constexpr auto rz = Rounding::rz;
  expect_any_bits<VectorEngine{}>();
  expect_any_bits<VectorEngine{.product_rounding = rz, .sum_rounding = rz}>();
  expect_any_bits<VectorEngine{.product_bits = 21}>();
  expect_any_bits<VectorEngine{.product_bits = 21, .product_rounding = rz}>();
  expect_any_bits<VectorEngine{.product_bits = 20}>();
  expect_any_bits<VectorEngine{.product_bits = 20, .product_rounding = rz, .flush = true}>();
  expect_any_bits<VectorEngine{.sum_rounding = rz, .flush = true}>();
  expect_any_bits<VectorEngine{.fused = true}>();
  expect_any_bits<VectorEngine{.fused = true, .flush = true}>();
}

/// max - 1.5 ulp lies between two floats, and the steps of Knuth's sum overflow.
TEST(EngineFloat, SumsTruncateNextToTheLargestValueInEitherOrder) {
  using T = EngineFloat<VectorEngine{.sum_rounding = Rounding::rz}>;
  const T top = T::from_carrier(-0x1.fffffep127f), step = T::from_carrier(0x1.8p104f);
  EXPECT_EQ((top + step).carrier(), -0x1.fffffap127f);
  EXPECT_EQ((step + top).carrier(), -0x1.fffffap127f);
}

}  // namespace fftprec::testing
