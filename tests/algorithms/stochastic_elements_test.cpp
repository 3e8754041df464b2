/// Elementwise operations with stochastic stores: one rounding an operation, among the values that
/// its neighbours allow, no bias, exact where results are, and bits that follow from seed, step and
/// place.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "tests/algorithms/complex_product.hpp"
#include "tests/support/element_operations.hpp"

namespace fftprec::testing {

namespace {

Machine seeded(std::uint64_t seed) {
  Machine machine = machine_named("trn-sr");
  machine.stochastic_seed = seed;
  return machine;
}

ScalarArithmetic<float, CastStores> subject(std::uint64_t step, std::uint64_t seed = 7) {
  return ScalarArithmetic<float, CastStores>(bf16, {cast_of(seeded(seed), step), bf16});
}

FactorView<float> factors_of(const ComplexArray<float>& w, std::size_t row_step,
                             std::size_t col_step) {
  return {w.re.data(), w.im.data(), row_step, col_step, w.size()};
}

ComplexArray<float> filled(std::size_t size, float re, float im) {
  ComplexArray<float> x(size);
  std::fill(x.re.begin(), x.re.end(), re);
  std::fill(x.im.begin(), x.im.end(), im);
  return x;
}

/// The mean of the values lies within 4 sigma of `expected`, sigma from the values themselves.
void expect_mean(const AlignedVector<float>& values, double expected) {
  const double count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const float value : values) {
    const double distance = static_cast<double>(value) - expected;
    sum += distance;
    squares += distance * distance;
  }
  const double mean = sum / count, variance = squares / count - mean * mean;
  EXPECT_GT(variance, 0) << "nothing was rounded at random";
  EXPECT_LE(std::fabs(mean), 4 * std::sqrt(variance / count))
      << values.size() << " trials around " << expected << ", seed 7";
}

/// Integers below 4, whose products and sums bf16 holds.
ComplexArray<float> small_integers(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> from(-3, 3);
  ComplexArray<float> x(size);
  for (auto* part : {&x.re, &x.im})
    for (float& value : *part) value = static_cast<float>(from(random));
  return x;
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
/// What each_element_operation asks.
struct AllowedParts {
  Parts product(const Parts& w, const Parts& x) { return testing::product(w, x); }
  Parts add(const Parts& a, const Parts& b) { return {sums(a.re, b.re), sums(a.im, b.im)}; }
  Parts subtract(const Parts& a, const Parts& b) {
    return {sums(a.re, b.re, -1), sums(a.im, b.im, -1)};
  }
  Parts turned(const Parts& x) {
    Parts result{x.im, {}};
    for (const float part : x.re) result.im.insert(-part);
    return result;
  }
  Parts scaled(const Parts& x) {
    return {stores({*x.re.begin() * 0x1.56p-2f}), stores({*x.im.begin() * 0x1.56p-2f})};
  }
};

/// The operations by the names of each_element_operation.
struct Calls {
  ScalarArithmetic<float, CastStores> subject;
  using V = View<float>;
  using W = FactorView<float>;

  void multiply(V x, W w) { subject.multiply(x, w); }
  void butterfly(V x, V y, W w) { subject.butterfly(x, y, w); }
  void butterfly_dif(V x, V y, W w) { subject.butterfly_dif(x, y, w); }
  void add(V x, V y) { subject.add(x, x, y); }
  void sum_difference(V x, V y) { subject.sum_difference(x, y); }
  void sum_difference_rotated(V x, V y) { subject.rotated(x, y, Direction::forward); }
  void rotate_eighth(V x, bool conjugate) {
    subject.add_turned(x, conjugate ? Direction::inverse : Direction::forward);
  }
  void scale(V x) { subject.multiply_real(x, 0x1.56p-2f); }
};

Parts parts(const ComplexArray<float>& x, std::size_t i) { return {{x.re[i]}, {x.im[i]}}; }

void expect_among(const ComplexArray<float>& x, std::size_t i, const Parts& allowed,
                  const char* what) {
  EXPECT_TRUE(allowed.re.contains(x.re[i])) << what << ", element " << i << ": " << x.re[i];
  EXPECT_TRUE(allowed.im.contains(x.im[i])) << what << ", element " << i << ": " << x.im[i];
}

}  // namespace

/// One random bit: a quarter of a unit rounds up in variant b alone, 3/8 in b and c; each half of
/// the time.
TEST(StochasticStores, DrawAsTheVariantSays) {
  for (const auto& [variant, quarter, more] :
       {std::tuple{"a", false, false}, {"b", true, true}, {"c", false, true}}) {
    const Machine machine =
        machine_named("trn{casts=sr,sr.bits=1,sr.variant=" + std::string(variant) + "}");
    for (const auto& [value, rounds_up] : {std::pair{1 + 0x1p-9, quarter}, {1 + 0x3p-10, more}}) {
      int ups = 0;
      for (std::uint64_t counter = 0; counter < 1000; ++counter)
        ups += cast_to(value, bf16, cast_of(machine, 3), counter) > 1;
      EXPECT_NEAR(ups, rounds_up ? 500 : 0, rounds_up ? 64 : 0) << variant << " " << value;
    }
  }
}

TEST(StochasticStores, EachOperationRoundsOnce) {
  constexpr std::size_t n = 50;
  const auto a = scattered<float>(n, bf16, 3), b = scattered<float>(n, bf16, 4);
  const auto w = scattered<float>(n, bf16, 5);
  const auto rows = [](ComplexArray<float>& x) { return view_of(x, 5, 10); };
  std::uint64_t step = 0;
  each_element_operation([&](const char* name, bool, auto call, auto element) {
    ComplexArray<float> top = a, bottom = b;
    Calls calls{subject(++step)};
    call(calls, rows(top), rows(bottom), factors_of(w, 10, 1));
    AllowedParts judge;
    for (std::size_t i = 0; i < n; ++i) {
      Parts x = parts(a, i), y = parts(b, i);
      element(judge, x, y, parts(w, i));
      expect_among(top, i, x, name);
      expect_among(bottom, i, y, name);
    }
  });
}

TEST(StochasticStores, ProductsAndSumsHaveNoBias) {
  constexpr std::size_t steps = 10, size = 100000;
  const float wr = 0x1.36p0f, wi = 0x1.94p-1f, xr = 0x1.9ap0f, xi = 0x1.52p0f;
  const ComplexArray<float> w = filled(1, wr, wi);
  ComplexArray<float> products(steps * size), added(steps * size), scaled(steps * size);
  for (std::size_t step = 0; step < steps; ++step) {
    const auto at = [step](ComplexArray<float>& x) {
      return View<float>{x.re.data() + step * size, x.im.data() + step * size, 100, 1000, 1000};
    };
    const auto fill = [](View<float> x, float re, float im) {
      std::fill_n(x.re, size, re);
      std::fill_n(x.im, size, im);
    };
    fill(at(products), xr, xi);
    subject(step).multiply(at(products), factors_of(w, 0, 0));
    fill(at(added), xr, xi);
    ComplexArray<float> other = filled(size, 0x1.54p-4f, 0x1.02p-7f);
    subject(step).add(at(added), at(added), view_of(other, 100, 1000));
    fill(at(scaled), xr, xi);
    subject(step).multiply_real(at(scaled), 0x1.56p-2f);
  }
  const double wide_wr = static_cast<double>(wr), wide_wi = static_cast<double>(wi);
  const double wide_xr = static_cast<double>(xr), wide_xi = static_cast<double>(xi);
  expect_mean(products.re, wide_wr * wide_xr - wide_wi * wide_xi);
  expect_mean(products.im, wide_wr * wide_xi + wide_wi * wide_xr);
  expect_mean(added.re, wide_xr + 0x1.54p-4);
  expect_mean(added.im, wide_xi + 0x1.02p-7);
  expect_mean(scaled.re, wide_xr * 0x1.56p-2);
  expect_mean(scaled.im, wide_xi * 0x1.56p-2);
}

/// Sums of 4 products each, all below 2^8: (4 x 6) += (4 x 4)(4 x 6) and the transposed form.
TEST(StochasticStores, ExactSumsOfProductsAreThoseOfThePlainLoops) {
  constexpr std::size_t rows = 4, cols = 6, n = rows * cols;
  const auto plain =
      kernel_set<float>(resolve(mode_named("bf16"), machine_named("trn")), best_isa()).scheme;
  const auto a = small_integers(n, 3), w = small_integers(n, 5);
  ComplexArray<float> b = small_integers(n, 4), sum = a, expected = a;
  const FactorView<float> factors = factors_of(w, cols, 1);
  const View<float> x = view_of(b, rows, cols), to = view_of(sum, rows, cols);

  subject(1).accumulate(to, x.middle_cols(0, 4), factors);
  plain.multiply_accumulate(view_of(expected, rows, cols), x.middle_cols(0, 4), factors);
  EXPECT_EQ(sum, expected);
  subject(1).accumulate_columns(to, factors, x);
  plain.accumulate_columns(view_of(expected, rows, cols), factors, x);
  EXPECT_EQ(sum, expected);
}

/// The place of an element is that within its view: a view cut at the end keeps its bits, one that
/// starts later does not, and the distance of rows does not count.
TEST(StochasticStores, BitsFollowFromSeedStepAndPlaceInTheView) {
  constexpr std::size_t rows = 6, cols = 50, n = rows * cols;
  const auto x = scattered<float>(n, bf16, 3), y = scattered<float>(n, bf16, 4);
  const auto add = [&](std::size_t first_row, std::size_t count, std::uint64_t seed,
                       std::uint64_t step) {
    ComplexArray<float> out = x, other = y;
    const View<float> at = view_of(out, rows, cols).middle_rows(first_row, count);
    subject(step, seed).add(at, at, view_of(other, rows, cols).middle_rows(first_row, count));
    return packed(at);
  };
  const auto whole = add(0, rows, 7, 1);
  EXPECT_EQ(add(0, rows, 7, 1), whole);
  EXPECT_NE(add(0, rows, 7, 2), whole);
  EXPECT_NE(add(0, rows, 8, 1), whole);
  EXPECT_EQ(packed(view_of(const_cast<ComplexArray<float>&>(whole), rows, cols).middle_rows(0, 2)),
            add(0, 2, 7, 1));
  EXPECT_NE(packed(view_of(const_cast<ComplexArray<float>&>(whole), rows, cols).middle_rows(3, 3)),
            add(3, 3, 7, 1));

  Padded<float> wide(x, rows, cols), other(y, rows, cols);
  subject(1).add(wide.view(), wide.view(), other.view());
  EXPECT_EQ(packed(wide.view()), whole);
}

TEST(StochasticStores, AnArithmeticTakesFreshBitsForEveryCallAndTheSameInEveryRun) {
  constexpr std::size_t rows = 4, cols = 32, n = rows * cols;
  const auto run = [&](std::uint64_t seed) {
    const MachineArithmetic<float> arithmetic(resolve(mode_named("bf16"), seeded(seed)));
    const ComplexArray<double> given = scattered<double>(n, fp64, 3);
    auto x = arithmetic.stored(given);
    const auto again = arithmetic.stored(given);
    EXPECT_NE(x, again) << "seed " << seed;
    const auto w = arithmetic.factors_of(scattered<float>(n, bf16, 4));
    const auto view = view_of(x, rows, cols);
    arithmetic.multiply(view, w.view(0, cols, 1));
    arithmetic.butterfly(view.middle_rows(0, 2), view.middle_rows(2, 2), w.view(0, cols, 1));
    arithmetic.multiply_eighth(view, w, true, Direction::forward);
    arithmetic.rotated(view.middle_rows(0, 2), view.middle_rows(2, 2), Direction::inverse);
    arithmetic.scale(view, Direction::inverse, 3);
    return x;
  };
  const auto first = run(0);
  EXPECT_EQ(run(0), first);
  EXPECT_NE(run(1), first);
  const auto expected = scattered<double>(n, fp64, 3);
  const auto stored =
      MachineArithmetic<float>(resolve(mode_named("bf16"), seeded(0))).stored(expected);
  for (std::size_t i = 0; i < n; ++i) {
    Judge judge(bf16, 64);
    const double below = judge(Operation::identity, Rounding::rd, expected.re[i]);
    const double above = judge(Operation::identity, Rounding::ru, expected.re[i]);
    const double value = static_cast<double>(stored.re[i]);
    EXPECT_TRUE(value == below || value == above) << value << " of " << expected.re[i];
  }
}

TEST(StochasticStores, PartsAndNeighboursHaveRandomBitsOfTheirOwn) {
  constexpr std::size_t rows = 50, cols = 40, n = rows * cols;
  const auto one = filled(n, 1, 1);
  const auto check = [&](const char* what, float below, auto operation) {
    ComplexArray<float> top = one, bottom = filled(n, 0x1p-8f, 0x1p-8f);  // sums half way
    operation(view_of(top, rows, cols), view_of(bottom, rows, cols));
    expect_own_bits(top, below, what);
  };
  using V = View<float>;
  check("add", 1, [](V x, V y) { subject(1).add(x, x, y); });
  check("sum_difference", 1, [](V x, V y) { subject(1).sum_difference(x, y); });
  check("butterfly", 1, [](V x, V y) {
    const ComplexArray<float> w = filled(1, 1, 0);
    subject(1).butterfly(x, y, factors_of(w, 0, 0));
  });
  check("scale", 1.5f + 0x1p-7f, [](V x, V) {
    std::fill_n(x.re, n, 1 + 0x1p-7f);
    std::fill_n(x.im, n, 1 + 0x1p-7f);
    subject(1).multiply_real(x, 1.5f);  // 1.5 + 1.5 2^-7
  });
}

}  // namespace fftprec::testing
