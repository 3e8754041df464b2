#include <gtest/gtest.h>

#include <vector>

#include "experiments/sweeps/run.hpp"

namespace fftprec {
namespace {

TEST(RememberedCost, AsksOnceForCasesThatDifferInInputAndSeedAlone) {
  int asked = 0;
  const EstimateCost cost = remembered_cost([&asked](const Case& where) {
    ++asked;
    return static_cast<double>(where.n);
  });
  Case where;
  EXPECT_EQ(cost(where), 1024);

  where.input = "tone";
  where.seed = 9;

  EXPECT_EQ(cost(where), 1024);
  EXPECT_EQ(asked, 1);
}

TEST(RememberedCost, AsksAgainForEveryOtherAxis) {
  int asked = 0;
  const EstimateCost cost = remembered_cost([&asked](const Case&) { return ++asked; });
  std::vector<Case> cases(8);
  cases[1].transform = "ifft";
  cases[2].algorithm = "direct";
  cases[3].mode = "bf16";
  cases[4].machine = "ieee";
  cases[5].tables = "recurrence";
  cases[6].n = 8;
  cases[7].batch = 2;

  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(cost(cases[i]), i + 1);
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(cost(cases[i]), i + 1);
}

}  // namespace
}  // namespace fftprec
