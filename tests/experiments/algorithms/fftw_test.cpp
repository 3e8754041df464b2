/// FFTW behind the common type: the DFT, in its own precision, in one mode each.
#include "experiments/algorithms/fftw.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "experiments/inputs/inputs.hpp"
#include "tests/experiments/algorithms/peer_runs.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

ComplexArray<double> impulse(std::size_t n, std::size_t place) {
  ComplexArray<double> x(n);
  x.re[place] = 1;
  x.im[place] = 0.25;
  return x;
}

}  // namespace

TEST(FftwPeer, IsTheDftOfEveryImpulse) {
  for (const Direction direction : {Direction::forward, Direction::inverse})
    for (const std::size_t n : {1u, 2u, 3u, 8u, 12u, 31u})
      for (std::size_t place = 0; place < n; ++place) {
        const ComplexArray<double> x = impulse(n, place);
        SCOPED_TRACE(::testing::Message() << "n = " << n << ", impulse at " << place);
        EXPECT_LE(error_of_peer<float>(fftw_f32(), n, direction, x), generous(fp32));
        EXPECT_LE(error_of_peer<double>(fftw_f64(), n, direction, x), generous(fp64));
        EXPECT_LE(error_of_peer<double>(fftw_f128(), n, direction, x), generous(fp64));
      }
}

TEST(FftwPeer, InQuadIsTheTruthRoundedOnce) {
  for (const Direction direction : {Direction::forward, Direction::inverse})
    for (const std::size_t n : {64u, 500u, 1009u})
      EXPECT_LE(error_of_peer<double>(fftw_f128(), n, direction, make_input("gaussian", n, 2, 1)),
                unit_roundoff(fp64))
          << "n = " << n << ", seed 1";
}

TEST(FftwPeer, TransformsEveryRowOfABatchAlone) {
  EXPECT_TRUE(expect_bits_of_single_items({.transform = "ifft",
                                           .algorithm = "fftw-f32",
                                           .mode = "fp32",
                                           .n = 12,
                                           .batch = 3,
                                           .seed = 2}));
}

TEST(FftwPeer, PlansInSeveralThreads) {
  constexpr std::size_t lengths[] = {96, 100, 128, 250};
  ComplexArray<float> results[4];
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round)
        results[i] = run_peer<float>(fftw_f32(), lengths[i], Direction::forward,
                                     make_input("gaussian", lengths[i], 1, 3));
    });
  for (std::thread& thread : threads) thread.join();

  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(results[i], run_peer<float>(fftw_f32(), lengths[i], Direction::forward,
                                          make_input("gaussian", lengths[i], 1, 3)))
        << "n = " << lengths[i] << ", seed 3";
}

TEST(FftwPeer, StandsForOneModeWithItsOwnTables) {
  for (const Mode& mode : trnfft_modes())
    for (const AlgorithmEntry& peer : {fftw_f32(), fftw_f64(), fftw_f128()}) {
      const std::string its = peer.name == "fftw-f32" ? "fp32" : "fp64";
      EXPECT_EQ(peer.inapplicable(mode, "exact"),
                mode.name == its ? "" : peer.name + " stands for mode " + its + " alone");
      if (mode.name == its) {
        EXPECT_EQ(peer.inapplicable(mode, "fp32-angle"), peer.name + " has its own tables");
      }
    }
}

TEST(FftwPeer, RefusesTheOtherCarrierAndLengthZero) {
  const ComplexArray<double> x = impulse(4, 0);
  EXPECT_THROW(run_peer<double>(fftw_f32(), 4, Direction::forward, x), NotApplicable);
  EXPECT_THROW(run_peer<float>(fftw_f64(), 4, Direction::forward, x), NotApplicable);
  EXPECT_THROW(run_peer<float>(fftw_f128(), 4, Direction::forward, x), NotApplicable);
  EXPECT_EQ(fftw_f32().model.unsupported(0), "fftw-f32 needs 1 <= n < 2^31, got 0");
  EXPECT_EQ(fftw_f32().model.unsupported(std::size_t{1} << 31),
            "fftw-f32 needs 1 <= n < 2^31, got 2147483648");
  EXPECT_EQ(fftw_f32().model.unsupported(997), "");
}

}  // namespace fftprec::testing
