/// Compensated sums of products: every step rounded by MPFR, and what each of them is good for.
#include <gtest/gtest.h>

#include "arith/kernels/products.hpp"
#include "tests/arith/loops_check.hpp"

namespace fftprec::testing {

namespace {

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
double lost(VectorJudge& judge, double sum, double term, double next) {
  return std::fabs(sum) >= std::fabs(term) ? judge.add(judge.subtract(sum, next), term)
                                           : judge.add(judge.subtract(term, next), sum);
}

Point neumaier_by_steps(VectorJudge& judge, Point sum, const Terms& terms) {
  Point rest{};
  for (const auto& [w, x] : terms) {
    const Point term = judge.multiply(w[0], x);
    const Point next = judge.add(sum, term);
    rest = judge.add(
        rest, Point{lost(judge, sum.re, term.re, next.re), lost(judge, sum.im, term.im, next.im)});
    sum = next;
  }
  return judge.add(sum, rest);
}

/// sum_k terms[k] * 1 of real terms, the first of them as the sum at the start.
float real_sum(ProductScheme product, const std::vector<float>& terms, Isa isa) {
  const ComplexKernels<float> loops = complex_kernels<float>({.product = product}, {}, isa);
  ComplexArray<float> x(terms.size() - 1), w(terms.size() - 1), sum(1);
  sum.re[0] = terms[0];
  for (std::size_t k = 1; k < terms.size(); ++k) x.re[k - 1] = terms[k];
  for (float& one : w.re) one = 1;
  loops.multiply_accumulate({sum.re.data(), sum.im.data(), 1, 1, 1},
                            {x.re.data(), x.im.data(), 1, x.size(), x.size()},
                            {w.re.data(), w.im.data(), 1, 1, w.size()});
  return sum.re[0];
}

}  // namespace

TEST(KahanSum, RoundsEveryStepOnceOnEveryInstructionSet) {
  for (const Values values : {Values::normal, Values::wide, Values::special})
    LoopsCheck<float>({.product = ProductScheme::kahan_sum}, {}, fp32, plain_product)
        .sums(kahan_by_steps)
        .run(values);
}

TEST(NeumaierSum, RoundsEveryStepOnceOnEveryInstructionSet) {
  for (const Values values : {Values::normal, Values::wide, Values::special})
    LoopsCheck<float>({.product = ProductScheme::neumaier}, {}, fp32, plain_product)
        .sums(neumaier_by_steps)
        .run(values);
}

/// 1 + 2^30 + 1 - 2^30: the plain sum and Kahan's lose both ones, the others none.
TEST(CompensatedSums, DifferWhereATermExceedsTheSum) {
  const std::vector<float> terms = {1, 0x1p30f, 1, -0x1p30f};
  for (const Isa isa : available_isas()) {
    EXPECT_EQ(real_sum(ProductScheme::plain, terms, isa), 0);
    EXPECT_EQ(real_sum(ProductScheme::kahan_sum, terms, isa), 0);
    EXPECT_EQ(real_sum(ProductScheme::neumaier, terms, isa), 2);
    EXPECT_EQ(real_sum(ProductScheme::dot2, terms, isa), 2);
  }
}

/// 1 + 4096 terms of 2^-25: each of them is lost by the plain sum.
TEST(CompensatedSums, KeepManySmallTerms) {
  std::vector<float> terms(4097, 0x1p-25f);
  terms[0] = 1;
  for (const ProductScheme product :
       {ProductScheme::kahan_sum, ProductScheme::neumaier, ProductScheme::dot2})
    EXPECT_EQ(real_sum(product, terms, best_isa()), 1 + 0x1p-13f) << static_cast<int>(product);
  EXPECT_EQ(real_sum(ProductScheme::plain, terms, best_isa()), 1);
}

/// (2^12 + 1)^2 - 2^24 - 2^13 = 1, the last bit of a product: only Dot2 keeps errors of products.
TEST(Dot2Sum, KeepsTheErrorsOfProducts) {
  for (const bool dot2 : {true, false}) {
    const ComplexKernels<float> loops = complex_kernels<float>(
        {.product = dot2 ? ProductScheme::dot2 : ProductScheme::neumaier}, {}, best_isa());
    ComplexArray<float> x(3), w(3), sum(1);
    x.re = {4097, -0x1p24f, -0x1p13f};
    w.re = {4097, 1, 1};
    loops.accumulate_columns({sum.re.data(), sum.im.data(), 1, 1, 1},
                             {w.re.data(), w.im.data(), 1, 1, 3},
                             {x.re.data(), x.im.data(), 3, 1, 1});
    EXPECT_EQ(sum.re[0], dot2 ? 1 : 0);
  }
}

/// The bound of Ogita, Rump and Oishi, for sums whose condition reaches 2^40.
TEST(Dot2Sum, StaysBelowItsBoundUnderCancellation) {
  std::mt19937 random(11);
  const double u = unit_roundoff(fp32);
  for (int run = 0; run < 200; ++run) {
    const std::size_t n = 2 + random() % 60;
    RunningSum<float> s{};
    Wide exact(400), magnitude(400), product(400);
    for (std::size_t k = 0; k < n; ++k) {
      const float span = std::ldexp(1.0f, static_cast<int>(random() % 20));
      float a = std::ldexp(static_cast<float>(static_cast<int>(random() >> 8) - (1 << 23)), -23);
      float b =
          span * std::ldexp(static_cast<float>(static_cast<int>(random() >> 8) - (1 << 23)), -23);
      // The last term cancels most of what there is.
      if (k + 1 == n) {
        a = 1;
        b = -mpfr_get_flt(exact.get(), MPFR_RNDN);
      }
      s = Dot2Sum::step(s, Factor<float, 1>{{{a, 0.0f}}}, Complex<float>{b, 0.0f});
      mpfr_set_d(product.get(), static_cast<double>(a), MPFR_RNDN);
      mpfr_mul_d(product.get(), product.get(), static_cast<double>(b), MPFR_RNDN);
      mpfr_add(exact.get(), exact.get(), product.get(), MPFR_RNDN);
      mpfr_abs(product.get(), product.get(), MPFR_RNDN);
      mpfr_add(magnitude.get(), magnitude.get(), product.get(), MPFR_RNDN);
    }
    const double value = static_cast<double>(Dot2Sum::total(s).re);
    const double truth = mpfr_get_d(exact.get(), MPFR_RNDN);
    // Every step takes two real products, the second of them zero.
    const double gamma = 2 * static_cast<double>(n) * u / (1 - 2 * static_cast<double>(n) * u);
    const double bound =
        u * std::fabs(truth) + gamma * gamma * mpfr_get_d(magnitude.get(), MPFR_RNDU);
    ASSERT_LE(std::fabs(value - truth), bound) << show(value) << ", truth " << show(truth)
                                               << ", n = " << n << ", run " << run << ", seed 11";
  }
}

}  // namespace fftprec::testing
