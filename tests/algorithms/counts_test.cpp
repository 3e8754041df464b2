/// Operation counts: a rounding lost or doubled anywhere in a transform fails here.
#include <gtest/gtest.h>

#include "algorithms/costs.hpp"
#include "algorithms/dft_gemm.hpp"
#include "algorithms/machine_arithmetic.hpp"
#include "algorithms/radix2.hpp"
#include "arith/counting.hpp"
#include "arith/kernels/loops.hpp"
#include "arith/kernels/matmul.hpp"
#include "tests/algorithms/test_roots.hpp"

namespace fftprec::testing {

namespace {

struct CountingTag;

/// The operations counted by Counting<T>, which has one set of counters per T.
OperationCounts counted() {
  const OperationCounts a = Counting<float>::counts, b = Counting<Bf16>::counts,
                        c = Counting<double>::counts;
  return {a.multiplications + b.multiplications + c.multiplications,
          a.additions + b.additions + c.additions, a.conversions + b.conversions + c.conversions};
}

void reset() {
  Counting<float>::counts = {};
  Counting<Bf16>::counts = {};
  Counting<double>::counts = {};
}

template <class T, class Product>
auto complex_kernels() {
  using Scheme = Loops<CountingTag, Counting<T>, Product>;
  using Element = ElementLoops<CountingTag, Counting<T>>;
  return ComplexKernels<typename Carrier<T>::type>{
      Scheme::multiply, Scheme::butterfly, Scheme::multiply_accumulate,
      Element::add,     Element::subtract, Element::scale};
}

template <class Model>
KernelSet<float> float_kernels(const Mode& mode, const Machine& machine) {
  KernelSet<float> set{};
  set.wide = complex_kernels<float, PlainProduct>();
  set.scheme = set.wide;
  if (mode.product == ProductScheme::rounded_bf16)
    set.scheme = complex_kernels<Bf16, PlainProduct>();
  if (mode.product == ProductScheme::two_prod)
    set.scheme = complex_kernels<float, TwoProdProduct>();
  if (mode.product == ProductScheme::split3)
    set.scheme = complex_kernels<float, SplitProduct<SplitThree, Model>>();
  if (mode.product == ProductScheme::split6)
    set.scheme = complex_kernels<float, SplitProduct<SplitSix, Model>>();
  using Plain = Accumulator<ProductRounding::none, AccumulatorRounding::rne>;
  const bool wide = gemm_scheme(mode, machine).wide_operands;
  using T = Counting<float>;
  if (machine.across_tiles == AcrossTiles::through)
    set.matmul = TileLoops<CountingTag, T, Plain, AcrossTiles::through>::matmul;
  else
    set.matmul = wide ? TileLoops<CountingTag, T, Plain, AcrossTiles::tile_then_add>::matmul
                      : TileLoops<CountingTag, T, Model, AcrossTiles::tile_then_add>::matmul;
  return set;
}

KernelSet<float> float_kernels(const Mode& mode, const Machine& machine) {
  using enum ProductRounding;
  constexpr auto rne = AccumulatorRounding::rne;
  if (machine.product == bf16_rne) return float_kernels<Accumulator<bf16_rne, rne>>(mode, machine);
  if (machine.accumulator == rne) return float_kernels<Accumulator<none, rne>>(mode, machine);
  return float_kernels<Accumulator<none, AccumulatorRounding::rz>>(mode, machine);
}

KernelSet<double> double_kernels() {
  using Plain = Accumulator<ProductRounding::none, AccumulatorRounding::rne>;
  const auto complex = complex_kernels<double, PlainProduct>();
  return {complex, complex,
          TileLoops<CountingTag, Counting<double>, Plain, AcrossTiles::through>::matmul};
}

template <template <class> class Algorithm, class Real>
OperationCounts count(const Mode& mode, const Machine& machine, KernelSet<Real> kernels,
                      std::size_t n, std::size_t batch) {
  const MachineArithmetic<Real> arithmetic(mode, machine, kernels);
  const Algorithm<MachineArithmetic<Real>> algorithm(arithmetic, n, Direction::forward,
                                                     exact_roots());
  ComplexArray<Real> x(n * batch);
  for (std::size_t i = 0; i < x.size(); ++i) x.re[i] = static_cast<Real>(i % 7) - 3;
  reset();
  algorithm.transform(arithmetic, x);
  return counted();
}

template <template <class> class Algorithm>
OperationCounts count(const Mode& mode, const Machine& machine, std::size_t n, std::size_t batch) {
  if (on_host(mode)) return count<Algorithm>(mode, machine, double_kernels(), n, batch);
  return count<Algorithm>(mode, machine, float_kernels(mode, machine), n, batch);
}

void expect_equal(const OperationCounts& counts, const OperationCounts& formula) {
  EXPECT_EQ(counts.multiplications, formula.multiplications);
  EXPECT_EQ(counts.additions, formula.additions);
  EXPECT_EQ(counts.conversions, formula.conversions);
}

}  // namespace

TEST(OperationCounts, Radix2DitEqualsItsFormulaInEveryModeOnEveryMachine) {
  for (const Mode& mode : modes())
    for (const Machine& machine : machines())
      for (const std::size_t n : {1u, 2u, 8u, 32u, 256u}) {
        SCOPED_TRACE(::testing::Message() << mode.name << " on " << machine.name << ", n = " << n);
        expect_equal(count<Radix2Dit>(mode, machine, n, 2),
                     radix2_dit_cost(n, 2, mode, machine).operations);
      }
}

TEST(OperationCounts, DftGemmEqualsItsFormulaInEveryModeOnEveryMachine) {
  for (const Mode& mode : modes())
    for (const Machine& machine : machines())
      for (const std::size_t n : {1u, 5u, 64u, 130u, 300u}) {
        SCOPED_TRACE(::testing::Message() << mode.name << " on " << machine.name << ", n = " << n);
        expect_equal(count<DftGemm>(mode, machine, n, 3),
                     dft_gemm_cost(n, 3, mode, machine).operations);
      }
}

TEST(OperationCounts, AButterflyHasTenRoundings) {
  const Cost cost = radix2_dit_cost(2, 1, mode_named("fast"), machine_named("trn"));
  EXPECT_EQ(cost.operations.multiplications + cost.operations.additions, 10u);
}

TEST(OperationCounts, ATwoProdTakesSeventeenOperations) {
  Counting<float>::counts = {};
  two_prod(Counting<float>(3.0), Counting<float>(5.0));
  EXPECT_EQ(Counting<float>::counts, (OperationCounts{7, 10, 0}));
}

TEST(OperationCounts, PassesFollowTheTilesOfTheMachine) {
  const Machine& trn = machine_named("trn");
  EXPECT_EQ(dft_gemm_cost(64, 1, mode_named("bf16"), trn).matmul_passes, 4u);
  EXPECT_EQ(dft_gemm_cost(64, 1, mode_named("fast"), trn).matmul_passes, 16u);
  EXPECT_EQ(dft_gemm_cost(64, 1, mode_named("ozaki"), trn).matmul_passes, 12u);
  EXPECT_EQ(dft_gemm_cost(256, 513, mode_named("bf16"), trn).matmul_passes, 4u * 2 * 2 * 2);
  EXPECT_EQ(dft_gemm_cost(64, 1, mode_named("kahan"), trn).matmul_passes, 0u);
  EXPECT_EQ(dft_gemm_cost(64, 1, mode_named("double"), trn).matmul_passes, 0u);
}

TEST(OperationCounts, MacsAreProductsOfWords) {
  const Machine& trn = machine_named("trn");
  EXPECT_EQ(dft_gemm_cost(64, 2, mode_named("bf16"), trn).mac_count, 4u * 64 * 64 * 2);
  EXPECT_EQ(dft_gemm_cost(64, 2, mode_named("fast"), trn).mac_count, 16u * 64 * 64 * 2);
  EXPECT_EQ(dft_gemm_cost(64, 2, mode_named("ozaki"), trn).mac_count, 12u * 64 * 64 * 2);
  EXPECT_EQ(radix2_dit_cost(8, 2, mode_named("kahan"), trn).mac_count, 4u * 12 * 2);
  EXPECT_EQ(radix2_dit_cost(8, 2, mode_named("ozaki_hq"), trn).mac_count, 24u * 12 * 2);
}

}  // namespace fftprec::testing
