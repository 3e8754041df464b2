/// The loops of every scheme on every instruction set against judges that round each step in MPFR:
/// plain products in every storage format, 2Prod, rounded once, Dot2, words, compensated sums.
#include <gtest/gtest.h>

#include "arith/formats/eft.hpp"
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

/// a * b + c * d, rounded once to fp32 by MPFR.
double sum_of_products_by_mpfr(double a, double b, double c, double d) {
  const Wide x(53, a), y(53, b), z(53, c), t(53, d);
  Wide result(fp32.precision);
  int ternary = mpfr_fmma(result.get(), x.get(), y.get(), z.get(), t.get(), MPFR_RNDN);
  const MpfrRange range(fp32.emin - fp32.precision + 2, fp32.emax + 1);
  ternary = mpfr_check_range(result.get(), ternary, MPFR_RNDN);
  mpfr_subnormalize(result.get(), ternary, MPFR_RNDN);
  return mpfr_get_d(result.get(), MPFR_RNDN);
}

Point rounded_once_by_mpfr(VectorJudge&, const Words& words, Point x) {
  const Point w = words[0];
  return {sum_of_products_by_mpfr(w.re, x.re, -w.im, x.im),
          sum_of_products_by_mpfr(w.re, x.im, w.im, x.re)};
}

double dot2_of_two(VectorJudge& judge, double a, double b, double c, double d) {
  const JudgedPair first = exact_product(judge, a, b), second = exact_product(judge, c, d),
                   sum = exact_sum(judge, first.high, second.high);
  return judge.add(sum.high, judge.add(first.low, judge.add(sum.low, second.low)));
}

Point dot2_by_definition(VectorJudge& judge, const Words& words, Point x) {
  const Point w = words[0];
  return {dot2_of_two(judge, w.re, x.re, -w.im, x.im), dot2_of_two(judge, w.re, x.im, w.im, x.re)};
}

/// The words of x: each the rest of those before, taken in fp32, scaled and rounded by MPFR.
Words words_by_mpfr(VectorJudge& judge, const SplitSpec& spec, Point x) {
  IeeeJudge round(spec.word);
  Words words;
  for (std::size_t i = 0; i < spec.data_words; ++i) {
    if (i > 0) x = judge.subtract(x, words.back());
    if (i > 0 && spec.scale != 0) {
      const double up = std::ldexp(1.0, spec.scale);
      x = {judge.multiply(up, x.re), judge.multiply(up, x.im)};
    }
    words.push_back({round(Operation::identity, Rounding::rne, x.re),
                     round(Operation::identity, Rounding::rne, x.im)});
  }
  return words;
}

Point split_by_mpfr(VectorJudge& judge, const SplitSpec& spec, const Words& w, Point x) {
  const Words data = words_by_mpfr(judge, spec, x);
  Point sum{};
  for (std::size_t i = 0; i < spec.count; ++i) {
    const auto [f, d] = spec.term[i];
    Point term = judge.multiply(w[f], data[d]);
    const double back = std::ldexp(1.0, -spec.scale * static_cast<int>(f + d));
    if (back != 1) term = {judge.multiply(back, term.re), judge.multiply(back, term.im)};
    sum = i == 0 ? term : judge.add(sum, term);
  }
  return sum;
}

using Terms = LoopsCheck<float>::Terms;

Point kahan_by_steps(VectorJudge& judge, Point sum, const Terms& terms) {
  Point rest{};
  for (const auto& [w, x] : terms) {
    const Point corrected = judge.subtract(judge.multiply(w[0], x), rest);
    const Point next = judge.add(sum, corrected);
    rest = judge.subtract(judge.subtract(next, sum), corrected);
    sum = next;
  }
  return sum;
}

/// What adding `term` to `sum` loses by one comparison, as Neumaier writes it.
double rest_of(VectorJudge& judge, double sum, double term, double next) {
  return std::fabs(sum) >= std::fabs(term) ? judge.add(judge.subtract(sum, next), term)
                                           : judge.add(judge.subtract(term, next), sum);
}

Point neumaier_by_steps(VectorJudge& judge, Point sum, const Terms& terms) {
  Point rest{};
  for (const auto& [w, x] : terms) {
    const Point term = judge.multiply(w[0], x);
    const Point next = judge.add(sum, term);
    rest = judge.add(rest, Point{rest_of(judge, sum.re, term.re, next.re),
                                 rest_of(judge, sum.im, term.im, next.im)});
    sum = next;
  }
  return judge.add(sum, rest);
}

}  // namespace

class PlainLoops : public ::testing::TestWithParam<Format> {};

TEST_P(PlainLoops, RoundEveryStepOnceOnEveryInstructionSet) {
  LoopsCheck<float>({.storage = GetParam()}, {}, GetParam(), plain_product).run();
}

INSTANTIATE_TEST_SUITE_P(StoredAs, PlainLoops,
                         ::testing::Values(fp32, bf16, fp16, tf32, fp8_e4m3, fp8_e4m3fn, fp8_e5m2),
                         [](const auto& test) { return to_string(test.param); });

TEST(VectorLoops, RoundEveryStepOnceInFp64) {
  LoopsCheck<double>({}, {}, fp64, plain_product).run();
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

TEST(RoundedOnceProduct, RoundsEachPartOfTheExactProduct) {
  LoopsCheck<float>({.product = ProductScheme::rounded_once}, {}, fp32, rounded_once_by_mpfr).run();
}

/// a +- half its last place times 1 + d, with |d| down to 2^-47: what a sum rounded to double first
/// cannot tell from a tie, or takes for one.
TEST(RoundedOnce, DecidesTiesByTheFarthestBit) {
  std::mt19937 random(3);
  for (int i = 0; i < 50000; ++i) {
    const int binade = static_cast<int>(random() % 200) - 100;
    const float a = std::ldexp(1 + std::ldexp(static_cast<float>(random() >> 9), -23), binade);
    const float half = std::ldexp(random() % 2 == 0 ? 1.0f : -1.0f, binade - 24);
    // (1 + x) (1 - y) with x = y, or x - y = 2^-24 and nearly equal to xy.
    const int m = i % 2 == 0 ? 1 << (random() % 12) : 1900 + static_cast<int>(random() % 300);
    const float left = half * (1 + std::ldexp(static_cast<float>(m), -23));
    const float right = 1 - std::ldexp(static_cast<float>(i % 2 == 0 ? 2 * m : 2 * m - 1), -24);

    const double truth = sum_of_products_by_mpfr(
        static_cast<double>(left), static_cast<double>(right), static_cast<double>(a), 1);
    ASSERT_TRUE(same_value(static_cast<double>(multiply_add(left, right, a)), truth))
        << show(static_cast<double>(left)) << " * " << show(static_cast<double>(right)) << " + "
        << show(static_cast<double>(a)) << ", seed 3";
    ASSERT_TRUE(same_value(static_cast<double>(sum_of_products(left, right, a, 1)), truth))
        << show(static_cast<double>(left)) << " * " << show(static_cast<double>(right)) << " + "
        << show(static_cast<double>(a)) << ", seed 3";
  }
}

TEST(Dot2Product, SumsTheErrorsOfProductsAndSumApart) {
  LoopsCheck<float>({.product = ProductScheme::dot2}, {}, fp32, dot2_by_definition)
      .sums([](VectorJudge& judge, Point start, const Terms& terms) {
        Point rest{};
        const auto take = [&judge](double& sum, double& lost, double a, double b) {
          const JudgedPair product = exact_product(judge, a, b);
          const JudgedPair next = exact_sum(judge, sum, product.high);
          sum = next.high;
          lost = judge.add(lost, judge.add(next.low, product.low));
        };
        for (const auto& [words, x] : terms) {
          const Point w = words[0];
          take(start.re, rest.re, w.re, x.re);
          take(start.re, rest.re, -w.im, x.im);
          take(start.im, rest.im, w.re, x.im);
          take(start.im, rest.im, w.im, x.re);
        }
        return judge.add(start, rest);
      })
      .run(Values::normal);
}

TEST(KahanSum, RoundsEveryStepOnceOnEveryInstructionSet) {
  LoopsCheck<float>({.product = ProductScheme::kahan_sum}, {}, fp32, plain_product)
      .sums(kahan_by_steps)
      .run();
}

TEST(NeumaierSum, RoundsEveryStepOnceOnEveryInstructionSet) {
  LoopsCheck<float>({.product = ProductScheme::neumaier}, {}, fp32, plain_product)
      .sums(neumaier_by_steps)
      .run();
}

class SplitLoops : public ::testing::TestWithParam<SplitSpec> {};

TEST_P(SplitLoops, SumTheirTermsInOrderWordForWord) {
  const SplitSpec& spec = GetParam();
  LoopsCheck<float> check({.product = ProductScheme(spec)}, {}, fp32,
                          [&](VectorJudge& judge, const Words& w, Point x) {
                            return split_by_mpfr(judge, spec, w, x);
                          });
  check.words(spec.factor_words, spec.word);
  check.run();
}

INSTANTIATE_TEST_SUITE_P(Of, SplitLoops, ::testing::ValuesIn(splits), [](const auto& test) {
  const SplitSpec& spec = test.param;
  return to_string(spec.word) + "_" + std::to_string(spec.factor_words) + "by" +
         std::to_string(spec.data_words) + "_" + std::to_string(spec.count) + "_terms";
});

}  // namespace fftprec::testing
