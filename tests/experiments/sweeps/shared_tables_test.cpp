#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "experiments/sweeps/run.hpp"

namespace fftprec {
namespace {

/// What a run meets whose first case of each tables takes long, as one that makes them does.
struct Making {
  std::mutex mutex;
  std::set<PlanKey> begun, made;
  int waits = 0;  ///< cases that had to wait for tables that another thread was making

  Row evaluate(const Case& where) {
    const PlanKey key = tables_key(where);
    std::unique_lock lock(mutex);
    const bool maker = begun.insert(key).second;
    if (!maker && !made.contains(key)) ++waits;
    lock.unlock();
    if (maker) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    lock.lock();
    made.insert(key);
    return {.where = where};
  }
};

/// The waits of two threads that run `modes` x `seeds`: tables by mode, truths by seed.
int waits(std::size_t modes, std::uint64_t seeds) {
  std::vector<Case> cases;
  for (std::size_t mode = 0; mode < modes; ++mode)
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      Case where;
      where.mode = std::string(1, static_cast<char>('a' + mode));
      where.seed = seed;
      cases.push_back(where);
    }
  Making making;
  std::size_t rows = 0;
  run_cases(cases,
            {.evaluate = [&](const Case& where, const Problem&) { return making.evaluate(where); },
             .make_problem = [](const ProblemKey&) { return Problem{}; },
             .on_row = [&](const Row&) { ++rows; },
             .threads = 2});
  EXPECT_EQ(rows, cases.size());
  return making.waits;
}

TEST(RunCases, DoesNotWaitForTablesThatAnotherThreadMakes) {
  // But for the last ones, when nothing else is left.
  for (const std::uint64_t seeds : {1u, 2u, 5u}) EXPECT_LE(waits(8, seeds), 1) << seeds << " seeds";
}

TEST(RunCases, WaitsForThemWhereThereIsNothingElseToDo) { EXPECT_EQ(waits(1, 2), 1); }

}  // namespace
}  // namespace fftprec
