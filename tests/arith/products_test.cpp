/// Products rounded once, fused, by Dot2 and split into words, against their definitions in MPFR.
#include <gtest/gtest.h>

#include "arith/formats/eft.hpp"
#include "tests/arith/loops_check.hpp"

namespace fftprec::testing {

namespace {

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

}  // namespace

TEST(RoundedOnceProduct, RoundsEachPartOfTheExactProduct) {
  for (const Values values : {Values::normal, Values::wide, Values::special})
    LoopsCheck<float>({.product = ProductScheme::rounded_once}, {}, fp32, rounded_once_by_mpfr)
        .run(values);
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
      .sums([](VectorJudge& judge, Point start, const LoopsCheck<float>::Terms& terms) {
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

class SplitLoops : public ::testing::TestWithParam<SplitSpec> {};

TEST_P(SplitLoops, SumTheirTermsInOrderWordForWord) {
  const SplitSpec& spec = GetParam();
  LoopsCheck<float> check({.product = ProductScheme(spec)}, {}, fp32,
                          [&](VectorJudge& judge, const Words& w, Point x) {
                            return split_by_mpfr(judge, spec, w, x);
                          });
  check.words(spec.factor_words, spec.word);
  for (const Values values : {Values::normal, Values::wide, Values::special}) check.run(values);
}

INSTANTIATE_TEST_SUITE_P(Of, SplitLoops, ::testing::ValuesIn(splits), [](const auto& test) {
  const SplitSpec& spec = test.param;
  return to_string(spec.word) + "_" + std::to_string(spec.factor_words) + "by" +
         std::to_string(spec.data_words) + "_" + std::to_string(spec.count) + "_terms";
});

}  // namespace fftprec::testing
