/// The loops of a vector engine against a judge that rounds each step in MPFR, on every instruction
/// set, for ordinary and for special values: NaN, infinities, zeros of both signs, subnormals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <span>

#include "arith/complex_array.hpp"
#include "arith/kernels/dispatch.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

constexpr std::size_t cols = 70;  // no multiple of a vector's width
constexpr std::size_t rows = 3;

template <class Real>
View<Real> view(ComplexArray<Real>& x) {
  return {x.re.data(), x.im.data(), rows, cols, cols};
}
template <class Real>
View<const Real> constant(const ComplexArray<Real>& x) {
  return {x.re.data(), x.im.data(), rows, cols, cols};
}
template <class Real>
FactorView<Real> per_element(const ComplexArray<Real>& w) {
  return {w.re.data(), w.im.data(), cols, 1, rows * cols};
}
template <class Real>
FactorView<Real> per_row(const ComplexArray<Real>& w) {
  return {w.re.data(), w.im.data(), 1, 0, rows};
}

/// A value of the format: a special one, or a normal one within a few binades.
template <class Real>
class Draw {
 public:
  Draw(const Format& format, bool special) : format_(format), special_(special) {}

  Real operator()() {
    const int precision = format_.precision;
    const double last = std::ldexp(1.0, 1 - precision);
    const double specials[] = {0,
                               1,
                               1 + last,
                               std::ldexp(1.0, format_.emin) * last,
                               std::ldexp(1 - last, format_.emin),
                               std::ldexp(1.0, format_.emin),
                               std::ldexp(1.0, format_.emin / 2),
                               std::ldexp(1.5, format_.emax / 2),
                               std::ldexp(2 - last, format_.emax),
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
    const double sign = random_() % 2 == 0 ? 1 : -1;
    if (special_) return static_cast<Real>(sign * specials[random_() % std::size(specials)]);
    const int bits = std::min(precision - 1, 32);
    const double significand = 1 + std::ldexp(static_cast<double>(random_() >> (32 - bits)), -bits);
    return static_cast<Real>(sign * std::ldexp(significand, static_cast<int>(random_() % 8) - 4));
  }
  ComplexArray<Real> array(std::size_t size) {
    ComplexArray<Real> x(size);
    for (Real& value : x.re) value = (*this)();
    for (Real& value : x.im) value = (*this)();
    return x;
  }

 private:
  Format format_;
  bool special_;
  std::mt19937 random_{17};
};

struct Point {
  double re;
  double im;
};

template <class Real>
Point at(const ComplexArray<Real>& x, std::size_t i) {
  return {static_cast<double>(x.re[i]), static_cast<double>(x.im[i])};
}

/// Complex arithmetic whose every operation MPFR rounds once to a format.
class RoundedJudge {
 public:
  explicit RoundedJudge(const Format& format) : round_(format) {}

  double add(double a, double b) { return round_(Operation::add, Rounding::rne, a, b); }
  double subtract(double a, double b) { return round_(Operation::subtract, Rounding::rne, a, b); }
  double multiply(double a, double b) { return round_(Operation::multiply, Rounding::rne, a, b); }
  Point add(Point a, Point b) { return {add(a.re, b.re), add(a.im, b.im)}; }
  Point subtract(Point a, Point b) { return {subtract(a.re, b.re), subtract(a.im, b.im)}; }
  Point multiply(Point w, Point x) {
    return {subtract(multiply(w.re, x.re), multiply(w.im, x.im)),
            add(multiply(w.re, x.im), multiply(w.im, x.re))};
  }
  /// 2Prod: the head of each fp32 product rounded, its tail exact in double.
  Point multiply_two_prod(Point w, Point x) {
    const auto tail = [&](double a, double b) { return a * b - multiply(a, b); };
    return {add(subtract(multiply(w.re, x.re), multiply(w.im, x.im)),
                subtract(tail(w.re, x.re), tail(w.im, x.im))),
            add(add(multiply(w.re, x.im), multiply(w.im, x.re)),
                add(tail(w.re, x.im), tail(w.im, x.re)))};
  }

 private:
  IeeeJudge round_;
};

/// One term of a split product as a tensor engine forms it, and the words that it multiplies.
class TermJudge {
 public:
  explicit TermJudge(const Machine& machine) : machine_(machine) {}

  RoundedJudge& fp32_judge() { return fp32_; }

  Point word(Point x, std::size_t index) {
    for (; index > 0; --index) x = fp32_.subtract(x, leading(x));
    return leading(x);
  }
  Point term(Point w, Point x) {
    return {sum(product(x.re, w.re), product(x.im, -w.im)),
            sum(product(x.re, w.im), product(x.im, w.re))};
  }

 private:
  Point leading(Point x) {
    return {to_bf16_(Operation::identity, Rounding::rne, x.re),
            to_bf16_(Operation::identity, Rounding::rne, x.im)};
  }
  double product(double a, double b) {
    return machine_.product == ProductRounding::bf16_rne
               ? to_bf16_(Operation::multiply, Rounding::rne, a, b)
               : a * b;
  }
  double sum(double a, double b) {
    const bool truncates = machine_.accumulator == AccumulatorRounding::rz;
    return to_fp32_(Operation::add, truncates ? Rounding::rz : Rounding::rne, a, b);
  }

  Machine machine_;
  RoundedJudge fp32_{fp32};
  IeeeJudge to_fp32_{fp32}, to_bf16_{bf16};
};

template <class Real>
void expect_point(const ComplexArray<Real>& x, std::size_t i, Point truth) {
  ASSERT_TRUE(same_value(at(x, i).re, truth.re)) << "real part of element " << i << ", seed 17";
  ASSERT_TRUE(same_value(at(x, i).im, truth.im))
      << "imaginary part of element " << i << ", seed 17";
}

/// Every loop of a scheme, with one factor per element and one per row.
template <class Real, class Product>
void expect_scheme(ProductScheme scheme, const Format& format, bool special, Isa isa,
                   Product product) {
  SCOPED_TRACE(::testing::Message()
               << "scheme " << static_cast<int>(scheme) << ", " << (special ? "special" : "normal")
               << " values, " << name_of(isa));
  Draw<Real> draw(format, special);
  const ComplexKernels<Real> loops = complex_kernels<Real>(scheme, machines().front(), isa);
  const ComplexArray<Real> a = draw.array(rows * cols), b = draw.array(rows * cols),
                           w = draw.array(rows * cols);
  RoundedJudge judge(format);
  for (const bool each : {true, false}) {
    const FactorView<Real> factors = each ? per_element(w) : per_row(w);
    ComplexArray<Real> top = a, bottom = b, multiplied = b;
    loops.butterfly(view(top), view(bottom), factors);
    loops.multiply(view(multiplied), factors);
    for (std::size_t i = 0; i < rows * cols; ++i) {
      const Point t = product(judge, at(w, each ? i : i / cols), at(b, i));
      expect_point(multiplied, i, t);
      expect_point(top, i, judge.add(at(a, i), t));
      expect_point(bottom, i, judge.subtract(at(a, i), t));
    }
  }
  ComplexArray<Real> sum = a, difference = a, scaled = a;
  loops.add(view(sum), constant(a), constant(b));
  loops.subtract(view(difference), constant(a), constant(b));
  loops.scale(view(scaled), b.re[1]);
  for (std::size_t i = 0; i < rows * cols; ++i) {
    const double factor = static_cast<double>(b.re[1]);
    expect_point(sum, i, judge.add(at(a, i), at(b, i)));
    expect_point(difference, i, judge.subtract(at(a, i), at(b, i)));
    expect_point(scaled, i,
                 {judge.multiply(factor, at(a, i).re), judge.multiply(factor, at(a, i).im)});
  }
}

Point schoolbook(RoundedJudge& judge, Point w, Point x) { return judge.multiply(w, x); }
Point two_prod_by_double(RoundedJudge& judge, Point w, Point x) {
  return judge.multiply_two_prod(w, x);
}

}  // namespace

TEST(VectorLoops, RoundEveryStepOnceOnEveryInstructionSet) {
  for (const Isa isa : available_isas())
    for (const bool special : {false, true}) {
      expect_scheme<float>(ProductScheme::plain, fp32, special, isa, schoolbook);
      expect_scheme<float>(ProductScheme::rounded_bf16, bf16, special, isa, schoolbook);
      expect_scheme<double>(ProductScheme::plain, fp64, special, isa, schoolbook);
    }
}

TEST(VectorLoops, TwoProdKeepsTheTailOfEveryProduct) {
  for (const Isa isa : available_isas())
    expect_scheme<float>(ProductScheme::two_prod, fp32, false, isa, two_prod_by_double);
}

/// Every product of bf16 words is one matmul with K = 1 per part; the words are those of x.
TEST(VectorLoops, SplitSchemesSumTheirTermsAsTheMachineAccumulates) {
  constexpr std::size_t order3[][2] = {{0, 0}, {1, 0}, {0, 1}};
  constexpr std::size_t order6[][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
  for (const bool three : {true, false})
    for (const Machine& machine : machines())
      for (const Isa isa : available_isas()) {
        SCOPED_TRACE(::testing::Message() << (three ? "split3" : "split6") << " on " << machine.name
                                          << ", " << name_of(isa));
        Draw<float> draw_bf16(bf16, false), draw(fp32, false);
        const ComplexArray<float> w = draw_bf16.array(2 * rows * cols);  // two words
        ComplexArray<float> x = draw.array(rows * cols);
        const ComplexArray<float> before = x;

        complex_kernels<float>(three ? ProductScheme::split3 : ProductScheme::split6, machine, isa)
            .multiply(view(x), per_element(w));

        TermJudge judge(machine);
        for (std::size_t i = 0; i < rows * cols; ++i) {
          Point truth{};
          for (const auto& [f, d] : three ? std::span<const std::size_t[2]>(order3)
                                          : std::span<const std::size_t[2]>(order6)) {
            const Point term = judge.term(at(w, f * rows * cols + i), judge.word(at(before, i), d));
            truth = f + d == 0 ? term : judge.fp32_judge().add(truth, term);
          }
          expect_point(x, i, truth);
        }
      }
}

TEST(VectorLoops, SplitSchemesTreatSpecialValuesAlikeOnEveryInstructionSet) {
  for (const ProductScheme scheme :
       {ProductScheme::two_prod, ProductScheme::split3, ProductScheme::split6})
    for (const Machine& machine : machines())
      for (const Isa isa : available_isas()) {
        SCOPED_TRACE(::testing::Message() << "scheme " << static_cast<int>(scheme) << " on "
                                          << machine.name << ", " << name_of(isa));
        Draw<float> draw(fp32, true);
        const ComplexArray<float> w = draw.array(2 * rows * cols);  // two words
        ComplexArray<float> top = draw.array(rows * cols), bottom = draw.array(rows * cols);
        ComplexArray<float> other_top = top, other_bottom = bottom;

        complex_kernels<float>(scheme, machine, isa)
            .butterfly(view(top), view(bottom), per_element(w));
        complex_kernels<float>(scheme, machine, Isa::baseline)
            .butterfly(view(other_top), view(other_bottom), per_element(w));

        for (std::size_t i = 0; i < rows * cols; ++i) {
          expect_point(top, i, at(other_top, i));
          expect_point(bottom, i, at(other_bottom, i));
        }
      }
}

TEST(VectorLoops, ReadEachOperandWithItsOwnStride) {
  const ComplexKernels<float> loops =
      complex_kernels<float>(ProductScheme::plain, machines().front(), best_isa());
  Draw<float> draw(fp32, false);
  const ComplexArray<float> a = draw.array(12), b = draw.array(20);
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

}  // namespace fftprec::testing
