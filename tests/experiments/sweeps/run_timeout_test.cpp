/// run_cases where a case or a truth takes longer than it may.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/experiments/sweeps/run_recorder.hpp"

namespace fftprec::testing {
namespace {

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
      std::this_thread::sleep_for(std::chrono::milliseconds(12));
      Row row = evaluate(where, problem);
      --busy;
      return row;
    };
    recorder.options.costs.of_case = [](const Case& where) { return where.n == 13 ? 100.0 : 1.0; };
    recorder.options.threads = threads;
    recorder.options.timeout_s = 0.75;
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
      EXPECT_EQ(row.message, row.where.n == 13 ? "not finished after 0.75 s, given up" : "");
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
  recorder.options.timeout_s = 0.5;
  recorder.options.on_hang = [&] { door.open(); };
  const auto cases = grid({"mode=a,b,c", "n=1..3"});

  run_cases(cases, recorder.options);

  EXPECT_EQ(recorder.sorted_cases(), cases);
  for (const Row& row : recorder.rows)
    EXPECT_EQ(row.message,
              row.where.n == 2 ? "its truth is not finished after 0.5 s, given up" : "");
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
  recorder.options.timeout_s = 0.3;
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
  recorder.options.timeout_s = 1;
  recorder.options.on_hang = [] { ADD_FAILURE() << "nothing hangs"; };

  run_cases(grid({"n=1..75"}), recorder.options);

  for (const Row& row : recorder.rows) EXPECT_EQ(row.status, Status::ok);
}

}  // namespace
}  // namespace fftprec::testing
