/// av_tx behind the common type: the DFT in float, double and 32-bit integers, at the lengths that
/// it has an FFT for, and what the integers do at the ends of their range.
#include "experiments/algorithms/ffmpeg.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "experiments/inputs/inputs.hpp"
#include "tests/experiments/algorithms/peer_runs.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {

namespace {

constexpr double ulp = 0x1p-31;  ///< between two integers

/// Those up to 100.
std::vector<std::size_t> lengths_of(const AlgorithmEntry& peer) {
  std::vector<std::size_t> lengths;
  for (std::size_t n = 1; n <= 100; ++n)
    if (peer.model.unsupported(n).empty()) lengths.push_back(n);
  return lengths;
}

/// Gaussian values on the grid of 2^-31. No sum of a transform reaches 1: its deviation is 2^-4.
ComplexArray<double> integers(std::size_t n, std::size_t batch, std::uint64_t seed) {
  ComplexArray<double> x = make_input("gaussian", n, batch, seed);
  const double factor = 0x1p-4 / std::sqrt(static_cast<double>(n));
  for (AlignedVector<double>* part : {&x.re, &x.im})
    for (double& value : *part) value = std::nearbyint(value * factor / ulp) * ulp;
  return x;
}

}  // namespace

TEST(FfmpegPeer, IsTheDftInFloatAndDouble) {
  for (const std::size_t n : lengths_of(ffmpeg_f64()))
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const ComplexArray<double> x = make_input("gaussian", n, 2, 1);
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", seed 1");
      EXPECT_LE(error_of_peer<float>(ffmpeg_f32(), n, direction, x), generous(fp32));
      EXPECT_LE(error_of_peer<double>(ffmpeg_f64(), n, direction, x), generous(fp64));
    }
}

TEST(FfmpegPeer, IsTheDftAtItsLongestLengths) {
  for (const std::size_t n : {1u << 17, 7u << 13, 9u << 13}) {
    const ComplexArray<double> x = integers(n, 1, 1);
    SCOPED_TRACE(::testing::Message() << "n = " << n << ", seed 1");
    EXPECT_LE(error_of_peer<float>(ffmpeg_f32(), n, Direction::forward, x), generous(fp32));
    EXPECT_LE(error_of_peer<double>(ffmpeg_i32(), n, Direction::forward, x), generous(fp32));
  }
}

TEST(FfmpegPeer, IsTheDftInIntegersToThePrecisionOfItsTables) {
  for (const std::size_t n : lengths_of(ffmpeg_i32())) {
    const ComplexArray<double> x = integers(n, 2, 2);
    EXPECT_LE(error_of_peer<double>(ffmpeg_i32(), n, Direction::forward, x), generous(fp32)) << n;
    // Divided by n it is near 2^-4 / n, and its last rounding within half an ulp.
    const double of_the_end = ulp * static_cast<double>(n) / 0x1p-4;
    EXPECT_LE(error_of_peer<double>(ffmpeg_i32(), n, Direction::inverse, x),
              generous(fp32) + of_the_end)
        << n;
  }
}

/// Four points need no product: every bit tells what av_tx got, and what it gave.
TEST(FfmpegPeer, TakesAndGivesEveryBitOfAnInteger) {
  ComplexArray<double> x(4);
  x.re = {0.5 - ulp, ulp, -0.25, 3 * ulp};
  x.im = {-1, 1 - ulp, 0, -7 * ulp};

  const ComplexArray<double> forward = run_peer<double>(ffmpeg_i32(), 4, Direction::forward, x);
  const ComplexArray<double> two_backward =
      run_peer<double>(ffmpeg_i32(), 2, Direction::inverse, x);

  EXPECT_EQ(forward.re[0], 0.25 + 3 * ulp);
  EXPECT_EQ(forward.im[0], -8 * ulp);
  EXPECT_EQ(forward.re[2], 0.25 - 5 * ulp);
  EXPECT_EQ(two_backward.re[0], 0.25);
  EXPECT_EQ(two_backward.re[1], 0.25 - ulp);
  EXPECT_EQ(two_backward.im[0], 0);                 // -1/2 ulp
  EXPECT_EQ(two_backward.re[2], -0.125 + 2 * ulp);  // -2^28 + 3/2
  EXPECT_EQ(two_backward.im[2], -4 * ulp);          // -7/2
}

TEST(FfmpegPeer, WrapsWhereASumOfIntegersLeavesTheirRange) {
  ComplexArray<double> x(2);
  x.re = {0.5 + 5 * ulp, 0.5 + 5 * ulp};

  EXPECT_EQ(run_peer<double>(ffmpeg_i32(), 2, Direction::forward, x).re[0], -1 + 10 * ulp);
}

TEST(FfmpegPeer, RefusesDataThatAreNoIntegers) {
  for (const double value : {1.0, -1 - ulp, ulp / 2, std::nan("")}) {
    ComplexArray<double> x(2);
    x.im[1] = value;
    EXPECT_THROW(run_peer<double>(ffmpeg_i32(), 2, Direction::forward, x), InputError) << value;
  }
}

TEST(FfmpegPeer, TransformsEveryRowOfABatchAlone) {
  EXPECT_TRUE(expect_bits_of_single_items({.transform = "ifft",
                                           .algorithm = "ffmpeg-f32",
                                           .mode = "fp32",
                                           .n = 24,
                                           .batch = 3,
                                           .seed = 2}));
}

TEST(FfmpegPeer, OneTransformServesSeveralThreads) {
  constexpr std::size_t n = 240;  // compound: with scratch memory
  const MachineArithmetic<double> arithmetic(resolve(mode_named("fp64"), machine_named("trn")));
  const auto fft = ffmpeg_f64().make.in<MachineArithmetic<double>>()(
      arithmetic, n, Direction::forward, table_source("exact"));
  ComplexArray<double> results[4];
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 200; ++round) {
        results[i] = make_input("gaussian", n, 1, i);
        fft(arithmetic, results[i]);
      }
    });
  for (std::thread& thread : threads) thread.join();

  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(results[i], run_peer<double>(ffmpeg_f64(), n, Direction::forward,
                                           make_input("gaussian", n, 1, i)))
        << "seed " << i;
}

TEST(FfmpegPeer, StandsForOneModeWithItsOwnTables) {
  for (const auto& [peer, its] :
       {std::pair{ffmpeg_f32(), "fp32"}, {ffmpeg_f64(), "fp64"}, {ffmpeg_i32(), "q1.31"}}) {
    EXPECT_EQ(peer.inapplicable(mode_named(its), "exact"), "");
    EXPECT_EQ(peer.inapplicable(mode_named("bf16"), "exact"),
              peer.name + " stands for mode " + its + " alone");
    EXPECT_EQ(peer.inapplicable(mode_named(its), "fp32-angle"), peer.name + " has its own tables");
  }
  EXPECT_THROW(run_peer<float>(ffmpeg_i32(), 4, Direction::forward, integers(4, 1, 1)),
               NotApplicable);
}

TEST(FfmpegPeer, SaysWhichLengthsItTakes) {
  for (const std::size_t n : {0u, 3u, 11u, 22u, 45u, 1u << 18, 3u << 14, 15u << 14})
    EXPECT_EQ(ffmpeg_f64().model.unsupported(n),
              "ffmpeg-f64 needs n = 2^k, k <= 17, or 3, 5, 7, 9, 15 times 2^k, 1 <= k <= 13, got " +
                  std::to_string(n));
  for (const std::size_t n : {6u, 12u, 30u, 240u})
    EXPECT_THAT(ffmpeg_i32().model.unsupported(n), holds("or 5, 7, 9 times 2^k"));
  for (const std::size_t n : {1u, 10u, 18u, 1u << 17, 9u << 13})
    EXPECT_EQ(ffmpeg_i32().model.unsupported(n), "");
}

}  // namespace fftprec::testing
