/// Numbers that no column holds: where they come from, and where there is none.
#include "reports/results/quantity.hpp"

#include <gmock/gmock.h>

#include "arith/support/error.hpp"
#include "experiments/cases/resolved_case.hpp"
#include "experiments/devices/case_time.hpp"
#include "experiments/devices/latencies.hpp"
#include "experiments/rows/columns.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

double by_the_model(const Case& where) {
  return case_time(where, resolve(where), generation_named("trn1"), calibration_of("trn1").launch)
             .total_ns() /
         1e3;
}

TEST(ModelledTime, IsThatOfTheCalibratedCycleModelInMicroseconds) {
  Row row = made_up({.algorithm = "dft-gemm", .mode = "bf16", .n = 256});
  const Plotted time = plotted(modelled_us);

  EXPECT_EQ(time(row), by_the_model(row.where));
  EXPECT_GT(*time(row), 100) << "a kernel call takes about a millisecond";
  row.where.batch = 4096;
  EXPECT_EQ(time(row), by_the_model(row.where));
  row.where.mode = "fast";
  EXPECT_EQ(time(row), by_the_model(row.where)) << "the time of another case is not remembered";
}

TEST(ModelledTime, IsMissingOnTheHostAndForNamesOfOtherVersions) {
  const Plotted time = plotted(modelled_us);
  EXPECT_EQ(time(made_up({.mode = "double"})), std::nullopt);
  EXPECT_EQ(time(made_up({.mode = "double", .seed = 2})), std::nullopt) << "remembered";
  EXPECT_EQ(time(made_up({.algorithm = "fft-of-2031"})), std::nullopt);
}

TEST(Quantities, AreKnownToSweepsByTheSameNames) {
  for (const char* name : {err_over_bound, err_over_expected, modelled_us}) {
    EXPECT_TRUE(is_computed(name)) << name;
    EXPECT_NE(quantity_label(name), name) << "an axis has words and a unit";
    EXPECT_NO_THROW(check_plotted(name));
  }
  EXPECT_FALSE(is_computed("err_l2_rel"));
  EXPECT_THROW(check_plotted("modelled_ns"), InputError);
}

}  // namespace
}  // namespace fftprec
