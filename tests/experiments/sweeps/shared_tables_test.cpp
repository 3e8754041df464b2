#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
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

/// What a run holds of each tables, and which are held at a time.
struct Held {
  std::mutex mutex;
  std::map<PlanKey, int> now;
  std::size_t most = 0;  ///< tables at a time

  std::shared_ptr<const void> hold(const Case& where) {
    const PlanKey key = tables_key(where);
    const std::scoped_lock lock(mutex);
    ++now[key];
    most = std::max(most, now.size());
    return std::shared_ptr<const void>(this, [key](Held* held) {
      const std::scoped_lock released(held->mutex);
      if (--held->now[key] == 0) held->now.erase(key);
    });
  }
  bool has(const Case& where) {
    const std::scoped_lock lock(mutex);
    return now.contains(tables_key(where));
  }
};

TEST(RunCases, HoldsTheTablesOfTheCasesThatRunAndNoOthers) {
  std::vector<Case> cases;
  for (const char* mode : {"a", "b", "c", "d", "e"})
    for (const std::uint64_t n : {8u, 16u})
      for (std::uint64_t seed = 1; seed <= 4; ++seed)
        cases.push_back({.mode = mode, .n = n, .seed = seed});
  for (const unsigned threads : {1u, 2u}) {
    Held held;
    run_cases(cases, {.evaluate =
                          [&](const Case& where, const Problem&) {
                            EXPECT_TRUE(held.has(where));
                            return Row{.where = where};
                          },
                      .make_problem = [](const ProblemKey&) { return Problem{}; },
                      .hold = [&](const Case& where) { return held.hold(where); },
                      .on_row = [](const Row&) {},
                      .threads = threads});
    // While a thread makes a problem, however long that takes, another begins all tables whose
    // cases need it: those of one length, and of the other until it makes a problem itself. Never
    // all ten.
    EXPECT_LE(held.most, threads == 1 ? 1u : 9u);
    EXPECT_TRUE(held.now.empty());
  }
}

TEST(RunCases, RunsCasesAllTheSameWhereNothingCanBeHeld) {
  std::size_t rows = 0;
  run_cases(std::vector<Case>(1),
            {.evaluate = [](const Case& where, const Problem&) { return Row{.where = where}; },
             .make_problem = [](const ProblemKey&) { return Problem{}; },
             .hold = [](const Case&) -> std::shared_ptr<const void> { throw 1; },
             .on_row = [&](const Row& row) { rows += row.status == Status::ok; }});
  EXPECT_EQ(rows, 1u);
}

}  // namespace
}  // namespace fftprec
