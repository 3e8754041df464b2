/// run_cases: every case once, its own problem, costly ones first; what becomes of exceptions, of a
/// stop, and of what takes too long.
#include "experiments/sweeps/run.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>

#include "arith/support/error.hpp"
#include "arith/truth/audit.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_list.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/watched.hpp"

namespace fftprec::testing {
namespace {

using ::testing::ElementsAre;

std::vector<Case> grid(const std::vector<std::string>& assignments) {
  Axes axes;
  set_axis(axes, "algorithm=watched", check_names);
  for (const std::string& assignment : assignments) set_axis(axes, assignment, check_names);
  return expand(axes);
}

/// What a run of the cases gave, in the order in which it was finished.
struct Ran {
  std::vector<Row> rows{};
  std::size_t hung = 0;

  std::vector<Case> sorted_cases() const {
    std::vector<Case> cases;
    for (const Row& row : rows) cases.push_back(row.where);
    std::sort(cases.begin(), cases.end());
    return cases;
  }
};

Ran ran(const std::vector<Case>& cases, const RunOptions& options = {}) {
  Ran result;
  result.hung = run_cases(Session().plan(cases), options, [&](const FinishedCase& finished) {
    EXPECT_TRUE(finished.row.where.shares_names(finished.plan.where()));
    result.rows.push_back(finished.row);
    EXPECT_EQ(finished.state.done, result.rows.size());
  });
  return result;
}

TEST(RunCases, FinishesEveryCaseOnceOnAnyNumberOfThreads) {
  const auto cases = grid({"mode=fp32,bf16,ozaki", "n=1..6", "seed=1..3"});
  std::map<Case, std::string> hashes;
  for (const unsigned threads : {1u, 2u, 3u, 16u}) {
    const Ran run = ran(cases, {.threads = threads});

    EXPECT_EQ(run.sorted_cases(), cases) << threads << " threads";
    EXPECT_EQ(run.hung, 0u);
    for (const Row& row : run.rows) {
      EXPECT_EQ(row.status, Status::ok) << row.message;
      EXPECT_EQ(hashes.try_emplace(row.where, row.output_hash).first->second, row.output_hash);
    }
  }
}

TEST(RunCases, GivesEachCaseItsOwnProblem) {
  std::map<ProblemView, const Problem*> problems;
  const auto cases = grid({"mode=fp32,bf16", "n=2,3", "input=gaussian,tone", "seed=1,2"});
  const std::vector<CasePlan> plans = Session().plan(cases);
  run_cases(plans, {.threads = 4}, [&](const FinishedCase& finished) {
    ASSERT_NE(finished.problem, nullptr);
    EXPECT_EQ(finished.problem->input, make_problem(finished.plan).input);
    EXPECT_EQ(finished.row.output_hash, evaluate(finished.plan, *finished.problem).output_hash);
  });
}

TEST(RunCases, KeepsTheProblemsThatARunIsToLeave) {
  ProblemCache kept(std::size_t{1} << 20);
  for (int times = 0; times < 2; ++times) ran(grid({"n=4", "seed=1..3"}), {.problems = &kept});
  const auto problem = kept.get({"fft", 4, 1, "gaussian", 2}, 1, []() -> Problem {
    throw std::logic_error("the run has not kept it");
  });
  EXPECT_EQ(problem->input.size(), 4u);
}

TEST(RunCases, BeginsWithTheCostliestGroupAndItsCostliestCase) {
  const Ran run = ran(grid({"mode=bf16,ozaki", "n=64,256,512"}));

  std::vector<std::string> order;
  for (const Row& row : run.rows) order.push_back(row.where.mode() + std::to_string(row.where.n()));
  EXPECT_THAT(order,
              ElementsAre("ozaki512", "bf16512", "ozaki256", "bf16256", "ozaki64", "bf1664"));
}

TEST(RunCases, SharesOneGroupAmongThreads) {
  std::atomic<int> inside = 0;
  std::atomic<bool> met = false;
  const Watch watch([&](std::size_t) {
    ++inside;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (inside < 2 && !met && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
    if (inside == 2) met = true;
    --inside;
  });

  ran(grid({"n=8", "seed=1,2"}), {.threads = 2});

  EXPECT_TRUE(met) << "the second case of the group waited for the first";
}

/// Of three threads one is in the first case of n = 7, and the second in the second case of n = 5.
/// The third has done n = 4 and goes on with n = 5, whose tables are made.
TEST(RunCases, WaitsForNoTablesWhileThereAreCasesWhoseTablesAreMade) {
  std::atomic<int> fives = 0, sevens = 0;
  std::atomic<bool> waited = false;
  const Watch watch([&](std::size_t n) {
    const auto until = [](auto holds) {
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!holds() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    };
    const auto third_has_chosen = [&] { return fives >= 3 || sevens >= 2; };
    if (n == 4) until([&] { return fives >= 2; });
    if (n == 5 && ++fives == 2) until(third_has_chosen);
    if (n != 7) return;
    if (++sevens == 1)
      until(third_has_chosen);
    else if (fives < 3)
      waited = true;
  });

  ran(grid({"n=4,5,7", "seed=1..4"}), {.threads = 3});

  EXPECT_GE(fives, 3);
  EXPECT_FALSE(waited) << "a case of n = 7 began beside the one that makes the tables";
}

TEST(RunCases, HoldsTheTablesOfTheCasesThatRunAndNoOthers) {
  const std::vector<CasePlan> plans =
      Session().plan(grid({"mode=fp32,bf16,fp16", "n=8,16", "seed=1..4"}));
  for (const unsigned threads : {1u, 2u}) {
    Watch::most_alive = 0;
    run_cases(plans, {.threads = threads}, [](const FinishedCase&) {});
    // A transform and its inverse for each thread's tables. Two threads may have begun more: while
    // one makes a problem, the other begins all tables whose cases need it; never all six.
    EXPECT_LE(Watch::most_alive, threads == 1 ? 2 : 2 * 5);
    EXPECT_EQ(Watch::alive, 0);
  }
}

TEST(RunCases, TurnsAnExceptionIntoAFailedRowAndGoesOn) {
  const Watch watch([](std::size_t n) {
    if (n == 3) throw std::runtime_error("no\r\nluck");
    if (n == 4) throw 4;
    if (n == 5) throw std::bad_alloc();
    if (n == 6) throw std::length_error("vector::_M_default_append");
    if (n == 7) throw NotApplicable("no sevens");
    if (n == 8) throw truth::CertificateError("a refuted truth");
  });
  const auto cases = grid({"n=1..10"});

  const Ran run = ran(cases, {.threads = 2});

  EXPECT_EQ(run.sorted_cases(), cases);
  for (const Row& row : run.rows) {
    const std::uint64_t n = row.where.n();
    EXPECT_EQ(row.status, n == 7             ? Status::skipped
                          : n >= 3 && n <= 8 ? Status::failed
                                             : Status::ok)
        << n;
    if (n == 3) {
      EXPECT_EQ(row.message, "no  luck");
    }
    if (n == 4) {
      EXPECT_THAT(row.message, holds("unknown type"));
    }
    if (n == 5 || n == 6) {
      EXPECT_THAT(row.message, holds("not enough memory"));
    }
    if (n == 7) {
      EXPECT_EQ(row.message, "no sevens");
    }
    if (n == 8) {
      EXPECT_EQ(row.message, "a refuted truth");
    }
  }
}

TEST(RunCases, FailsEveryCaseOfAProblemThatCannotBeMade) {
  for (const unsigned threads : {1u, 3u}) {
    const Ran run =
        ran(grid({"mode=fp32,bf16", "n=1,1024"}), {.threads = threads,
                                                   .truth = {.tier = truth::Tier::double_double},
                                                   .least_truth_bits = 105});

    ASSERT_EQ(run.rows.size(), 4u);
    for (const Row& row : run.rows) {
      const bool fails = row.where.n() == 1024;
      EXPECT_EQ(row.status, fails ? Status::failed : Status::ok) << row.message;
      EXPECT_THAT(row.message, holds(fails ? " bits; --truth-bits asks for 105" : ""));
    }
  }
}

TEST(RunCases, SkipsWhatHasNoMeaningAndSaysWhy) {
  const Ran run = ran({{.algorithm = "radix2-dit", .n = 12}});

  ASSERT_EQ(run.rows.size(), 1u);
  EXPECT_EQ(run.rows[0].status, Status::skipped);
  EXPECT_EQ(run.rows[0].message, "radix2-dit needs n = 2^k, got 12");
  EXPECT_FALSE(run.rows[0].err_l2_rel.has_value());
}

TEST(RunCases, BeginsNoCaseAfterAStop) {
  std::atomic<bool> stop = false;
  std::size_t rows = 0;
  run_cases(Session().plan(grid({"n=1..100"})), {.stop = &stop}, [&](const FinishedCase&) {
    if (++rows == 10) stop = true;
  });
  EXPECT_EQ(rows, 10u);
}

TEST(RunCases, EndsWithTheErrorOfTheSink) {
  for (const unsigned threads : {1u, 4u}) {
    std::size_t rows = 0;
    const auto full = [&](const FinishedCase&) {
      if (++rows == 10) throw std::runtime_error("disk full");
    };
    EXPECT_THROW(run_cases(Session().plan(grid({"n=1..100"})), {.threads = threads}, full),
                 std::runtime_error);
    EXPECT_EQ(rows, 10u);
  }
}

/// A door that stays shut until it is opened.
class Door {
 public:
  void open() {
    const std::scoped_lock lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

TEST(RunCases, GivesUpACaseThatHangsAndRunsTheOthersInItsStead) {
  for (const unsigned threads : {1u, 3u}) {
    const auto door = std::make_shared<Door>();
    const auto left = std::make_shared<std::atomic<int>>(0);
    const Watch watch([door, left](std::size_t n) {
      if (n != 13) return;
      const auto own = left;  // this function goes before the thread does
      const auto shut = door;
      ++*own;
      shut->wait();
      --*own;
    });
    const auto cases = grid({"n=12..16", "seed=1,2"});

    const Ran run = ran(cases, {.threads = threads, .timeout_s = 0.5});

    EXPECT_EQ(run.hung, 2u);
    EXPECT_EQ(*left, 2);
    EXPECT_EQ(run.sorted_cases(), cases);
    for (const Row& row : run.rows) {
      EXPECT_EQ(row.status, row.where.n() == 13 ? Status::failed : Status::ok) << row.where.n();
      EXPECT_EQ(row.message, row.where.n() == 13 ? "not finished after 0.5 s, given up" : "");
    }
    door->open();  // what comes after all is dropped
    while (*left > 0) std::this_thread::yield();
  }
}

TEST(RunCases, EndsAtAStopAlsoWhereACaseHangs) {
  const auto door = std::make_shared<Door>();
  std::atomic<bool> stop = false;
  const Watch watch([door, &stop](std::size_t) {
    const auto shut = door;
    stop = true;
    shut->wait();
  });

  EXPECT_EQ(ran(grid({"n=1..3"}), {.timeout_s = 0.3, .stop = &stop}).rows.size(), 1u);
  door->open();
}

TEST(RunCases, TakesTheTimeOfEachCaseByItself) {
  const Watch watch(
      [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });

  for (const Row& row : ran(grid({"n=1..75"}), {.timeout_s = 1}).rows)
    EXPECT_EQ(row.status, Status::ok);
}

}  // namespace
}  // namespace fftprec::testing
