/// The long sums of the run-time certificate against the same term by term in MPFR.
#include "arith/truth/audit_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "arith/truth/audit_sums.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::ComplexPairs;
using truth::ComplexReal;
using truth::Real;
using truth::WeighedLines;

constexpr mpfr_prec_t judge_precision = 256;
constexpr int test_seed = 11;

/// sum_l c_l sum_j x_l[j] w_j term by term, and the sum of all |x w|.
class TermByTerm {
 public:
  void add(const ComplexPairs& x, std::size_t i, mpfr_srcptr re, mpfr_srcptr im) {
    const truth::ComplexReals value = exact_line(x, {1, i}, judge_precision);
    mpfr_fmms(term_, value.re[0], re, value.im[0], im, MPFR_RNDN);
    mpfr_add(re_, re_, term_, MPFR_RNDN);
    mpfr_fmma(term_, value.re[0], im, value.im[0], re, MPFR_RNDN);
    mpfr_add(im_, im_, term_, MPFR_RNDN);
    size_ += std::hypot(x.hi.re[i], x.hi.im[i]) *
             std::hypot(mpfr_get_d(re, MPFR_RNDN), mpfr_get_d(im, MPFR_RNDN));
  }
  /// |found - sum| relative to the sum of magnitudes.
  double error_of(const ComplexReal& found) {
    mpfr_sub(re_, re_, found.re, MPFR_RNDN);
    mpfr_sub(im_, im_, found.im, MPFR_RNDN);
    mpfr_hypot(re_, re_, im_, MPFR_RNDU);
    return mpfr_get_d(re_, MPFR_RNDU) / size_;
  }

 private:
  Real re_{judge_precision};
  Real im_{judge_precision};
  Real term_{judge_precision};
  double size_ = 0;
};

/// The angle pi numerator/denominator.
Real angle(std::size_t numerator, std::size_t denominator) {
  Real value(judge_precision);
  mpfr_const_pi(value, MPFR_RNDN);
  mpfr_mul_ui(value, value, numerator, MPFR_RNDN);
  mpfr_div_ui(value, value, denominator, MPFR_RNDN);
  return value;
}

/// c_l (re + i im)
void turn(Real& re, Real& im, unsigned f) {
  const std::size_t eighths = truth::line_factors;  // of pi/128: exp(-2 pi i p/256) i^q
  const Real phi = angle(2 * (eighths - f / 4) + f % 4 * eighths / 2, eighths);
  Real cos(judge_precision);
  Real sin(judge_precision);
  mpfr_sin_cos(sin, cos, phi, MPFR_RNDN);
  Real turned(judge_precision);
  mpfr_fmms(turned, re, cos, im, sin, MPFR_RNDN);
  mpfr_fmma(im, re, sin, im, cos, MPFR_RNDN);
  re = turned;
}

struct Layout {
  std::size_t n;
  std::size_t stride;
  std::size_t blocks;
};

const Layout layouts[] = {{1, 1, 1},   {5, 1, 1},   {64, 1, 1},   {100, 1, 3},
                          {255, 1, 1}, {256, 1, 1}, {257, 1, 2},  {1000, 1, 1},
                          {64, 4, 2},  {300, 3, 1}, {1024, 1, 5}, {8192, 1, 1}};

/// Eight times what the roundings of as many terms as each partial sum has come to at random.
double tolerance(std::size_t n) { return 8 * 0x1p-106 * std::sqrt(static_cast<double>(n)); }

std::vector<unsigned> some_factors(std::size_t lines) {
  std::mt19937_64 generator(test_seed);
  std::vector<unsigned> factors(lines);
  for (unsigned& f : factors) f = static_cast<unsigned>(generator() % truth::line_factors);
  return factors;
}

template <class Sum, class Weight>
void expect_sum(Sum sum, Weight weight) {
  for (const auto& [n, stride, blocks] : layouts) {
    const ComplexPairs x = pair_input(PairInput::full, n * stride * blocks, test_seed);
    const std::vector<unsigned> factors = some_factors(stride * blocks);
    for (const std::size_t s : {std::size_t{0}, n / 3, n / 2, n - 1}) {
      TermByTerm exact;
      Real re(judge_precision);
      Real im(judge_precision);
      for (std::size_t l = 0; l < factors.size(); ++l)
        for (std::size_t j = 0; j < n; ++j) {
          weight(re, im, n, s, j);
          turn(re, im, factors[l]);
          exact.add(x, (l / stride * n + j) * stride + l % stride, re, im);
        }
      const double error = exact.error_of(sum(WeighedLines{x, 0, n, stride, factors}, s));
      EXPECT_LE(error, tolerance(n)) << "n = " << n << ", stride " << stride << ", " << blocks
                                     << " blocks, s = " << s << ", seed = " << test_seed;
    }
  }
}

TEST(AuditSums, TonesAreThoseOfTheDefinition) {
  expect_sum(
      [](const WeighedLines& lines, std::size_t s) {
        return tone_sum(lines, truth::exact_root(2 * lines.n - 2 * s - 1, 2 * lines.n), {});
      },
      [](Real& re, Real& im, std::size_t n, std::size_t s, std::size_t k) {
        mpfr_sin_cos(im, re, angle((2 * s + 1) * k, n), MPFR_RNDN);
      });
}

TEST(AuditSums, CotangentsAreThoseOfTheDefinition) {
  expect_sum([](const WeighedLines& lines, std::size_t s) { return cotangent_sum(lines, s, {}); },
             [](Real& re, Real& im, std::size_t n, std::size_t s, std::size_t j) {
               mpfr_set_ui(re, 1, MPFR_RNDN);
               mpfr_cot(im, angle(2 * (n + s - j) + 1, 2 * n), MPFR_RNDN);
             });
}

/// Next to the pole a cotangent changes fast.
TEST(AuditSums, CotangentsNextToThePoleAreAsGood) {
  constexpr std::size_t n = std::size_t{1} << 14;
  const std::vector<unsigned> alone{0};
  for (const std::size_t s : {std::size_t{0}, std::size_t{63}, std::size_t{64}, n / 2 + 31})
    for (const std::size_t j : {s, s + 1, (n + s - 1) % n, (s + 40) % n, (s + n - 70) % n}) {
      ComplexPairs x(n);
      x.set(j, {{1, 0x1p-60}, {-0.3, 0}});
      TermByTerm exact;
      Real cot(judge_precision);
      mpfr_cot(cot, angle(2 * (n + s - j) + 1, 2 * n), MPFR_RNDN);
      exact.add(x, j, Real(1, judge_precision), cot);
      EXPECT_LE(exact.error_of(truth::cotangent_sum({x, 0, n, 1, alone}, s, {})), 64 * 0x1p-106)
          << "s = " << s << ", j = " << j;
    }
}

TEST(AuditSums, EveryInstructionSetAndThreadGivesTheSameSums) {
  constexpr std::size_t n = std::size_t{1} << 16;
  const ComplexPairs x = pair_input(PairInput::full, n + 5, test_seed);
  const auto same = [](const ComplexReal& a, const ComplexReal& b) {
    return mpfr_equal_p(a.re, b.re) != 0 && mpfr_equal_p(a.im, b.im) != 0;
  };
  const std::vector<unsigned> alone(1, 0);
  const WeighedLines line{x, 5, n, 1, alone};
  const ComplexReal z = truth::exact_root(12345, 2 * n);
  const ComplexReal tone = tone_sum(line, z, {Isa::baseline, 1});
  const ComplexReal cotangents = cotangent_sum(line, 777, {Isa::baseline, 1});
  for (const Isa isa : available_isas())
    for (const unsigned threads : {1u, 2u, 3u}) {
      EXPECT_TRUE(same(tone, tone_sum(line, z, {isa, threads}))) << name_of(isa);
      EXPECT_TRUE(same(cotangents, cotangent_sum(line, 777, {isa, threads}))) << name_of(isa);
    }
}

}  // namespace
}  // namespace fftprec::testing
