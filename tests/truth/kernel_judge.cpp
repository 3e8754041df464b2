#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/truth/transform_judge.hpp"

namespace fftprec::testing {

using truth::Real;

namespace {

/// y_i += a b with complex a and b.
void add_product(Exact& y, std::size_t i, const ComplexArray<double>& a, std::size_t s,
                 const ComplexArray<double>& b, std::size_t t) {
  Real term(judge_bits);
  const auto add = [&](mpfr_ptr sum, double first, double second, long sign) {
    mpfr_set_d(term, first, MPFR_RNDN);
    mpfr_mul_d(term, term, second, MPFR_RNDN);
    mpfr_mul_si(term, term, sign, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
  };
  add(y.re[i], a.re[s], b.re[t], 1);
  add(y.re[i], a.im[s], b.im[t], -1);
  add(y.im[i], a.re[s], b.im[t], 1);
  add(y.im[i], a.im[s], b.re[t], 1);
}

}  // namespace

Exact cgemm_by_definition(const ComplexArray<double>& x, const ComplexArray<double>& w,
                          std::size_t batch, std::size_t k, std::size_t n) {
  Exact y(batch * n);
  for (std::size_t i = 0; i < batch; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < k; ++l) add_product(y, i * n + j, x, i * k + l, w, j * k + l);
  return y;
}

Exact cmul_by_definition(const ComplexArray<double>& x, const ComplexArray<double>& m) {
  Exact y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) add_product(y, i, x, i, m, i % m.size());
  return y;
}

Exact cconv1d_by_definition(const ComplexArray<double>& x, const ComplexArray<double>& h,
                            std::size_t n) {
  const std::size_t full = n + h.size() - 1;
  Exact y(x.size() / n * full);
  for (std::size_t item = 0; item < x.size() / n; ++item)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < h.size(); ++j)
        add_product(y, item * full + i + j, x, item * n + i, h, j);
  return y;
}

Exact cmodrelu_by_definition(const ComplexArray<double>& z, const ComplexArray<double>& b) {
  Exact y(z.size());
  Real modulus(judge_bits);
  Real factor(judge_bits);
  for (std::size_t i = 0; i < z.size(); ++i) {
    mpfr_set_d(modulus, z.re[i], MPFR_RNDN);
    mpfr_sqr(modulus, modulus, MPFR_RNDN);
    mpfr_set_d(factor, z.im[i], MPFR_RNDN);
    mpfr_fma(modulus, factor, factor, modulus, MPFR_RNDN);
    mpfr_sqrt(modulus, modulus, MPFR_RNDN);
    mpfr_add_d(factor, modulus, b.re[i % b.size()], MPFR_RNDN);
    if (mpfr_sgn(mpfr_srcptr(factor)) <= 0 || mpfr_zero_p(mpfr_srcptr(modulus))) continue;
    mpfr_div(factor, factor, modulus, MPFR_RNDN);
    mpfr_mul_d(y.re[i], factor, z.re[i], MPFR_RNDN);
    mpfr_mul_d(y.im[i], factor, z.im[i], MPFR_RNDN);
  }
  return y;
}

ChainError chain_error(const truth::Chain& chain, const Exact& exact, std::size_t item) {
  Real difference(judge_bits);
  Real errors(judge_bits);
  Real squares(judge_bits);
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const std::size_t i = item * chain.size() + k;
    const auto add_part = [&](mpfr_srcptr value, mpfr_srcptr part) {
      mpfr_sub(difference, value, part, MPFR_RNDN);
      mpfr_fma(errors, difference, difference, errors, MPFR_RNDN);
      mpfr_fma(squares, part, part, squares, MPFR_RNDN);
    };
    add_part(chain.values.re[k], exact.re[i]);
    add_part(chain.values.im[k], exact.im[i]);
  }
  mpfr_sqrt(squares, squares, MPFR_RNDN);
  mpfr_sqrt(errors, errors, MPFR_RNDU);
  mpfr_div(errors, errors, squares, MPFR_RNDU);
  mpfr_div(squares, chain.error.get(), squares, MPFR_RNDU);
  return {mpfr_get_d(errors, MPFR_RNDU), mpfr_get_d(squares, MPFR_RNDU)};
}

double worst_element(const truth::Truth& truth, const Exact& exact) {
  double worst = 0;
  Real error(judge_bits);
  Real square(judge_bits);
  const auto add_part = [&](double hi, double lo, mpfr_srcptr value) {
    mpfr_d_sub(error, hi, value, MPFR_RNDN);
    mpfr_add_d(error, error, lo, MPFR_RNDN);
    mpfr_fma(square, error, error, square, MPFR_RNDU);
  };
  for (std::size_t i = 0; i < truth.hi.size(); ++i) {
    mpfr_set_zero(square, 1);
    add_part(truth.hi.re[i], truth.lo.re[i], exact.re[i]);
    add_part(truth.hi.im[i], truth.lo.im[i], exact.im[i]);
    if (mpfr_zero_p(mpfr_srcptr(square))) continue;
    mpfr_sqrt(square, square, MPFR_RNDU);
    mpfr_div_d(square, square, truth.element_radius.at(i / truth.n), MPFR_RNDU);
    worst = std::max(worst, mpfr_get_d(square, MPFR_RNDU));
  }
  return worst;
}

std::vector<bool> real_elements(const truth::Evaluation& evaluation) {
  const truth::Chain chain = evaluation.evaluate({60}, 0);
  const truth::PairChain pairs = evaluation.evaluate_pairs({}, 0, 1);
  std::vector<bool> real;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    real.push_back(mpfr_zero_p(chain.values.im[k]) != 0);
    const bool real_in_pairs = pairs.values.hi.im[k] == 0 && pairs.values.lo.im[k] == 0;
    EXPECT_EQ(real_in_pairs, real.back()) << evaluation.method << ", element " << k;
  }
  return real;
}

void expect_honest(const truth::Truth& truth, const Exact& exact) {
  EXPECT_LE(error_of(truth, exact), truth.radius_rel) << truth.method;
  EXPECT_LE(worst_element(truth, exact), 1) << truth.method;
}

void expect_tiers_honest(const truth::Evaluation& evaluation, const Exact& exact) {
  expect_honest(truth::certify(evaluation, {.tier = truth::Tier::mpfr}), exact);
  expect_honest(truth::certify(evaluation, {}), exact);
  if (!evaluation.evaluate_pairs) return;
  // 0 bits: whatever is certified
  expect_honest(
      truth::certify(evaluation, {.tier = truth::Tier::double_double, .needed_bits = -2000}),
      exact);
}

void expect_certified(const truth::Evaluation& evaluation, const Exact& exact, double roundings) {
  constexpr int coarse = 60;
  ASSERT_EQ(evaluation.items * evaluation.item_size, exact.re.size());
  for (std::size_t item = 0; item < evaluation.items; ++item) {
    const truth::Chain chain = evaluation.evaluate({coarse}, item);
    ASSERT_EQ(chain.size(), evaluation.item_size);
    const ChainError error = chain_error(chain, exact, item);
    EXPECT_LE(error.found, error.bound) << evaluation.method << ", item " << item;
    EXPECT_LE(error.bound, std::ldexp(roundings, -coarse)) << evaluation.method;
  }
  const truth::Truth truth = truth::certify(evaluation, {.tier = truth::Tier::mpfr});
  EXPECT_EQ(truth.n, evaluation.item_size);
  EXPECT_EQ(truth.tier, truth::Tier::mpfr);
  expect_honest(truth, exact);
  EXPECT_LE(truth.radius_rel, 0x1.1p-106) << truth.method;
  if (!evaluation.evaluate_pairs) return;
  const truth::Truth pairs =
      truth::certify(evaluation, {.tier = truth::Tier::double_double, .needed_bits = 70});
  EXPECT_EQ(pairs.n, evaluation.item_size);
  EXPECT_EQ(pairs.tier, truth::Tier::double_double);
  expect_honest(pairs, exact);
  EXPECT_LE(pairs.radius_rel, std::ldexp(roundings, -106)) << pairs.method;
}

}  // namespace fftprec::testing
