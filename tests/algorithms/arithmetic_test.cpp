/// The operations of MachineArithmetic one by one, against the plain scalar arithmetic, and
/// products of matrices on the host.
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

/// Every operation on a window or on rows of an array, against the plain scalar arithmetic.
template <class T>
void expect_same_operations(const char* mode, Direction direction) {
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
  for (const bool per_element : {true, false}) {
    const std::size_t row_step = per_element ? cols : 1, col_step = per_element ? 1 : 0;
    each([=](const auto& arithmetic, auto all, const auto& w) {
      arithmetic.multiply(all.middle_rows(0, rows).middle_cols(2, 30),
                          w.view(0, row_step, col_step));
    });
    each([=](const auto& arithmetic, auto all, const auto& w) {
      arithmetic.butterfly_dif(all.middle_rows(0, rows), all.middle_rows(rows, rows),
                               w.view(0, row_step, col_step));
    });
  }
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

}  // namespace

/// What has loops of its own is judged in tests/arith.
TEST(MachineArithmetic, OperatesLikeTheScalarDefinitionInFormatsWithoutLoops) {
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    expect_same_operations<Long>(long_mode, direction);
    expect_same_operations<Short>(short_mode, direction);
  }
}

/// exp(-+i pi/4) x and exp(-+3 i pi/4) x in values where nothing rounds but the factor.
TEST(MachineArithmetic, TurnsByAnEighth) {
  const auto c = static_cast<float>(exact_roots()(1, 8, fp32).real());
  for (const char* mode : {"fp32", "kahan", "ozaki_hq"})
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
  const Machine& trn = machine_named("trn");
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
  EXPECT_EQ(scaled("fp32", &Arithmetic::scale), std::pair(5 * third, 7 * third));
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

TEST(MachineArithmetic, MatrixProductOnTheHostIsOneChainPerPart) {
  constexpr std::size_t b = 2, k = 150, n = 40;
  const MachineArithmetic<double> arithmetic(resolve(mode_named("fp64"), machine_named("trn")));
  const ScalarArithmetic<double> plain(fp64);  // all Xr Wr, then all Xi (-Wi), k ascending
  ComplexArray<double> x = gaussian<double>(b * k, fp64), out = garbage<double>(b * n);
  ComplexArray<double> expected(b * n);
  const auto table = plain.matrix({k * n, root_of_37, {}}, k, Direction::forward, exact_roots());

  arithmetic.gemm(view_of(out, b, n), view_of(x, b, k), table);
  plain.gemm(view_of(expected, b, n), view_of(x, b, k), table);

  EXPECT_EQ(out, expected);
}

/// (1 + 2^-30)^2 is 1 + 2^-29 in fp64, and 2^-60 more in a fused sum.
TEST(MachineArithmetic, MatrixProductOfFmasKeepsProductsWholeInOneChainPerPart) {
  constexpr std::size_t b = 2, k = 150, n = 40;
  const ScalarArithmetic<double> plain(fp64);
  ComplexArray<double> x = gaussian<double>(b * k, fp64), out(b * n), expected(b * n);
  const auto table = plain.matrix({k * n, root_of_37, {}}, k, Direction::forward, exact_roots());
  const auto chain = [&](std::size_t i, std::size_t j, const auto& of_real, const auto& of_imag,
                         double sign) {
    double sum = 0;
    for (std::size_t l = 0; l < k; ++l) sum = std::fma(x.re[i * k + l], of_real[l * n + j], sum);
    for (std::size_t l = 0; l < k; ++l)
      sum = std::fma(sign * x.im[i * k + l], of_imag[l * n + j], sum);
    return sum;
  };
  const auto& w = table.planes;
  for (std::size_t i = 0; i < b; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      expected.re[i * n + j] = chain(i, j, w.re, w.im, -1);
      expected.im[i * n + j] = chain(i, j, w.im, w.re, 1);
    }

  for (const Isa isa : available_isas()) {
    const MachineArithmetic<double> fused(
        resolve(mode_named("fp64"), machine_named("nv-hopper{fp64_matmul=fma}")), isa);
    fused.gemm(view_of(out, b, n), view_of(x, b, k), table);
    EXPECT_EQ(out, expected) << name_of(isa);
    const double a[] = {-(1 + 0x1p-29), 1 + 0x1p-30}, c[] = {1, 1 + 0x1p-30};
    for (const bool by_fma : {false, true}) {
      double sum = 0;
      Matmul<double> call{};
      call.stationary = a;
      call.moving = c;
      call.psum = &sum;
      call.stationary_k = call.stationary_m = call.moving_stride = call.psum_stride = 1;
      call.m = call.n = 1;
      call.k = 2;
      host_matmul(by_fma, isa)(call);
      EXPECT_EQ(sum, by_fma ? 0x1p-60 : 0) << name_of(isa);
    }
  }
}

}  // namespace fftprec::testing
