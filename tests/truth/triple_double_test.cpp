/// Triple-double operations against the same in MPFR, carried out exactly, on operands of every
/// shape that is allowed: what cancelled before has a majorant far above itself.
#include "arith/truth/triple_double.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "arith/truth/real.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Real;
using truth::TripleDouble;

constexpr double u = 0x1p-53;
constexpr mpfr_prec_t exact_bits = 4000;

/// A value with what bounds it and what it was made of.
struct Operand {
  TripleDouble x;
  double majorant;
};

Real exact(const TripleDouble& x) {
  Real value(x.hi, exact_bits);
  mpfr_add_d(value, value, x.mid, MPFR_RNDN);
  mpfr_add_d(value, value, x.lo, MPFR_RNDN);
  return value;
}

/// |found - value| in units of u^3 size.
double units(const TripleDouble& found, const Real& value, double size) {
  Real error = exact(found);
  mpfr_sub(error, error, value, MPFR_RNDN);
  if (mpfr_zero_p(error)) return 0;
  mpfr_div_d(error, error, size, MPFR_RNDA);
  mpfr_mul_2ui(error, error, 159, MPFR_RNDN);
  return std::fabs(mpfr_get_d(error, MPFR_RNDA));
}

/// The shape that every operation asks of operands and promises of results.
void expect_shape(const Operand& y) {
  ASSERT_LE(std::fabs(y.x.hi), y.majorant * (1 + 4 * u));
  ASSERT_LE(std::fabs(y.x.mid), 1.01 * u * y.majorant);
  ASSERT_LE(std::fabs(y.x.lo), 1.01 * u * u * y.majorant);
}

/// Operands of any allowed shape: leading parts up to the majorant or cancelled down to any size,
/// the others anywhere within their limits or on them.
class Operands {
 public:
  explicit Operands(std::uint64_t seed) : generator_(seed) {}

  Operand next() {
    const double majorant = std::ldexp(1.0, static_cast<int>(generator_() % 9) - 4);
    const int cancelled = generator_() % 3 == 0 ? static_cast<int>(generator_() % 170) : 0;
    return {{std::ldexp(within(majorant), -cancelled), within(1.0099 * u * majorant),
             within(1.0099 * u * u * majorant)},
            majorant};
  }

 private:
  double within(double limit) {
    const double fraction = static_cast<double>(static_cast<std::int64_t>(generator_())) * 0x1p-63;
    switch (generator_() % 4) {
      case 0:
        return fraction < 0 ? -limit : limit;
      case 1:
        return 0;
      default:
        return limit * fraction;
    }
  }

  std::mt19937_64 generator_;
};

double largest_with_shape(double majorant) { return majorant * (1 + 4 * u); }

TEST(TripleDouble, SumsErrByNoMoreThanClaimed) {
  Operands operands(1);
  double worst = 0;
  for (int i = 0; i < 30000; ++i) {
    const Operand a = operands.next();
    const Operand b = operands.next();
    const double majorant = a.majorant + b.majorant;
    const TripleDouble sum = a.x + b.x;
    Real value = exact(a.x);
    mpfr_add(value, value, exact(b.x), MPFR_RNDN);
    worst = std::max(worst, units(sum, value, majorant));
    ASSERT_LE(worst, 9) << "operation " << i;
    expect_shape({sum, largest_with_shape(majorant)});
  }
  RecordProperty("largest", std::to_string(worst));
  EXPECT_GE(worst, 1.5) << "no operand was hard";
}

TEST(TripleDouble, ProductsErrByNoMoreThanClaimed) {
  Operands operands(2);
  double worst = 0;
  double worst_sum = 0;
  for (int i = 0; i < 30000; ++i) {
    const Operand a = operands.next();
    const Operand b = operands.next();
    const Operand c = operands.next();
    const Operand d = operands.next();
    const double majorant = a.majorant * b.majorant;
    const double both = majorant + c.majorant * d.majorant;
    Real first = exact(a.x);
    mpfr_mul(first, first, exact(b.x), MPFR_RNDN);
    Real second = exact(c.x);
    mpfr_mul(second, second, exact(d.x), MPFR_RNDN);
    const TripleDouble product = a.x * b.x;
    worst = std::max(worst, units(product, first, majorant));
    ASSERT_LE(worst, 34) << "operation " << i;
    expect_shape({product, largest_with_shape(majorant)});
    const TripleDouble sum = sum_of_products(a.x, b.x, -c.x, d.x);
    mpfr_sub(first, first, second, MPFR_RNDN);
    worst_sum = std::max(worst_sum, units(sum, first, both));
    ASSERT_LE(worst_sum, 43) << "operation " << i;
    expect_shape({sum, largest_with_shape(both)});
  }
  RecordProperty("largest", std::to_string(worst));
  EXPECT_GE(worst, 4) << "no operand was hard";
}

TEST(TripleDouble, AnOwnMajorantChangesNothingButTheShape) {
  Operands operands(3);
  for (int i = 0; i < 30000; ++i) {
    const Operand a = operands.next();
    const TripleDouble own = with_own_majorant(a.x);
    ASSERT_TRUE(mpfr_equal_p(exact(own), exact(a.x))) << i;
    const double size = std::fabs(mpfr_get_d(exact(own), MPFR_RNDA));
    expect_shape({own, size + 1.1 * u * u * a.majorant});
  }
}

TEST(TripleDouble, SumsOfIntegersAreExact) {
  std::mt19937_64 generator(4);
  TripleDouble sum;
  std::int64_t expected = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto term = static_cast<std::int64_t>(generator() >> 14) - (std::int64_t{1} << 49);
    expected += term;
    sum = sum + TripleDouble{static_cast<double>(term), 0, 0};
  }
  EXPECT_EQ(mpfr_get_sj(exact(sum), MPFR_RNDN), expected);
}

}  // namespace
}  // namespace fftprec::testing
