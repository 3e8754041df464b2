/// Costs at values counted by hand: operations, passes, cycles of the engines, kernel calls. That
/// every algorithm's formula equals what it does is tested for all of them together
/// (tests/experiments/algorithms/algorithm_counts_test.cpp).
#include <gtest/gtest.h>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/fft/split_radix.hpp"
#include "algorithms/fft/stockham.hpp"
#include "algorithms/theory/costs.hpp"
#include "algorithms/theory/engines.hpp"
#include "algorithms/theory/schemes.hpp"
#include "arith/formats/eft.hpp"
#include "arith/support/error.hpp"
#include "tests/support/counting.hpp"

namespace fftprec::testing {

namespace {

Cost gemm_cost(std::uint64_t n, std::uint64_t batch, const ArithmeticSpec& arithmetic) {
  return engine_theory(arithmetic)->cost(n, n, batch);
}

std::uint64_t multiplications_of_product(const char* mode) {
  const ArithmeticSpec arithmetic = resolve(mode_named(mode), machine_named("trn"));
  return scheme_theory(arithmetic)->product_cost().real_multiplications;
}

}  // namespace

TEST(OperationCounts, ATwoProdTakesSeventeenOperations) {
  Counting<float>::counts = {};
  two_prod(Counting<float>(3.0), Counting<float>(5.0));
  EXPECT_EQ(Counting<float>::counts, (OperationCounts{7, 10, 0}));
}

/// 4 real products, as many passes as words have products, and a multiplication for each product of
/// words.
TEST(OperationCounts, PassesFollowTilesAndWords) {
  struct Passes {
    const char* mode;
    const char* machine;
    std::size_t n, batch;
    std::uint64_t count;
  };
  for (const auto& [mode, machine, n, batch, count] :
       {Passes{"bf16", "trn", 64, 2, 4},
        {"fp32", "trn", 64, 2, 16},
        {"ozaki", "trn", 64, 2, 12},
        {"bf16", "trn", 256, 513, 4 * 2 * 2 * 2},
        {"kahan", "trn", 64, 1, 0},
        {"fp64", "trn", 64, 1, 0},
        {"fp32", "trn{fp32_matmul=three_of_12}", 64, 1, 12},
        {"fp32", "trn-autocast", 64, 1, 4},
        {"fp32", "nv-hopper", 64, 1, 4},
        {"fp32", "tpu-high", 64, 1, 12},
        {"fp32", "tpu-highest", 64, 1, 24}}) {
    const Cost cost = gemm_cost(n, batch, resolve(mode_named(mode), machine_named(machine)));
    EXPECT_EQ(cost.matmul_passes, count) << mode << " on " << machine;
    if (n == 64 && count > 0) {
      EXPECT_EQ(cost.real_multiplications, count * n * n * batch) << mode << " on " << machine;
    }
  }
  EXPECT_EQ(multiplications_of_product("kahan"), 4u);
  EXPECT_EQ(multiplications_of_product("ozaki_hq"), 24u);
}

TEST(OperationCounts, OfSlicesCountEveryKeptProductAndItsSums) {
  const Machine& trn = machine_named("trn");
  // 6 products of slices in 4 real matmuls each; per part and element 64 products and sums in two
  // matmuls, of which the second joins a PSUM; then 5 sums of terms.
  const Cost cost = gemm_cost(64, 1, resolve(mode_named("slices:3x3"), trn));
  EXPECT_EQ(cost.matmul_passes, 24u);
  EXPECT_EQ(cost.real_multiplications, 24u * 64 * 64);
  EXPECT_EQ(cost.operations, (OperationCounts{24 * 64 * 64, 24 * 64 * 64 + 2 * 64 * (6 + 5), 0}));
  // Two K-tiles, one after the other into PSUM, or each by itself.
  const auto additions = [&](const char* mode) {
    return gemm_cost(256, 1, resolve(mode_named(mode), trn)).operations.additions - 24u * 256 * 256;
  };
  EXPECT_EQ(additions("slices:3x3"), 2u * 256 * (6 * 3 + 5));
  EXPECT_EQ(additions("slices:3x3:tiles"), 2u * 256 * (6 * 2 * 1 + 11));
}

TEST(OperationCounts, OfResiduesCountOneProductPerModulus) {
  const Cost cost =
      gemm_cost(64, 1, resolve(mode_named("ozaki2:14"), machine_named("trn{integer.bits=32}")));
  EXPECT_EQ(cost.matmul_passes, 4u * 14);
  EXPECT_EQ(cost.real_multiplications, 4u * 14 * 64 * 64);
  EXPECT_THROW(gemm_cost(64, 1, resolve(mode_named("ozaki2:14"), machine_named("trn"))),
               NotApplicable);
}

namespace {

using FastArithmetic = MachineArithmetic<float>;

template <class Algorithm>
ErrorModel predicted(const char* mode, std::size_t n, std::size_t batch) {
  const Predictor predictor(resolve(mode_named(mode), machine_named("trn")), Direction::forward,
                            {});
  return Algorithm::predict(predictor, n, batch);
}

}  // namespace

TEST(EngineCycles, MovesEveryRowPastTheStationaryBlocks) {
  // 4 real matmuls of 4 fp32 passes, each at least as long as its 64 stationary
  // columns.
  EXPECT_EQ(predicted<DftGemm<FastArithmetic>>("fp32", 64, 1).cost.cycles.tensor, 4u * 4 * 64);
  // 16 stationary columns take no longer than 16 rows; bf16 takes one pass,
  // ozaki three.
  EXPECT_EQ(predicted<DftGemm<FastArithmetic>>("bf16", 16, 1).cost.cycles.tensor, 4u * 16);
  EXPECT_EQ(predicted<DftGemm<FastArithmetic>>("ozaki", 64, 100).cost.cycles.tensor, 4u * 3 * 100);
  // Two K-tiles, two blocks of 128 outputs, 512 rows and one more.
  EXPECT_EQ(predicted<DftGemm<FastArithmetic>>("bf16", 256, 513).cost.cycles.tensor,
            4u * 2 * 2 * (512 + 64));
}

TEST(EngineCycles, CopiesEveryPartOutOfPsumAtOneColumnACycle) {
  // Two parts, two blocks of 128 outputs; an instruction takes at least 64
  // cycles.
  const auto vector = [](const char* mode, std::size_t batch) {
    return predicted<DftGemm<FastArithmetic>>(mode, 256, batch).cost.cycles.vector;
  };
  EXPECT_EQ(vector("bf16", 3), 2u * 2 * 64);
  EXPECT_EQ(vector("bf16", 100), 2u * 2 * 100);
  EXPECT_EQ(vector("bf16", 513), 2u * 2 * (512 + 64));
  // Three terms leave PSUM by themselves; two sums of both parts remain.
  EXPECT_EQ(vector("ozaki", 100), 3u * 2 * 2 * 100 + 2 * 2 * (2 * 256 * 100 / 128));
}

TEST(EngineCycles, TakesTwoCyclesForEachTwoInputOperationOnTheVectorEngine) {
  const std::size_t stages = 10;
  const std::size_t operations = 10;
  const EngineCycles cycles = predicted<Radix2Dit<FastArithmetic>>("fp32", 1024, 16).cost.cycles;
  EXPECT_EQ(cycles.vector, stages * operations * 2 * (16 * 1024 / 256));
  EXPECT_EQ(cycles.tensor, 0u);
  // 32 butterflies fill a quarter of the lanes, once: ten instructions a stage.
  EXPECT_EQ(predicted<Radix2Dit<FastArithmetic>>("fp32", 64, 1).cost.cycles.vector, 6u * 10 * 64);
}

TEST(EngineCycles, TakesAnInstructionForEveryStepOfASumOfProducts) {
  // 16 outputs: 16 steps of 4 products and 2 + 2 sums.
  const Cost cost = predicted<DftGemm<FastArithmetic>>("kahan", 16, 1).cost;
  const std::uint64_t operations = cost.operations.multiplications + cost.operations.additions;
  EXPECT_EQ(cost.cycles.vector, operations / 16 * 64);
}

TEST(EngineCycles, CountsKernelCallsInSeries) {
  const auto calls = [](const ErrorModel& prediction) { return prediction.calls; };
  EXPECT_EQ(calls(predicted<DftGemm<FastArithmetic>>("fp32", 64, 1)), (KernelCalls{1, 0}));
  EXPECT_EQ(calls(predicted<DftGemm<FastArithmetic>>("ozaki_hq", 64, 1)), (KernelCalls{6, 0}));
  EXPECT_EQ(calls(predicted<DftGemm<FastArithmetic>>("kahan", 64, 1)), (KernelCalls{0, 1}));
  // The stages and the bit reversal; whatever the batch.
  EXPECT_EQ(calls(predicted<Radix2Dit<FastArithmetic>>("fp32", 64, 5)), (KernelCalls{0, 7}));
  using Radix4 = With<Stockham, FastArithmetic, stockham_r4_plan>;
  using Radix8 = With<Stockham, FastArithmetic, stockham_r8_plan>;
  EXPECT_EQ(calls(predicted<Radix4>("fp32", 64, 1)), (KernelCalls{0, 6}));
  EXPECT_EQ(calls(predicted<Radix8>("fp32", 64, 1)), (KernelCalls{2, 2}));
  // Two stages a size: its sums, and those before the products of its odd half;
  // parts side by side go together.
  EXPECT_EQ(calls(predicted<SplitRadix<FastArithmetic>>("fp32", 4, 1)), (KernelCalls{0, 3}));
}

}  // namespace fftprec::testing
