#include "experiments/sweeps/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/real.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"

namespace fftprec {

ProblemView problem_view(const CasePlan& plan) {
  const SharedCase& where = plan.where();
  return {where.transform(), where.n(), where.batch(), where.input(), where.seed()};
}

double CostSum::add(const CasePlan& plan) {
  const EmulationCost own = plan.cost();
  double cost = own.run_ns;
  if (truths_.insert(problem_view(plan)).second) cost += own.truth_ns;
  if (tables_.insert(plan.shared()).second) cost += own.tables_ns;
  total_ += cost;
  return cost;
}

double total_cost(std::span<const CasePlan> plans) {
  CostSum sum;
  for (const CasePlan& plan : plans) sum.add(plan);
  return sum.total();
}

namespace {

/// Why a case has no result.
struct Failure {
  Status status = Status::failed;
  std::string message{};
};

/// The failure from the exception being handled: skipped if it is NotApplicable.
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

Row row_without_result(const CasePlan& plan, const Failure& failure) {
  Row row{.where = plan.where()};
  row.status = failure.status;
  row.message = failure.message;
  return row;
}

/// A problem that cases share: made by the first worker that needs it, dropped with its last case.
struct SharedProblem {
  enum class State { unmade, being_made, ready };

  const CasePlan* plan;  ///< one of those that share it
  State state = State::unmade;
  std::shared_ptr<const Problem> problem{};
  Failure failure{};     ///< why there is no problem
  std::size_t left = 0;  ///< cases that no worker has taken
};

struct Member {
  const CasePlan* plan;
  SharedProblem* problem;
  double cost;  ///< with what it is the first to need
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
  std::shared_ptr<PlanTransforms> held{};  ///< what the cases share, from the first to the last
};

struct Task {
  Group* group;
  Member member;
  std::shared_ptr<const Problem> problem;
};

/// The work, in the order in which it begins.
struct WorkList {
  std::deque<SharedProblem> problems;
  std::vector<Group> groups;
};

/// A case, and what it costs.
struct Costed {
  const CasePlan* plan;
  EmulationCost cost;
};

/// Cases with one problem, and what they cost together.
struct ByProblem {
  std::span<const Costed> cases;
  double cost;
};

/// The costs of the cases, those with one problem together.
std::vector<Costed> costs_by_problem(std::span<const CasePlan> plans) {
  std::vector<Costed> cases;
  cases.reserve(plans.size());
  for (const CasePlan& plan : plans) cases.push_back({&plan, plan.cost()});
  const auto problem = [](const Costed& costed) { return problem_view(*costed.plan); };
  if (!std::ranges::is_sorted(cases, {}, problem)) std::ranges::stable_sort(cases, {}, problem);
  return cases;
}

/// Cuts the sorted cases of one length by their problems, the costliest first.
std::vector<ByProblem> problems_of(std::span<const Costed> cases) {
  std::vector<ByProblem> problems;
  for (auto begin = cases.begin(); begin != cases.end();) {
    const auto end = std::find_if(begin, cases.end(), [begin](const Costed& costed) {
      return !same_problem(costed.plan->where(), begin->plan->where());
    });
    double cost = begin->cost.truth_ns;
    for (auto at = begin; at != end; ++at) cost += at->cost.run_ns;
    problems.push_back({{begin, end}, cost});
    begin = end;
  }
  std::ranges::stable_sort(problems, std::greater<>(), &ByProblem::cost);
  return problems;
}

/// The cases of one transform and length in blocks, costly ones first: each holds as many problems
/// as fit into memory together, and all groups that need any of them, costly ones first.
WorkList work_list(std::span<const CasePlan> plans) {
  constexpr double bytes_per_element = 48;  // input, truth in two words
  constexpr double block_bytes = 0x1p28;
  struct Block {
    double cost = 0;
    std::vector<Group> groups{};
  };
  WorkList work;
  std::vector<Block> blocks;
  const auto costs_more = [](const auto& a, const auto& b) { return a.cost > b.cost; };
  const std::vector<Costed> cases = costs_by_problem(plans);
  for (auto begin = cases.begin(); begin != cases.end();) {
    const auto end = std::find_if(begin, cases.end(), [begin](const Costed& costed) {
      return costed.plan->n() != begin->plan->n() ||
             costed.plan->where().transform() != begin->plan->where().transform();
    });
    const std::vector<ByProblem> problems =
        problems_of({&*begin, static_cast<std::size_t>(end - begin)});
    begin = end;
    for (auto at = problems.begin(); at != problems.end();) {
      Block block;
      std::unordered_map<const CasePlan::Shared*, std::size_t> places;
      double bytes = 0;
      do {
        const CasePlan& first = *at->cases.front().plan;
        SharedProblem& problem = work.problems.emplace_back(SharedProblem{.plan = &first});
        problem.left = at->cases.size();
        block.cost += at->cost;
        for (const auto& [plan, cost] : at->cases) {
          const auto [place, is_new] = places.try_emplace(plan->shared(), block.groups.size());
          if (is_new) block.groups.push_back({.cost = cost.tables_ns});
          Group& group = block.groups[place->second];
          const double tables = is_new ? cost.tables_ns : 0;
          const double truth = plan == &first ? cost.truth_ns : 0;
          group.cases.push_back({plan, &problem, cost.run_ns + tables + truth});
          group.cost += cost.run_ns;
        }
        bytes +=
            bytes_per_element * static_cast<double>(first.n()) * static_cast<double>(first.batch());
        ++at;
      } while (at != problems.end() && bytes < block_bytes);
      std::ranges::stable_sort(block.groups, costs_more);
      blocks.push_back(std::move(block));
    }
  }
  std::ranges::stable_sort(blocks, costs_more);
  for (Block& block : blocks)
    for (Group& group : block.groups) work.groups.push_back(std::move(group));
  return work;
}

/// Runs the cases. Its threads share its ownership, since a hung thread outlives the run.
class Runner : public std::enable_shared_from_this<Runner> {
 public:
  /// `state`: empty, or of the whole run that these plans are a batch of.
  Runner(std::vector<CasePlan> plans, const RunOptions& options,
         std::variant<RowSink, RowsSink> sink, const RunState& state = {})
      : plans_(std::move(plans)),
        options_(options),
        sink_(std::move(sink)),
        work_(work_list(plans_)),
        left_(plans_.size()),
        state_(state) {
    options_.truth.isa = options.isa;
    // Where there are truths for every thread, each is made by one.
    options_.truth.threads = work_.problems.size() < options.threads ? options.threads : 1;
    if (state_.total > 0) return;
    state_.total = plans_.size();
    for (const Group& group : work_.groups)
      for (const Member& member : group.cases) state_.total_cost += member.cost;
  }

  bool empty() const { return plans_.empty(); }

  /// Where the run stands. Not while it runs.
  RunState& state() { return state_; }

  std::size_t run() {
    std::unique_lock lock(mutex_);
    for (unsigned i = 0; i < std::max(1u, options_.threads); ++i) start_worker();
    if (workers_.empty()) work_here(lock);
    while (working_ > 0) options_.timeout_s > 0 ? give_up_overdue(lock) : changed_.wait(lock);
    lock.unlock();
    for (Worker& worker : workers_)
      if (worker.thread.joinable()) worker.hung ? worker.thread.detach() : worker.thread.join();
    lock.lock();
    if (error_) std::rethrow_exception(error_);
    return hung_;
  }

  /// Threads that still run abandoned work.
  std::size_t hung() const {
    const std::scoped_lock lock(mutex_);
    return hung_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// A thread, and what it is busy with: a case, a problem, or neither.
  struct Worker {
    std::thread thread{};
    Clock::time_point start{};
    std::optional<Task> task{};
    SharedProblem* problem = nullptr;
    bool hung = false;  ///< given up: what it finishes after all is dropped
  };

  /// Starts a worker. If no thread can be made, the existing ones do its work. With the mutex held.
  void start_worker() {
    Worker& worker = workers_.emplace_back();
    try {
      worker.thread = std::thread([self = shared_from_this(), &worker] { self->work(worker); });
      ++working_;
    } catch (const std::system_error&) {
      workers_.pop_back();
      if (working_ == 0 && !workers_.empty() && !error_)
        error_ = std::make_exception_ptr(std::bad_alloc());
    }
  }

  /// Where no thread can be made at all, as in a page, the caller does the work, without a timeout.
  void work_here(std::unique_lock<std::mutex>& lock) {
    Worker& worker = workers_.emplace_back();
    ++working_;
    lock.unlock();
    work(worker);
    lock.lock();
  }

  /// An exception outside a case, when memory is short, ends the run like an exception of the sink.
  void work(Worker& worker) {
    std::exception_ptr thrown;
    try {
      work_through(worker);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    if (worker.hung) return;
    end(worker);
    if (!error_) error_ = thrown;
    --working_;
    changed_.notify_all();
  }

  void work_through(Worker& worker) {
    const truth::MpfrCacheScope mpfr_constants;  // kept per thread: a thread that ends frees them
    Group* own = nullptr;
    for (auto tasks = next(worker, own); !tasks.empty(); tasks = next(worker, own)) {
      own = tasks.front().group;
      std::vector<Row> rows;
      rows.reserve(tasks.size());
      try {
        for (const Task& task : tasks)
          if (rows.empty() || !asked_to_stop()) rows.push_back(finished_row(task));
      } catch (...) {
        report(tasks, std::move(rows));
        throw;
      }
      std::shared_ptr<PlanTransforms> dropped;  // after the mutex
      {
        const std::scoped_lock lock(mutex_);
        if (!end(worker)) return;
        own->tables = Group::Tables::made;
        dropped = finish(*own, tasks.size());
      }
      report(tasks, std::move(rows));
    }
  }

  Row finished_row(const Task& task) const {
    Row row = run_task(task);
    // One line per row, so that a torn line of a journal is never more than its last.
    if (!row.message.empty()) row.message = on_one_line(row.message);
    if (!options_.times) row.time_ns.reset();
    return row;
  }

  /// With the mutex held, as all that follows down to `make_problems`.
  void begin(Worker& worker, std::optional<Task> task, SharedProblem* problem) const {
    worker.task = std::move(task);
    worker.problem = problem;
    if (options_.timeout_s > 0) worker.start = Clock::now();
  }

  /// Whether the result counts.
  bool end(Worker& worker) {
    if (worker.hung) {
      --hung_;
      return false;
    }
    worker.task.reset();
    worker.problem = nullptr;
    return true;
  }

  /// Takes what the group holds, after its last case.
  static std::shared_ptr<PlanTransforms> finish(Group& group, std::size_t cases) {
    group.finished += cases;
    return group.finished == group.cases.size() ? std::move(group.held) : nullptr;
  }

  /// Abandons work that takes longer than the timeout, and waits until the next work may.
  void give_up_overdue(std::unique_lock<std::mutex>& lock) {
    const auto timeout = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(options_.timeout_s));
    const auto now = Clock::now();
    auto wake = now + timeout;
    std::vector<Task> overdue;
    for (Worker& worker : workers_) {
      if (worker.hung || (!worker.task && !worker.problem)) continue;
      if (now - worker.start < timeout)
        wake = std::min(wake, worker.start + timeout);
      else if (std::optional<Task> task = give_up(worker))
        overdue.push_back(*std::move(task));
    }
    lock.unlock();
    for (const Task& task : overdue)
      report({task}, {row_without_result(*task.member.plan,
                                         {Status::failed, "not finished after " + limit_text()})});
    overdue.clear();
    lock.lock();
    if (working_ > 0) changed_.wait_until(lock, wake);
  }

  std::string limit_text() const { return shortest(options_.timeout_s) + " s, given up"; }

  /// A thread cannot be ended from outside: another one takes its place. Returns the case that it
  /// ran, unless it made a problem.
  std::optional<Task> give_up(Worker& worker) {
    worker.hung = true;
    ++hung_;
    --working_;
    start_worker();
    if (worker.problem)
      ready(*worker.problem, nullptr,
            {Status::failed, "its truth is not finished after " + limit_text()});
    else
      finish(*worker.task->group, 1);
    return worker.task;
  }

  /// The next cases for a worker: from its own group; else from a new group, whose tables it makes;
  /// else from a group of other workers. Missing problems of the cases are made first. Empty if no
  /// case is left or the worker was abandoned.
  std::vector<Task> next(Worker& worker, Group* own) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (stopped() || left_ == 0) return {};
      Group* const group = choose(own);
      if (!group) {
        changed_.wait(lock);
        continue;
      }
      own = group;
      group->begun = true;
      if (takeable(*group)->problem->state == SharedProblem::State::ready) {
        std::vector<Task> tasks = take(*group);
        if (!group->held) group->held = tasks.front().member.plan->transforms();
        begin(worker, tasks.front(), nullptr);
        return tasks;
      }
      if (!make_problems(worker, *group, lock)) return {};
    }
  }

  /// How many cases a worker takes together: as many as run in milliseconds, so that little is lost
  /// when the process is killed, and few where few are left. A timeout is for each case by itself.
  class Portion {
   public:
    explicit Portion(const Runner& runner)
        : most_(runner.options_.timeout_s > 0
                    ? 1
                    : runner.left_ / (8 * std::max(1u, runner.options_.threads))) {}

    /// Whether a case of that cost still belongs to it.
    bool takes(double cost) {
      constexpr double most_ns = 3e6;
      const bool fits = count_ == 0 || (count_ < most_ && cost_ + cost <= most_ns);
      ++count_;
      cost_ += cost;
      return fits;
    }

   private:
    std::size_t most_;
    std::size_t count_ = 0;
    double cost_ = 0;
  };

  using Members = std::vector<Member>::iterator;

  /// The first case that is not taken and whose problem is not being made.
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

  /// Cases whose problems are ready, one at least.
  std::vector<Task> take(Group& group) {
    std::vector<Task> tasks;
    Portion portion(*this);
    for (Members member = takeable(group);
         member != group.cases.end() && member->problem->state == SharedProblem::State::ready &&
         portion.takes(member->cost);
         member = takeable(group))
      tasks.push_back(take(group, member));
    if (group.tables == Group::Tables::unmade) group.tables = Group::Tables::being_made;
    if (left_ == 0) changed_.notify_all();
    return tasks;
  }

  Task take(Group& group, Members member) {
    const auto first = group.cases.begin() + static_cast<std::ptrdiff_t>(group.next);
    std::rotate(first, member, member + 1);
    ++group.next;
    --left_;
    SharedProblem& problem = *first->problem;
    Task task{&group, *first, problem.problem};
    if (--problem.left == 0) problem.problem = nullptr;
    return task;
  }

  /// Makes the problem of the group's next case and of some that follow. False if the worker was
  /// abandoned meanwhile.
  bool make_problems(Worker& worker, Group& group, std::unique_lock<std::mutex>& lock) {
    std::vector<SharedProblem*> unmade;
    Portion portion(*this);
    for (Members member = takeable(group);
         member != group.cases.end() && member->problem->state == SharedProblem::State::unmade &&
         portion.takes(member->cost);
         member = takeable(group)) {
      member->problem->state = SharedProblem::State::being_made;
      unmade.push_back(member->problem);
    }
    begin(worker, {}, unmade.front());
    lock.unlock();
    struct Made {
      std::shared_ptr<const Problem> problem{};
      Failure failure{};
    };
    std::vector<Made> made(unmade.size());
    for (std::size_t i = 0; i < unmade.size(); ++i) try {
        made[i].problem = problem_for(*unmade[i]->plan);
      } catch (...) {
        made[i].failure = current_failure();
      }
    lock.lock();
    if (!end(worker)) return false;
    for (std::size_t i = 0; i < unmade.size(); ++i)
      ready(*unmade[i], std::move(made[i].problem), std::move(made[i].failure));
    return true;
  }

  /// With the mutex held.
  void ready(SharedProblem& shared, std::shared_ptr<const Problem> problem, Failure failure) {
    shared.problem = std::move(problem);
    shared.failure = std::move(failure);
    shared.state = SharedProblem::State::ready;
    changed_.notify_all();
  }

  std::shared_ptr<const Problem> problem_for(const CasePlan& plan) const {
    const auto make = [&] {
      Problem problem = fftprec::make_problem(plan, options_.truth);
      if (problem.truth.bits < options_.least_truth_bits)
        throw InputError(
            fmt::format("the truth ({}) is certified to {} bits; --truth-bits asks for {}",
                        problem.truth.method, problem.truth.bits, options_.least_truth_bits));
      return problem;
    };
    if (!options_.problems) return std::make_shared<const Problem>(make());
    const std::size_t bytes = 48 * plan.n() * plan.batch();  // input, truth in two words
    return options_.problems->get(problem_key(plan.where()), bytes, make);
  }

  Row run_task(const Task& task) const {
    const CasePlan& plan = *task.member.plan;
    if (!task.problem) return row_without_result(plan, task.member.problem->failure);
    try {
      return evaluate(plan, *task.problem, options_.isa, options_.extent);
    } catch (...) {
      return row_without_result(plan, current_failure());
    }
  }

  /// Gives the rows to the sink, unless that has thrown before. Without the mutex: other workers go
  /// on meanwhile. Of several tasks the last may have no row.
  void report(const std::vector<Task>& tasks, std::vector<Row> rows) {
    std::exception_ptr thrown;
    try {
      if (const RowSink* one_by_one = std::get_if<RowSink>(&sink_))
        give(*one_by_one, tasks, rows);
      else
        give(std::get<RowsSink>(sink_), tasks, std::move(rows));
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = thrown;
    if (stopped()) changed_.notify_all();
  }

  void give(const RowSink& sink, const std::vector<Task>& tasks, const std::vector<Row>& rows) {
    const std::scoped_lock one_at_a_time(sink_mutex_);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (const auto state = state_after(&tasks[i], 1))
        sink({*tasks[i].member.plan, rows[i], tasks[i].problem.get(), *state});
  }

  void give(const RowsSink& sink, const std::vector<Task>& tasks, std::vector<Row> rows) {
    const std::size_t count = rows.size();
    if (has_failed()) return;
    sink.take(std::move(rows));
    const std::scoped_lock one_at_a_time(sink_mutex_);
    const auto state = state_after(tasks.data(), count);
    if (state && sink.show) sink.show(*state);
  }

  /// Empty if the sink has thrown.
  std::optional<RunState> state_after(const Task* tasks, std::size_t count) {
    const std::scoped_lock lock(mutex_);
    state_.done += count;
    for (std::size_t i = 0; i < count; ++i) state_.done_cost += tasks[i].member.cost;
    return error_ ? std::nullopt : std::optional(state_);
  }

  bool has_failed() const {
    const std::scoped_lock lock(mutex_);
    return error_ != nullptr;
  }

  bool asked_to_stop() const { return options_.stop && options_.stop->load(); }
  bool stopped() const { return error_ || asked_to_stop(); }

  const std::vector<CasePlan> plans_;
  RunOptions options_;
  const std::variant<RowSink, RowsSink> sink_;
  std::mutex sink_mutex_;  ///< locked before mutex_ where both are
  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< a problem was made, something ended, or the run ends
  WorkList work_;
  std::size_t left_;           ///< cases that no worker has taken
  std::size_t untouched_ = 0;  ///< groups before this one are begun
  std::list<Worker> workers_;
  std::size_t working_ = 0;  ///< workers that are not given up and have not ended
  std::size_t hung_ = 0;     ///< workers that were given up and have not ended
  RunState state_;
  std::exception_ptr error_;  ///< the first of the sink
};

/// Plans are made while others run. Not in a page: libc++ 13 would wait for a missing thread.
#if defined(__EMSCRIPTEN__)
constexpr std::launch ahead = std::launch::deferred;
#else
constexpr std::launch ahead = std::launch::async | std::launch::deferred;
#endif

}  // namespace

std::size_t run_cases(std::vector<CasePlan> plans, const RunOptions& options, RowSink sink) {
  return std::make_shared<Runner>(std::move(plans), options, std::move(sink))->run();
}

std::size_t run_cases(PlanStream& plans, const Workload& whole, const RunOptions& options,
                      const RowsSink& sink) {
  RunState state{.total = whole.cases, .total_cost = whole.cost_ns};
  const auto plan_batch = [&plans, &options, &sink, state] {
    const truth::MpfrCacheScope mpfr_constants;
    return std::make_shared<Runner>(plans.next(), options, sink, state);
  };
  std::vector<std::shared_ptr<const Runner>> with_hung_threads;
  auto planned = std::async(ahead, plan_batch);
  for (auto runner = planned.get(); !runner->empty(); runner = planned.get()) {
    planned = std::async(ahead, plan_batch);
    runner->state() = state;
    if (runner->run() > 0) with_hung_threads.push_back(runner);
    state = runner->state();
    if (options.stop && options.stop->load()) break;
  }
  std::size_t hung = 0;
  for (const auto& runner : with_hung_threads) hung += runner->hung();
  return hung;
}

unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace fftprec
