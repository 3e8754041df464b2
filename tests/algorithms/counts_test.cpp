/// Cost formulas at values counted by hand. That every algorithm's formula equals what it does is
/// tested for all of them together (tests/experiments/algorithms/algorithm_counts_test.cpp).
#include <gtest/gtest.h>

#include "algorithms/theory/costs.hpp"
#include "arith/formats/eft.hpp"
#include "arith/support/error.hpp"
#include "tests/support/counting.hpp"

namespace fftprec::testing {

TEST(OperationCounts, ATwoProdTakesSeventeenOperations) {
  Counting<float>::counts = {};
  two_prod(Counting<float>(3.0), Counting<float>(5.0));
  EXPECT_EQ(Counting<float>::counts, (OperationCounts{7, 10, 0}));
}

TEST(OperationCounts, PassesFollowTheTilesOfTheMachine) {
  const NamedMachine& trn = machine_named("trn");
  EXPECT_EQ(gemm_cost(64, 1, resolve(mode_named("bf16"), trn)).matmul_passes, 4u);
  EXPECT_EQ(gemm_cost(64, 1, resolve(mode_named("fast"), trn)).matmul_passes, 16u);
  EXPECT_EQ(gemm_cost(64, 1, resolve(mode_named("ozaki"), trn)).matmul_passes, 12u);
  EXPECT_EQ(gemm_cost(256, 513, resolve(mode_named("bf16"), trn)).matmul_passes, 4u * 2 * 2 * 2);
  EXPECT_EQ(gemm_cost(64, 1, resolve(mode_named("kahan"), trn)).matmul_passes, 0u);
  EXPECT_EQ(gemm_cost(64, 1, resolve(mode_named("double"), trn)).matmul_passes, 0u);
}

TEST(OperationCounts, MacsAreProductsOfWords) {
  const NamedMachine& trn = machine_named("trn");
  EXPECT_EQ(gemm_cost(64, 2, resolve(mode_named("bf16"), trn)).real_multiplications,
            4u * 64 * 64 * 2);
  EXPECT_EQ(gemm_cost(64, 2, resolve(mode_named("fast"), trn)).real_multiplications,
            16u * 64 * 64 * 2);
  EXPECT_EQ(gemm_cost(64, 2, resolve(mode_named("ozaki"), trn)).real_multiplications,
            12u * 64 * 64 * 2);
  EXPECT_EQ(product_cost(resolve(mode_named("kahan"), trn)).real_multiplications, 4u);
  EXPECT_EQ(product_cost(resolve(mode_named("ozaki_hq"), trn)).real_multiplications, 24u);
}

TEST(OperationCounts, OfSlicesCountEveryKeptProductAndItsSums) {
  const NamedMachine& trn = machine_named("trn");
  // 6 products of slices in 4 real matmuls each; per part and element 64 products and sums in two
  // matmuls, of which the second joins a PSUM; then 5 sums of terms.
  const Cost cost = gemm_cost(64, 1, resolve(mode_named("slices:3x3"), trn));
  EXPECT_EQ(cost.matmul_passes, 24u);
  EXPECT_EQ(cost.real_multiplications, 24u * 64 * 64);
  EXPECT_EQ(cost.operations, (OperationCounts{24 * 64 * 64, 24 * 64 * 64 + 2 * 64 * (6 + 5), 0}));
  // Two K-tiles, one after the other into PSUM, or each by itself.
  const auto additions = [&](const char* mode) {
    return gemm_cost(256, 1, resolve(mode_named(mode), trn)).operations.additions - 24u * 256 * 256;
  };
  EXPECT_EQ(additions("slices:3x3"), 2u * 256 * (6 * 3 + 5));
  EXPECT_EQ(additions("slices:3x3:tiles"), 2u * 256 * (6 * 2 * 1 + 11));
}

TEST(OperationCounts, OfResiduesCountOneProductPerModulus) {
  const Cost cost =
      gemm_cost(64, 1, resolve(mode_named("ozaki2:14"), machine_named("trn{integer.bits=32}")));
  EXPECT_EQ(cost.matmul_passes, 4u * 14);
  EXPECT_EQ(cost.real_multiplications, 4u * 14 * 64 * 64);
  EXPECT_THROW(gemm_cost(64, 1, resolve(mode_named("ozaki2:14"), machine_named("trn"))),
               NotApplicable);
}

TEST(OperationCounts, PassesOfFp32AreThoseOfItsWords) {
  const auto passes = [](const char* machine) {
    return gemm_cost(64, 1, resolve(mode_named("fast"), machine_named(machine))).matmul_passes;
  };
  EXPECT_EQ(passes("trn"), 16u);
  EXPECT_EQ(passes("trn{fp32_matmul=three_of_12}"), 12u);
  EXPECT_EQ(passes("trn-autocast"), 4u);
  EXPECT_EQ(passes("nv-hopper"), 4u);
  EXPECT_EQ(passes("tpu-high"), 12u);
  EXPECT_EQ(passes("tpu-highest"), 24u);
}

}  // namespace fftprec::testing
