/// The loops of plain and two_prod products against a judge that rounds each step in MPFR, on every
/// instruction set and in every storage format.
#include <gtest/gtest.h>

#include "tests/arith/loops_check.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec::testing {

namespace {

/// 2Prod: the head of each fp32 product rounded, its tail exact.
Point two_prod_by_definition(VectorJudge& judge, const Words& words, Point x) {
  const Point w = words[0];
  const JudgedPair rr = exact_product(judge, w.re, x.re), ii = exact_product(judge, w.im, x.im),
                   ri = exact_product(judge, w.re, x.im), ir = exact_product(judge, w.im, x.re);
  return {judge.add(judge.subtract(rr.high, ii.high), judge.subtract(rr.low, ii.low)),
          judge.add(judge.add(ri.high, ir.high), judge.add(ri.low, ir.low))};
}

}  // namespace

class PlainLoops : public ::testing::TestWithParam<Format> {};

TEST_P(PlainLoops, RoundEveryStepOnceOnEveryInstructionSet) {
  for (const Values values : {Values::normal, Values::wide, Values::special})
    LoopsCheck<float>({.storage = GetParam()}, {}, GetParam(), plain_product).run(values);
}

INSTANTIATE_TEST_SUITE_P(StoredAs, PlainLoops,
                         ::testing::Values(fp32, bf16, fp16, tf32, fp8_e4m3, fp8_e4m3fn, fp8_e5m2),
                         [](const auto& test) { return to_string(test.param); });

TEST(VectorLoops, RoundEveryStepOnceInFp64) {
  for (const Values values : {Values::normal, Values::wide, Values::special})
    LoopsCheck<double>({}, {}, fp64, plain_product).run(values);
}

TEST(VectorLoops, TwoProdKeepsTheTailOfEveryProduct) {
  LoopsCheck<float>({.product = ProductScheme::two_prod}, {}, fp32, two_prod_by_definition)
      .run(Values::normal);
}

TEST(VectorLoops, ReadEachOperandWithItsOwnStride) {
  const ComplexKernels<float> loops = complex_kernels<float>({}, {}, best_isa());
  Draw draw(fp32, Values::normal);
  const auto a = draw.array<float>(12), b = draw.array<float>(20);
  ComplexArray<float> sum(6);
  const View<const float> a_view{a.re.data(), a.im.data(), 2, 3, 6};
  const View<const float> b_view{b.re.data(), b.im.data(), 2, 3, 10};

  loops.add({sum.re.data(), sum.im.data(), 2, 3, 3}, a_view, b_view);

  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(sum.re[3 * i + j], a.re[6 * i + j] + b.re[10 * i + j]);
      EXPECT_EQ(sum.im[3 * i + j], a.im[6 * i + j] + b.im[10 * i + j]);
    }
}

TEST(VectorLoops, SayWhatHasNoLoop) {
  VectorEngine engine;
  const auto message = [&](const ElementScheme& scheme) {
    const auto on = [&](Isa isa) {
      return error_text([&] { complex_kernels<float>(scheme, engine, isa); });
    };
    for (const Isa isa : available_isas()) EXPECT_EQ(on(isa), on(best_isa()));
    return on(best_isa());
  };
  EXPECT_EQ(message({.storage = format_named("custom(p=5,emin=-14,emax=15)")}),
            "plain products have no loops for data stored as custom(p=5,emin=-14,emax=15,"
            "subnormals=true,overflow=infinity)");
  EXPECT_EQ(message({.product = ProductScheme::dot2, .storage = bf16}),
            "dot2 products need data stored as fp32, not bf16");
  EXPECT_EQ(message({.product = ProductScheme(residual_split(bf16, 3, 5))}),
            "products split into 3 and 3 words of bf16, 5 terms, scale 0, have no loops");
  engine = {.product_bits = 20, .sum_rounding = Rounding::rz};
  EXPECT_EQ(message({.product = ProductScheme::dot2}),
            "dot2 products of data stored as fp32 have no loops on a vector engine with "
            "product_bits=20, sum_rounding=rz");
  EXPECT_EQ(message({.storage = bf16}),
            "plain products of data stored as bf16 have no loops on a vector engine with "
            "product_bits=20, sum_rounding=rz");
  engine = {.product_bits = 23};
  EXPECT_EQ(message({}),
            "plain products of data stored as fp32 have no loops on a vector engine with "
            "product_bits=23");
  engine = {.product_rounding = Rounding::rz, .fused = true, .flush = true};
  EXPECT_EQ(
      error_text([&] { complex_kernels<FloatPair>({}, engine, best_isa()); }),
      "double words of fp32 have no loops on a vector engine with product_rounding=rz, fused, "
      "flush");
}

}  // namespace fftprec::testing
