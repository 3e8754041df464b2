/// How many bits slices may have, and which of their products are kept.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "arith/splitting/slices.hpp"

namespace fftprec::testing {

TEST(SliceBits, AreThoseForWhichEveryPsumIsExact) {
  const std::vector<std::pair<std::size_t, int>> published = {
      {64, 18}, {128, 17}, {256, 16}, {512, 15}, {1024, 14}, {2048, 13}, {4096, 12}};
  for (const auto& [depth, both] : published) {
    EXPECT_EQ(exact_product_bits(depth, 1), both) << "K = " << depth;
    EXPECT_EQ(exact_product_bits(depth, 2), both - 1) << "K = " << depth;
    EXPECT_EQ(exact_product_bits(depth - 1, 1), both) << "K = " << depth - 1;
    EXPECT_EQ(exact_product_bits(depth + 1, 1), both - 1) << "K = " << depth + 1;
    for (int total = 2; total <= 24; ++total)
      EXPECT_EQ(slices_sum_exactly(depth, 1, 1, total - 1), total <= both);
  }
  EXPECT_EQ(exact_product_bits(std::size_t{1} << 24, 1), 0);
  EXPECT_EQ(exact_product_bits(std::size_t{1} << 24, 2), -1);
  EXPECT_EQ(exact_product_bits(1024, 1, 13), 3) << "an accumulator of 13 bits";
}

TEST(SliceBits, GoToTheFactorFirstAndNeverBeyondTheWord) {
  EXPECT_EQ(exact_slice_bits(512, 1, 24, true), 8);
  EXPECT_EQ(exact_slice_bits(512, 1, 24, false), 7);
  EXPECT_EQ(exact_slice_bits(4096, 1, 24, true), 6);
  EXPECT_EQ(exact_slice_bits(64, 1, 24, true), 8) << "bf16 holds no more";
  EXPECT_EQ(exact_slice_bits(64, 1, 24, true, fp16), 9);
  EXPECT_EQ(exact_slice_bits(std::size_t{1} << 23, 1, 24, true), 0) << "nothing left for the data";
  EXPECT_EQ(exact_slice_bits(std::size_t{1} << 22, 1, 24, false), 1);
}

TEST(SliceProducts, KeptAreThoseOfTheLargestOrders) {
  for (std::size_t slices = 1; slices <= 8; ++slices)
    EXPECT_EQ(kept_slice_products(slices, slices).size(), slices * (slices + 1) / 2);
  EXPECT_EQ(kept_slice_products(5, 5).size(), 15u);
  EXPECT_EQ(kept_slice_products(6, 6).size(), 21u);
  const std::vector<SplitTerm> uneven = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}};
  EXPECT_EQ(kept_slice_products(2, 3), uneven);
}

}  // namespace fftprec::testing
