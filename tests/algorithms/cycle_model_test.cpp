/// Times of the cycle model at values worked out by hand.
#include "algorithms/theory/cycle_model.hpp"

#include <gtest/gtest.h>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/fft/row_column.hpp"
#include "algorithms/fft/split_radix.hpp"
#include "algorithms/fft/stockham.hpp"
#include "arith/support/error.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec::testing {

namespace {

using Arithmetic = MachineArithmetic<float>;

template <class Algorithm>
Prediction predicted(const char* mode, std::size_t n, std::size_t batch) {
  const Predictor predictor(resolve(mode_named(mode), machine_named("trn")), Direction::forward,
                            {});
  return Algorithm::predict(predictor, n, batch);
}

DeviceTime time_of(const Prediction& prediction, std::uint64_t n, std::uint64_t batch,
                   const LaunchTimes& launch = {}, const Format& storage = fp32) {
  return device_time(prediction, n, batch, storage, generation_named("trn1"), launch);
}

}  // namespace

TEST(CycleModel, MovesEveryRowPastTheStationaryBlocks) {
  // 4 real matmuls of 4 fp32 passes, each at least as long as its 64 stationary columns.
  EXPECT_DOUBLE_EQ(time_of(predicted<DftGemm<Arithmetic>>("fast", 64, 1), 64, 1).tensor_ns,
                   4 * 4 * 64 / 2.8);
  // 16 stationary columns take no longer than 16 rows; bf16 takes one pass, ozaki three.
  EXPECT_DOUBLE_EQ(time_of(predicted<DftGemm<Arithmetic>>("bf16", 16, 1), 16, 1).tensor_ns,
                   4 * 16 / 2.8);
  EXPECT_DOUBLE_EQ(time_of(predicted<DftGemm<Arithmetic>>("ozaki", 64, 100), 64, 100).tensor_ns,
                   4 * 3 * 100 / 2.8);
  // Two K-tiles, two blocks of 128 outputs, 512 rows and one more.
  EXPECT_DOUBLE_EQ(time_of(predicted<DftGemm<Arithmetic>>("bf16", 256, 513), 256, 513).tensor_ns,
                   4 * 2 * 2 * (512 + 64) / 2.8);
}

TEST(CycleModel, CopiesEveryPartOutOfPsumAtOneColumnACycle) {
  // Two parts, two blocks of 128 outputs; an instruction takes at least 64 cycles.
  const auto vector_ns = [](const char* mode, std::size_t batch) {
    return time_of(predicted<DftGemm<Arithmetic>>(mode, 256, batch), 256, batch).vector_ns;
  };
  EXPECT_DOUBLE_EQ(vector_ns("bf16", 3), 2 * 2 * 64 / 1.12);
  EXPECT_DOUBLE_EQ(vector_ns("bf16", 100), 2 * 2 * 100 / 1.12);
  EXPECT_DOUBLE_EQ(vector_ns("bf16", 513), 2 * 2 * (512 + 64) / 1.12);
  // Three terms leave PSUM by themselves; two sums of both parts remain.
  EXPECT_DOUBLE_EQ(vector_ns("ozaki", 100),
                   (3 * 2 * 2 * 100 + 2.0 * 2 * (2 * 256 * 100 / 128)) / 1.12);
}

TEST(CycleModel, TakesTwoCyclesForEachTwoInputOperationOnTheVectorEngine) {
  const std::size_t n = 1024;
  const std::size_t batch = 16;
  const double stages = 10;
  const double operations = 10;
  const DeviceTime time = time_of(predicted<Radix2Dit<Arithmetic>>("fast", n, batch), n, batch);
  EXPECT_DOUBLE_EQ(time.vector_ns, stages * operations * 2 * (16.0 * 1024 / 256) / 1.12);
  EXPECT_EQ(time.tensor_ns, 0);
  // 32 butterflies fill a quarter of the lanes, once: ten instructions a stage.
  const DeviceTime small = time_of(predicted<Radix2Dit<Arithmetic>>("fast", 64, 1), 64, 1);
  EXPECT_DOUBLE_EQ(small.vector_ns, 6 * 10 * 64 / 1.12);
}

TEST(CycleModel, TakesAnInstructionForEveryStepOfASumOfProducts) {
  // 16 outputs: 16 steps of 4 products and 2 + 2 sums.
  const Prediction prediction = predicted<DftGemm<Arithmetic>>("kahan", 16, 1);
  const auto operations = static_cast<double>(prediction.cost.operations.multiplications +
                                              prediction.cost.operations.additions);
  EXPECT_DOUBLE_EQ(time_of(prediction, 16, 1).vector_ns, operations / 16 * 64 / 1.12);
}

TEST(CycleModel, CountsKernelCallsInSeries) {
  const auto calls = [](const Prediction& prediction) { return prediction.calls; };
  EXPECT_EQ(calls(predicted<DftGemm<Arithmetic>>("fast", 64, 1)), (KernelCalls{1, 0}));
  EXPECT_EQ(calls(predicted<DftGemm<Arithmetic>>("ozaki_hq", 64, 1)), (KernelCalls{6, 0}));
  EXPECT_EQ(calls(predicted<DftGemm<Arithmetic>>("kahan", 64, 1)), (KernelCalls{0, 1}));
  // The stages and the bit reversal; whatever the batch.
  EXPECT_EQ(calls(predicted<Radix2Dit<Arithmetic>>("fast", 64, 5)), (KernelCalls{0, 7}));
  using Radix4 = Stockham<Arithmetic, stockham_r4_plan>;
  using Radix8 = Stockham<Arithmetic, stockham_r8_plan>;
  EXPECT_EQ(calls(predicted<Radix4>("fast", 64, 1)), (KernelCalls{0, 6}));
  EXPECT_EQ(calls(predicted<Radix8>("fast", 64, 1)), (KernelCalls{2, 2}));
  // Two stages a size: its sums, and those before the products of its odd half; parts side by side
  // go together.
  EXPECT_EQ(calls(predicted<SplitRadix<Arithmetic>>("fast", 4, 1)), (KernelCalls{0, 3}));
}

TEST(CycleModel, MovesTheDataForEveryCallAndEveryTableOnce) {
  const Prediction prediction = predicted<Radix2Dit<Arithmetic>>("fast", 64, 3);
  const double array = 2 * 4 * 64 * 3;
  const double table = 2 * 4.0 * static_cast<double>(prediction.table_entries);
  ASSERT_GT(prediction.table_entries, 0u);
  EXPECT_DOUBLE_EQ(time_of(prediction, 64, 3).dma_ns,
                   7 * (1300 + 2 * array / (16 * 17)) + table / (16 * 17));
  EXPECT_DOUBLE_EQ(time_of(prediction, 64, 3, {}, bf16).dma_ns,
                   7 * (1300 + array / (16 * 17)) + table / 2 / (16 * 17));
}

TEST(CycleModel, LaunchesEachKindOfCallAndTheChainOnce) {
  const LaunchTimes launch{.chain_ns = 1e6, .tensor_ns = 1e3, .vector_ns = 1};
  const auto launched = [&](const Prediction& prediction) {
    return time_of(prediction, 64, 1, launch).launch_ns;
  };
  EXPECT_EQ(launched(predicted<DftGemm<Arithmetic>>("ozaki", 64, 1)), 3e3);
  using Radix8 = Stockham<Arithmetic, stockham_r8_plan>;
  EXPECT_EQ(launched(predicted<Radix8>("fast", 64, 1)), 1e6 + 2e3 + 2);
  EXPECT_EQ(launched({}), 1);  // elementwise products alone are a call
  const DeviceTime parts{.tensor_ns = 1, .vector_ns = 2, .dma_ns = 4, .launch_ns = 8};
  EXPECT_EQ(parts.total_ns(), 15);
}

TEST(CycleModel, KnowsTheGenerationsAndTheBytesOfFormats) {
  EXPECT_EQ(generations().size(), 3u);
  EXPECT_EQ(generation_named("trn2").core, "NeuronCore v3");
  EXPECT_EQ(error_text([] { generation_named("trn4"); }),
            "unknown generation 'trn4'; did you mean 'trn1'?; known: trn1, trn2, trn3");
  EXPECT_EQ(storage_bytes(fp64), 8u);
  EXPECT_EQ(storage_bytes(fp32), 4u);
  EXPECT_EQ(storage_bytes(tf32), 4u);
  EXPECT_EQ(storage_bytes(bf16), 2u);
  EXPECT_EQ(storage_bytes(fp16), 2u);
  EXPECT_EQ(storage_bytes(fp8_e5m2), 1u);
  EXPECT_EQ(storage_bytes(fp8_e4m3fn), 1u);
}

}  // namespace fftprec::testing
