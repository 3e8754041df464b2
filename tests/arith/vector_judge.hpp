/// The judge of elementwise loops: every step of a scheme rounded once by MPFR, and values to try.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/kernels/dispatch.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

struct Point {
  double re;
  double im;
};

/// The words of a table entry, the leading one first.
using Words = std::vector<Point>;

/// Real and complex arithmetic of data in a format on a vector engine.
class VectorJudge {
 public:
  explicit VectorJudge(const Format& storage, const VectorEngine& engine = {})
      : engine_(engine),
        ieee_(IeeeJudge::knows(storage)),
        sums_(storage),
        products_(storage == fp32 ? Format{engine.product_bits, fp32.emin, fp32.emax} : storage),
        exact_(storage, 256) {}

  double add(double a, double b) { return once(sums_, Operation::add, engine_.sum_rounding, a, b); }
  double subtract(double a, double b) {
    return once(sums_, Operation::subtract, engine_.sum_rounding, a, b);
  }
  double multiply(double a, double b) {
    return once(products_, Operation::multiply, engine_.product_rounding, a, b);
  }
  double multiply_add(double a, double b, double c) {
    return once(sums_, Operation::fused, Rounding::rne, a, b, c);
  }
  Point add(Point a, Point b) { return {add(a.re, b.re), add(a.im, b.im)}; }
  Point subtract(Point a, Point b) { return {subtract(a.re, b.re), subtract(a.im, b.im)}; }
  Point multiply(Point w, Point x) {
    if (engine_.fused)
      return {multiply_add(w.re, x.re, -multiply(w.im, x.im)),
              multiply_add(w.re, x.im, multiply(w.im, x.re))};
    return {subtract(multiply(w.re, x.re), multiply(w.im, x.im)),
            add(multiply(w.re, x.im), multiply(w.im, x.re))};
  }

 private:
  double flushed(double x) const {
    return engine_.flush && std::fabs(x) < min_normal(fp32) ? std::copysign(0.0, x) : x;
  }
  double once(IeeeJudge& round, Operation operation, Rounding rounding, double a, double b,
              double c = 0) {
    a = flushed(a);
    b = flushed(b);
    c = flushed(c);
    return flushed(ieee_ ? round(operation, rounding, a, b, c)
                         : exact_(operation, rounding, a, b, c));
  }

  VectorEngine engine_;
  bool ieee_;
  IeeeJudge sums_;
  IeeeJudge products_;
  Judge exact_;
};

/// A value of the format: a special one (zeros, subnormals, the ends of the range, infinities,
/// NaN), one of any exponent, or one within a few binades.
enum class Values { normal, wide, special };

class Draw {
 public:
  Draw(const Format& format, Values values) : format_(format), values_(values) {}

  double operator()() {
    const int precision = format_.precision;
    const double last = std::ldexp(1.0, 1 - precision);
    const bool infinite = format_.overflow == Overflow::infinity;
    const double specials[] = {0,
                               1,
                               1 + last,
                               std::ldexp(1.0, format_.emin) * last,
                               std::ldexp(1 - last, format_.emin),
                               std::ldexp(1.0, format_.emin),
                               std::ldexp(1.0, format_.emin / 2),
                               std::ldexp(1.5, format_.emax / 2),
                               max_finite(format_),
                               infinite ? std::numeric_limits<double>::infinity() : 3,
                               std::numeric_limits<double>::quiet_NaN()};
    const double sign = random_() % 2 == 0 ? 1 : -1;
    if (values_ == Values::special) return sign * specials[random_() % std::size(specials)];
    const int bits = std::min(precision - 1, 32);
    // A quarter has few bits, for ties and exact cancellations.
    const int zeros = random_() % 4 == 0 ? bits * 3 / 4 : 0;
    const double fraction = static_cast<double>((random_() >> (32 - bits)) >> zeros << zeros);
    const int exponent =
        values_ == Values::normal
            ? static_cast<int>(random_() % 8) - 4
            : format_.emin / 2 - 3 + static_cast<int>(random_() % 8);  // products near emin
    return sign * std::ldexp(1 + std::ldexp(fraction, -bits), exponent);
  }
  template <class Real>
  ComplexArray<Real> array(std::size_t size) {
    ComplexArray<Real> x(size);
    for (Real& value : x.re) value = static_cast<Real>((*this)());
    for (Real& value : x.im) value = static_cast<Real>((*this)());
    return x;
  }

 private:
  Format format_;
  Values values_;
  std::mt19937 random_{17};
};

inline const char* name_of(Values values) {
  constexpr const char* names[] = {"normal", "wide", "special"};
  return names[static_cast<int>(values)];
}

// Error-free transforms: by definition, an exact error, or by their formulas, as a test asks.

/// The unevaluated sum high + low.
struct JudgedPair {
  double high;
  double low;
};

/// A product or a sum of fp32 values and its exact error, which double holds for values within a
/// few binades.
inline JudgedPair exact_product(VectorJudge& judge, double a, double b) {
  const double high = judge.multiply(a, b);
  return {high, a * b - high};
}
inline JudgedPair exact_sum(VectorJudge& judge, double a, double b) {
  const double high = judge.add(a, b);
  return {high, (a + b) - high};
}

/// Veltkamp's split and Dekker's product, every operation rounded by the judge.
inline JudgedPair dekker_halves(VectorJudge& judge, double x) {
  const double scaled = judge.multiply(4097, x);
  const double high = judge.subtract(scaled, judge.subtract(scaled, x));
  return {high, judge.subtract(x, high)};
}
inline JudgedPair dekker_product(VectorJudge& judge, double a, double b) {
  const double product = judge.multiply(a, b);
  const JudgedPair x = dekker_halves(judge, a), y = dekker_halves(judge, b);
  double error = judge.subtract(judge.multiply(x.high, y.high), product);
  error = judge.add(error, judge.multiply(x.high, y.low));
  error = judge.add(error, judge.multiply(x.low, y.high));
  return {product, judge.add(error, judge.multiply(x.low, y.low))};
}

}  // namespace fftprec::testing
