/// A run whose cases other processes evaluate, with threads and queues for processes and MPI.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "experiments/cases/axes.hpp"
#include "reports/mpi/hand_out.hpp"
#include "reports/mpi/help.hpp"
#include "reports/mpi/message.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using ::testing::HasSubstr;

/// Letters between processes that are threads of this one.
class Office {
 public:
  explicit Office(int processes) : boxes_(static_cast<std::size_t>(processes)) {}

  Post post(int own) {
    return {static_cast<int>(boxes_.size()),
            [this, own](int to, std::string text) {
              const std::scoped_lock lock(mutex_);
              boxes_.at(static_cast<std::size_t>(to)).push_back({own, std::move(text)});
            },
            [this, own]() -> std::optional<Letter> {
              const std::scoped_lock lock(mutex_);
              auto& box = boxes_.at(static_cast<std::size_t>(own));
              if (box.empty()) return std::nullopt;
              Letter letter = std::move(box.front());
              box.pop_front();
              return letter;
            }};
  }

 private:
  std::mutex mutex_;
  std::vector<std::deque<Letter>> boxes_;
};

std::vector<Case> grid(const std::vector<std::string>& assignments) {
  Axes axes;
  for (const std::string& assignment : assignments) set_axis(axes, assignment, [](const Case&) {});
  return expand(axes);
}

Row measured(const Case& where) {
  Row row{.where = where};
  row.err_l2_rel = static_cast<double>(where.n) / 3e7;
  return row;
}

/// A run over `processes` that keeps its rows.
struct SpreadRun {
  RunOptions options;
  std::vector<Row> rows;
  std::vector<bool> all_ended;                         ///< of each helper
  const std::atomic<bool>* stop_of_helpers = nullptr;  ///< a process has its own

  SpreadRun() {
    options.evaluate = [](const Case& where, const Problem&) { return measured(where); };
    options.make_problem = [](const ProblemKey&) { return Problem{}; };
    options.costs.of_case = [](const Case& where) { return static_cast<double>(where.n); };
    options.on_row = [this](const Row& row) { rows.push_back(row); };
  }

  void run(std::span<const Case> cases, int processes) {
    Office office(processes);
    RunOptions helping = options;
    helping.stop = stop_of_helpers;
    std::vector<std::thread> helpers;
    all_ended.assign(static_cast<std::size_t>(processes), true);
    std::mutex mutex;
    for (int i = 1; i < processes; ++i)
      helpers.emplace_back([&, i] {
        const bool ended = help(helping, office.post(i));
        const std::scoped_lock lock(mutex);
        all_ended[static_cast<std::size_t>(i)] = ended;
      });
    std::exception_ptr error;
    try {
      Helpers(office.post(0)).run(cases, options);
    } catch (...) {
      error = std::current_exception();
    }
    for (std::thread& helper : helpers) helper.join();
    if (error) std::rethrow_exception(error);
  }

  std::vector<Case> sorted_cases() const {
    std::vector<Case> cases;
    for (const Row& row : rows) cases.push_back(row.where);
    std::sort(cases.begin(), cases.end());
    return cases;
  }
};

TEST(Message, IsReadAsItWasWritten) {
  Row row = measured(Case{.mode = "a,\"b\"", .n = 3});
  row.message = "two\r\nlines";
  for (const Verb verb :
       {Verb::ask, Verb::row, Verb::gave_up, Verb::gone, Verb::cases, Verb::stop, Verb::end}) {
    const Message message = parse_message(text_of(Message{verb, 7, {row}}));
    EXPECT_EQ(message.verb, verb);
    EXPECT_EQ(message.slot, 7u);
    ASSERT_EQ(message.rows.size(), 1u);
    EXPECT_EQ(message.rows[0].where, row.where);
    EXPECT_EQ(message.rows[0].err_l2_rel, row.err_l2_rel);
    EXPECT_EQ(message.rows[0].message, row.message);
    EXPECT_TRUE(parse_message(text_of(Message{verb, 1, {}})).rows.empty());
  }
  for (const char* text : {"", "ask", "ask 1", "ask x\n", "do 1\n", "row 1\nno,csv\n"})
    EXPECT_NE(error_text([text] { parse_message(text); }), "no error") << text;
}

TEST(SpreadRun, FinishesEveryCaseOnceOnAnyNumberOfProcessesAndThreads) {
  const auto cases = grid({"mode=a,b,c", "n=1..10", "seed=1..5"});
  for (const int processes : {2, 3, 6})
    for (const unsigned threads : {1u, 3u}) {
      SpreadRun run;
      run.options.threads = threads;
      run.run(cases, processes);

      EXPECT_EQ(run.sorted_cases(), cases) << processes << " processes, " << threads << " threads";
      for (const Row& row : run.rows) EXPECT_EQ(row.err_l2_rel, measured(row.where).err_l2_rel);
    }
}

TEST(SpreadRun, HandsOutCostlyGroupsFirstAndEachTruthToOneHelper) {
  const auto cases = grid({"mode=a,b", "n=1..40"});
  SpreadRun run;
  std::mutex mutex;
  std::multiset<std::uint64_t> made;
  run.options.make_problem = [&](const ProblemKey& key) {
    const std::scoped_lock lock(mutex);
    made.insert(key.n);
    return Problem{};
  };
  run.run(cases, 2);

  EXPECT_EQ(made.size(), 40u);
  std::vector<std::uint64_t> lengths;
  for (const Row& row : run.rows) lengths.push_back(row.where.n);
  EXPECT_TRUE(std::is_sorted(lengths.rbegin(), lengths.rend()));
}

TEST(SpreadRun, CutsAGroupThatIsMoreThanItsShare) {
  const auto cases = grid({"mode=a,b,c,d,e,f,g,h", "n=1000"});
  SpreadRun run;
  std::atomic<int> made = 0;
  run.options.make_problem = [&](const ProblemKey&) {
    ++made;
    return Problem{};
  };
  run.run(cases, 3);

  EXPECT_EQ(made, 6);  // a third of each of two slots' share
  EXPECT_EQ(run.sorted_cases(), cases);
}

TEST(SpreadRun, MakesExceptionsOfHelpersFailedRows) {
  const auto cases = grid({"n=1..6"});
  SpreadRun run;
  run.options.evaluate = [](const Case& where, const Problem&) {
    if (where.n == 3) throw std::runtime_error("no\nthree");
    return measured(where);
  };
  run.options.make_problem = [](const ProblemKey& key) {
    if (key.n == 5) throw std::runtime_error("no truth");
    return Problem{};
  };
  run.run(cases, 3);

  ASSERT_EQ(run.sorted_cases(), cases);
  for (const Row& row : run.rows) {
    EXPECT_EQ(row.status == Status::failed, row.where.n == 3 || row.where.n == 5);
    if (row.where.n == 3) EXPECT_EQ(row.message, "no three");
    if (row.where.n == 5) EXPECT_EQ(row.message, "no truth");
  }
}

TEST(SpreadRun, GoesOnBesideACaseThatHangs) {
  const auto cases = grid({"mode=a,b,c,d", "n=5..10"});  // what hangs is the second of four
  SpreadRun run;
  // What a helper that gives up leaves behind outlives the run, so it holds no reference to it.
  const auto release = std::make_shared<std::atomic<bool>>(false);
  run.options.evaluate = [release](const Case& where, const Problem&) {
    while (where.n == 7 && where.mode == "b" && !*release)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return measured(where);
  };
  run.options.timeout_s = 0.1;
  run.run(cases, 2);
  *release = true;

  ASSERT_EQ(run.sorted_cases(), cases);
  for (const Row& row : run.rows) {
    const bool hung = row.where.n == 7 && row.where.mode == "b";
    EXPECT_EQ(row.status, hung ? Status::failed : Status::ok) << command_of(row.where);
    if (hung) EXPECT_THAT(row.message, HasSubstr("given up"));
  }
  EXPECT_FALSE(run.all_ended[1]);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // for the thread to end
}

TEST(SpreadRun, EndsWhenStoppedAndLosesNoFinishedRow) {
  const auto cases = grid({"n=1..200"});
  SpreadRun run;
  std::atomic<bool> stop = false;
  std::atomic<std::size_t> evaluated = 0;
  run.options.stop = &stop;
  run.options.evaluate = [&](const Case& where, const Problem&) {
    if (++evaluated == 20) stop = true;
    return measured(where);
  };
  run.run(cases, 3);

  EXPECT_GE(run.rows.size(), 20u);
  EXPECT_LT(run.rows.size(), cases.size());
  EXPECT_EQ(run.rows.size(), evaluated);
}

TEST(SpreadRun, StopsHelpersWithinAPortion) {
  const auto cases = grid({"mode=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u", "n=5"});
  SpreadRun run;  // in portions of seven
  std::atomic<bool> stop = false;
  run.options.stop = &stop;
  run.options.evaluate = [&](const Case& where, const Problem&) {
    stop = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return measured(where);
  };
  run.run(cases, 2);

  EXPECT_GE(run.rows.size(), 1u);
  EXPECT_LT(run.rows.size(), 5u);
}

TEST(SpreadRun, EndsWhenItsHelpersAreStoppedAndTakesBackWhatTheyHad) {
  const auto cases = grid({"n=1..200"});
  SpreadRun run;
  std::atomic<bool> stop = false;
  std::atomic<std::size_t> evaluated = 0;
  run.stop_of_helpers = &stop;
  run.options.evaluate = [&](const Case& where, const Problem&) {
    if (++evaluated == 20) stop = true;
    return measured(where);
  };
  run.run(cases, 3);

  EXPECT_EQ(run.rows.size(), evaluated);
  EXPECT_LT(run.rows.size(), cases.size());
}

TEST(SpreadRun, PassesOnAnExceptionOfTheKeeperOfRows) {
  const auto cases = grid({"n=1..50"});
  SpreadRun run;
  run.options.on_row = [&](const Row& row) {
    if (run.rows.size() == 3) throw InputError("disk full");
    run.rows.push_back(row);
  };

  EXPECT_EQ(error_text([&] { run.run(cases, 3); }), "disk full");
  EXPECT_EQ(run.rows.size(), 3u);
}

TEST(SpreadRun, LetsHelpersGoWhenThereIsNothingToRun) {
  SpreadRun run;
  run.run({}, 4);

  EXPECT_TRUE(run.rows.empty());
}

}  // namespace
}  // namespace fftprec
