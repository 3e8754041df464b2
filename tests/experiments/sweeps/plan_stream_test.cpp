#include "experiments/sweeps/plan_stream.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>

#include "experiments/sweeps/run.hpp"
#include "tests/support/watched.hpp"

namespace fftprec::testing {
namespace {

CaseList list_of(const std::vector<std::string>& assignments) {
  Axes axes;
  set_axis(axes, "algorithm=watched", check_names);
  for (const std::string& assignment : assignments) set_axis(axes, assignment, check_names);
  CaseList list;
  list.add(axes);
  return list;
}

std::vector<std::vector<Case>> batches(PlanStream& stream) {
  std::vector<std::vector<Case>> all;
  for (auto plans = stream.next(); !plans.empty(); plans = stream.next()) {
    all.emplace_back();
    for (const CasePlan& plan : plans) all.back().push_back(plan.where());
  }
  return all;
}

/// Two modes of each problem, a little more than two batches.
constexpr std::size_t many_seeds = PlanStream::batch_cases + 5;
CaseList many() {
  return list_of({"mode=fp32,bf16", "n=1", "seed=1.." + std::to_string(many_seeds)});
}

TEST(PlanStream, GivesEachCaseOnceInBatches) {
  const CaseList list = many();
  Session session;
  PlanStream stream(list, {}, session);
  std::vector<Case> all;
  for (const std::vector<Case>& batch : batches(stream)) {
    EXPECT_LE(batch.size(), PlanStream::batch_cases);
    all.insert(all.end(), batch.begin(), batch.end());
  }
  std::ranges::sort(all);

  EXPECT_EQ(all, list.all());
}

TEST(PlanStream, PlansAsTheSessionDoes) {
  const CaseList list = list_of({"mode=fp32,bf16", "n=1,4", "seed=1..3", "batch=1,2"});
  Session session;
  PlanStream stream(list, {}, session);
  for (const CasePlan& plan : stream.next()) {
    const CasePlan same = session.plan(plan.where());
    EXPECT_EQ(plan.shared(), same.shared());
    EXPECT_EQ(plan.where(), same.where());
    EXPECT_EQ(&plan.input(), &same.input());
  }
}

TEST(PlanStream, LeavesOutWhatIsNotWantedAndWhatIsDropped) {
  for (const CaseList& list : {many(), list_of({"n=1..4", "seed=1..3"})}) {
    Session session;
    const Case unwanted = list.all()[1], dropped = list.all()[3];
    CaseSet wanted(list.places(), true), finished(list.places());
    for (auto at = list.walk(CaseOrder::results); !at.at_end(); at.advance()) {
      if (at.where() == unwanted) wanted[at.place()] = false;
      if (at.where() == dropped) finished[at.place()] = true;
    }
    PlanStream stream(list, wanted, session);
    EXPECT_EQ(stream.workload().cases, list.all().size() - 1);
    stream.drop(finished);
    EXPECT_EQ(stream.workload().cases, list.all().size() - 2);

    std::size_t count = 0;
    for (const std::vector<Case>& batch : batches(stream)) {
      count += batch.size();
      EXPECT_EQ(std::ranges::count(batch, unwanted) + std::ranges::count(batch, dropped), 0);
    }
    EXPECT_EQ(count, list.all().size() - 2);
  }
}

TEST(Workload, AddsUpCasesTruthsSeedsAndSizes) {
  const CaseList list = list_of({"mode=fp32,bf16", "n=1,4", "seed=5,2"});
  Session session;
  const Workload work = PlanStream(list, {}, session).workload();

  EXPECT_EQ(work.cases, 8u);
  EXPECT_EQ(work.truths, 4u);
  EXPECT_EQ(work.seeds, (std::vector<std::uint64_t>{2, 5}));
  EXPECT_EQ(work.cost_ns, total_cost(session.plan(list.all())));
  ASSERT_TRUE(work.largest.has_value());
  EXPECT_EQ(work.largest->n(), 4u);
  EXPECT_EQ(work.by_bytes.begin()->first, work.largest->cost().least_bytes);
}

TEST(RunOfAStream, FinishesEveryCaseOnceAndCountsThrough) {
  const CaseList list = many();
  Session session;
  PlanStream stream(list, {}, session);
  const Workload work = stream.workload();
  std::mutex mutex;
  std::vector<Case> ran;
  std::size_t done = 0;
  double cost = 0;
  const auto take = [&](const std::vector<Row>& rows) {
    const std::scoped_lock lock(mutex);
    for (const Row& row : rows) {
      EXPECT_TRUE(row.where.shares_names(rows.front().where));
      ran.push_back(row.where);
    }
  };
  const auto show = [&](const RunState& state) {
    EXPECT_GT(state.done, done);
    EXPECT_EQ(state.total, 2 * many_seeds);
    EXPECT_EQ(state.total_cost, work.cost_ns);
    EXPECT_GE(state.done_cost, cost);
    done = state.done;
    cost = state.done_cost;
  };
  run_cases(stream, work, {.threads = 2}, {.take = take, .show = show});
  std::ranges::sort(ran);

  EXPECT_EQ(ran, list.all());
  EXPECT_EQ(done, ran.size());
  EXPECT_NEAR(cost, work.cost_ns, 1e-6 * work.cost_ns);
}

TEST(RunOfAStream, GivesTheRowsOfMillisecondsTogether) {
  const CaseList list = list_of({"mode=fp32,bf16", "n=1", "seed=1..4000"});
  Session session;
  for (const double timeout_s : {0.0, 60.0}) {
    PlanStream stream(list, {}, session);
    std::size_t most = 0;
    run_cases(stream, stream.workload(), {.timeout_s = timeout_s},
              {.take = [&](const std::vector<Row>& rows) { most = std::max(most, rows.size()); }});
    EXPECT_GE(most, timeout_s > 0 ? 1 : 10);
    EXPECT_LE(most, timeout_s > 0 ? 1 : 200);
  }
}

TEST(RunOfAStream, EndsWithAStopAndWithTheErrorOfTheSink) {
  const CaseList list = many();
  Session session;
  std::atomic<bool> stop = false;
  std::size_t rows = 0;
  PlanStream stopped(list, {}, session);
  run_cases(stopped, stopped.workload(), {.stop = &stop},
            {.take = [&](const std::vector<Row>& more) {
              EXPECT_FALSE(stop);
              rows += more.size();
              stop = rows > PlanStream::batch_cases;
            }});
  EXPECT_GT(rows, PlanStream::batch_cases);
  EXPECT_LT(rows, PlanStream::batch_cases + 1000);

  std::size_t times = 0;
  PlanStream thrown(list, {}, session);
  EXPECT_THROW(run_cases(thrown, thrown.workload(), {},
                         {.take =
                              [&](const std::vector<Row>&) {
                                if (++times == 10) throw std::runtime_error("disk full");
                              }}),
               std::runtime_error);
  EXPECT_EQ(times, 10u);
}

/// In the middle of those that a worker takes together, too.
TEST(RunOfAStream, KeepsTheRowsThatAreFinishedAtAStop) {
  const CaseList list = list_of({"n=1", "seed=1..4000"});
  Session session;
  std::atomic<bool> stop = false;
  std::size_t begun = 0, rows = 0;
  const Watch watch([&](std::size_t) { stop = ++begun == 1234; });
  PlanStream stream(list, {}, session);
  run_cases(stream, stream.workload(), {.stop = &stop},
            {.take = [&rows](const std::vector<Row>& more) { rows += more.size(); }});
  EXPECT_EQ(begun, 1234u);
  EXPECT_EQ(rows, 1234u);
}

}  // namespace
}  // namespace fftprec::testing
