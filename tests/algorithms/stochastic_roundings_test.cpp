/// One stochastic rounding per operation: each result is among those that its neighbours allow.
#include <gtest/gtest.h>

#include <set>

#include "tests/algorithms/complex_product.hpp"

namespace fftprec::testing {

namespace {

ScalarArithmetic<float, StochasticStores> subject(std::uint64_t step) {
  return ScalarArithmetic<float, StochasticStores>(bf16, {machine_named("trn-sr"), bf16, step});
}

FactorView<float> factors_of(const ComplexArray<float>& w, std::size_t row_step,
                             std::size_t col_step) {
  return {w.re.data(), w.im.data(), row_step, col_step, w.size()};
}

/// All that one stochastic rounding of each value may give.
std::set<float> stores(const std::set<float>& values) {
  Judge judge(bf16, 64);
  std::set<float> all;
  for (const float value : values)
    for (const Rounding rounding : {Rounding::rd, Rounding::ru})
      all.insert(
          static_cast<float>(judge(Operation::identity, rounding, static_cast<double>(value))));
  return all;
}

std::set<float> sums(const std::set<float>& a, const std::set<float>& b, float sign = 1) {
  std::set<float> all;
  for (const float left : a)
    for (const float right : b) all.insert(left + sign * right);
  return stores(all);
}

struct Parts {
  std::set<float> re, im;
};

Parts product(const Parts& w, const Parts& x) {
  const auto products = [](const std::set<float>& a, const std::set<float>& b) {
    std::set<float> all;
    for (const float left : a)
      for (const float right : b) all.insert(left * right);
    return stores(all);
  };
  return {sums(products(w.re, x.re), products(w.im, x.im), -1),
          sums(products(w.re, x.im), products(w.im, x.re))};
}
Parts operator+(const Parts& a, const Parts& b) { return {sums(a.re, b.re), sums(a.im, b.im)}; }
Parts operator-(const Parts& a, const Parts& b) {
  return {sums(a.re, b.re, -1), sums(a.im, b.im, -1)};
}

Parts parts(const ComplexArray<float>& x, std::size_t i) { return {{x.re[i]}, {x.im[i]}}; }

void expect_among(const ComplexArray<float>& x, std::size_t i, const Parts& allowed,
                  const char* what) {
  EXPECT_TRUE(allowed.re.contains(x.re[i])) << what << ", element " << i << ": " << x.re[i];
  EXPECT_TRUE(allowed.im.contains(x.im[i])) << what << ", element " << i << ": " << x.im[i];
}

}  // namespace

TEST(StochasticStores, EachOperationRoundsOnce) {
  constexpr std::size_t n = 50;
  const auto a = scattered<float>(n, bf16, 3), b = scattered<float>(n, bf16, 4);
  const auto w = scattered<float>(n, bf16, 5);
  ComplexArray<float> top = a, bottom = b;
  const auto reset = [&] {
    top = a;
    bottom = b;
  };
  const auto rows = [](ComplexArray<float>& x) { return view_of(x, 5, 10); };
  const auto each = [&](const char* what, auto expected_top, auto expected_bottom) {
    for (std::size_t i = 0; i < n; ++i) {
      expect_among(top, i, expected_top(parts(a, i), parts(b, i), parts(w, i)), what);
      expect_among(bottom, i, expected_bottom(parts(a, i), parts(b, i), parts(w, i)), what);
    }
    reset();
  };
  const auto of_b = [](const Parts&, const Parts& y, const Parts&) { return y; };
  const auto sum = [](const Parts& x, const Parts& y, const Parts&) { return x + y; };
  const auto difference = [](const Parts& x, const Parts& y, const Parts&) { return x - y; };
  const auto turned = [](const Parts& x) {  // -i x
    Parts result{x.im, {}};
    for (const float part : x.re) result.im.insert(-part);
    return result;
  };

  subject(1).multiply(rows(top), factors_of(w, 10, 1));
  each(
      "multiply", [](const Parts& x, const Parts&, const Parts& f) { return product(f, x); }, of_b);
  subject(2).butterfly(rows(top), rows(bottom), factors_of(w, 10, 1));
  each(
      "butterfly", [](const Parts& x, const Parts& y, const Parts& f) { return x + product(f, y); },
      [](const Parts& x, const Parts& y, const Parts& f) { return x - product(f, y); });
  subject(3).butterfly_dif(rows(top), rows(bottom), factors_of(w, 10, 1));
  each("butterfly_dif", sum,
       [](const Parts& x, const Parts& y, const Parts& f) { return product(f, x - y); });
  subject(4).add(rows(top), rows(top), rows(bottom));
  each("add", sum, of_b);
  subject(5).sum_difference(rows(top), rows(bottom));
  each("sum_difference", sum, difference);
  subject(6).rotated(rows(top), rows(bottom), Direction::forward);
  each(
      "sum_difference_rotated",
      [&](const Parts& x, const Parts& y, const Parts&) { return x + turned(y); },
      [&](const Parts& x, const Parts& y, const Parts&) { return x - turned(y); });
  subject(7).add_turned(rows(top), Direction::forward);
  each(
      "rotate_eighth", [&](const Parts& x, const Parts&, const Parts&) { return x + turned(x); },
      of_b);
  subject(8).add_turned(rows(top), Direction::inverse);
  each(
      "rotate_eighth, conjugate",
      [&](const Parts& x, const Parts&, const Parts&) { return x - turned(x); }, of_b);
  subject(9).multiply_real(rows(top), 0x1.56p-2f);
  each(
      "scale",
      [](const Parts& x, const Parts&, const Parts&) {
        return Parts{stores({*x.re.begin() * 0x1.56p-2f}), stores({*x.im.begin() * 0x1.56p-2f})};
      },
      of_b);
}

}  // namespace fftprec::testing
