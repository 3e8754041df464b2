/// Bounds of table errors against the tables that the algorithms really use.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/bluestein.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/theory/roundings.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::testing {

namespace {

/// Largest |w^ - w| of a table, against roots rounded once to fp64.
double largest_error(const char* source, const TableSpec& table, const Format& format) {
  const RootFunction stored = table_source(source), exact = table_source("exact");
  double largest = 0;
  for (std::size_t i = 0; i < table.size; ++i) {
    const RootIndex root = table.index(i);
    double re = 0;
    double im = 0;
    stored.fill({&root, 1}, format, &re, &im);
    largest = std::max(
        largest, std::abs(std::complex<double>(re, im) - exact(root.exponent(), root.order, fp64)));
  }
  return largest;
}

}  // namespace

/// Not far below it either: a bound that is much too large would say nothing. The errors of a
/// recurrence are random and mostly cancel, so its worst case lies further away.
TEST(TableErrorBound, HoldsForTheTablesOfEveryAlgorithmAndIsNotLoose) {
  for (const char* source :
       {"exact", "fp32-angle", "fp32-reduced", "fp64-angle", "bf16-angle", "recurrence",
        "fp32-angle:order=row-column", "fp64-angle:order=column-row", "fp32-reduced:jitter=2",
        "fp32-angle:jitter=2", "bf16-angle:jitter=2"})
    for (const Format& format : {fp32, bf16, fp8_e4m3})
      for (const std::size_t n : {8u, 64u, 256u})
        for (const TableSpec& table :
             {DftGemm<MachineArithmetic<float>>::matrix_spec(n), radix2_stage(n / 2),
              DftGemm<MachineArithmetic<float>>::matrix_spec(n, AngleOrder::row_column),
              Bluestein<MachineArithmetic<float>>::chirp(n)}) {
          const double bound = table_error_bound(source)(table.extent, format);
          const double error = largest_error(source, table, format);
          SCOPED_TRACE(::testing::Message() << source << " n = " << n << ", " << table.size
                                            << " entries, precision " << format.precision);
          EXPECT_LE(error, bound);
          EXPECT_GE(error, bound / (std::string(source) == "recurrence" ? 500 : 50));
        }
}

TEST(TableErrorBound, HasTheValuesWorkedOutByHand) {
  const TableExtent one_turn{1, 1}, far{1000, 100};
  const double rounding = 0x1p-24 / std::sqrt(2.0), step = 1e-6;
  const auto expect_value = [step](double actual, double by_hand) {
    EXPECT_NEAR(actual, by_hand, step * by_hand);
  };
  expect_value(table_error_bound("exact")(far, fp32), rounding);
  expect_value(table_error_bound("exact")(far, fp64), 0x1p-53 / std::sqrt(2.0));
  // 5.01 u of 2 pi, and the rounding of both parts.
  const double angle = 5.01 * 0x1p-24 * 6.283185307;
  expect_value(table_error_bound("fp32-angle")(one_turn, fp32), angle + rounding);
  expect_value(table_error_bound("fp32-angle")(far, fp32), 1000 * angle + rounding);
  // Two indices: one product and one factor more.
  const TableExtent two{1000, 100, AngleOrder::row_column};
  expect_value(table_error_bound("fp32-angle")(two, fp32), 1000 * angle * 7.01 / 5.01 + rounding);
  expect_value(table_error_bound("fp32-angle:order=product")(two, fp32), 1000 * angle + rounding);
  expect_value(table_error_bound("fp32-angle:order=column-row:jitter=2")(far, fp32),
               1000 * angle * 7.01 / 5.01 + rounding + 0x1p-23);
  expect_value(table_error_bound("fp32-reduced")(far, fp32), angle + rounding);
  expect_value(table_error_bound("bf16-angle")(one_turn, fp32),
               angle + 0x1p-8 * (6.283185307 + angle) + rounding);
  // (1 + sqrt(5) u)(1 + u / sqrt(2)) per product, 100 of them, and one rounding more.
  expect_value(table_error_bound("recurrence")(far, fp32),
               std::expm1(100 * (std::sqrt(5.0) * 0x1p-24 + rounding)) + rounding);
  // Narrower formats round once more.
  expect_value(table_error_bound("fp32-angle")(one_turn, bf16),
               angle + rounding + (1 + angle + rounding) * 0x1p-8 / std::sqrt(2.0));
}

}  // namespace fftprec::testing
