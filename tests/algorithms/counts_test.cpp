/// Cost formulas at values counted by hand. That every algorithm's formula equals what it does is
/// tested for all of them together (tests/experiments/algorithm_counts_test.cpp).
#include <gtest/gtest.h>

#include "algorithms/costs.hpp"
#include "arith/counting.hpp"
#include "arith/eft.hpp"

namespace fftprec::testing {

TEST(OperationCounts, ATwoProdTakesSeventeenOperations) {
  Counting<float>::counts = {};
  two_prod(Counting<float>(3.0), Counting<float>(5.0));
  EXPECT_EQ(Counting<float>::counts, (OperationCounts{7, 10, 0}));
}

TEST(OperationCounts, PassesFollowTheTilesOfTheMachine) {
  const Machine& trn = machine_named("trn");
  EXPECT_EQ(gemm_cost(64, 1, mode_named("bf16"), trn).matmul_passes, 4u);
  EXPECT_EQ(gemm_cost(64, 1, mode_named("fast"), trn).matmul_passes, 16u);
  EXPECT_EQ(gemm_cost(64, 1, mode_named("ozaki"), trn).matmul_passes, 12u);
  EXPECT_EQ(gemm_cost(256, 513, mode_named("bf16"), trn).matmul_passes, 4u * 2 * 2 * 2);
  EXPECT_EQ(gemm_cost(64, 1, mode_named("kahan"), trn).matmul_passes, 0u);
  EXPECT_EQ(gemm_cost(64, 1, mode_named("double"), trn).matmul_passes, 0u);
}

TEST(OperationCounts, MacsAreProductsOfWords) {
  const Machine& trn = machine_named("trn");
  EXPECT_EQ(gemm_cost(64, 2, mode_named("bf16"), trn).mac_count, 4u * 64 * 64 * 2);
  EXPECT_EQ(gemm_cost(64, 2, mode_named("fast"), trn).mac_count, 16u * 64 * 64 * 2);
  EXPECT_EQ(gemm_cost(64, 2, mode_named("ozaki"), trn).mac_count, 12u * 64 * 64 * 2);
  EXPECT_EQ(product_cost(mode_named("kahan"), trn).mac_count, 4u);
  EXPECT_EQ(product_cost(mode_named("ozaki_hq"), trn).mac_count, 24u);
}

}  // namespace fftprec::testing
