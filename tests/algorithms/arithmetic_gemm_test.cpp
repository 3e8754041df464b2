/// The matrix products of MachineArithmetic, against PSUM tiles filled by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "arith/support/error.hpp"
#include "tests/algorithms/arithmetic_samples.hpp"
#include "tests/support/classic_machines.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

/// All that add products in an order of their own; what else a machine can do wrong is tested
/// elsewhere.
std::vector<NamedMachine> presets_and_small_tiles() {
  std::vector<NamedMachine> all;
  for (const NamedMachine& machine : machines())
    if (machine.faults == Faults{} && machine.casts == Rounding::rne &&
        machine.vector == VectorEngine{})
      all.push_back(machine);
  all.push_back(with_small_tiles(machine_named("trn-rz")));
  all.back().eviction = bf16;
  return all;
}

}  // namespace

/// The transposed product has the columns of the data as its vector direction, and the same bits.
TEST(MachineArithmetic, ProductsOfColumnsAreThoseOfRows) {
  constexpr std::size_t b = 11, k = 21, n = 5;
  const auto check = [&]<class Real>(const Mode& mode, const NamedMachine& machine) {
    SCOPED_TRACE(::testing::Message() << mode.name << " on " << machine.name << ", seed 23");
    const MachineArithmetic<Real> arithmetic(resolve(mode, machine));
    ComplexArray<Real> rows = gaussian<Real>(b * k, storage_format(mode)), columns(k * b);
    for (std::size_t i = 0; i < b; ++i)
      for (std::size_t j = 0; j < k; ++j) {
        columns.re[j * b + i] = rows.re[i * k + j];
        columns.im[j * b + i] = rows.im[i * k + j];
      }
    const TableSpec spec{k * n, root_of_37, {}};
    const auto matrix = arithmetic.matrix(spec, k, Direction::forward, exact_roots());
    const auto factors = arithmetic.factors(spec, Direction::forward, exact_roots());
    ComplexArray<Real> by_rows = garbage<Real>(b * n), by_columns = garbage<Real>(n * b);
    const auto expect_same = [&](const char* what) {
      for (std::size_t i = 0; i < b; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          ASSERT_EQ(by_columns.re[j * b + i], by_rows.re[i * n + j]) << what << i << ", " << j;
          ASSERT_EQ(by_columns.im[j * b + i], by_rows.im[i * n + j]) << what << i << ", " << j;
        }
    };
    arithmetic.gemm(view_of(by_rows, b, n), view_of(rows, b, k), matrix);
    arithmetic.gemm_columns(view_of(by_columns, n, b), matrix, view_of(columns, k, b));
    expect_same("gemm ");
    arithmetic.accumulate(view_of(by_rows, b, n), view_of(rows, b, k), factors.view(0, n, 1));
    arithmetic.accumulate_columns(view_of(by_columns, n, b), factors.view(0, n, 1),
                                  view_of(columns, k, b));
    expect_same("accumulate ");
  };
  for (const Mode& mode : trnfft_modes())
    for (const NamedMachine& machine : presets_and_small_tiles())
      if (!multiplies_matrices(mode, machine))
        continue;
      else if (on_host(mode))
        check.operator()<double>(mode, machine);
      else
        check.operator()<float>(mode, machine);
}

TEST(MachineArithmetic, MatrixProductOnTheHostIsOneChainPerPart) {
  constexpr std::size_t b = 2, k = 150, n = 40;
  const MachineArithmetic<double> arithmetic(resolve(mode_named("double"), machine_named("trn")));
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
        resolve(mode_named("double"), machine_named("nv-hopper{fp64_matmul=fma}")), isa);
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

TEST(MachineArithmetic, MatrixProductOnTheVectorEngineSumsTwoProdsWithAscendingK) {
  constexpr std::size_t k = 30, n = 40;
  const MachineArithmetic<float> arithmetic(resolve(mode_named("kahan"), machine_named("trn")));
  ComplexArray<float> x = gaussian<float>(k, fp32), out = garbage<float>(n);
  const auto table =
      arithmetic.matrix({k * n, root_of_37, {}}, k, Direction::forward, exact_roots());

  arithmetic.gemm(view_of(out, 1, n), view_of(x, 1, k), table);

  for (std::size_t j = 0; j < n; ++j) {
    Complex<float> sum{0, 0};
    for (std::size_t i = 0; i < k; ++i) {
      const Complex<float> w{table.planes.re[i * n + j], table.planes.im[i * n + j]};
      sum = sum + multiply_two_prod(w, Complex<float>{x.re[i], x.im[i]});
    }
    EXPECT_EQ(out.re[j], sum.re) << "output " << j << ", seed 23";
    EXPECT_EQ(out.im[j], sum.im) << "output " << j << ", seed 23";
  }
}

}  // namespace fftprec::testing
