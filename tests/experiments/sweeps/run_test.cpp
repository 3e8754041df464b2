#include "experiments/sweeps/run.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>

#include "arith/error.hpp"
#include "arith/truth/audit.hpp"
#include "experiments/cases/axes.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Case> grid(const std::vector<std::string>& assignments) {
  Axes axes;
  for (const std::string& assignment : assignments) set_axis(axes, assignment, [](const Case&) {});
  return expand(axes);
}

/// A run that keeps its rows; every case measures n + seed.
struct Recorder {
  RunOptions options;
  std::vector<Row> rows;

  Recorder() {
    options.evaluate = [](const Case& where, const Problem&) {
      Row row;
      row.where = where;
      row.err_l2_rel = static_cast<double>(where.n + where.seed);
      return row;
    };
    options.make_problem = [](const ProblemKey&) { return Problem{}; };
    options.on_row = [this](const Row& row) { rows.push_back(row); };
  }

  std::vector<Case> sorted_cases() const {
    std::vector<Case> cases;
    for (const Row& row : rows) cases.push_back(row.where);
    std::sort(cases.begin(), cases.end());
    return cases;
  }
};

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
    if (where.n == 3) throw std::runtime_error("no\nluck");
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
      EXPECT_EQ(row.message, "no luck");
    }
    if (row.where.n == 4) {
      EXPECT_THAT(row.message, HasSubstr("unknown type"));
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
  for (const Row& row : recorder.rows) EXPECT_THAT(row.message, HasSubstr("not enough memory"));
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

TEST(RunCases, GivesUpACaseThatHangsAndGoesOn) {
  for (const unsigned threads : {1u, 3u}) {
    Recorder recorder;
    Door door;
    std::atomic<int> busy = 0, hangs = 0, busy_then = -1;
    std::size_t rows_then = 0;
    const auto evaluate = recorder.options.evaluate;
    recorder.options.evaluate = [&](const Case& where, const Problem& problem) {
      ++busy;
      if (where.n == 13) door.wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      Row row = evaluate(where, problem);
      --busy;
      return row;
    };
    recorder.options.threads = threads;
    recorder.options.timeout_s = 0.25;
    recorder.options.on_hang = [&] {
      ++hangs;
      busy_then = busy.load();
      rows_then = recorder.rows.size();
      door.open();
    };
    const auto cases = grid({"n=12..16", "seed=1..60"});
    std::vector<Case> hanging;
    for (const Case& where : cases)
      if (where.n != 13 || where.seed == 7) hanging.push_back(where);

    run_cases(hanging, recorder.options);

    EXPECT_EQ(hangs, 1);
    EXPECT_LT(rows_then, hanging.size()) << "nothing is begun meanwhile";
    EXPECT_EQ(busy_then, 1) << "what can be finished is, before the process is replaced";
    EXPECT_EQ(recorder.sorted_cases(), hanging);
    for (const Row& row : recorder.rows) {
      EXPECT_EQ(row.status, row.where.n == 13 ? Status::failed : Status::ok) << row.where.n;
      EXPECT_EQ(row.message, row.where.n == 13 ? "not finished after 0.25 s, given up" : "");
    }
  }
}

TEST(RunCases, GivesUpATruthThatHangsAndEveryCaseThatSharesIt) {
  Recorder recorder;
  Door door;
  recorder.options.make_problem = [&](const ProblemKey& key) {
    if (key.n == 2) door.wait();
    return Problem{};
  };
  recorder.options.threads = 2;
  recorder.options.timeout_s = 0.1;
  recorder.options.on_hang = [&] { door.open(); };
  const auto cases = grid({"mode=a,b,c", "n=1..3"});

  run_cases(cases, recorder.options);

  EXPECT_EQ(recorder.sorted_cases(), cases);
  for (const Row& row : recorder.rows)
    EXPECT_EQ(row.message,
              row.where.n == 2 ? "its truth is not finished after 0.1 s, given up" : "");
}

TEST(RunCases, EndsAtAStopAlsoWhereACaseHangs) {
  Recorder recorder;
  Door door;
  std::atomic<bool> stop = false;
  recorder.options.evaluate = [&](const Case& where, const Problem&) {
    stop = true;
    door.wait();
    return Row{.where = where};
  };
  recorder.options.stop = &stop;
  recorder.options.timeout_s = 0.05;
  recorder.options.on_hang = [&] { door.open(); };

  run_cases(grid({"n=1..3"}), recorder.options);

  EXPECT_EQ(recorder.rows.size(), 1u);
}

TEST(RunCases, TakesTheTimeOfEachCaseByItself) {
  Recorder recorder;
  const auto evaluate = recorder.options.evaluate;
  recorder.options.evaluate = [&](const Case& where, const Problem& problem) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return evaluate(where, problem);
  };
  recorder.options.timeout_s = 0.5;
  recorder.options.on_hang = [] { ADD_FAILURE() << "nothing hangs"; };

  run_cases(grid({"n=1..40"}), recorder.options);

  for (const Row& row : recorder.rows) EXPECT_EQ(row.status, Status::ok);
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
}  // namespace fftprec
