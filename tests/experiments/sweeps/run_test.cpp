/// run_cases: every case once, its own problem, costly ones first; what becomes of exceptions.
#include "experiments/sweeps/run.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>

#include "arith/support/error.hpp"
#include "arith/truth/audit.hpp"
#include "tests/experiments/sweeps/run_recorder.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {
namespace {

using ::testing::ElementsAre;

TEST(RunCases, FinishesEveryCaseOnceOnAnyNumberOfThreads) {
  const auto cases = grid({"mode=a,b,c", "n=1..10", "seed=1..5"});
  for (const unsigned threads : {1u, 2u, 3u, 16u}) {
    Recorder recorder;
    recorder.options.threads = threads;

    run_cases(cases, recorder.options);

    EXPECT_EQ(recorder.sorted_cases(), cases) << threads << " threads";
    for (const Row& row : recorder.rows)
      EXPECT_EQ(row.err_l2_rel, static_cast<double>(row.where.n + row.where.seed));
  }
}

TEST(RunCases, MakesEachProblemOnceAndGivesItToItsOwnCases) {
  const auto cases = grid({"mode=a,b,c,d", "n=1..20", "input=x,y"});
  Recorder recorder;
  std::mutex mutex;
  std::map<ProblemKey, int> made;
  recorder.options.threads = 4;
  recorder.options.make_problem = [&](const ProblemKey& key) {
    const std::scoped_lock lock(mutex);
    ++made[key];
    Problem problem;
    problem.truth.n = key.n;
    problem.truth.method = key.input;
    return problem;
  };
  recorder.options.evaluate = [](const Case& where, const Problem& problem) {
    if (problem.truth.n != where.n || problem.truth.method != where.input)
      throw std::logic_error("another case's problem");
    Row row;
    row.where = where;
    return row;
  };

  run_cases(cases, recorder.options);

  EXPECT_EQ(made.size(), 40u);
  for (const auto& [key, times] : made) EXPECT_EQ(times, 1) << key.n << key.input;
  for (const Row& row : recorder.rows) EXPECT_EQ(row.status, Status::ok) << row.message;
}

TEST(RunCases, BeginsWithTheCostliestGroupAndItsCostliestCase) {
  const auto cases = grid({"mode=cheap,dear", "n=1,2,3"});
  Recorder recorder;
  recorder.options.costs.of_case = [](const Case& where) {
    return static_cast<double>(where.n) * (where.mode == "dear" ? 10.0 : 1.0);
  };

  run_cases(cases, recorder.options);

  std::vector<std::string> order;
  for (const Row& row : recorder.rows)
    order.push_back(row.where.mode + std::to_string(row.where.n));
  EXPECT_THAT(order, ElementsAre("dear3", "cheap3", "dear2", "cheap2", "dear1", "cheap1"));
}

TEST(RunCases, SharesOneGroupAmongThreads) {
  const auto cases = grid({"mode=a,b", "n=8"});
  Recorder recorder;
  recorder.options.threads = 2;
  std::atomic<int> inside = 0;
  std::atomic<bool> met = false;
  recorder.options.evaluate = [&](const Case& where, const Problem&) {
    ++inside;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (inside < 2 && !met && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
    if (inside == 2) met = true;
    --inside;
    Row row;
    row.where = where;
    return row;
  };

  run_cases(cases, recorder.options);

  EXPECT_TRUE(met) << "the second case of the group waited for the first";
}

TEST(RunCases, TurnsAnExceptionIntoAFailedRowAndGoesOn) {
  const auto cases = grid({"n=1..10"});
  Recorder recorder;
  recorder.options.evaluate = [](const Case& where, const Problem&) {
    if (where.n == 3) throw std::runtime_error("no\r\nluck");
    if (where.n == 4) throw 4;
    Row row;
    row.where = where;
    return row;
  };

  run_cases(cases, recorder.options);

  EXPECT_EQ(recorder.sorted_cases(), cases);
  for (const Row& row : recorder.rows) {
    const bool fails = row.where.n == 3 || row.where.n == 4;
    EXPECT_EQ(row.status, fails ? Status::failed : Status::ok) << row.where.n;
    if (row.where.n == 3) {
      EXPECT_EQ(row.message, "no  luck");
    }
    if (row.where.n == 4) {
      EXPECT_THAT(row.message, holds("unknown type"));
    }
  }
}

TEST(RunCases, SaysInWordsThatMemoryIsShort) {
  Recorder recorder;
  recorder.options.make_problem = [](const ProblemKey& key) -> Problem {
    if (key.n == 1) throw std::bad_alloc();
    throw std::length_error("vector::_M_default_append");
  };

  run_cases(grid({"n=1,2"}), recorder.options);

  ASSERT_EQ(recorder.rows.size(), 2u);
  for (const Row& row : recorder.rows) EXPECT_THAT(row.message, holds("not enough memory"));
}

TEST(RunCases, FailsEveryCaseOfAProblemThatCannotBeMade) {
  const auto cases = grid({"mode=a,b", "n=1..4"});
  for (const unsigned threads : {1u, 3u}) {
    Recorder recorder;
    recorder.options.threads = threads;
    recorder.options.make_problem = [](const ProblemKey& key) {
      if (key.n == 2) throw std::runtime_error("no truth");
      return Problem{};
    };

    run_cases(cases, recorder.options);

    EXPECT_EQ(recorder.sorted_cases(), cases);
    for (const Row& row : recorder.rows) {
      EXPECT_EQ(row.status, row.where.n == 2 ? Status::failed : Status::ok) << row.where.n;
      EXPECT_EQ(row.message, row.where.n == 2 ? "no truth" : "");
    }
  }
}

TEST(RunCases, MeasuresNothingAgainstATruthThatItsCertificateRefutes) {
  Recorder recorder;
  recorder.options.make_problem = [](const ProblemKey& key) {
    if (key.n == 2) throw truth::CertificateError("probe 3 differs");
    return Problem{};
  };
  recorder.options.evaluate = [](const Case& where, const Problem&) {
    EXPECT_NE(where.n, 2u);
    return Row{.where = where};
  };

  run_cases(grid({"mode=a,b", "n=1..3"}), recorder.options);

  ASSERT_EQ(recorder.rows.size(), 6u);
  for (const Row& row : recorder.rows) {
    EXPECT_EQ(row.status, row.where.n == 2 ? Status::failed : Status::ok);
    EXPECT_EQ(row.message, row.where.n == 2 ? "probe 3 differs" : "");
  }
}

TEST(RunCases, SkipsWhatIsNotApplicableAndSaysWhy) {
  const auto cases = grid({"mode=a", "n=1..3", "seed=1,2"});
  Recorder recorder;
  recorder.options.make_problem = [](const ProblemKey& key) {
    if (key.n == 1) throw NotApplicable("an input of one is none");
    return Problem{};
  };
  const Evaluate measured = recorder.options.evaluate;
  recorder.options.evaluate = [&](const Case& where, const Problem& problem) {
    if (where.n == 2) throw NotApplicable("no twos");
    return measured(where, problem);
  };

  run_cases(cases, recorder.options);

  ASSERT_EQ(recorder.rows.size(), 6u);
  for (const Row& row : recorder.rows) {
    EXPECT_EQ(row.status, row.where.n == 3 ? Status::ok : Status::skipped);
    EXPECT_EQ(row.message, row.where.n == 1   ? "an input of one is none"
                           : row.where.n == 2 ? "no twos"
                                              : "");
  }
}

TEST(RunCases, BeginsNoCaseAfterAStop) {
  const auto cases = grid({"n=1..100"});
  std::atomic<bool> stop = false;
  Recorder recorder;
  recorder.options.stop = &stop;
  recorder.options.on_row = [&](const Row& row) {
    recorder.rows.push_back(row);
    if (recorder.rows.size() == 10) stop = true;
  };

  run_cases(cases, recorder.options);

  EXPECT_EQ(recorder.rows.size(), 10u);
}

TEST(RunCases, EndsWithTheErrorOfTheSink) {
  const auto cases = grid({"n=1..100"});
  for (const unsigned threads : {1u, 4u}) {
    Recorder recorder;
    recorder.options.threads = threads;
    recorder.options.on_row = [&](const Row& row) {
      recorder.rows.push_back(row);
      if (recorder.rows.size() == 10) throw std::runtime_error("disk full");
    };

    EXPECT_THROW(run_cases(cases, recorder.options), std::runtime_error);

    EXPECT_EQ(recorder.rows.size(), 10u);
  }
}

TEST(RunCases, MakesNoProblemBeforeItIsNeeded) {
  const auto cases = grid({"mode=a,b", "n=1..50"});
  Recorder recorder;
  std::atomic<std::size_t> made = 0;
  std::size_t most_waiting = 0;
  std::size_t groups_finished = 0;
  std::map<std::uint64_t, int> finished;
  recorder.options.make_problem = [&](const ProblemKey&) {
    ++made;
    return Problem{};
  };
  recorder.options.on_row = [&](const Row& row) {
    if (++finished[row.where.n] == 2) ++groups_finished;
    most_waiting = std::max(most_waiting, made - groups_finished);
  };

  run_cases(cases, recorder.options);

  EXPECT_LE(most_waiting, 1u) << "problems were made before they were needed";
}

}  // namespace
}  // namespace fftprec::testing
