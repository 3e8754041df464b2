#include <gmock/gmock.h>

#include <limits>

#include "reports/commands/run_outputs.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using testing::holds;
using testing::lacks;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(RunTable, IsTheKeptText) {
  const std::vector<Row> rows = {
      made_up({.mode = "bf16", .n = 64, .error = 1e-3, .bound = 2e-3}),
      made_up({.mode = "bf16", .n = 64, .seed = 2, .error = 3e-3, .bound = 4e-3}),
      made_up({.mode = "bf16", .n = 128, .error = 0, .bound = 0}),
      made_up({.mode = "fp32", .n = 64, .error = nan}),
      made_up({.mode = "fp32", .n = 1024, .bound = std::nullopt}),
      made_up({.mode = "kahan", .n = 1024, .bound = std::nullopt}),
      skipped_row({.n = 12}, "n is no power of two"),
      failed_row({.n = 2}, "no luck"),
      failed_row({.n = 4}, "no luck either")};

  EXPECT_EQ(
      run_table(rows),
      R"(Median err_l2_rel over 2 seeds; transform fft, machine trn, tables exact, input gaussian
algorithm   mode   n = 64  n = 128  n = 1024  worst err/bound  rows
radix2-dit  bf16     2e-3    exact                       0.75     3
radix2-dit  fp32      nan               1e-7              inf     2
radix2-dit  kahan                       1e-7                      1
9 rows: 6 ok, 1 skipped, 2 failed
first failed: no luck
  fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=fp32 -a machine=trn -a tables=exact -a n=2 -a batch=1 -a input=gaussian -a seed=1 --csv -
first skipped: n is no power of two
  fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=fp32 -a machine=trn -a tables=exact -a n=12 -a batch=1 -a input=gaussian -a seed=1 --csv -
)");
}

TEST(RunTable, ShowsTheFirstRemarkOfMeasuredRows) {
  std::vector<Row> rows = {made_up({.n = 64}), made_up({.n = 128}), made_up({.n = 256})};
  EXPECT_THAT(run_table(rows), lacks("remark"));
  rows[1].message = "its numbers are those of fp32";
  rows[2].message = "others";

  EXPECT_THAT(run_table(rows),
              holds("3 rows: 3 ok, 0 skipped, 0 failed\n"
                    "2 rows with a remark, first: its numbers are those of fp32\n"
                    "  fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=fp32 "
                    "-a machine=trn -a tables=exact -a n=128 "));
}

TEST(RunTable, IsNoTableWhereNothingWasMeasured) {
  EXPECT_EQ(run_table({}), "0 rows: 0 ok, 0 skipped, 0 failed\n");
}

TEST(RunTable, NamesTheTakersOfALengthWhereNothingWasMeasured) {
  const std::vector<Row> rows = {skipped_row({.n = 12}, "radix2-dit needs n = 2^k, got 12")};

  EXPECT_THAT(run_table(rows), holds("got 12; what takes n = 12: dft-gemm, direct, ", "four-step"));
}

}  // namespace
}  // namespace fftprec::commands
