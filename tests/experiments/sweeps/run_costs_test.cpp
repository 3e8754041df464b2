#include <gtest/gtest.h>

#include <vector>

#include "experiments/cases/case_prediction.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec {
namespace {

/// 1 for a case, 10 for a truth, 100 for tables.
RunCosts powers_of_ten() {
  return {[](const Case&) { return 1.0; }, [](const Case&) { return 10.0; },
          [](const Case&) { return 100.0; }};
}

TEST(CostSum, CountsWhatCasesShareOnce) {
  CostSum sum(powers_of_ten());
  Case where;
  EXPECT_EQ(sum.add(where), 111);

  where.seed = 2;
  EXPECT_EQ(sum.add(where), 11) << "another truth, the same tables";
  where.mode = "bf16";
  EXPECT_EQ(sum.add(where), 101) << "other tables, the same truth";
  where.input = "tone";
  EXPECT_EQ(sum.add(where), 11);
  where.n *= 2;
  EXPECT_EQ(sum.add(where), 111);
  EXPECT_EQ(sum.total(), 345);
  EXPECT_EQ(sum.truths(), 4u);
}

TEST(CostSum, IsTheNumberOfCasesWhereNothingIsKnown) {
  const std::vector<Case> cases(7);
  EXPECT_EQ(total_cost(cases, {}), 7);
}

TEST(EstimatedCosts, GiveTablesTheirOwnShare) {
  Session session;
  Case dense{.algorithm = "dft-gemm", .n = 1024};
  const double of_dense = emulation_cost(session, dense).tables_ns;
  dense.n = 2048;
  EXPECT_EQ(emulation_cost(session, dense).tables_ns, 4 * of_dense) << "n x n entries";

  const Case sparse{.algorithm = "radix2-dit", .n = 1024};
  const EmulationCost of_sparse = emulation_cost(session, sparse);
  EXPECT_LT(of_sparse.tables_ns, of_dense / 100);
  EXPECT_EQ(estimated_whole_ns(session, sparse),
            of_sparse.run_ns + of_sparse.tables_ns + estimated_truth_ns(session, sparse));
}

TEST(EstimatedCosts, OfACaseWithoutMeaningAreNextToNothing) {
  Session session;
  const Case odd{.algorithm = "radix2-dit", .n = 1000};
  const EmulationCost of_odd = emulation_cost(session, odd);
  EXPECT_EQ(of_odd.tables_ns, 0);
  EXPECT_LT(of_odd.run_ns, emulation_cost(session, {.algorithm = "radix2-dit", .n = 8}).run_ns);
}

}  // namespace
}  // namespace fftprec
