#include "experiments/sweeps/run.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/real.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

namespace {

/// Why a case has no result.
struct Failure {
  Status status = Status::failed;
  std::string message{};
};

/// What the exception being handled says of its case: skipped, if it is NotApplicable.
Failure current_failure() {
  try {
    throw;
  } catch (const NotApplicable& reason) {
    return {Status::skipped, reason.what()};
  } catch (const std::bad_alloc&) {
    const truth::MpfrCacheScope half_made;  // constants of this thread are made anew
    return {Status::failed, "not enough memory"};
  } catch (const std::length_error&) {
    return {Status::failed, "not enough memory: more values than a vector can hold"};
  } catch (const std::exception& error) {
    return {Status::failed, error.what()};
  } catch (...) {
    return {Status::failed, "an exception of unknown type"};
  }
}

Row row_without_result(const Case& where, const Failure& failure) {
  Row row{.where = where};
  row.status = failure.status;
  row.message = failure.message;
  return row;
}

/// The first exception of on_row ends a run, after what is running has finished. Not synchronised.
class RowSink {
 public:
  explicit RowSink(const RunOptions& options) : options_(options) {}

  /// Gives the row to on_row, unless that has thrown before.
  void give(const Row& row) {
    if (error_) return;
    try {
      options_.on_row(row);
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  bool stopped() const { return error_ || (options_.stop && options_.stop->load()); }

  /// Throws what on_row has thrown.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const RunOptions& options_;
  std::exception_ptr error_;
};

/// Tables that cases share, by number: the first case that needs them makes them.
using TablesNumber = std::size_t;
enum class TablesState { unmade, being_made, made };

struct Member {
  const Case* where;
  TablesNumber tables;
};

/// The cases that share a problem. It is made by the first worker that takes the group, and dropped
/// with its last case.
struct Group {
  ProblemKey key;
  std::vector<Member> cases;  ///< costly ones first
  double cost = 0;            ///< with the problem's
  std::size_t next = 0;       ///< first case that no worker has taken
  std::shared_ptr<const Problem> problem;
  Failure failure;  ///< why there is no problem
  bool ready = false;
};

struct Task {
  Group* group;
  Member member;
  std::shared_ptr<const Problem> problem;
};

/// Costly groups first.
std::vector<Group> groups_of(std::span<const Case> cases, const RunCosts& costs) {
  std::map<PlanKey, TablesNumber> tables;
  std::map<ProblemKey, std::vector<std::pair<double, Member>>> by_key;
  for (const Case& where : cases) {
    const TablesNumber number = tables.try_emplace(tables_key(where), tables.size()).first->second;
    by_key[problem_key(where)].push_back(
        {costs.case_ns(where) + costs.tables_ns(where), {&where, number}});
  }
  std::vector<Group> groups;
  for (auto& [key, members] : by_key) {
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    const double truth_cost = costs.truth_ns(*members.front().second.where);
    Group group{key, {}, truth_cost, 0, nullptr, {}, false};
    for (const auto& [cost, member] : members) {
      group.cases.push_back(member);
      group.cost += cost;
    }
    groups.push_back(std::move(group));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.cost > b.cost; });
  return groups;
}

class Runner {
 public:
  Runner(std::span<const Case> cases, const RunOptions& options)
      : options_(options),
        rows_(options),
        groups_(groups_of(cases, options.costs)),
        tables_(cases.size(), TablesState::unmade) {}

  void run() {
    {
      std::jthread watch;
      if (options_.timeout_s > 0) watch = std::jthread([this](std::stop_token end) { guard(end); });
      {
        std::vector<std::jthread> others;
        for (unsigned i = 1; i < options_.threads; ++i) others.emplace_back([this] { work(); });
        work();
      }
    }
    rows_.rethrow();
  }

 private:
  void work() {
    const truth::MpfrCacheScope mpfr_constants;  // kept per thread: a thread that ends frees them
    Group* own = nullptr;
    while (const std::optional<Task> task = next(own)) {
      own = task->group;
      const auto activity = begin(task->group, task->member.where);
      Row row = run_task(*task);
      // One line per row, so that a torn line of a journal is never more than its last.
      for (char& c : row.message)
        if (c == '\n' || c == '\r') c = ' ';
      const std::scoped_lock lock(mutex_);
      tables_[task->member.tables] = TablesState::made;
      if (end(activity)) report(row);
    }
  }

  /// What a thread is busy with: a case, or the problem of a group.
  struct Activity {
    std::chrono::steady_clock::time_point start;
    Group* group;
    const Case* where;  ///< null: the problem
    bool given_up = false;
  };
  using Activities = std::list<Activity>;

  Activities::iterator begin(Group* group, const Case* where) {
    if (!(options_.timeout_s > 0)) return activities_.end();
    const std::scoped_lock lock(mutex_);
    return activities_.insert(activities_.end(),
                              {std::chrono::steady_clock::now(), group, where, false});
  }

  /// Whether the result counts: not if it was given up. With the mutex held.
  bool end(Activities::iterator activity) {
    if (activity == activities_.end()) return true;
    const bool given_up = activity->given_up;
    activities_.erase(activity);
    if (given_up) --given_up_;
    changed_.notify_all();
    return !given_up;
  }

  /// Watches the activities until asked to end, which it is when all are over.
  void guard(const std::stop_token& end) {
    const auto timeout = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(options_.timeout_s));
    std::unique_lock lock(mutex_);
    while (!end.stop_requested()) {
      const auto now = std::chrono::steady_clock::now();
      auto wake =
          now + std::min<std::chrono::steady_clock::duration>(timeout, std::chrono::seconds(1));
      for (Activity& activity : activities_) {
        if (activity.given_up) continue;
        if (now - activity.start >= timeout)
          give_up(activity);
        else
          wake = std::min(wake, activity.start + timeout);
      }
      if (given_up_ > 0 && given_up_ == activities_.size() && !hang_told_) {
        hang_told_ = true;
        lock.unlock();
        options_.on_hang();
        lock.lock();
        continue;
      }
      changed_.wait_until(lock, end, wake, [] { return false; });
    }
  }

  void give_up(Activity& activity) {
    activity.given_up = true;
    ++given_up_;
    hang_told_ = false;
    const std::string limit = shortest(options_.timeout_s) + " s, given up";
    if (activity.where) {
      report(row_without_result(*activity.where, {Status::failed, "not finished after " + limit}));
      return;
    }
    Group& group = *activity.group;
    for (; has_cases(group); ++group.next)
      report(row_without_result(*group.cases[group.next].where,
                                {Status::failed, "its truth is not finished after " + limit}));
    group.ready = true;
  }

  /// The next case of the worker's own group; else of an untouched group, whose problem it makes;
  /// else of a group that another worker is busy with.
  std::optional<Task> next(Group* own) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (rows_.stopped()) return std::nullopt;
      if (given_up_ > 0) {
        changed_.wait(lock);
        continue;
      }
      if (own && has_cases(*own)) return take(*own);
      if (untouched_ < groups_.size()) {
        Group& group = groups_[untouched_++];
        make_problem(group, lock);
        own = &group;
        continue;
      }
      const auto ready = std::find_if(groups_.begin(), groups_.end(), [](const Group& group) {
        return group.ready && has_cases(group);
      });
      if (ready != groups_.end()) return take(*ready);
      if (std::all_of(groups_.begin(), groups_.end(), [](const Group& g) { return g.ready; }))
        return std::nullopt;
      changed_.wait(lock);
    }
  }

  static bool has_cases(const Group& group) { return group.next < group.cases.size(); }

  /// The costliest case whose tables nobody is making just now: to wait for them would leave a core
  /// idle. If there is none, the costliest.
  Task take(Group& group) {
    const auto first = group.cases.begin() + static_cast<std::ptrdiff_t>(group.next);
    const auto free = std::find_if(first, group.cases.end(), [this](const Member& member) {
      return tables_[member.tables] != TablesState::being_made;
    });
    if (free != group.cases.end()) std::rotate(first, free, free + 1);
    Task task{&group, group.cases[group.next++], group.problem};
    TablesState& tables = tables_[task.member.tables];
    if (tables == TablesState::unmade) tables = TablesState::being_made;
    if (!has_cases(group)) group.problem = nullptr;
    return task;
  }

  void make_problem(Group& group, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    const auto activity = begin(&group, nullptr);
    std::shared_ptr<const Problem> problem;
    Failure failure;
    try {
      problem = std::make_shared<const Problem>(options_.make_problem(group.key));
    } catch (...) {
      failure = current_failure();
    }
    lock.lock();
    if (!end(activity)) problem = nullptr;
    group.problem = std::move(problem);
    group.failure = std::move(failure);
    group.ready = true;
    changed_.notify_all();
  }

  Row run_task(const Task& task) const {
    const Case& where = *task.member.where;
    if (!task.problem) return row_without_result(where, task.group->failure);
    try {
      return options_.evaluate(where, *task.problem);
    } catch (...) {
      return row_without_result(where, current_failure());
    }
  }

  /// With the mutex held.
  void report(const Row& row) {
    rows_.give(row);
    if (rows_.stopped()) changed_.notify_all();
  }

  const RunOptions& options_;
  RowSink rows_;
  std::mutex mutex_;
  std::condition_variable_any changed_;  ///< a problem was made, something ended, or the run ends
  std::vector<Group> groups_;
  std::vector<TablesState> tables_;
  std::size_t untouched_ = 0;
  Activities activities_;
  std::size_t given_up_ = 0;  ///< activities past the timeout that go on all the same
  bool hang_told_ = false;
};

}  // namespace

void run_cases(std::span<const Case> cases, const RunOptions& options) {
  Runner(cases, options).run();
}

unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace fftprec
