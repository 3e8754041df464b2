/// Bounds of number systems. Of posits and takums: no row is above its own, they are of a sensible
/// size, and nothing is bounded whose values may leave the zone.
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/cases/evaluate.hpp"
#include "tests/support/number_families.hpp"

namespace fftprec::testing {
namespace {

TEST(GoldenZone, BoundsEveryRowThatItSpeaksOf) {
  std::size_t bounded = 0;
  double closest = 0;
  std::vector<std::string> modes = tapered_systems();
  modes.emplace_back("posit16:quire");
  for (const char* algorithm :
       {"radix2-dit", "radix2-dif", "split-radix", "split-radix:pair=conjugate", "stockham-r2",
        "stockham-r4", "stockham-mixed", "mixed-radix", "direct", "dft-gemm", "four-step"})
    for (const std::string& mode : modes)
      for (const char* scale : {"none", "input:2^-6", "input:2^6", "input:2^-20"})
        for (const char* transform : {"fft", "ifft"})
          for (const char* store : {"op", "stage"})
            for (const std::uint64_t seed : {1u, 2u}) {
              if (mode == "posit16:quire" && algorithm != std::string("dft-gemm")) continue;
              if (store != std::string("op") && seed > 1) continue;
              const Row row = evaluate({.transform = transform,
                                        .algorithm = algorithm,
                                        .mode = mode,
                                        .machine = "ieee",
                                        .n = 64,
                                        .input = "gaussian",
                                        .seed = seed,
                                        .rounding_points = store,
                                        .scale = scale});
              if (row.status != Status::ok || !row.bound_l2_rel) continue;
              ASSERT_NE(row.bound_name.find("+golden-zone:"), std::string::npos);
              ASSERT_LE(*row.err_l2_rel, *row.bound_l2_rel) << command_of(row.where);
              if (row.bound_prob_l2_rel) {
                ASSERT_LE(*row.err_l2_rel, *row.bound_prob_l2_rel) << command_of(row.where);
              }
              closest = std::max(closest, *row.err_l2_rel / *row.bound_l2_rel);
              ++bounded;
            }
  EXPECT_GT(bounded, 900u);
  EXPECT_GT(closest, 0.1);
  RecordProperty("closest", std::to_string(closest));
}

TEST(GoldenZone, NamesTheBitsThatValuesHave) {
  // posit16 has 12 bits from 1/16 to 16, 11 from 2^-8 to 2^8, 10 from 2^-12 to 2^12; sums of 64
  // values of up to 3 reach some 200.
  Case where{.algorithm = "radix2-dit",
             .mode = "posit16",
             .machine = "ieee",
             .n = 64,
             .input = "gaussian"};
  EXPECT_EQ(evaluate(where).bound_name, "radix2-stages+golden-zone:11");
  where.n = 1024;
  EXPECT_EQ(evaluate(where).bound_name, "radix2-stages+golden-zone:10");
  where.scale = "input:2^40";
  EXPECT_EQ(evaluate(where).bound_name, "");  // beyond 2^48 values have one bit
  where.scale = "none";
  where.tables = "recurrence:in=mode";
  EXPECT_EQ(evaluate(where).bound_name, "");
  where.tables = "exact";
  for (const char* of_ratios :
       {"radix2-dit:butterfly=linzer-feig", "radix2-dit:butterfly=dual-select",
        "radix2-dit:butterfly=clamped", "radix2-dit:butterfly=sine",
        "stockham-r4:butterfly=goedecker", "stockham-r4:butterfly=dual-select",
        "split-radix:butterfly=linzer-feig", "split-radix:pair=conjugate:butterfly=dual-select"}) {
    where.algorithm = of_ratios;
    const Row row = evaluate(where);
    ASSERT_EQ(row.status, Status::ok) << of_ratios;
    EXPECT_EQ(row.bound_name, "") << of_ratios;  // ratios have any size
    EXPECT_LT(row.err_l2_rel.value(), 0.01) << of_ratios;
  }
}

TEST(GoldenZone, CountsWhatSmallValuesLose) {
  // Below the smallest posit everything rounds up to it: errors are far above any share of data.
  const Row row = evaluate({.algorithm = "radix2-dit",
                            .mode = "posit16",
                            .machine = "ieee",
                            .n = 16,
                            .input = "gaussian",
                            .scale = "input:2^-64"});
  ASSERT_TRUE(row.bound_l2_rel.has_value());
  EXPECT_GT(*row.err_l2_rel, 10);
  EXPECT_LE(*row.err_l2_rel, *row.bound_l2_rel);
}

TEST(GoldenZone, CountsRoundingsAsTheMachineCasts) {
  for (const char* mode : {"posit16", "posit32", "takum32"})  // a float holds the first alone
    for (const char* algorithm : {"radix2-dit", "direct"}) {
      const auto with = [&](const char* casts) {
        return evaluate({.algorithm = algorithm,
                         .mode = mode,
                         .machine = std::string("ieee{casts=") + casts + "}",
                         .n = 64,
                         .input = "gaussian"});
      };
      const double nearest = with("rne").bound_l2_rel.value();
      for (const char* casts : {"rz", "sr"})
        EXPECT_GT(with(casts).bound_l2_rel.value(), 1.9 * nearest) << mode << " " << casts;
      EXPECT_FALSE(with("rz").bound_prob_l2_rel) << mode << ": cuts have a bias";
      EXPECT_TRUE(with("sr").bound_prob_l2_rel) << mode;
    }
}

/// The standard's SatFinite and SatPropagate differ for infinities alone.
TEST(SaturatingSystems, ShowWhatEndsAtTheLargestValue) {
  Case where{.algorithm = "radix2-dit", .machine = "ieee", .n = 256, .scale = "input:2^12"};
  const auto in = [&](const char* mode) {
    where.mode = mode;
    return evaluate(where);
  };
  EXPECT_GT(in("binary8p3se:saturate").overflows.value(), 10u);
  EXPECT_EQ(in("binary8p3se:propagate").overflows, in("binary8p3se:saturate").overflows);
  where.scale = "none";
  for (const char* form : {"linzer-feig", "dual-select"}) {
    where.algorithm = std::string("radix2-dit:butterfly=") + form;
    const bool may_be_cut = form == std::string("linzer-feig");
    EXPECT_TRUE(in("binary8p3se").bound_l2_rel.has_value()) << form;
    for (const char* mode : {"binary8p3se:saturate", "binary8p3se:propagate"})
      EXPECT_EQ(std::isfinite(in(mode).bound_l2_rel.value_or(INFINITY)), !may_be_cut) << mode;
  }
}

}  // namespace
}  // namespace fftprec::testing
