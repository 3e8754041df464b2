/// Launch times fitted to latencies, and the latencies themselves.
#include "experiments/devices/latencies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "arith/support/error.hpp"
#include "experiments/devices/case_time.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec::testing {

namespace {

double time_us(const Latency& latency, const LaunchTimes& launch) {
  const Case where{
      .algorithm = latency.algorithm, .mode = latency.mode, .n = latency.n, .batch = latency.batch};
  return case_time(where, resolve(where), generation_named(latency.generation), launch).total_ns() /
         1e3;
}

/// The published cases, with times that the model itself gives.
std::vector<Latency> made_up(const LaunchTimes& launch) {
  std::vector<Latency> latencies = published_latencies();
  for (Latency& latency : latencies) latency.time_us = time_us(latency, launch);
  return latencies;
}

}  // namespace

TEST(Calibration, FindsTheLaunchTimesThatLatenciesWereMadeWith) {
  const LaunchTimes launch{.chain_ns = 4e5, .tensor_ns = 9e5, .vector_ns = 3e5};
  const Calibration found = calibrate(made_up(launch), "trn2");
  EXPECT_NEAR(found.launch.chain_ns, launch.chain_ns, 1e-6 * launch.chain_ns);
  EXPECT_NEAR(found.launch.tensor_ns, launch.tensor_ns, 1e-6 * launch.tensor_ns);
  EXPECT_NEAR(found.launch.vector_ns, launch.vector_ns, 1e-6 * launch.vector_ns);
  EXPECT_NEAR(found.largest_factor, 1, 1e-6);
}

TEST(Calibration, LeavesTheRowsOutThatAreNotToBeFitted) {
  std::vector<Latency> latencies = made_up({.chain_ns = 1e5, .tensor_ns = 1e6, .vector_ns = 5e5});
  const double before = calibrate(latencies, "trn1").launch.vector_ns;
  for (Latency& latency : latencies)
    if (!latency.fitted) latency.time_us *= 100;
  const Calibration after = calibrate(latencies, "trn1");
  EXPECT_EQ(after.launch.vector_ns, before);
  EXPECT_LT(after.largest_factor, 1.001);
  const auto not_fitted = std::find_if(after.checks.begin(), after.checks.end(),
                                       [](const auto& c) { return !c.measured.fitted; });
  ASSERT_NE(not_fitted, after.checks.end());
  EXPECT_EQ(not_fitted->left_out_us, not_fitted->predicted_us);
  EXPECT_NEAR(not_fitted->factor(), 100, 0.2);
}

TEST(Calibration, JudgesEveryRowByAFitToTheOthers) {
  std::vector<Latency> latencies = made_up({.chain_ns = 1e5, .tensor_ns = 1e6, .vector_ns = 5e5});
  const auto row = std::find_if(latencies.begin(), latencies.end(), [](const Latency& latency) {
    return latency.generation == "trn2" && latency.algorithm == "stockham-r8";
  });
  row->time_us *= 2;
  const Calibration found = calibrate(latencies, "trn2");
  EXPECT_NEAR(found.largest_factor, 2, 1e-3);  // its own fit would move towards it
  const auto check = std::find_if(found.checks.begin(), found.checks.end(), [&](const auto& c) {
    return c.measured.algorithm == row->algorithm && c.measured.n == row->n;
  });
  EXPECT_GT(check->predicted_us, 1.001 * check->left_out_us);
}

TEST(Calibration, OfThePublishedLatenciesHoldsWhatTheDocumentationSaysOfIt) {
  const Calibration& trn1 = calibration_of("trn1");
  EXPECT_LT(trn1.median_factor, 1.1);
  EXPECT_LT(trn1.largest_factor, 1.4);
  EXPECT_GT(trn1.launch.tensor_ns, 0.7e6);  // "0.7 to 1.2 ms per kernel call"
  EXPECT_LT(trn1.launch.tensor_ns, 1.2e6);
  EXPECT_EQ(trn1.checks.size(), 26u);
  const Calibration& trn2 = calibration_of("trn2");
  EXPECT_LT(trn2.median_factor, 1.1);
  EXPECT_LT(trn2.largest_factor, 1.2);
  EXPECT_EQ(&calibration_of("trn3"), &trn2);
}

TEST(Calibration, NamesWhatItCannotUse) {
  EXPECT_THROW(calibration_of("trn9"), InputError);
  const std::string few = error_text([] { calibrate(published_latencies(), "trn3"); });
  EXPECT_NE(few.find("trn3 has 0 latencies to fit; 4 are needed"), std::string::npos) << few;
}

TEST(Latencies, AreReadWithTheirPlace) {
  const std::string header = "# source\ngeneration,algorithm,mode,n,batch,time_us,fitted,note\n";
  const auto parsed = parse_latencies(header + "trn1,dft-gemm,bf16,64,2,1.5,no,old, older\n", "x");
  ASSERT_EQ(parsed.size(), 1u);
  EXPECT_EQ(parsed[0].batch, 2u);
  EXPECT_EQ(parsed[0].time_us, 1.5);
  EXPECT_FALSE(parsed[0].fitted);
  EXPECT_EQ(parsed[0].note, "old, older");
  const auto message = [&](const std::string& line) {
    return error_text([&] { parse_latencies(header + line, "x"); });
  };
  EXPECT_EQ(message("trn1,dft-gemm"), "x:3: has 2 cells, not 8");
  EXPECT_EQ(message("a,b,c,0,1,1,yes,"), "x:3: '0' is no number from 1 on");
  EXPECT_EQ(message("a,b,c,64,1,-1,yes,"), "x:3: '-1' is no time above 0");
  EXPECT_EQ(message("a,b,c,64,1,nan,yes,"), "x:3: 'nan' is no time above 0");
  EXPECT_EQ(message("a,b,c,64,1,1,maybe,"), "x:3: fitted is 'maybe', not yes or no");
  EXPECT_THROW(parse_latencies("", "x"), InputError);
  EXPECT_THROW(parse_latencies("n,batch\n", "x"), InputError);
}

TEST(CaseTime, TakesARefinementsTransformsOneByOne) {
  const LaunchTimes launch{.chain_ns = 0, .tensor_ns = 1000, .vector_ns = 1};
  const auto launched = [&](const char* mode) {
    const Case where{.algorithm = "dft-gemm", .mode = mode, .n = 64};
    return case_time(where, resolve(where), generation_named("trn1"), launch).launch_ns;
  };
  EXPECT_EQ(launched("bf16"), 1000);
  EXPECT_EQ(launched("bf16_refined"), 3000);
  const Case refined{.algorithm = "dft-gemm", .mode = "refined_fp32:2", .n = 64};
  EXPECT_EQ(case_calls(refined, resolve(refined)), (KernelCalls{5, 0}));
}

TEST(CaseTime, HasNoneForWhatTheDeviceDoesNotCompute) {
  const auto time = [](const Case& where) {
    return case_time(where, resolve(where), generation_named("trn1"), {});
  };
  EXPECT_THROW(time({.mode = "double"}), NotApplicable);
  EXPECT_THROW(time({.algorithm = "dft-gemm", .mode = "ozaki2:14"}), NotApplicable);
  EXPECT_THROW(time({.algorithm = "fftw-f32"}), NotApplicable);
  EXPECT_THROW(time({.algorithm = "stockham-r4", .n = 8}), NotApplicable);
}

}  // namespace fftprec::testing
