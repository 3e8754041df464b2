/// Each function against MPFR, within the error that its header states.
#include "arith/support/portable_math.hpp"

#include <gmock/gmock.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace fftprec::testing {
namespace {

constexpr double beyond_all = std::numeric_limits<double>::infinity();

/// |computed - exact| in units in the last place of the exact value, as MPFR computes it.
template <class Function>
double error_ulp(double computed, Function exactly, double x) {
  mpfr_t exact;
  mpfr_init2(exact, 200);
  mpfr_set_d(exact, x, MPFR_RNDN);
  exactly(exact, exact, MPFR_RNDN);
  const int exponent = std::max(std::ilogb(mpfr_get_d(exact, MPFR_RNDZ)), -1022);
  mpfr_sub_d(exact, exact, computed, MPFR_RNDN);
  const double error = std::fabs(mpfr_get_d(exact, MPFR_RNDN));
  mpfr_clear(exact);
  return std::ldexp(error, 52 - exponent);
}

struct Interval {
  double begin;
  double end;
};

/// The largest error on numbers that are spread over a range, and on numbers of all magnitudes from
/// 2^-60 up in it.
template <class Function>
double worst_error(double (*computed)(double), Function exactly, Interval range) {
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> part(0, 1);
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    const double even = range.begin + part(bits) * (range.end - range.begin);
    const double of_any_size = std::ldexp(even, -static_cast<int>(bits() % 60));
    for (const double x : {even, of_any_size})
      if (x >= range.begin && x <= range.end && x != 0)
        worst = std::max(worst, error_ulp(computed(x), exactly, x));
  }
  return worst;
}

TEST(PortableMath, IsAsNearAsStated) {
  EXPECT_LT(worst_error(portable::exp, mpfr_exp, {-700, 709}), 1);
  EXPECT_LT(worst_error(portable::exp2, mpfr_exp2, {-1020, 1023}), 2);
  EXPECT_LT(worst_error(portable::expm1, mpfr_expm1, {-40, 40}), 4);
  EXPECT_LT(worst_error(portable::expm1, mpfr_expm1, {-1, 1}), 4);
  EXPECT_LT(worst_error(portable::log, mpfr_log, {0, 1e300}), 1);
  EXPECT_LT(worst_error(portable::log, mpfr_log, {0.5, 2}), 1);
  EXPECT_LT(worst_error(portable::log2, mpfr_log2, {0.5, 2}), 2);
  EXPECT_LT(worst_error(portable::log1p, mpfr_log1p, {-0.999, 3}), 2);
  EXPECT_LT(worst_error(portable::erf, mpfr_erf, {-6, 6}), 3);
  EXPECT_LT(worst_error(portable::erfc, mpfr_erfc, {-6, 6}), 6);
  EXPECT_LT(worst_error(portable::erfc, mpfr_erfc, {0, 26}), 6);
  EXPECT_LT(worst_error(portable::atan, mpfr_atan, {-1e9, 1e9}), 5);
  EXPECT_LT(worst_error(portable::atan, mpfr_atan, {-3, 3}), 5);
  EXPECT_LT(worst_error(portable::cos, mpfr_cos, {0, std::numbers::pi / 2}), 2);
}

/// q and erfc(x) differ by the derivative times the error of x.
TEST(PortableMath, FindsTheArgumentOfErfc) {
  for (double q = 0.5; q > 1e-290; q *= 0.37) {
    const double x = portable::erfc_inverse(q);

    const double moved = std::fabs(portable::erfc(x) - q) / (q * (2 * x + 1 / (x + 0.5)));

    EXPECT_LT(moved, (4 + 6 / (2 * x * x)) * std::ldexp(1.0, std::ilogb(x) - 52)) << q;
  }
}

TEST(PortableMath, HypotIsTheRootOfTheSumOfSquares) {
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int i = 0; i < 4000; ++i) {
    const double a = part(bits);
    const double b = std::ldexp(part(bits), -static_cast<int>(bits() % 30));
    const auto exactly = [b](mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
      mpfr_t other;
      mpfr_init2(other, 53);
      mpfr_set_d(other, b, rounding);
      mpfr_hypot(result, x, other, rounding);
      mpfr_clear(other);
    };
    EXPECT_LT(error_ulp(portable::hypot(a, b), exactly, a), 2) << a << " " << b;
  }
  EXPECT_EQ(portable::hypot(0x3p900, -0x4p900), 0x5p900);
  EXPECT_EQ(portable::hypot(0, 0), 0);
  EXPECT_EQ(portable::hypot(1, -beyond_all), beyond_all);
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(portable::hypot(0.25, none)));
  EXPECT_TRUE(std::isnan(portable::hypot(none, 0.25)));
  EXPECT_TRUE(std::isnan(portable::hypot(0, none)));
  EXPECT_EQ(portable::hypot(none, beyond_all), beyond_all);
}

TEST(PortableMath, IsExactAtPowersOfTwo) {
  for (int e = -1074; e <= 1023; ++e) {
    const double power = std::ldexp(1.0, e);
    EXPECT_EQ(portable::exp2(e), power);
    EXPECT_EQ(portable::log2(power), e);
  }
}

TEST(PortableMath, EndsAsTheFunctionsOfCmath) {
  EXPECT_EQ(portable::exp(710), beyond_all);
  EXPECT_EQ(portable::exp(-beyond_all), 0);
  EXPECT_EQ(portable::exp2(1024), beyond_all);
  EXPECT_EQ(portable::exp2(-beyond_all), 0);
  EXPECT_EQ(portable::expm1(-beyond_all), -1);
  EXPECT_EQ(portable::log(0), -beyond_all);
  EXPECT_EQ(portable::log(beyond_all), beyond_all);
  EXPECT_EQ(portable::log1p(-1), -beyond_all);
  EXPECT_EQ(portable::erf(-beyond_all), -1);
  EXPECT_EQ(portable::erfc(beyond_all), 0);
  EXPECT_EQ(portable::erfc(-beyond_all), 2);
  EXPECT_EQ(portable::atan(beyond_all), std::numbers::pi / 2);
  EXPECT_EQ(portable::atan(-0.0), 0);
  for (const auto function : {portable::exp, portable::exp2, portable::expm1, portable::log,
                              portable::log2, portable::log1p, portable::erf, portable::erfc})
    EXPECT_TRUE(std::isnan(function(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(portable::log(-1)));
  EXPECT_TRUE(std::isnan(portable::log1p(-2)));
}

}  // namespace
}  // namespace fftprec::testing
