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

#include "arith/error.hpp"
#include "arith/truth/real.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

namespace {

/// Why a case has no result.
struct Failure {
  Status status = Status::failed;
  std::string message;
};

/// The cases that share a problem. It is made by the first worker that takes the group, and dropped
/// with its last case.
struct Group {
  ProblemKey key;
  std::vector<const Case*> cases;  ///< costly ones first
  double cost = 0;                 ///< with the problem's
  std::size_t next = 0;            ///< first case that no worker has taken
  std::shared_ptr<const Problem> problem;
  Failure failure;  ///< why there is no problem
  bool ready = false;
};

struct Task {
  Group* group;
  const Case* where;
  std::shared_ptr<const Problem> problem;
};

std::vector<Group> groups_of(std::span<const Case> cases, const RunCosts& costs) {
  std::map<ProblemKey, std::vector<std::pair<double, const Case*>>> by_key;
  for (const Case& where : cases)
    by_key[problem_key(where)].emplace_back(costs.of_case ? costs.of_case(where) : 1.0, &where);
  std::vector<Group> groups;
  for (auto& [key, members] : by_key) {
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    const double truth_cost = costs.of_truth ? costs.of_truth(*members.front().second) : 0;
    Group group{key, {}, truth_cost, 0, nullptr, {}, false};
    for (const auto& [cost, where] : members) {
      group.cases.push_back(where);
      group.cost += cost;
    }
    groups.push_back(std::move(group));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.cost > b.cost; });
  return groups;
}

Row row_without_result(const Case& where, const Failure& failure) {
  Row row;
  row.where = where;
  row.status = failure.status;
  row.message = failure.message;
  return row;
}

/// What the exception being handled says of its case.
Failure current_failure() {
  try {
    throw;
  } catch (const NotApplicable& reason) {
    return {Status::skipped, reason.what()};
  } catch (const std::bad_alloc&) {
    return {Status::failed, "not enough memory"};
  } catch (const std::length_error&) {
    return {Status::failed, "not enough memory: more values than a vector can hold"};
  } catch (const std::exception& error) {
    return {Status::failed, error.what()};
  } catch (...) {
    return {Status::failed, "an exception of unknown type"};
  }
}

class Runner {
 public:
  Runner(std::span<const Case> cases, const RunOptions& options)
      : options_(options),
        groups_(groups_of(cases, {options.estimated_cost_ns, options.estimated_truth_ns})) {}

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
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void work() {
    const truth::MpfrCacheScope mpfr_constants;  // kept per thread: a thread that ends frees them
    Group* own = nullptr;
    while (const std::optional<Task> task = next(own)) {
      own = task->group;
      const auto activity = begin(task->group, task->where);
      Row row = run_task(*task);
      // One line per row, so that a torn line of a journal is never more than its last.
      for (char& c : row.message)
        if (c == '\n' || c == '\r') c = ' ';
      const std::scoped_lock lock(mutex_);
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
      report(row_without_result(*group.cases[group.next],
                                {Status::failed, "its truth is not finished after " + limit}));
    group.ready = true;
  }

  bool stopped() const { return error_ || (options_.stop && options_.stop->load()); }

  /// The next case of the worker's own group; else of an untouched group, whose problem it makes;
  /// else of a group that another worker is busy with.
  std::optional<Task> next(Group* own) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (stopped()) return std::nullopt;
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

  Task take(Group& group) {
    const Case* const where = group.cases[group.next++];
    Task task{&group, where, group.problem};
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
    if (!task.problem) return row_without_result(*task.where, task.group->failure);
    try {
      return options_.evaluate(*task.where, *task.problem);
    } catch (...) {
      return row_without_result(*task.where, current_failure());
    }
  }

  /// With the mutex held.
  void report(const Row& row) {
    if (error_) return;
    try {
      options_.on_row(row);
    } catch (...) {
      error_ = std::current_exception();
      changed_.notify_all();
    }
  }

  const RunOptions& options_;
  std::mutex mutex_;
  std::condition_variable_any changed_;  ///< a problem was made, something ended, or the run ends
  std::vector<Group> groups_;
  std::size_t untouched_ = 0;
  Activities activities_;
  std::size_t given_up_ = 0;  ///< activities past the timeout that go on all the same
  bool hang_told_ = false;
  std::exception_ptr error_;
};

}  // namespace

void run_cases(std::span<const Case> cases, const RunOptions& options) {
  Runner(cases, options).run();
}

unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace fftprec
