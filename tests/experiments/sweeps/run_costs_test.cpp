#include <gtest/gtest.h>

#include <vector>

#include "experiments/sweeps/run.hpp"

namespace fftprec {
namespace {

TEST(CostSum, CountsWhatCasesShareOnce) {
  Session session;
  Case where{.n = 64};
  const CasePlan first = session.plan(where);
  where.seed = 2;
  const CasePlan other_truth = session.plan(where);
  where.mode = "bf16";
  const CasePlan other_tables = session.plan(where);
  where.n *= 2;
  const CasePlan other_length = session.plan(where);
  ASSERT_GT(first.cost().truth_ns, 0);
  ASSERT_GT(first.cost().tables_ns, 0);

  CostSum sum;
  EXPECT_EQ(sum.add(first), first.cost().whole_ns());
  EXPECT_EQ(sum.add(other_truth), other_truth.cost().run_ns + other_truth.cost().truth_ns);
  EXPECT_EQ(sum.add(other_tables), other_tables.cost().run_ns + other_tables.cost().tables_ns);
  EXPECT_EQ(sum.add(other_length), other_length.cost().whole_ns());
  EXPECT_EQ(sum.truths(), 3u);
  EXPECT_EQ(sum.total(),
            total_cost(std::vector<CasePlan>{first, other_truth, other_tables, other_length}));
}

TEST(EmulationCost, GivesTablesTheirOwnShare) {
  Session session;
  Case dense{.algorithm = "dft-gemm", .n = 1024};
  const double of_dense = session.plan(dense).cost().tables_ns;
  dense.n = 2048;
  EXPECT_EQ(session.plan(dense).cost().tables_ns, 4 * of_dense) << "n x n entries";

  const EmulationCost of_sparse = session.plan({.algorithm = "radix2-dit", .n = 1024}).cost();
  EXPECT_LT(of_sparse.tables_ns, of_dense / 100);
  EXPECT_EQ(of_sparse.whole_ns(), of_sparse.run_ns + of_sparse.tables_ns + of_sparse.truth_ns);
}

TEST(EmulationCost, OfACaseWithoutMeaningIsNextToNothing) {
  Session session;
  const EmulationCost of_odd = session.plan({.algorithm = "radix2-dit", .n = 1000}).cost();
  EXPECT_EQ(of_odd.tables_ns, 0);
  EXPECT_LT(of_odd.run_ns, session.plan({.algorithm = "radix2-dit", .n = 8}).cost().run_ns);
}

}  // namespace
}  // namespace fftprec
