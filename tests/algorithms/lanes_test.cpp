/// The reference arithmetic on lanes against itself on one element after the other, bit for bit.
#include "algorithms/arithmetic/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "algorithms/arithmetic/scalar_arithmetic.hpp"

namespace fftprec::testing {

namespace {

/// Rows of whole lanes and a rest, and lanes across short rows.
struct Shape {
  std::size_t rows;
  std::size_t cols;
};
constexpr Shape shapes[] = {{3, 2 * Lanes<double>::width + 7}, {9, 5}};
constexpr std::size_t stride = shapes[0].cols + 2;

/// Values of the format, zeros and what infinity becomes among them.
template <class Stored>
ComplexArray<Stored> values(const Format& format, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  ComplexArray<Stored> x(shapes[1].rows * stride);
  for (auto* part : {&x.re, &x.im})
    for (Stored& value : *part) {
      double drawn = std::ldexp(normal(random), static_cast<int>(random() % 21) - 10);
      if (random() % 50 == 0) drawn = 0;
      if (random() % 97 == 0) drawn = std::numeric_limits<double>::infinity();
      value = static_cast<Stored>(round(drawn, format, Rounding::rne));
    }
  return x;
}

template <class Stored>
View<Stored> view(ComplexArray<Stored>& x, const Shape& shape) {
  return {x.re.data(), x.im.data(), shape.rows, shape.cols, stride};
}

template <class Stored>
void expect_same(const ComplexArray<Stored>& got, const ComplexArray<Stored>& expected,
                 const std::string& what) {
  const auto same = [](Stored a, Stored b) {
    return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
  };
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE(same(got.re[i], expected.re[i]) && same(got.im[i], expected.im[i]))
        << what << ", element " << i << ": " << got.re[i] << " + i " << got.im[i] << ", not "
        << expected.re[i] << " + i " << expected.im[i] << ", seeds 1 to 3";
}

/// Runs each operation by both arithmetics, on every instruction set.
template <class One, class Stored>
void compare(const Format& format, const Cast& cast, const Shape& shape, const std::string& of) {
  using OnLanes = ScalarArithmetic<Lanes<One>, CastStores, Stored>;
  using Alone = ScalarArithmetic<One, CastStores, Stored>;
  const ComplexArray<Stored> a = values<Stored>(format, 1), b = values<Stored>(format, 2);
  const ComplexArray<Stored> w = values<Stored>(format, 3);
  const auto check = [&](const char* name, std::size_t step, auto work) {
    const FactorView<Stored> factors{w.re.data(), w.im.data(), step == 0 ? 1 : stride, step,
                                     w.size()};
    const auto run = [&](const auto& arithmetic) {
      std::pair result(a, b);
      work(arithmetic, view(result.first, shape), view(result.second, shape), factors);
      return result;
    };
    const auto expected = run(Alone(format, CastStores(cast, format)));
    for (const Isa isa : available_isas()) {
      const auto got = run(OnLanes(format, CastStores(cast, format, isa)));
      const std::string what = of + ", " + name + ", " + std::string(name_of(isa));
      expect_same(got.first, expected.first, what);
      expect_same(got.second, expected.second, what);
    }
  };
  for (const std::size_t step : {std::size_t{0}, std::size_t{1}}) {
    check("multiply", step, [](auto& by, auto x, auto, auto f) { by.multiply(x, f); });
    check("butterfly", step, [](auto& by, auto x, auto y, auto f) { by.butterfly(x, y, f); });
    check("butterfly_dif", step,
          [](auto& by, auto x, auto y, auto f) { by.butterfly_dif(x, y, f); });
    check("fused", step, [](auto& by, auto x, auto y, auto f) { by.fused(x, y, f); });
  }
  check("sum_difference", 1, [](auto& by, auto x, auto y, auto) { by.sum_difference(x, y); });
  check("rotated", 1, [](auto& by, auto x, auto y, auto) { by.rotated(x, y, Direction::inverse); });
  check("add_turned", 1,
        [](auto& by, auto x, auto, auto) { by.add_turned(x, Direction::forward); });
  check("multiply_real", 1, [&](auto& by, auto x, auto, auto) { by.multiply_real(x, b.re[1]); });
  check("add", 1, [](auto& by, auto x, auto y, auto) { by.add(x, x, y); });
  check("accumulate", 1,
        [](auto& by, auto x, auto y, auto f) { by.accumulate(x, y.middle_cols(0, 3), f); });
  check("accumulate_columns", 1,
        [](auto& by, auto x, auto y, auto f) { by.accumulate_columns(x, f, y); });
}

}  // namespace

TEST(Lanes, RoundAsOneElementAfterTheOther) {
  for (const char* name :
       {"bf16", "fp8_e4m3fn", "posit16", "takum8", "binary8p4se", "custom(p=12,emin=-20,emax=30)"})
    for (const Rounding rounding :
         {Rounding::rne, Rounding::rz, Rounding::ru, Rounding::odd, Rounding::sr})
      for (const Shape& shape : shapes)
        compare<double, float>(format_named(name), {rounding, {.bits = 20, .seed = 7, .stream = 3}},
                               shape, name + std::string(", ") + std::string(name_of(rounding)));
}

TEST(Lanes, RoundExactResultsOfWideNumbers) {
  for (const char* name : {"takum32", "posit32"})
    for (const Shape& shape : shapes)
      compare<OddDouble, double>(format_named(name), {}, shape, name);
}

}  // namespace fftprec::testing
