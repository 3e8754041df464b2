/// Cycles of the engines and kernel calls at values worked out by hand.
#include <gtest/gtest.h>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/fft/row_column.hpp"
#include "algorithms/fft/split_radix.hpp"
#include "algorithms/fft/stockham.hpp"

namespace fftprec::testing {

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
  EXPECT_EQ(predicted<DftGemm<FastArithmetic>>("fast", 64, 1).cost.cycles.tensor, 4u * 4 * 64);
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
  const EngineCycles cycles = predicted<Radix2Dit<FastArithmetic>>("fast", 1024, 16).cost.cycles;
  EXPECT_EQ(cycles.vector, stages * operations * 2 * (16 * 1024 / 256));
  EXPECT_EQ(cycles.tensor, 0u);
  // 32 butterflies fill a quarter of the lanes, once: ten instructions a stage.
  EXPECT_EQ(predicted<Radix2Dit<FastArithmetic>>("fast", 64, 1).cost.cycles.vector, 6u * 10 * 64);
}

TEST(EngineCycles, TakesAnInstructionForEveryStepOfASumOfProducts) {
  // 16 outputs: 16 steps of 4 products and 2 + 2 sums.
  const Cost cost = predicted<DftGemm<FastArithmetic>>("kahan", 16, 1).cost;
  const std::uint64_t operations = cost.operations.multiplications + cost.operations.additions;
  EXPECT_EQ(cost.cycles.vector, operations / 16 * 64);
}

TEST(EngineCycles, CountsKernelCallsInSeries) {
  const auto calls = [](const ErrorModel& prediction) { return prediction.calls; };
  EXPECT_EQ(calls(predicted<DftGemm<FastArithmetic>>("fast", 64, 1)), (KernelCalls{1, 0}));
  EXPECT_EQ(calls(predicted<DftGemm<FastArithmetic>>("ozaki_hq", 64, 1)), (KernelCalls{6, 0}));
  EXPECT_EQ(calls(predicted<DftGemm<FastArithmetic>>("kahan", 64, 1)), (KernelCalls{0, 1}));
  // The stages and the bit reversal; whatever the batch.
  EXPECT_EQ(calls(predicted<Radix2Dit<FastArithmetic>>("fast", 64, 5)), (KernelCalls{0, 7}));
  using Radix4 = With<Stockham, FastArithmetic, stockham_r4_plan>;
  using Radix8 = With<Stockham, FastArithmetic, stockham_r8_plan>;
  EXPECT_EQ(calls(predicted<Radix4>("fast", 64, 1)), (KernelCalls{0, 6}));
  EXPECT_EQ(calls(predicted<Radix8>("fast", 64, 1)), (KernelCalls{2, 2}));
  // Two stages a size: its sums, and those before the products of its odd half;
  // parts side by side go together.
  EXPECT_EQ(calls(predicted<SplitRadix<FastArithmetic>>("fast", 4, 1)), (KernelCalls{0, 3}));
}

}  // namespace fftprec::testing
