/// The elementwise operations of MachineArithmetic one by one, against the plain scalar arithmetic.
#include <gtest/gtest.h>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "arith/formats/emulated.hpp"
#include "tests/algorithms/arithmetic_samples.hpp"

namespace fftprec::testing {

namespace {

/// Formats without loops of their own. Of 20 bits many results would not survive a rounding to fp32
/// before their own; the range of the other begins where products are small.
using Long = Emulated<Format{20, -126, 127}>;
using Short = Emulated<Format{5, -3, 4, true, Overflow::saturate}>;
constexpr const char* long_mode = "custom(p=20,emin=-126,emax=127)";
constexpr const char* short_mode = "custom(p=5,emin=-3,emax=4,overflow=saturate)";

/// multiply with a factor per element (col_step 1) or per row (0), on a window of a larger array.
template <class T>
void expect_same_products(const char* mode, std::size_t row_step, std::size_t col_step) {
  using Real = typename T::carrier_type;
  constexpr std::size_t rows = 3, cols = 37, stride = 50;
  const MachineArithmetic<Real> fast(resolve(mode_named(mode), machine_named("trn")));
  const ScalarArithmetic<T> plain(T::format);
  ComplexArray<Real> x = gaussian<Real>(rows * stride, T::format);
  ComplexArray<T> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    expected.re[i] = T::from_carrier(x.re[i]);
    expected.im[i] = T::from_carrier(x.im[i]);
  }
  const auto table = fast.factors({rows * cols, root_of_37, {}}, Direction::inverse, exact_roots());
  const auto plain_table =
      plain.factors({rows * cols, root_of_37, {}}, Direction::inverse, exact_roots());

  fast.multiply({x.re.data(), x.im.data(), rows, cols, stride}, table.view(0, row_step, col_step));
  plain.multiply({expected.re.data(), expected.im.data(), rows, cols, stride},
                 plain_table.view(0, row_step, col_step));

  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(x.re[i], expected.re[i].carrier()) << mode << ", element " << i << ", seed 23";
    ASSERT_EQ(x.im[i], expected.im[i].carrier()) << mode << ", element " << i << ", seed 23";
  }
}

}  // namespace

TEST(MachineArithmetic, MultipliesLikeTheScalarDefinition) {
  for (const bool per_element : {true, false}) {
    const std::size_t row_step = per_element ? 37 : 1, col_step = per_element ? 1 : 0;
    expect_same_products<Bf16>("bf16", row_step, col_step);
    expect_same_products<Fp32>("fast", row_step, col_step);
    expect_same_products<Fp64>("double", row_step, col_step);
    expect_same_products<Long>(long_mode, row_step, col_step);
    expect_same_products<Short>(short_mode, row_step, col_step);
  }
}

/// What moves data between rows without a table, against the plain scalar arithmetic.
template <class T>
void expect_same_butterflies(const char* mode, Direction direction) {
  using Real = typename T::carrier_type;
  constexpr std::size_t rows = 3, cols = 37;
  const MachineArithmetic<Real> fast(resolve(mode_named(mode), machine_named("trn")));
  const ScalarArithmetic<T> plain(T::format);
  ComplexArray<Real> x = gaussian<Real>(2 * rows * cols, T::format);
  ComplexArray<T> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    expected.re[i] = T::from_carrier(x.re[i]);
    expected.im[i] = T::from_carrier(x.im[i]);
  }
  const TableSpec spec{rows * cols, root_of_37, {}};
  const auto table = fast.factors(spec, direction, exact_roots());
  const auto plain_table = plain.factors(spec, direction, exact_roots());
  const auto each = [&](auto step) {
    step(fast, view_of(x, 2 * rows, cols), table);
    step(plain, view_of(expected, 2 * rows, cols), plain_table);
  };
  each([](const auto& arithmetic, auto all, const auto& w) {
    arithmetic.butterfly_dif(all.middle_rows(0, rows), all.middle_rows(rows, rows),
                             w.view(0, cols, 1));
  });
  each([](const auto& arithmetic, auto all, const auto& w) {
    arithmetic.butterfly_dif(all.middle_rows(0, rows), all.middle_rows(rows, rows),
                             w.view(0, 1, 0));
  });
  each([](const auto& arithmetic, auto all, const auto&) {
    arithmetic.sum_difference(all.middle_rows(1, 2), all.middle_rows(4, 2));
  });
  each([direction](const auto& arithmetic, auto all, const auto&) {
    arithmetic.rotated(all.middle_rows(0, 2), all.middle_rows(3, 2), direction);
  });
  each([](const auto& arithmetic, auto all, const auto&) {
    arithmetic.add(all.middle_rows(5, 1), all.middle_rows(5, 1), all.middle_rows(2, 1));
  });
  each([direction](const auto& arithmetic, auto all, const auto&) {
    const auto factor = arithmetic.eighth_factor(exact_roots());
    arithmetic.multiply_eighth(all.middle_rows(1, 1), factor, false, direction);
    arithmetic.multiply_eighth(all.middle_rows(2, 1), factor, true, direction);
  });
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(x.re[i], expected.re[i].carrier()) << mode << ", element " << i << ", seed 23";
    ASSERT_EQ(x.im[i], expected.im[i].carrier()) << mode << ", element " << i << ", seed 23";
  }
}

TEST(MachineArithmetic, CombinesRowsLikeTheScalarDefinition) {
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    expect_same_butterflies<Bf16>("bf16", direction);
    expect_same_butterflies<Fp32>("fast", direction);
    expect_same_butterflies<Fp64>("double", direction);
    expect_same_butterflies<Long>(long_mode, direction);
    expect_same_butterflies<Short>(short_mode, direction);
  }
}

/// exp(-+i pi/4) x and exp(-+3 i pi/4) x in values where nothing rounds but the factor.
TEST(MachineArithmetic, TurnsByAnEighth) {
  const auto c = static_cast<float>(exact_roots()(1, 8, fp32).real());
  for (const char* mode : {"fast", "kahan", "ozaki_hq"})
    for (const bool odd : {false, true})
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const MachineArithmetic<float> arithmetic(resolve(mode_named(mode), machine_named("trn")));
        ComplexArray<float> x(1);
        x.re[0] = 1;
        arithmetic.multiply_eighth(view_of(x, 1, 1), arithmetic.eighth_factor(exact_roots()), odd,
                                   direction);
        // ozaki_hq keeps 17 bits of the factor.
        const float tolerance = std::string_view(mode) == "ozaki_hq" ? 0x1p-17f : 0;
        EXPECT_NEAR(x.re[0], odd ? -c : c, tolerance) << mode;
        EXPECT_NEAR(x.im[0], direction == Direction::forward ? -c : c, tolerance) << mode;
      }
}

TEST(MachineArithmetic, ScalesByTheRoundedReciprocal) {
  const NamedMachine& trn = machine_named("trn");
  ComplexArray<float> x(1);
  const auto scaled = [&](const char* mode, auto scale) {
    x.re[0] = 5;
    x.im[0] = 7;
    (MachineArithmetic<float>(resolve(mode_named(mode), trn)).*scale)(view_of(x, 1, 1),
                                                                      Dft(Direction::inverse), 3);
    return std::pair(x.re[0], x.im[0]);
  };
  using Arithmetic = MachineArithmetic<float>;
  // fl(1/3) is 0x1.56p-2 in bf16; each product rounds to bf16 too.
  EXPECT_EQ(scaled("bf16", &Arithmetic::scale), std::pair(0x1.acp0f, 0x1.2cp1f));
  const float third = 1.0f / 3.0f;
  EXPECT_EQ(scaled("bf16", &Arithmetic::scale_product), std::pair(5 * third, 7 * third));
  EXPECT_EQ(scaled("fast", &Arithmetic::scale), std::pair(5 * third, 7 * third));
}

TEST(MachineArithmetic, TakesSumsOfResultsInTheCarriersOwnFormat) {
  const MachineArithmetic<float> bf16_arithmetic(
      resolve(mode_named("bf16_refined"), machine_named("trn")));
  ComplexArray<float> x(1), y(1);
  x.re[0] = 1;
  y.re[0] = 0x1p-20f;

  bf16_arithmetic.subtract_wide(x, y);
  EXPECT_EQ(y.re[0], 1 - 0x1p-20f);
  bf16_arithmetic.add_wide(x, y);
  EXPECT_EQ(x.re[0], 2 - 0x1p-20f);
}

}  // namespace fftprec::testing
