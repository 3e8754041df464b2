/// Double words: proven bounds under search, conversions, special values, and loops on every
/// instruction set.
#include "arith/formats/double_word.hpp"

#include <gtest/gtest.h>

#include "tests/arith/loops_check.hpp"

namespace fftprec::testing {

namespace {

constexpr mpfr_prec_t judge_bits = 200;

Wide exact(FloatPair x) {
  Wide value(judge_bits, static_cast<double>(x.high));
  mpfr_add_d(value.get(), value.get(), static_cast<double>(x.low), MPFR_RNDN);
  return value;
}

std::string show_pair(FloatPair x) {
  return show(static_cast<double>(x.high)) + " + " + show(static_cast<double>(x.low));
}

/// |result - (a op b)| / |a op b| in units of u^2; 0 where both are zero.
double relative_error(FloatPair result, Operation operation, FloatPair a, FloatPair b) {
  Wide truth = exact(a);
  const Wide other = exact(b), got = exact(result);
  if (operation == Operation::multiply)
    mpfr_mul(truth.get(), truth.get(), other.get(), MPFR_RNDN);
  else
    mpfr_add(truth.get(), truth.get(), other.get(), MPFR_RNDN);
  Wide error(judge_bits);
  mpfr_sub(error.get(), got.get(), truth.get(), MPFR_RNDN);
  if (mpfr_zero_p(error.get())) return 0;
  mpfr_div(error.get(), error.get(), truth.get(), MPFR_RNDN);
  const double u = unit_roundoff(fp32);
  return std::fabs(mpfr_get_d(error.get(), MPFR_RNDA)) / (u * u);
}

double sum_bound() {
  const double u = unit_roundoff(fp32);
  return 3 + 13 * u;
}
double product_bound() { return 5; }

/// Double words in [1, 2) whose words are near powers of two and half places, or anything.
class DrawPair {
 public:
  FloatPair operator()() {
    const std::uint32_t fraction = static_cast<std::uint32_t>(random_()) >> 9;
    const std::uint32_t few = fraction >> (11 + random_() % 12);
    const std::uint32_t kind = static_cast<std::uint32_t>(random_()) % 3;
    const std::uint32_t last = kind == 0 ? fraction : kind == 1 ? few : (1u << 23) - 1 - few;
    const float high = 1 + std::ldexp(static_cast<float>(last), -23);
    const float part = 1 + std::ldexp(static_cast<float>(random_() >> 9), -23);
    const float low = std::ldexp(random_() % 2 == 0 ? part : -part,
                                 -25 - static_cast<int>(random_() % 2 == 0 ? 0 : random_() % 30));
    return {high, high + low == high ? low : 0};
  }
  FloatPair scaled() {
    const FloatPair x = (*this)();
    const int by = 2 - static_cast<int>(random_() % 28);
    const float sign = random_() % 2 == 0 ? 1.0f : -1.0f;
    return {std::ldexp(sign * x.high, by), std::ldexp(sign * x.low, by)};
  }

 private:
  std::mt19937 random_{21};
};

void expect_normalised(FloatPair x) { ASSERT_EQ(x.high + x.low, x.high) << show_pair(x); }

}  // namespace

TEST(FloatPair, SumsAndProductsStayBelowTheProvenBounds) {
  DrawPair draw;
  for (int i = 0; i < 200000; ++i) {
    const FloatPair a = draw(), b = draw.scaled(), sum = a + b, product = a * b;
    expect_normalised(sum);
    expect_normalised(product);
    ASSERT_LE(relative_error(sum, Operation::add, a, b), sum_bound())
        << show_pair(a) << " and " << show_pair(b) << ", seed 21";
    ASSERT_LE(relative_error(product, Operation::multiply, a, b), product_bound())
        << show_pair(a) << " and " << show_pair(b) << ", seed 21";
  }
}

/// The largest errors that a long search met: the bound of products is tight, that of sums not far.
TEST(FloatPair, BoundsAreNearlyReached) {
  const FloatPair a(0x1.000004p+0f, 0x1.fffffep-25f), b(0x1.000002p+0f, 0x1.fffffep-25f);
  const double product = relative_error(a * b, Operation::multiply, a, b);
  EXPECT_GT(product, 0.9999 * product_bound());
  EXPECT_LE(product, product_bound());
  const FloatPair c(0x1p+0f, 0x1.200f46p-25f), d(-0x1.fffffep-2f, 0x1.7fc2f2p-27f);
  const double sum = relative_error(c + d, Operation::add, c, d);
  EXPECT_GT(sum, 0.83 * sum_bound());
  EXPECT_LE(sum, sum_bound());
}

TEST(FloatPair, SumsThatCancelAreExactOrWithinTheBound) {
  DrawPair draw;
  std::mt19937 random(22);
  for (int i = 0; i < 100000; ++i) {
    const FloatPair a = draw();
    FloatPair b = -a;
    b.high += std::ldexp(static_cast<float>(random() % 5) - 2, -23);
    b.low += std::ldexp(static_cast<float>(random() % 5) - 2, -48);
    if (b.high + b.low != b.high) continue;
    ASSERT_LE(relative_error(a + b, Operation::add, a, b), sum_bound())
        << show_pair(a) << " and " << show_pair(b) << ", seed 22";
  }
}

TEST(FloatPair, HoldsADoubleToTwoWords) {
  const double u = unit_roundoff(fp32);
  std::mt19937_64 random(23);
  for (int i = 0; i < 100000; ++i) {
    const double x = std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 12), -52),
                                static_cast<int>(random() % 100) - 50);
    const FloatPair pair(x);
    expect_normalised(pair);
    ASSERT_LE(std::fabs(static_cast<double>(pair) - x), u * u / 2 * x) << show(x) << ", seed 23";
    const double short_x = static_cast<double>(FloatPair(x));
    ASSERT_EQ(static_cast<double>(FloatPair(short_x)), short_x) << show(x) << ", seed 23";
  }
  const double zero = static_cast<double>(FloatPair(-0.0));
  EXPECT_EQ(zero, 0);
  EXPECT_TRUE(static_cast<double>(FloatPair(std::numeric_limits<double>::quiet_NaN())) != zero);
}

TEST(FloatPair, HasNoInfinities) {
  const float infinity = std::numeric_limits<float>::infinity();
  const FloatPair one(1.0), large(0x1p120f, 0), endless(infinity, 0), top(0x1.fffffep127f, 0);
  for (const FloatPair x : {endless + one, endless * one, top + top, large * one})
    EXPECT_TRUE(x.high != x.high) << show_pair(x);
  const FloatPair below = FloatPair(0x1.fffffep114f, 0) * one;
  EXPECT_EQ(below.high, 0x1.fffffep114f);
}

namespace {

/// Double-word arithmetic by its published steps, every one rounded by MPFR.
JudgedPair two_sum(VectorJudge& judge, double a, double b) {
  const double sum = judge.add(a, b);
  const double b_seen = judge.subtract(sum, a), a_seen = judge.subtract(sum, b_seen);
  return {sum, judge.add(judge.subtract(a, a_seen), judge.subtract(b, b_seen))};
}
JudgedPair fast_two_sum(VectorJudge& judge, double a, double b) {
  const double sum = judge.add(a, b);
  return {sum, judge.subtract(b, judge.subtract(sum, a))};
}
JudgedPair add(VectorJudge& judge, JudgedPair x, JudgedPair y) {
  const JudgedPair s = two_sum(judge, x.high, y.high), t = two_sum(judge, x.low, y.low);
  const JudgedPair v = fast_two_sum(judge, s.high, judge.add(s.low, t.high));
  return fast_two_sum(judge, v.high, judge.add(t.low, v.low));
}
JudgedPair multiply(VectorJudge& judge, JudgedPair x, JudgedPair y) {
  const JudgedPair c = dekker_product(judge, x.high, y.high);
  const double cross = judge.add(judge.multiply(x.high, y.low), judge.multiply(x.low, y.high));
  return fast_two_sum(judge, c.high, judge.add(c.low, cross));
}
JudgedPair minus(JudgedPair x) { return {-x.high, -x.low}; }

struct JudgedPoint {
  JudgedPair re, im;
};
JudgedPoint add(VectorJudge& judge, JudgedPoint x, JudgedPoint y) {
  return {add(judge, x.re, y.re), add(judge, x.im, y.im)};
}
JudgedPoint minus(JudgedPoint x) { return {minus(x.re), minus(x.im)}; }
JudgedPoint multiply(VectorJudge& judge, JudgedPoint w, JudgedPoint x) {
  return {add(judge, multiply(judge, w.re, x.re), minus(multiply(judge, w.im, x.im))),
          add(judge, multiply(judge, w.re, x.im), multiply(judge, w.im, x.re))};
}

/// What each_element_operation asks; `scale` is by the first real part of b.
struct PairJudge {
  VectorJudge& steps;
  JudgedPair factor;

  JudgedPoint add(JudgedPoint x, JudgedPoint y) { return testing::add(steps, x, y); }
  JudgedPoint subtract(JudgedPoint x, JudgedPoint y) { return testing::add(steps, x, minus(y)); }
  JudgedPoint product(JudgedPoint w, JudgedPoint x) { return multiply(steps, w, x); }
  JudgedPoint turned(JudgedPoint x) { return {x.im, minus(x.re)}; }
  JudgedPoint scaled(JudgedPoint x) {
    return {multiply(steps, factor, x.re), multiply(steps, factor, x.im)};
  }
};

constexpr std::size_t some_rows = 2, some_cols = 67;
using Array = ComplexArray<FloatPair>;

View<FloatPair> view(Array& x) {
  return {x.re.data(), x.im.data(), some_rows, some_cols, some_cols};
}

JudgedPoint at(const Array& x, std::size_t i) {
  const auto words = [](FloatPair p) {
    return JudgedPair{static_cast<double>(p.high), static_cast<double>(p.low)};
  };
  return {words(x.re[i]), words(x.im[i])};
}

Array random_pairs(Draw& high, Draw& low) {
  Array x(some_rows * some_cols);
  for (AlignedVector<FloatPair>* part : {&x.re, &x.im})
    for (FloatPair& value : *part) {
      const auto head = static_cast<float>(high());
      value = {head, static_cast<float>(low()) * 0x1p-28f};
    }
  return x;
}

void expect_words(const Array& x, std::size_t i, const JudgedPoint& truth) {
  const JudgedPoint got = at(x, i);
  ASSERT_TRUE(same_value(got.re.high, truth.re.high)) << "real part, high word of " << i;
  ASSERT_TRUE(same_value(got.re.low, truth.re.low)) << "real part, low word of " << i;
  ASSERT_TRUE(same_value(got.im.high, truth.im.high)) << "imaginary part, high word of " << i;
  ASSERT_TRUE(same_value(got.im.low, truth.im.low)) << "imaginary part, low word of " << i;
}

}  // namespace

TEST(DoubleWordLoops, RoundEveryStepOnceOnEveryInstructionSet) {
  VectorJudge judge(fp32);
  for (const Values values : {Values::normal, Values::wide, Values::special})
    for (const Isa isa : available_isas()) {
      SCOPED_TRACE(::testing::Message()
                   << name_of(values) << " values, " << fftprec::name_of(isa) << ", seed 17");
      const auto loops = complex_kernels<FloatPair>({}, {}, isa);
      Draw high(fp32, values), low(fp32, Values::normal);
      const Array a = random_pairs(high, low), b = random_pairs(high, low),
                  w = random_pairs(high, low);
      const FactorView<FloatPair> factors{w.re.data(), w.im.data(), some_cols, 1,
                                          some_rows * some_cols};
      each_element_operation([&](const char* name, bool, auto call, auto element) {
        SCOPED_TRACE(name);
        Array top = a, bottom = b;
        LoopCalls<FloatPair> calls{loops, b.re[0]};
        call(calls, view(top), view(bottom), factors);
        PairJudge of_element{judge, at(b, 0).re};
        for (std::size_t i = 0; i < some_rows * some_cols && !HasFatalFailure(); ++i) {
          JudgedPoint x = at(a, i), y = at(b, i);
          element(of_element, x, y, at(w, i));
          expect_words(top, i, x);
          expect_words(bottom, i, y);
        }
      });
      Array sum = a, by_columns = a;
      Array x = b;
      loops.multiply_accumulate(
          view(sum), {x.re.data(), x.im.data(), some_rows, some_rows, some_cols}, factors);
      loops.accumulate_columns(view(by_columns), factors, view(x));
      for (std::size_t i = 0; i < some_rows * some_cols; ++i) {
        JudgedPoint rowwise = at(a, i), columnwise = rowwise;
        for (std::size_t k = 0; k < some_rows; ++k) {
          rowwise = add(judge, rowwise,
                        multiply(judge, at(w, k * some_cols + i % some_cols),
                                 at(b, i / some_cols * some_cols + k)));
          columnwise = add(judge, columnwise,
                           multiply(judge, at(w, k * some_cols + i / some_cols),
                                    at(b, k * some_cols + i % some_cols)));
        }
        expect_words(sum, i, rowwise);
        expect_words(by_columns, i, columnwise);
        if (HasFatalFailure()) return;
      }
    }
}

}  // namespace fftprec::testing
