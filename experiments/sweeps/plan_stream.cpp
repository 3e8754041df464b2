#include "experiments/sweeps/plan_stream.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace fftprec {

bool same_problem(const SharedCase& a, const SharedCase& b) {
  return a.seed() == b.seed() && a.n() == b.n() && a.batch() == b.batch() &&
         a.transform() == b.transform() && a.input() == b.input();
}

namespace {

/// Adds up cases that come in the order of problems.
class WorkloadSum {
 public:
  void add(const CasePlan& plan) {
    const bool begins_batch = sum_.cases % PlanStream::batch_cases == 0;
    if (begins_batch) end_batch();
    OfPlan& own = batch_[{plan.shared(), plan.batch()}];
    if (own.cases == 0) begin(own, plan);
    const bool new_truth = sum_.cases == 0 || !same_problem(plan.where(), last_);
    if (new_truth) {
      ++sum_.truths;
      last_seed_ = seeds_.insert(last_seed_, plan.where().seed());
      last_ = plan.where();
    }
    if (new_truth || begins_batch) sum_.cost_ns += own.cost.truth_ns;
    if (own.cases == 0 && tables_.insert(plan.shared()).second) sum_.cost_ns += own.cost.tables_ns;
    sum_.cost_ns += own.cost.run_ns;
    ++own.cases;
    ++sum_.cases;
  }

  Workload result() && {
    end_batch();
    sum_.seeds.assign(seeds_.begin(), seeds_.end());
    return std::move(sum_);
  }

 private:
  /// The cases of this batch that differ in input and seed alone.
  struct OfPlan {
    EmulationCost cost{};
    std::size_t cases = 0;
  };

  void begin(OfPlan& own, const CasePlan& plan) {
    own.cost = plan.cost();
    if (sum_.largest && own.cost.least_bytes <= most_bytes_) return;
    sum_.largest = plan;
    most_bytes_ = own.cost.least_bytes;
  }

  void end_batch() {
    auto& sizes = sum_.by_bytes;
    for (const auto& [plan, own] : batch_) {
      sizes[own.cost.least_bytes] += own.cases;
      if (sizes.size() > most_sizes) sizes.erase(std::prev(sizes.end()));
    }
    batch_.clear();
    tables_.clear();
  }

  Workload sum_;
  std::set<std::uint64_t> seeds_;
  std::set<std::uint64_t>::iterator last_seed_ = seeds_.end();  ///< the next is often behind it
  std::map<std::pair<const CasePlan::Shared*, std::size_t>, OfPlan> batch_;
  std::set<const CasePlan::Shared*> tables_;  ///< of this batch
  double most_bytes_ = 0;
  SharedCase last_;
};

}  // namespace

CasePlan PlanStream::Planner::plan(const SharedCase& where) {
  constexpr std::size_t most_known = 1 << 13;
  const auto known = known_.find(where.names_key());
  if (known != known_.end()) return Session::plan(known->second.plan, where.batch(), where.seed());
  if (known_.size() == most_known) known_.clear();
  CasePlan made = session_->plan(where);
  known_.emplace(where.names_key(), Known{where, made});
  return made;
}

PlanStream::PlanStream(const CaseList& cases, CaseSet wanted, Session& session)
    : cases_(&cases), wanted_(std::move(wanted)), planner_(session) {
  walk_.emplace(cases.walk(CaseOrder::problems));
  Placed first = taken();
  if (walk_->at_end())
    all_ = std::move(first);
  else
    walk_ = cases.walk(CaseOrder::problems);
}

void PlanStream::each(
    const std::function<void(const CasePlan& plan, std::uint64_t place)>& visit) const {
  if (all_) {
    for (std::size_t i = 0; i < all_->plans.size(); ++i) visit(all_->plans[i], all_->places[i]);
    return;
  }
  Planner planner = planner_;
  for (auto at = cases_->walk(CaseOrder::problems); !at.at_end(); at.advance())
    if (wants(at.place())) visit(planner.plan(at.where()), at.place());
}

Workload PlanStream::workload() const {
  WorkloadSum sum;
  each([&sum](const CasePlan& plan, std::uint64_t) { sum.add(plan); });
  return std::move(sum).result();
}

void PlanStream::drop(const CaseSet& finished) {
  wanted_.resize(cases_->places(), wanted_.empty());
  for (std::uint64_t place = 0; place < cases_->places(); ++place)
    if (finished[place]) wanted_[place] = false;
  if (!all_) return;
  Placed left;
  for (std::size_t i = 0; i < all_->plans.size(); ++i) {
    if (!wants(all_->places[i])) continue;
    left.plans.push_back(std::move(all_->plans[i]));
    left.places.push_back(all_->places[i]);
  }
  all_ = std::move(left);
}

PlanStream::Placed PlanStream::taken() {
  Placed batch;
  for (; !walk_->at_end() && batch.plans.size() < batch_cases; walk_->advance()) {
    if (!wants(walk_->place())) continue;
    batch.plans.push_back(planner_.plan(walk_->where()));
    batch.places.push_back(walk_->place());
  }
  return batch;
}

std::vector<CasePlan> PlanStream::next() {
  return all_ ? std::exchange(all_->plans, {}) : taken().plans;
}

}  // namespace fftprec
