/// Numbers that no column holds: where they come from, and where there is none.
#include "reports/results/quantity.hpp"

#include <gmock/gmock.h>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::results {
namespace {

TEST(PublishedTime, IsThatOfTheLatenciesOfATrn1AndMissingElsewhere) {
  const Plotted time = plotted(published_us);

  EXPECT_EQ(time(made_up({.algorithm = "dft-gemm", .mode = "bf16", .n = 256})), 1300);
  EXPECT_EQ(time(made_up({.mode = "fp64"})), std::nullopt);
  EXPECT_EQ(time(made_up({.algorithm = "fft-of-2031"})), std::nullopt);
}

TEST(Quantities, AreKnownToSweepsByTheSameNames) {
  for (const char* name : {err_over_bound, err_over_expected, published_us, input_scale}) {
    EXPECT_TRUE(is_computed(name)) << name;
    EXPECT_NE(quantity_label(name), name) << "an axis has words and a unit";
    EXPECT_NO_THROW(check_plotted(name));
  }
  EXPECT_FALSE(is_computed("err_l2_rel"));
  EXPECT_THROW(check_plotted("published_ns"), InputError);
}

}  // namespace
}  // namespace fftprec::results
