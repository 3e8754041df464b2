#include "reports/run_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

namespace fftprec {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Row row_of(const char* mode, std::uint64_t n, double error, std::optional<double> bound) {
  Row row;
  row.where.mode = mode;
  row.where.n = n;
  row.err_l2_rel = error;
  row.bound_l2_rel = bound;
  return row;
}

TEST(Median, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({1.7e308, 1.7e308}), 1.7e308);
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(median({1, 2, nan})));
}

TEST(RunTable, IsTheKeptText) {
  std::vector<Row> rows = {row_of("bf16", 64, 1e-3, 2e-3),
                           row_of("bf16", 64, 3e-3, 4e-3),
                           row_of("bf16", 128, 0, 0.0),
                           row_of("fast", 64, nan, 1e-6),
                           row_of("fast", 1024, 1e-7, {}),
                           Row{},
                           Row{}};
  rows[5].status = Status::skipped;
  rows[6].status = Status::failed;
  rows[6].message = "no luck";

  EXPECT_EQ(run_table(rows),
            R"(algorithm   mode         n   rows  median err_l2_rel  worst err/bound
radix2-dit  bf16        64      2              0.002             0.75
radix2-dit  bf16       128      1                  0                0
radix2-dit  fast        64      1                nan              nan
radix2-dit  fast      1024      1              1e-07
7 rows: 5 ok, 1 skipped, 1 failed
first failure: no luck
  fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=fast -a machine=trn -a tables=exact -a n=1024 -a batch=1 -a input=gaussian -a seed=1
)");
}

}  // namespace
}  // namespace fftprec
