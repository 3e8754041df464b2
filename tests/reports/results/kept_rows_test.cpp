/// Every kept row, computed anew, must be the same in every column but the time.
///
/// The files were written by one build on one machine; every compiler, optimisation level and
/// processor that runs this test is compared with it. A change that moves a number shows the old
/// and the new row; if it is meant, fftprec gate --update-baseline rewrites them (docs/gates.md).
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "experiments/cases/evaluate.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/read_csv.hpp"

namespace fftprec::testing {

namespace {

std::string without_time(Row row) {
  row.time_ns.reset();
  return results::to_csv(row);
}

}  // namespace

TEST(KeptRows, AreReproducedInEveryColumnOnEveryInstructionSet) {
  std::vector<Row> kept;
  for (const char* sweep : {"smoke.csv", "published.csv"})
    for (const Row& row :
         read_csv(std::filesystem::path(FFTPREC_SOURCE_DIR) / "gates" / "kept" / sweep))
      kept.push_back(row);
  ASSERT_GT(kept.size(), 600u);
  std::map<ProblemKey, Problem> problems;
  for (const Row& row : kept) {
    const ProblemKey key = problem_key(row.where);
    if (!problems.contains(key)) problems.emplace(key, make_problem(key));
    for (const Isa isa : available_isas())
      EXPECT_EQ(without_time(evaluate(row.where, problems.at(key), isa)), without_time(row))
          << name_of(isa);
  }
}

}  // namespace fftprec::testing
