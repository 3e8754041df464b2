#include "experiments/sweeps/run.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
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
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"

namespace fftprec {

RunCosts estimated_costs(const std::shared_ptr<Session>& session) {
  const auto cost =
      remembered_cost([session](const Case& where) { return emulation_cost(*session, where); });
  return {
      [cost](const Case& where) { return cost(where).run_ns; },
      [cost_of_truth = remembered_cost([session](const Case& where) {
         return estimated_truth_ns(*session, where);
       })](const Case& where) {
        return cost_of_truth({.transform = where.transform, .n = where.n, .batch = where.batch});
      },
      [cost](const Case& where) { return cost(where).tables_ns; },
      [cost](const Case& where) { return cost(where).least_bytes; }};
}

double CostSum::add(const Case& where) {
  double cost = costs_.case_ns(where);
  if (truths_.insert(problem_key(where)).second) cost += costs_.truth_ns(where);
  if (costs_.of_tables && tables_.insert(tables_key(where)).second) cost += costs_.tables_ns(where);
  total_ += cost;
  return cost;
}

double total_cost(std::span<const Case> cases, const RunCosts& costs) {
  CostSum sum(costs);
  for (const Case& where : cases) sum.add(where);
  return sum.total();
}

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

/// A problem that cases share: made by the first worker that needs it, dropped with its last case.
struct SharedProblem {
  enum class State { unmade, being_made, ready };

  ProblemKey key;
  State state = State::unmade;
  std::shared_ptr<const Problem> problem{};
  Failure failure{};     ///< why there is no problem
  std::size_t left = 0;  ///< cases that no worker has taken
};

struct Member {
  const Case* where;
  SharedProblem* problem;
};

/// Cases that share tables, which the first of them makes.
struct Group {
  enum class Tables { unmade, being_made, made };

  std::vector<Member> cases{};
  double cost = 0;           ///< with the tables'
  std::size_t next = 0;      ///< first case that no worker has taken
  std::size_t finished = 0;  ///< cases
  bool begun = false;
  Tables tables = Tables::unmade;
  std::shared_ptr<const void> held{};  ///< what the cases share, from the first to the last
};

struct Task {
  Group* group;
  Member member;
  std::shared_ptr<const Problem> problem;
};

/// What is to be done, in the order in which it is begun.
struct WorkList {
  std::deque<SharedProblem> problems;
  std::vector<Group> groups;
};

/// The cases of one transform and length in blocks, costly ones first: each holds as many problems
/// as fit into memory together, and all groups that need any of them, costly ones first.
WorkList work_list(std::span<const Case> cases, const RunCosts& costs) {
  constexpr double bytes_per_element = 48;  // input, truth in two words
  constexpr double block_bytes = 0x1p28;
  struct Block {
    double cost = 0;
    std::vector<Group> groups{};
  };
  struct ByProblem {
    double cost = 0;
    std::vector<const Case*> cases{};
  };
  std::map<std::pair<std::string, std::uint64_t>, std::map<ProblemKey, ByProblem>> lengths;
  for (const Case& where : cases) {
    ByProblem& same = lengths[{where.transform, where.n}][problem_key(where)];
    if (same.cases.empty()) same.cost = costs.truth_ns(where);
    same.cases.push_back(&where);
    same.cost += costs.case_ns(where);
  }
  WorkList work;
  std::vector<Block> blocks;
  const auto costs_more = [](const auto& a, const auto& b) { return a.cost > b.cost; };
  for (auto& [length, by_key] : lengths) {
    std::vector<std::pair<const ProblemKey*, ByProblem*>> in_order;
    for (auto& [key, same] : by_key) in_order.emplace_back(&key, &same);
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const auto& a, const auto& b) { return a.second->cost > b.second->cost; });
    for (auto at = in_order.begin(); at != in_order.end();) {
      Block block;
      std::map<PlanKey, Group> groups;
      double bytes = 0;
      do {
        SharedProblem& problem = work.problems.emplace_back(SharedProblem{.key = *at->first});
        problem.left = at->second->cases.size();
        block.cost += at->second->cost;
        for (const Case* where : at->second->cases) {
          Group& group = groups[tables_key(*where)];
          if (group.cases.empty()) group.cost = costs.tables_ns(*where);
          group.cases.push_back({where, &problem});
          group.cost += costs.case_ns(*where);
        }
        bytes += bytes_per_element * static_cast<double>(at->first->n) *
                 static_cast<double>(at->first->batch);
        ++at;
      } while (at != in_order.end() && bytes < block_bytes);
      for (auto& [key, group] : groups) block.groups.push_back(std::move(group));
      std::stable_sort(block.groups.begin(), block.groups.end(), costs_more);
      blocks.push_back(std::move(block));
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(), costs_more);
  for (Block& block : blocks)
    for (Group& group : block.groups) work.groups.push_back(std::move(group));
  return work;
}

class Runner {
 public:
  Runner(std::span<const Case> cases, const RunOptions& options)
      : options_(options),
        rows_(options),
        work_(work_list(cases, options.costs)),
        left_(cases.size()) {}

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
      const auto activity = begin(nullptr, task->member.where);
      const std::shared_ptr<const void> held = held_by(*own, *task->member.where);
      Row row = run_task(*task);
      // One line per row, so that a torn line of a journal is never more than its last.
      row.message = on_one_line(row.message);
      std::shared_ptr<const void> dropped;  // after the mutex
      const std::scoped_lock lock(mutex_);
      own->tables = Group::Tables::made;
      ++own->finished;
      if (own->finished == own->cases.size()) dropped = std::move(own->held);
      if (end(activity)) report(row);
    }
  }

  /// What the cases of the group share.
  std::shared_ptr<const void> held_by(Group& group, const Case& where) {
    if (!options_.hold) return nullptr;
    {
      const std::scoped_lock lock(mutex_);
      if (group.held) return group.held;
    }
    std::shared_ptr<const void> held;
    try {
      held = options_.hold(where);
    } catch (...) {  // the case itself says why
    }
    const std::scoped_lock lock(mutex_);
    group.held = held;
    return held;
  }

  /// What a thread is busy with: a case, or a problem.
  struct Activity {
    std::chrono::steady_clock::time_point start;
    SharedProblem* problem;  ///< or null
    const Case* where;       ///< or null
    bool given_up = false;
  };
  using Activities = std::list<Activity>;

  Activities::iterator begin(SharedProblem* problem, const Case* where) {
    if (!(options_.timeout_s > 0)) return activities_.end();
    const std::scoped_lock lock(mutex_);
    return activities_.insert(activities_.end(),
                              {std::chrono::steady_clock::now(), problem, where, false});
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
    SharedProblem& problem = *activity.problem;
    for (Group& group : work_.groups) {
      const auto shares = [&](const Member& member) { return member.problem == &problem; };
      const auto first = group.cases.begin() + static_cast<std::ptrdiff_t>(group.next);
      const auto kept = std::stable_partition(first, group.cases.end(), std::not_fn(shares));
      for (auto member = kept; member != group.cases.end(); ++member) {
        --left_;
        report(row_without_result(*member->where,
                                  {Status::failed, "its truth is not finished after " + limit}));
      }
      group.cases.erase(kept, group.cases.end());
      if (group.finished == group.cases.size()) group.held = nullptr;
    }
    problem.state = SharedProblem::State::ready;
  }

  /// The next case for a worker: of its own group; else of an untouched one, whose tables it makes;
  /// else of one that other workers are busy with. A problem that it needs and nobody has made yet
  /// is made first.
  std::optional<Task> next(Group* own) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (rows_.stopped() || left_ == 0) return std::nullopt;
      Group* const group = given_up_ > 0 ? nullptr : choose(own);
      if (!group) {
        changed_.wait(lock);
        continue;
      }
      own = group;
      group->begun = true;
      const auto member = takeable(*group);
      if (member->problem->state == SharedProblem::State::ready) return take(*group, member);
      make_problem(*member->problem, lock);
    }
  }

  using Members = std::vector<Member>::iterator;

  /// The first case that nobody has taken and whose problem nobody is making just now.
  static Members takeable(Group& group) {
    return std::find_if(group.cases.begin() + static_cast<std::ptrdiff_t>(group.next),
                        group.cases.end(), [](const Member& member) {
                          return member.problem->state != SharedProblem::State::being_made;
                        });
  }

  Group* choose(Group* own) {
    const auto has_case = [](Group& group) { return takeable(group) != group.cases.end(); };
    if (own && has_case(*own)) return own;
    std::vector<Group>& groups = work_.groups;
    while (untouched_ < groups.size() && groups[untouched_].begun) ++untouched_;
    for (std::size_t i = untouched_; i < groups.size(); ++i)
      if (!groups[i].begun && has_case(groups[i])) return &groups[i];
    // To wait for tables that another worker is making would leave a core idle.
    Group* waiting = nullptr;
    for (Group& group : groups) {
      if (!has_case(group)) continue;
      if (group.tables == Group::Tables::made) return &group;
      if (!waiting) waiting = &group;
    }
    return waiting;
  }

  Task take(Group& group, Members member) {
    const auto first = group.cases.begin() + static_cast<std::ptrdiff_t>(group.next);
    std::rotate(first, member, member + 1);
    ++group.next;
    --left_;
    SharedProblem& problem = *first->problem;
    Task task{&group, *first, problem.problem};
    if (--problem.left == 0) problem.problem = nullptr;
    if (group.tables == Group::Tables::unmade) group.tables = Group::Tables::being_made;
    if (left_ == 0) changed_.notify_all();
    return task;
  }

  void make_problem(SharedProblem& shared, std::unique_lock<std::mutex>& lock) {
    shared.state = SharedProblem::State::being_made;
    lock.unlock();
    const auto activity = begin(&shared, nullptr);
    std::shared_ptr<const Problem> problem;
    Failure failure;
    try {
      problem = std::make_shared<const Problem>(options_.make_problem(shared.key));
    } catch (...) {
      failure = current_failure();
    }
    lock.lock();
    if (!end(activity)) problem = nullptr;
    shared.problem = std::move(problem);
    shared.failure = std::move(failure);
    shared.state = SharedProblem::State::ready;
    changed_.notify_all();
  }

  Row run_task(const Task& task) const {
    const Case& where = *task.member.where;
    if (!task.problem) return row_without_result(where, task.member.problem->failure);
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
  WorkList work_;
  std::size_t left_;           ///< cases that no worker has taken
  std::size_t untouched_ = 0;  ///< groups before this one are begun
  Activities activities_;
  std::size_t given_up_ = 0;  ///< activities past the timeout that go on all the same
  bool hang_told_ = false;
};

}  // namespace

void run_cases(std::span<const Case> cases, const RunOptions& options) {
  Runner(cases, options).run();
}

RunOptions real_run(const std::shared_ptr<Session>& session, RowExtent extent) {
  RunOptions options;
  options.evaluate = [session, extent](const Case& where, const Problem& problem) {
    return evaluate(*session, where, problem, best_isa(), extent);
  };
  options.make_problem = [session](const ProblemKey& key) { return session->make_problem(key); };
  options.hold = [session](const Case& where) { return session->setup(where); };
  return options;
}

unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace fftprec
